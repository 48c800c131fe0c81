/// From a table and settings to a fitted network: the whole job as one call.
///
///   FitSettings settings;
///   settings.regression.model.kernel = "se(amplitude=1, lengthscale=1.5)";
///   settings.regression.noise = Vector::Constant(1, 0.1);
///   const Fit fitted = fit(table, settings);
///   const PredictiveSummary summary = fitted.model.predict(Xs);
///
/// The hidden layers are sampled with the output layer integrated out (inference/sampling.hpp). Whoever calls can
/// watch, stop and save the run through handlers; none of them is needed. A stopped run ends in FitStopped.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

#include "ridgelet/fitting/fit_view.hpp"

namespace ridgelet {

struct FitSettings {
  RegressionSettings regression;
  SamplingOptions sampling;
  Index most_watched = 100;   ///< inputs of the data at which functions are kept, at most
  Index domain_points = 100;  ///< inputs of the domain at which the prior is judged and predictions are kept
};

struct FitHandlers {
  /// What the run will take, before it begins.
  std::function<void(const SamplingPlan&)> plan = nullptr;

  /// Steps of all chains; called by one thread at a time.
  std::function<void(Index done, Index total)> progress = nullptr;

  /// Asked between steps, from any thread; true ends the run.
  std::function<bool()> stop = nullptr;

  /// Called once, before the first step: may put the chains where an earlier run left them.
  std::function<void(Sampling&)> restore = nullptr;

  /// Called every `save_interval` from a thread of its own while the chains run, and once when they end or are stopped.
  /// Sampling::snapshot() says up to where the draws are complete.
  std::function<void(const Sampling&)> save = nullptr;
  std::chrono::milliseconds save_interval = std::chrono::seconds(5);
};

/// A handler ended the run.
class FitStopped : public std::runtime_error {
 public:
  FitStopped(Index done, Index total);
  Index done() const { return done_; }
  Index total() const { return total_; }

 private:
  Index done_;
  Index total_;
};

struct Fit {
  FittedModel model;
  FitView view;
};

/// Throws InvalidArgument about the first setting that breaks its rule, or about "draws" if the memory would not
/// suffice, both before any sampling; FitStopped; and whatever a handler throws.
Fit fit(RegressionTable table, const FitSettings& settings, const FitHandlers& handlers = {});

}  // namespace ridgelet
