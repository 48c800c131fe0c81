/// Log densities for the sampler where the likelihood is not Gaussian, in coordinates that are standard normal a
/// priori.
///
/// LatentWeight: the hidden layers are fixed, and the chain moves on v, coordinates in which the normal distribution
///   about the mode is nearly standard (latent_whitening.hpp). The posterior of v is proportional to N(v; 0, I) w(v),
///     log w = log p(y | z) - |z|^2 / 2 + |v|^2 / 2 + log det(dz / dv).
///   Where Laplace's approximation is good log w is nearly flat: a chain forgets where it was within a few steps. It
///   has a gradient. Cost: 2 M R K and 4 R^2 K multiplications.
/// LatentDensity: the hidden layers move as well. The coordinates are (xi, u), and zhat(xi), A(xi) depend on the hidden
///   layers alone, so the density of (xi, u) is again N(xi, u; 0, I) w(xi, u). The mean of w over u is the evidence of
///   the hidden layers at xi, so the xi of the chain have their exact posterior, however rough the approximation. For
///   Gaussian noise w does not depend on u, and this is CollapsedDensity. The search for zhat always starts at z = 0:
///   if it started where the chain was before, w would depend on the chain's past and the chain would no longer have
///   this posterior.
/// LaplaceDensity: the hidden layers move, and z is left to Laplace's approximation: L(xi) is the log evidence that it
///   gives the hidden layers at xi. It has a gradient (latent_mode.hpp), which variational inference climbs.
/// Reference: Murray and Graham, Pseudo-marginal slice sampling (AISTATS 2016).
#pragma once

#include <memory>

#include "ridgelet/inference/latent_mode.hpp"
#include "ridgelet/inference/latent_whitening.hpp"
#include "ridgelet/inference/posterior_draws.hpp"

namespace ridgelet {

class LatentWeight final : public DifferentiableLogDensity {
 public:
  /// The mode must have been found, and must outlive this. Several of these may work at a time where
  /// mode.keeps_values().
  LatentWeight(LatentMode& mode, std::shared_ptr<const LatentWhitening> whitening);

  Index dimension() const override { return mode_.coordinates(); }
  double operator()(const Vector& v) override;
  double value_and_gradient(const Vector& v, Vector& gradient) override;

  /// z for v, R x K.
  Matrix at(const Vector& v) const { return mode_.mode() + whitening_->at(v); }

 private:
  LatentMode& mode_;
  std::shared_ptr<const LatentWhitening> whitening_;
  Matrix slope_;
};

class LatentDensity final : public SampledDensity {
 public:
  LatentDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const LatentData> data,
                const LatentModeOptions& options = {});

  Index dimension() const override { return layers_.parameters() + mode_.coordinates(); }
  double operator()(const Vector& xi_and_u) override;

  /// z follows from u, so nothing is left to chance. At the monitored points nothing is kept, since the functions given
  /// the layers are not normal.
  void record_place(PosteriorDraws& draws, Index row, const RandomStream& stream,
                    const MonitoredInputs& inputs) override;

  /// At the place of the last evaluation: the hidden layers, and z (R x K).
  const HiddenLayers& layers() const { return layers_; }
  Matrix coordinates() const;

 private:
  std::shared_ptr<const LayerPrior> prior_;
  std::shared_ptr<const LatentData> data_;
  std::unique_ptr<ConditionalOutput> output_;
  HiddenLayers layers_;
  LatentMode mode_;
};

class LaplaceDensity final : public DifferentiableLogDensity {
 public:
  LaplaceDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const LatentData> data,
                 const LatentModeOptions& options = {});

  Index dimension() const override { return layers_.parameters(); }
  double operator()(const Vector& xi) override;
  double value_and_gradient(const Vector& xi, Vector& gradient) override;

 private:
  std::shared_ptr<const LayerPrior> prior_;
  std::shared_ptr<const LatentData> data_;
  std::unique_ptr<ConditionalOutput> output_;
  HiddenLayers layers_;
  LatentMode mode_;
};

}  // namespace ridgelet
