/// The seam between functions and weights: an operator B takes a function's values f at the nodes to the
/// output weights w = B f of a given hidden layer.
///
/// Every operator here factors as B = V T (N x D times D x D):
///   V_ij  a function of unit i at node j alone: psi for `ridgelet`, phi for `least-squares`;
///   T     mixes the nodes: diag(Z u / N) for `ridgelet`, (S + ridge)^{-1} for `least-squares`.
/// So B F = V (T F) for any F of D x r is a pass over blocks of units once T F is known, and neither B nor
/// any matrix with two sides of length N is ever formed.
///
/// Backwards, with bars for derivatives as in unit_adjoint.hpp: for weights = V Y, Y = T F, given weightsbar (N x r)
///   V^Tbar = Y weightsbar^T,   Ybar = V^T weightsbar,
/// the second of which goes on through T, where that depends on the hidden layer.
///
/// To add one: a class, a test, and a line in the registry (src/transform/operator.cpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/transform/block_sizes.hpp"
#include "ridgelet/transform/hidden_layer.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

class Operator {
 public:
  virtual ~Operator() = default;

  /// Makes this the operator of the hidden layer whose preactivations at the nodes are given. Returns false if
  /// there is none in double precision. Uses its memory again.
  [[nodiscard]] virtual bool condition(const Preactivations& at_nodes) = 0;

  /// After condition() returned false: the reason, for a caller who asked for this very hidden layer.
  virtual InvalidArgument impossibility() const;

  /// Overwrites preactivations of units at the nodes with the entries of V that belong to them.
  virtual void analyse(std::span<double> preactivations) const = 0;

  /// The largest |z| that matters: beyond it, the entry of V that a preactivation z gives is 0, and so is its
  /// derivative. Nothing if there is no such number. Units that are beyond it at all nodes have no weight, and need not
  /// be looked at.
  virtual std::optional<double> cutoff() const { return std::nullopt; }

  /// V^T of `count` units from `first` on, D x count, if condition() has kept all of it.
  virtual std::optional<MatrixView> analysed(Index first, Index count) const;

  /// Writes T F into memory that the caller provides.
  virtual void mix_into(const MatrixView& F, MatrixSpan mixed) const = 0;

  // The adjoint of weights = B F in what the units see of the nodes, in two steps. `mixed` is T F.

  /// The first step, over all units: to be called once before pull_back(), with all rows of weights_bar. No piece will
  /// have more than `most_units` units.
  virtual void start_pull_back(const Preactivations& at_nodes, const MatrixView& mixed,
                               const MatrixView& weights_bar, Index most_units) = 0;

  /// The second step, for a piece of units: overwrites z, what units from `first` on see of the nodes (D x count, in
  /// one piece of memory), with the derivative in z; weights_bar has the rows of these units. Members of a team may
  /// call it at the same time, each with a number of its own.
  virtual void pull_back(int member, Index first, const MatrixView& mixed, const MatrixView& weights_bar,
                         MatrixSpan z) = 0;

  /// T F.
  Matrix mix(const MatrixView& F) const {
    Matrix mixed(F.rows(), F.cols());
    mix_into(F, mixed);
    return mixed;
  }
};

/// What an operator may depend on besides the hidden layer.
struct OperatorSettings {
  std::string name = "least-squares";       ///< one of operator_names()
  double ridge = 1e-6;                      ///< for operators that need it
  std::optional<int> order = std::nullopt;  ///< of psi; the activation's default if not given
};

/// What may be asked of an operator without knowing which one it is.
struct OperatorTraits {
  std::string name;
  bool needs_psi;  ///< needs an activation that has a psi, and uses `order`
  bool needs_ridge;
  bool integrates;     ///< a sum over the nodes stands for an integral, so they must have cubature weights
  bool has_theorem;    ///< Theorem 1 of the paper bounds its error
  double layer_scale;  ///< default scale of the process between hidden layers
  std::optional<double> layer_bias;  ///< default scale of biases after the first layer; sigma_b if none
  std::string advice;                ///< what to change where its error is large
};

/// Throws InvalidArgument about "operator".
const OperatorTraits& operator_traits(const std::string& name);

std::vector<std::string> operator_names();

/// Throws InvalidArgument about "operator", "ridge", or, where psi is needed or its order given, "activation"
/// or "order".
void validate(const OperatorSettings& settings, const Activation& activation, Index dimension);

/// An operator that waits to be conditioned on a hidden layer of `units` units.
std::unique_ptr<Operator> make_operator(const OperatorSettings& settings, const Activation& activation,
                                        const Nodes& nodes, const HiddenDistribution& distribution,
                                        Index units, const BlockSizes& blocks = {});

/// The operator of the hidden layer whose preactivations at the nodes are given. Throws InvalidArgument with
/// the reason if there is none.
std::unique_ptr<const Operator> make_operator(const OperatorSettings& settings, const Activation& activation,
                                              const Nodes& nodes, const HiddenDistribution& distribution,
                                              const Preactivations& at_nodes, const BlockSizes& blocks = {});

/// B F, with the memory for it.
class WeightBlocks {
 public:
  explicit WeightBlocks(const BlockSizes& blocks = {}) : blocks_(blocks) {}

  /// Writes B F into memory that the caller provides: one row for each unit from `first` on, as many as `weights` has
  /// rows. `mixed` is T F. Threads take pieces of units, and each analyses and multiplies those that it has
  /// taken. Zeros at the head of columns of T F are not multiplied: where the nodes stand in the order of their pivots,
  /// a diagonal T keeps the triangle of L, and a square L costs half.
  void fill(const Operator& op, const Preactivations& at_nodes, const MatrixView& mixed, MatrixSpan weights,
            Index first = 0);

 private:
  /// Columns of T F that are zero at all nodes before `first_node`.
  struct Stair {
    Index column;
    Index columns;
    Index first_node;
  };
  void find_stairs(const MatrixView& mixed);

  BlockSizes blocks_;
  std::vector<Matrix> pieces_;  ///< one for each thread
  std::vector<Stair> stairs_;
};

/// B F as a new matrix.
Matrix output_weights(const Operator& op, const Preactivations& at_nodes, const MatrixView& mixed,
                      const BlockSizes& blocks = {});

}  // namespace ridgelet
