/// The ridgelet prior: a distribution over the weights of a network whose functions resemble draws of a
/// Gaussian process.
///
///   first hidden layer   W_ik ~ sigma_w p,  b_i ~ sigma_b p           (HiddenDistribution)
///   deeper hidden layers the weights of each unit are s B f, f ~ N(m, K) the process at the nodes and B the
///                        operator of the layer before; b_i ~ layer_bias p
///   output weights       w = B f, so  w | hidden layers ~ N(B m, B K B^T)
/// With K = L L^T of rank R, f = m + L z and z ~ N(0, I_R), everything given the hidden layers is Gaussian in
/// z (given_hidden.hpp), and a deeper layer is a layer on R coordinates (transform/hidden_walk.hpp).
///
/// Cost of construction: the D x D matrix K, and D^2 R for its factor. Copies share all of it.
/// Reference: Definition 1 of the paper.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/prior/layer_prior.hpp"
#include "ridgelet/target/process_at_points.hpp"
#include "ridgelet/transform/hidden_layer.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

struct PriorOptions {
  GaussianProcess target;
  Nodes nodes;
  Activation activation = "tanh";
  Index units = 300;
  Index layers = 1;
  HiddenDistribution hidden = {};
  OperatorSettings op = {};
  std::optional<double> layer_scale = std::nullopt;  ///< s; the operator's default if not given
  std::optional<double> layer_bias = std::nullopt;   ///< the operator's default if not given
  bool skip = false;  ///< a layer's features are followed by those of all earlier layers (ResNet)
  BlockSizes blocks = {};
};

/// Throws InvalidArgument about the first option that breaks its rule.
void validate(const PriorOptions& options);

class GivenHidden;

class RidgeletPrior final : public LayerPrior {
 public:
  /// `stored` is the factor of the process at the nodes if it was computed before: coordinates, of deeper layers and
  /// of output weights, mean the same functions only with the same factor.
  explicit RidgeletPrior(PriorOptions options, std::optional<FactorAtPoints> stored = std::nullopt);

  /// The hidden layers with this seed; replicates are independent, and the first units of a larger layer are
  /// those of a smaller one. Attempts are independent draws of the same replicate, for callers that cannot use one.
  HiddenLayers draw_hidden(std::uint64_t seed, std::uint32_t replicate = 0, std::uint32_t attempt = 0) const;

  /// The prior of everything else, once the hidden layers are fixed (of any number of units).
  GivenHidden given(const HiddenLayers& layers) const;

  const PriorOptions& options() const { return state_->options; }
  const Activation& activation() const override { return options().activation; }
  Index units() const { return options().units; }
  Index dimension() const override { return options().nodes.dimension(); }
  std::string name() const override { return options().op.name; }
  HiddenLayers allocate() const override;
  void at(const VectorView& xi, HiddenLayers& layers) const override;
  void pull_back(const VectorView& xi, const HiddenLayers& layers_bar,
                 Eigen::Ref<Vector> xi_bar) const override;
  Index rank() const override { return node_factor().rank(); }
  double output_bytes() const override;
  double mixed_bytes() const override;
  double pull_back_bytes(Index rows) const override;
  std::unique_ptr<ConditionalOutput> make_output() const override;

  /// Numbers in all hidden layers.
  Index parameters() const;

  /// Scales of the deeper layers: of their process, and of their biases.
  double layer_scale() const;
  double layer_bias() const;

  /// The process at the nodes: m (D) and K = L L^T (D x R).
  const Vector& node_mean() const { return state_->at_nodes.mean(); }
  const FactorAtPoints& node_factor() const { return state_->at_nodes.factor(); }

  /// What the node values say of f(x) at each row of X: its coordinates, and the kriging floor that no operator on
  /// these nodes can go below (target/process_at_points.hpp).
  using Kriging = ProcessAtPoints::Kriging;
  Kriging kriging(const MatrixView& X) const { return state_->at_nodes.kriging(X); }

 private:
  HiddenDistribution distribution(Index layer) const;

  struct State {
    PriorOptions options;
    ProcessAtPoints at_nodes;
  };
  static std::shared_ptr<const State> make_state(PriorOptions options, std::optional<FactorAtPoints> stored);

  std::shared_ptr<const State> state_;
};

}  // namespace ridgelet
