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

PredictiveMixture FittedModel::mixture(const Matrix& Xs, bool noise) const {
  PredictiveMixture mixture = posterior_.mixture(regression_->input_scaling().apply(Xs), noise);
  const Scaling& scaling = regression_->output_scaling();
  const Index M = Xs.rows();
  for (Index k = 0; k < scaling.scale.size(); ++k) {
    auto means = mixture.means.middleCols(k * M, M).array();
    means = scaling.centre(k) + scaling.scale(k) * means;
    mixture.sds.middleCols(k * M, M) *= scaling.scale(k);
  }
  return mixture;
}

}  // namespace ridgelet
