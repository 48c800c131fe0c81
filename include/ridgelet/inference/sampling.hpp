/// Sampling of a posterior from start to end: how much it will take, and a run that can be paused and resumed.
///
/// Each chain makes `warmup` steps that are thrown away, then `draws` that are kept. A run stopped at any
/// step and resumed, in this process or another, leaves the same draws as one that was not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/inference/latent_mode.hpp"
#include "ridgelet/inference/posterior.hpp"

namespace ridgelet {

/// How a chain moves: by elliptical slices, or by trajectories of the no-U-turn sampler.
enum class Sampler { slice, nuts };

std::vector<std::string> sampler_names();

std::string sampler_name(Sampler sampler);

/// Throws InvalidArgument about "sampler".
Sampler parse_sampler(const std::string& name);

struct SamplingOptions {
  Index chains = 4;
  Index warmup = 200;
  Index draws = 500;
  std::uint64_t seed = 0;
  Sampler sampler = Sampler::slice;
  const Ranks* ranks = nullptr;  ///< that share the rows; chains then run one after another
};

/// Throws InvalidArgument about "chains", "warmup" or "draws".
void validate(const SamplingOptions& options);

/// What chains move on: a density for each, over hidden layers of this prior and what belongs to them.
struct SampledPosterior {
  std::shared_ptr<const LayerPrior> prior;
  Index functions;         ///< of a network
  double bytes_per_chain;  ///< of its workspace
  std::function<std::shared_ptr<SampledDensity>()> make_density;
  InvalidArgument impossible;  ///< what to say where no chain can start

  /// The hidden layers given responses with Gaussian noise (collapsed_density.hpp).
  static SampledPosterior collapsed(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                                    const SamplingOptions& options);

  /// The hidden layers with z given responses of any other likelihood (latent_density.hpp). There is no gradient.
  static SampledPosterior latent(std::shared_ptr<const LayerPrior> prior,
                                 std::shared_ptr<const LatentData> data);
};

/// What a run will take, known before it begins.
struct SamplingPlan {
  Index chains = 0;
  Index steps = 0;           ///< of each chain
  Index chains_at_once = 0;  ///< that run side by side
  int threads = 0;           ///< that these share
  double bytes = 0;          ///< workspaces of the chains, and the draws
  Sampler sampler = Sampler::slice;
  double seconds_per_evaluation;  ///< measured: of the likelihood, and for trajectories of its gradient too

  /// About how long the run will take: steps of about three evaluations each, trajectories of about fifteen.
  double seconds() const;

  /// "4 chains of 700 steps, side by side with 2 threads each; 0.8 ms a likelihood, about 2 s in all; 34 MB of memory";
  /// for trajectories "a gradient".
  std::string text() const;
};

/// Throws InvalidArgument about "draws" if the memory would not suffice, before any of it is taken.
SamplingPlan plan_sampling(const SampledPosterior& posterior, const SamplingOptions& options,
                           const MonitoredInputs& inputs = {});

/// The same for SampledPosterior::collapsed().
SamplingPlan plan_sampling(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                           const SamplingOptions& options, const MonitoredInputs& inputs = {});

class Sampling {
 public:
  /// Throws InvalidArgument about "sampler" where trajectories lack a gradient, and where no chain can start.
  Sampling(const SampledPosterior& posterior, const SamplingOptions& options, MonitoredInputs inputs = {});

  /// The same for SampledPosterior::collapsed().
  Sampling(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
           const SamplingOptions& options, MonitoredInputs inputs = {});

  /// Steps until all is done or `stop()` returns true; it is asked between steps, from any thread.
  /// `progress(done, total)` counts the steps of all chains and is called by one thread at a time.
  void run(const std::function<bool()>& stop, const std::function<void(Index done, Index total)>& progress);

  Index steps_done() const;
  Index steps_in_all() const { return options_.chains * (options_.warmup + options_.draws); }
  bool finished() const { return steps_done() == steps_in_all(); }

  /// Where a chain is: with its draws up to there, all that it needs to go on.
  struct Snapshot {
    Index iteration = 0;
    Vector position = {};
    StepSize step_size = {};  ///< of trajectories
  };

  /// The chain after its last finished step. May be called while the chains run: the draws up to that step are complete
  /// and will not change.
  Snapshot snapshot(Index chain) const;

  /// The number of draws that a chain has made by the time of its snapshot.
  Index draws_by(const Snapshot& snapshot) const;

  /// Goes on from `state`, which has a snapshot for each chain; rows of `draws` that were not made yet may hold
  /// anything. Throws InvalidArgument about "state" unless both come from a run like this one.
  void resume(const std::vector<Snapshot>& state, PosteriorDraws draws);

  const SamplingOptions& options() const { return options_; }

  /// Rows of draws that were not made yet are zero.
  const PosteriorDraws& draws() const { return draws_; }

  /// Gives the draws away, at the end.
  PosteriorDraws take_draws() { return std::move(draws_); }

 private:
  void take_snapshot(const Chain& chain);

  SamplingOptions options_;
  MonitoredInputs inputs_;
  std::vector<std::shared_ptr<SampledDensity>> densities_;
  mutable std::mutex looking_;
  std::vector<Snapshot> snapshots_;  ///< guarded by looking_
  std::vector<Chain> chains_;
  PosteriorDraws draws_;
};

}  // namespace ridgelet
