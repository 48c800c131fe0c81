/// Log densities for the sampler where the likelihood is not Gaussian, in coordinates that are standard normal a priori.
///
/// LatentWeight: hidden layers stay, and u in z = zhat + A^{-1/2} u moves (latent_mode.hpp). The posterior of u is
///   proportional to N(u; 0, I) w(u), so log w is the density, and where Laplace's approximation is good it is nearly flat:
///   a chain forgets where it was within a few steps. It has a gradient.
/// LatentDensity: hidden layers move with it. The coordinates are (xi, u), and zhat(xi), A(xi) depend on the hidden
///   layers alone, so that the density of (xi, u) is again N(xi, u; 0, I) w(xi, u), with
///     the mean of w over u the evidence of the hidden layers at xi:
///   what the chain leaves of xi is their exact posterior, whatever the approximation. For Gaussian noise w does not
///   depend on u, and this is CollapsedDensity. The search for zhat always starts at z = 0: if it started where the chain
///   was before, w would depend on the chain's past and the chain would no longer have this posterior.
/// Reference: Murray and Graham, Pseudo-marginal slice sampling (AISTATS 2016).
#pragma once

#include <memory>

#include "ridgelet/inference/latent_mode.hpp"
#include "ridgelet/inference/log_density.hpp"

namespace ridgelet {

class LatentWeight final : public DifferentiableLogDensity {
 public:
  /// The mode must have been found, and must outlive this.
  explicit LatentWeight(LatentMode& mode) : mode_(mode) {}

  Index dimension() const override { return mode_.coordinates(); }
  double operator()(const Vector& u) override { return mode_.log_weights(u)(0); }
  double value_and_gradient(const Vector& u, Vector& gradient) override {
    return mode_.log_weight_and_gradient(u, gradient);
  }

 private:
  LatentMode& mode_;
};

class LatentDensity final : public LogDensity {
 public:
  LatentDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const LatentData> data,
                const LatentModeOptions& options = {});

  Index dimension() const override { return layers_.parameters() + mode_.coordinates(); }
  double operator()(const Vector& xi_and_u) override;

  /// Evaluates there, unless the last evaluation was there.
  void move_to(const Vector& xi_and_u);

  /// At the place of the last evaluation: the hidden layers, z (R x K), and the network's outputs.
  const HiddenLayers& layers() const { return layers_; }
  Matrix coordinates() const;
  ConditionalOutput& output() { return *output_; }

 private:
  std::shared_ptr<const LayerPrior> prior_;
  std::shared_ptr<const LatentData> data_;
  std::unique_ptr<ConditionalOutput> output_;
  HiddenLayers layers_;
  LatentMode mode_;
  Vector here_;
};

}  // namespace ridgelet
