/// The prior that people use when they have no better one: every parameter independent,
///   W_ik ~ N(0, sigma_w^2),  b_i ~ N(0, sigma_b^2),  w_i ~ N(0, sigma_out^2),
/// the baseline of the paper's Section 6.2 (sigma_out = 0.1 / sqrt(N) there). Given the hidden layer its
/// outputs are Gaussian with mean 0 and factor G = sigma_out Phi(X), so z = w / sigma_out and R = N.
#pragma once

#include "ridgelet/prior/layer_prior.hpp"

namespace ridgelet {

struct IidPriorOptions {
  Activation activation = "tanh";
  Index units = 300;
  Index dimension = 1;
  HiddenDistribution hidden = {};
  double sigma_out = 0.01;
};

class IidPrior final : public LayerPrior {
 public:
  /// Throws InvalidArgument about the first option that breaks its rule.
  explicit IidPrior(IidPriorOptions options);

  Index units() const { return options_.units; }
  Index dimension() const override { return options_.dimension; }
  const HiddenDistribution& hidden() const { return options_.hidden; }
  const Activation& activation() const override { return options_.activation; }
  std::string name() const override { return "iid"; }
  HiddenLayers allocate() const override;
  void at(const VectorView& xi, HiddenLayers& layers) const override { options_.hidden.at(xi, layers[0]); }
  void pull_back(const VectorView& xi, const HiddenLayers& layers_bar,
                 Eigen::Ref<Vector> xi_bar) const override {
    options_.hidden.pull_back(xi, layers_bar[0], xi_bar);
  }
  Index rank() const override { return options_.units; }
  double output_bytes() const override;
  double pull_back_bytes(Index rows) const override;
  std::unique_ptr<ConditionalOutput> make_output() const override;

  double sigma_out() const { return options_.sigma_out; }

 private:
  IidPriorOptions options_;
};

}  // namespace ridgelet
