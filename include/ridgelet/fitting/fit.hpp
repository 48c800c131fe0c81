/// From a table and settings to a fitted network: the whole job as one call.
///
///   const Fit fitted = fit(table, {});
///   const PredictiveSummary summary = fitted.model.predict(Xs);
///
/// A table of any length may come as rows (table_rows.hpp): with hidden layers that stay fixed, a few of the rows are
/// kept (kept_rows.hpp), everything is chosen from these, and then all rows are passed over once.
///
/// What the settings leave open is learned or chosen, in this order:
///   1. kernel, mean and noise, by the evidence of the exact process (learned_settings.hpp);
///   2. nodes, bandwidths, ridge and width, by the kernel and the exact error of the network (model_settings.hpp);
///   3. the posterior: with hidden layers that stay as they were drawn, exact and from one pass over the rows
///      (closed_form_fit.hpp), by sampling them (inference/sampling.hpp), or by draws of the normal distribution that
///      is closest to their posterior (inference/variational.hpp). For responses that are not Gaussian given the
///      function it is a normal distribution about the mode, corrected by weights, or exact (latent_fit.hpp).
/// The error of the network against its process is known before the third step. Where it is large, what would help is
/// measured (remedies.hpp). Other nodes, more of them or more units are then taken, if nobody had set them and they
/// make the network good, or carry a process that it does not carry at all. A network that still is not that process
/// is refused unless `force` is set.
///
/// Whoever calls can watch, stop and save the run through handlers; none of them is needed. A stopped run ends in
/// FitStopped.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

#include "ridgelet/fitting/closed_form_fit.hpp"
#include "ridgelet/fitting/fit_view.hpp"
#include "ridgelet/fitting/learned_settings.hpp"
#include "ridgelet/fitting/table_rows.hpp"
#include "ridgelet/inference/variational.hpp"

namespace ridgelet {

enum class HiddenLayersAre { fixed, sampled, variational };

/// Reads "fixed", "sampled" or "variational"; throws InvalidArgument about "hidden".
HiddenLayersAre parse_hidden_layers(const std::string& text);

struct FitSettings {
  RegressionSettings regression = {};
  LearnSettings learning = {};
  HiddenLayersAre hidden = HiddenLayersAre::fixed;
  Index networks = 1;  ///< fixed: how many networks, whose posteriors are mixed
  Arithmetic arithmetic = Arithmetic::double_precision;  ///< fixed: in which the rows are passed over
  SamplingOptions sampling = {};        ///< sampled; its seed is used for all that is drawn, in every case
  VariationalOptions variational = {};  ///< variational, with sampling.draws draws of q in the end
  LatentDrawOptions latent = {};        ///< responses that are not Gaussian; its seed is not used
  bool force =
      false;  ///< go on even if the network cannot represent its process, or rounding swamps the mean
  Index most_watched = 1000;  ///< rows of the data at which functions are kept, at most (fit_view.hpp)
  Index kept_rows = 10'000;   ///< fixed: rows kept of a larger table; at least as many as learning takes
  Index domain_points = 100;  ///< inputs of the domain at which the prior is judged and predictions are kept
};

struct FitHandlers {
  /// What is being done, in a few words: "learning the process".
  std::function<void(const std::string&)> stage = nullptr;

  /// After learning, if there was any; and once the network is chosen, with its certificate.
  std::function<void(const LearnedSettings&)> learned = nullptr;
  std::function<void(const Regression&, const Certificate&)> chosen = nullptr;

  /// Where the network is far from its process: what would bring it nearer (remedies.hpp).
  std::function<void(const std::string&)> advice = nullptr;

  /// Sampled: what the run will take, before it begins.
  std::function<void(const SamplingPlan&)> plan = nullptr;

  /// Steps of all chains, or rows of all networks; called by one thread at a time.
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

/// Allowed for counts whose process is given; validate() allows them by itself where there is an exposure.
ConstantResponses constant_responses(const FitSettings& settings);

/// Throws InvalidArgument about the first setting that breaks its rule, or about "draws" if the memory would not
/// suffice, both before any sampling; FitStopped; and whatever a handler throws.
Fit fit(RegressionTable table, const FitSettings& settings, const FitHandlers& handlers = {});

/// The same for rows in memory or in files. Unless the hidden layers are fixed and the noise is Gaussian, all rows are
/// read into memory.
Fit fit(const TableRows& rows, const FitSettings& settings, const FitHandlers& handlers = {});

}  // namespace ridgelet
