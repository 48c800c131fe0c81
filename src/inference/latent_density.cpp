#include "ridgelet/inference/latent_density.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace ridgelet {

LatentWeight::LatentWeight(LatentMode& mode, std::shared_ptr<const LatentWhitening> whitening)
    : mode_(mode), whitening_(std::move(whitening)) {}

double LatentWeight::operator()(const Vector& v) {
  Vector gradient;
  return value_and_gradient(v, gradient);
}

double LatentWeight::value_and_gradient(const Vector& v, Vector& gradient) {
  const double weight =
      mode_.log_joint_and_slope(at(v), slope_) + 0.5 * v.squaredNorm() + whitening_->log_determinant();
  if (!std::isfinite(weight) || !slope_.allFinite()) {
    gradient.setZero(v.size());
    return -std::numeric_limits<double>::infinity();
  }
  gradient = whitening_->pull_back(slope_) + v;
  return weight;
}

LatentDensity::LatentDensity(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const LatentData> data,
                             const LatentModeOptions& options)
    : prior_(std::move(prior)),
      data_(std::move(data)),
      output_(prior_->make_output()),
      layers_(prior_->allocate()),
      mode_(*data_, prior_->rank(), options) {}

double LatentDensity::operator()(const Vector& xi_and_u) {
  here_ = xi_and_u;
  prior_->at(xi_and_u.head(layers_.parameters()), layers_);
  if (!output_->condition(layers_) || !mode_.find(*output_)) return -std::numeric_limits<double>::infinity();
  return mode_.log_weights(xi_and_u.tail(mode_.coordinates()))(0);
}

void LatentDensity::record_place(PosteriorDraws& draws, Index row, const RandomStream&,
                                 const MonitoredInputs& inputs) {
  draws.record_network(row, layers_, coordinates(), outputs_at(inputs.paths, *output_, prior_->rank()));
}

Matrix LatentDensity::coordinates() const {
  return mode_.at(here_.tail(mode_.coordinates()));
}

LaplaceDensity::LaplaceDensity(std::shared_ptr<const LayerPrior> prior,
                               std::shared_ptr<const LatentData> data, const LatentModeOptions& options)
    : prior_(std::move(prior)),
      data_(std::move(data)),
      output_(prior_->make_output()),
      layers_(prior_->allocate()),
      mode_(*data_, prior_->rank(), options) {}

double LaplaceDensity::operator()(const Vector& xi) {
  prior_->at(xi, layers_);
  // Away from the mode neither the approximation nor its slope holds.
  if (!output_->condition(layers_) || !mode_.find(*output_) || !mode_.converged())
    return -std::numeric_limits<double>::infinity();
  return mode_.log_evidence();
}

double LaplaceDensity::value_and_gradient(const Vector& xi, Vector& gradient) {
  const double value = (*this)(xi);
  gradient.setZero(xi.size());
  if (!std::isfinite(value)) return value;
  mode_.pull_back_log_evidence();
  prior_->pull_back(xi, output_->finish_pull_back(), gradient);
  return value;
}

}  // namespace ridgelet
