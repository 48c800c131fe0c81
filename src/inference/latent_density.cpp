#include "ridgelet/inference/latent_density.hpp"

#include <limits>
#include <utility>

namespace ridgelet {

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

void LatentDensity::move_to(const Vector& xi_and_u) {
  if (here_.size() != xi_and_u.size() || here_ != xi_and_u) (*this)(xi_and_u);
}

Matrix LatentDensity::coordinates() const {
  return mode_.at(here_.tail(mode_.coordinates()));
}

}  // namespace ridgelet
