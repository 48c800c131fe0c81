#include "ridgelet/fitting/fitted_model.hpp"

#include <utility>

namespace ridgelet {

FittedModel::FittedModel(std::shared_ptr<const Regression> regression, Posterior posterior,
                         const SamplingOptions& sampling, FitReport report)
    : regression_(std::move(regression)),
      posterior_(std::move(posterior)),
      sampling_(sampling),
      report_(std::move(report)) {}

PredictiveSummary FittedModel::predict(const Matrix& Xs, const PredictiveOptions& options) const {
  return regression_->predict(posterior_, Xs, options);
}

}  // namespace ridgelet
