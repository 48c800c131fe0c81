/// The collapsed Gaussian likelihood as a log density over whitened coordinates:
///   L(xi) = log p(Y | hidden layers at xi),
/// the output layer integrated out. Hidden layers and coordinates z belong to the place of the last evaluation.
#pragma once

#include <memory>

#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/inference/log_density.hpp"

namespace ridgelet {

class CollapsedDensity final : public DifferentiableLogDensity {
 public:
  /// Ranks may share the rows; they must outlive this.
  CollapsedDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                   const Ranks& ranks = alone());

  Index dimension() const override { return layers_.parameters(); }
  double operator()(const Vector& xi) override;
  double value_and_gradient(const Vector& xi, Vector& gradient) override;

  /// Evaluates at xi, unless the last evaluation was there.
  void move_to(const Vector& xi);

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
  Vector here_;  ///< where the last evaluation was
};

}  // namespace ridgelet
