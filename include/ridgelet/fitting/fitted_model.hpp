/// What a fit leaves: a regression problem with the posterior of its network. It owns all that it needs.
///
/// Inputs and predictions are in the table's own units. The posterior is one of three:
///   fixed    exact, with hidden layers that stay as they were drawn (inference/closed_form_posterior.hpp)
///   sampled  draws of hidden layers, and for each the exact posterior of the rest (inference/posterior.hpp); of the
///            posterior itself, or of a normal distribution in its place, whose report then has an ELBO
///   latent   draws of functions, where the response is not Gaussian given them (inference/latent_posterior.hpp)
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/inference/closed_form_posterior.hpp"
#include "ridgelet/inference/latent_posterior.hpp"
#include "ridgelet/inference/sampling.hpp"

namespace ridgelet {

class FittedModel;

/// "fixed", "sampled" or "variational": how the hidden layers of a fitted model came about.
std::string hidden_layers_are(const FittedModel& model);

class FittedModel {
 public:
  /// `posterior` is one that Regression::posterior made.
  FittedModel(std::shared_ptr<const Regression> regression, Posterior posterior,
              const SamplingOptions& sampling, FitReport report);

  FittedModel(std::shared_ptr<const Regression> regression,
              std::shared_ptr<const ClosedFormPosterior> posterior, FitReport report);

  /// `sampling` is that of its chains, if it has any.
  FittedModel(std::shared_ptr<const Regression> regression, std::shared_ptr<const LatentPosterior> posterior,
              FitReport report, const SamplingOptions& sampling = {});

  const Regression& regression() const { return *regression_; }
  const FitReport& report() const { return report_; }

  /// Replaces the report by one with what was found out since, for which the model itself was needed.
  void set_report(FitReport report) { report_ = std::move(report); }

  /// Which of the posteriors there is; the others' functions must not be called.
  bool sampled() const { return sampled_.has_value(); }
  bool latent() const { return latent_ != nullptr; }
  const Posterior& posterior() const { return *sampled_; }
  const SamplingOptions& sampling() const { return sampling_; }
  const ClosedFormPosterior& closed_form() const { return *closed_; }
  const LatentPosterior& latent_posterior() const { return *latent_; }

  /// Whether the hidden layers were sampled by chains, of either sort.
  bool by_chains() const { return !report_.elbo && (sampled() || report_.chains > 0); }

  /// The likelihood of the response in its own units; null where noise is Gaussian.
  LikelihoodPointer likelihood() const;

  /// Latent: all functions that were drawn, at the rows of Xs, draws x (M functions), in the units of the likelihood
  /// above.
  Matrix latent_functions(const Matrix& Xs) const;

  /// The seed of all that was drawn at random.
  std::uint64_t seed() const { return regression_->settings().seed; }

  /// The number of components of the predictive mixture.
  Index components() const;

  /// New rows to predict at a time: as many as keep the mixtures of all components at about 128 MB.
  Index rows_per_block() const;

  /// A column for each output; for classes, their probabilities (fitting/latent_response.hpp).
  PredictiveSummary predict(const Matrix& Xs, const PredictiveOptions& options = {}) const;

  /// The whole predictive distribution: a mixture with a component for each network or draw, at the rows of Xs for one
  /// output after the other, of the response on the scale that was fitted (fitting/response.hpp carries it over to the
  /// response itself).
  /// Latent: the mixture of the functions themselves, in which every draw is a point.
  PredictiveMixture mixture(const Matrix& Xs, bool noise = true) const;

  /// As above, of the noise-free function's average over every `count` rows of Xs, one after the other: its sd is less
  /// than that of a single value, as errors at different rows partly cancel. Not for a latent posterior.
  PredictiveMixture average_mixture(const Matrix& Xs, Index count) const;

  /// `count` draws of one output's noise-free function at the rows of Xs, one in each row. Sampled and latent: evenly
  /// spaced among those that were kept, of which there may be fewer. Throws InvalidArgument about "draws" or "output".
  Matrix functions(const Matrix& Xs, Index count, std::uint64_t seed, Index output = 0) const;

  /// Covariance of one output's noise-free function between the rows of Xs. Throws InvalidArgument about
  /// "output".
  Matrix covariance(const Matrix& Xs, Index output = 0) const;

  /// A plain network in the table's units: the posterior mean of one of the networks, or one draw.
  Network network(Index index = 0) const;

  /// At each row of Xs the error of the network against its process (prior/given_hidden.hpp), relative to the process's
  /// standard deviation there: what the certificate is made of. Where the process does not vary, as linear() at 0, it
  /// is 0 for a network without error, and infinite for any other.
  Vector relative_error(const Matrix& Xs) const;

  /// The error is averaged over at most this many networks; over all of them where a closed form has fixed hidden
  /// layers.
  static constexpr Index most_certified_draws = 4;

 private:
  std::shared_ptr<const Regression> regression_;
  std::optional<Posterior> sampled_;
  std::shared_ptr<const ClosedFormPosterior> closed_;
  std::shared_ptr<const LatentPosterior> latent_;
  SamplingOptions sampling_;
  FitReport report_;
};

}  // namespace ridgelet
