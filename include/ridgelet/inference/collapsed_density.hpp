/// The collapsed Gaussian likelihood as a log density over whitened coordinates:
///   L(xi) = log p(Y | hidden layers at xi),
/// the output layer integrated out. Hidden layers and coordinates z belong to the place of the last evaluation.
#pragma once

#include <memory>

#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/inference/posterior_draws.hpp"

namespace ridgelet {

class CollapsedDensity final : public DifferentiableLogDensity, public SampledDensity {
 public:
  /// Ranks may share the rows; they must outlive this.
  CollapsedDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                   const Ranks& ranks = alone());

  Index dimension() const override { return layers_.parameters(); }
  double operator()(const Vector& xi) override;
  double value_and_gradient(const Vector& xi, Vector& gradient) override;

  /// z is drawn given the layers; at the monitored points the function's mean and sd given them are kept.
  void record_place(PosteriorDraws& draws, Index row, const RandomStream& stream,
                    const MonitoredInputs& inputs) override;

  const HiddenLayers& layers() const { return layers_; }
  const CollapsedLikelihood& likelihood() const { return likelihood_; }

  /// The network's outputs given those layers.
  ConditionalOutput& output() { return likelihood_.output(); }
  Index outputs() const { return data_->outputs(); }
  Index rank() const { return prior_->rank(); }

  /// z given the data and the layers: a draw for each output, R x outputs. Output k uses the numbers of the
  /// stream from k (R + M) on.
  Matrix draw_coordinates(const RandomStream& stream) const;

 private:
  std::shared_ptr<const LayerPrior> prior_;
  std::shared_ptr<const Data> data_;
  CollapsedLikelihood likelihood_;
  HiddenLayers layers_;
};

}  // namespace ridgelet
