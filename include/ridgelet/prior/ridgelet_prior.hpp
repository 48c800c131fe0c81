/// The ridgelet prior: a distribution over the weights of a network with one hidden layer whose functions
/// resemble draws of a Gaussian process.
///
///   hidden layer    W_ik ~ sigma_w p,  b_i ~ sigma_b p           (HiddenDistribution)
///   output weights  w = B f,  f ~ N(m, K) the process at the nodes, so  w | W, b ~ N(B m, B K B^T)
/// With K = L L^T of rank R, f = m + L z and z ~ N(0, I_R), everything given the hidden layer is Gaussian in
/// z (given_hidden.hpp).
///
/// Cost of construction: the D x D matrix K and D R^2 for its factor. Reference: Definition 1 of the paper.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/prior/layer_prior.hpp"
#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/transform/hidden_layer.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

struct PriorOptions {
  GaussianProcess target;
  Nodes nodes;
  std::string activation = "tanh";
  std::optional<int> order = std::nullopt;  ///< of psi; the activation's default if not given
  Index units = 300;
  Index layers = 1;
  HiddenDistribution hidden = {};
  OperatorSettings op = {};
};

/// Throws InvalidArgument about the first option that breaks its rule.
void validate(const PriorOptions& options);

class GivenHidden;

class RidgeletPrior final : public LayerPrior {
 public:
  explicit RidgeletPrior(PriorOptions options);

  /// The hidden layer with this seed; replicates are independent.
  HiddenLayer draw_hidden(std::uint64_t seed, std::uint32_t replicate = 0) const;

  /// The prior of everything else, once the hidden layer is fixed (of any number of units).
  GivenHidden given(HiddenLayer layer) const;

  const PriorOptions& options() const { return options_; }
  const ActivationPair& pair() const override { return pair_; }
  Index units() const override { return options_.units; }
  Index dimension() const override { return options_.nodes.dimension(); }
  const HiddenDistribution& hidden() const override { return options_.hidden; }
  std::string name() const override { return options_.op.name; }
  Index rank() const override { return node_factor_.rank(); }
  double output_bytes() const override;
  std::unique_ptr<ConditionalOutput> make_output() const override;

  /// The process at the nodes: m (D) and K = L L^T (D x R).
  const Vector& node_mean() const { return node_mean_; }
  const RankRevealingFactor& node_factor() const { return node_factor_; }

  /// What the node values say of f(x) at each row of X: the coordinates c (R x M) for which f(x) = m(x) + c .
  /// z + an independent remainder, and the remainder's standard deviation, the kriging floor
  ///   sqrt( k(x,x) - k(x,q) K^{-1} k(q,x) ),
  /// which no operator on these nodes can go below.
  struct Kriging {
    Matrix coordinates;
    Vector floor;
  };
  Kriging kriging(const MatrixView& X) const;

 private:
  PriorOptions options_;
  ActivationPair pair_;
  Vector node_mean_;
  RankRevealingFactor node_factor_;
};

}  // namespace ridgelet
