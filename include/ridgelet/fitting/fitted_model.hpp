/// What a fit leaves: a regression problem with the posterior of its network. It owns all that it needs.
///
/// Inputs and predictions are in the table's own units.
#pragma once

#include <memory>

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/inference/sampling.hpp"

namespace ridgelet {

class FittedModel {
 public:
  /// `posterior` is one that Regression::posterior made.
  FittedModel(std::shared_ptr<const Regression> regression, Posterior posterior,
              const SamplingOptions& sampling, FitReport report);

  const Regression& regression() const { return *regression_; }
  const Posterior& posterior() const { return posterior_; }
  const SamplingOptions& sampling() const { return sampling_; }
  const FitReport& report() const { return report_; }

  PredictiveSummary predict(const Matrix& Xs, const PredictiveOptions& options = {}) const;

  /// The whole predictive distribution: a mixture at the rows of Xs for one output after the other, of the response on
  /// the scale that was fitted (fitting/response.hpp carries it over to the response itself).
  PredictiveMixture mixture(const Matrix& Xs, bool noise = true) const;

 private:
  std::shared_ptr<const Regression> regression_;
  Posterior posterior_;
  SamplingOptions sampling_;
  FitReport report_;
};

}  // namespace ridgelet
