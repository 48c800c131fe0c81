#include "ridgelet/inference/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {

namespace {

/// A chain cannot start where the data are impossible.
void require_possible(const Chain& chain) {
  if (!std::isfinite(chain.log_likelihood()))
    throw InvalidArgument("noise",
                          "must not be so small that the data's covariance is singular in double precision");
}

/// The time of one evaluation after the first, which takes memory, with as many threads as a chain will have.
double seconds_per_evaluation(const LayerPrior& prior, const Data& data, std::uint64_t seed, int threads) {
  const ThreadScope as_in_a_chain(threads);
  Chain chain(prior, data, seed, 0);
  require_possible(chain);
  const Stopwatch watch;
  chain.likelihood()(chain.layers());
  return watch.seconds();
}

void require_whole(Index value, Index least, const std::string& argument) {
  require_at_least(value, least, argument);
  constexpr Index most = std::numeric_limits<std::int32_t>::max() / 2;
  if (value > most) throw InvalidArgument(argument, fmt::format("must be at most {}, got {}", most, value));
}

}  // namespace

void validate(const SamplingOptions& options) {
  require_whole(options.chains, 1, "chains");
  require_whole(options.warmup, 0, "warmup");
  require_whole(options.draws, 1, "draws");
}

std::string SamplingPlan::text() const {
  const std::string how = chains_at_once > 1 ? fmt::format("{} at a time with a thread each", chains_at_once)
                                             : fmt::format("one after the other on {} thread{}", threads,
                                                           threads == 1 ? "" : "s");
  return fmt::format("{} chain{} of {} steps, {}; {:.2g} ms a likelihood; {} of memory", chains,
                     chains == 1 ? "" : "s", steps, how, 1e3 * seconds_per_evaluation, readable_bytes(bytes));
}

SamplingPlan plan_sampling(const LayerPrior& prior, const Data& data, const SamplingOptions& options) {
  validate(options);
  validate(data, prior.dimension());
  const int threads = team_threads();
  SamplingPlan plan{.chains = options.chains,
                    .steps = options.warmup + options.draws,
                    .threads = threads,
                    .chains_at_once = options.chains >= threads ? threads : 1,
                    .bytes = static_cast<double>(options.chains) * CollapsedLikelihood::bytes(prior, data) +
                             PosteriorDraws::bytes(prior, data.outputs(), options.chains * options.draws),
                    .seconds_per_evaluation = 0};
  require_memory(plan.bytes, "draws",
                 fmt::format("{} chains of {} draws each", options.chains, options.draws));
  plan.seconds_per_evaluation =
      seconds_per_evaluation(prior, data, options.seed, plan.chains_at_once > 1 ? 1 : threads);
  return plan;
}

Sampling::Sampling(const LayerPrior& prior, const Data& data, const SamplingOptions& options)
    : options_(options) {
  validate(options);
  for (Index i = 0; i < options.chains; ++i)
    require_possible(chains_.emplace_back(prior, data, options.seed, static_cast<std::uint32_t>(i)));
  draws_ = PosteriorDraws::allocate(chains_, options.draws);
}

Index Sampling::draws_made(Index chain) const {
  const auto iteration = static_cast<Index>(chains_[static_cast<std::size_t>(chain)].iteration());
  return std::max<Index>(0, iteration - options_.warmup);
}

Index Sampling::steps_done() const {
  Index done = 0;
  for (const Chain& chain : chains_) done += static_cast<Index>(chain.iteration());
  return done;
}

void Sampling::run(const std::function<bool()>& stop,
                   const std::function<void(Index done, Index total)>& progress) {
  Index done = steps_done();
  std::mutex counting;
  const auto keep = [&](Chain& chain, int evaluations) {
    const Index draw = static_cast<Index>(chain.iteration()) - options_.warmup - 1;
    if (draw >= 0) draws_.record(chain, draw, evaluations);
    const std::lock_guard lock(counting);
    progress(++done, steps_in_all());
  };
  run_chains(chains_, static_cast<std::uint32_t>(options_.warmup + options_.draws), keep, stop);
}

Sampling::State Sampling::state() const {
  State state{.positions = Matrix(options_.chains, chains_.front().position().size()),
              .iterations = Vector(options_.chains)};
  for (Index i = 0; i < options_.chains; ++i) {
    state.positions.row(i) = chains_[static_cast<std::size_t>(i)].position();
    state.iterations(i) = chains_[static_cast<std::size_t>(i)].iteration();
  }
  return state;
}

void Sampling::resume(const State& state, PosteriorDraws draws) {
  const double steps = static_cast<double>(options_.warmup + options_.draws);
  const bool alike =
      state.positions.rows() == options_.chains &&
      state.positions.cols() == chains_.front().position().size() &&
      state.iterations.size() == options_.chains && state.iterations.minCoeff() >= 0 &&
      state.iterations.maxCoeff() <= steps && state.positions.allFinite() &&
      draws.chains == options_.chains && draws.size() == draws_.size() &&
      draws.layers.cols() == draws_.layers.cols() && draws.coordinates.rows() == draws_.size() &&
      draws.coordinates.cols() == draws_.coordinates.cols() && draws.log_likelihood.size() == draws_.size() &&
      draws.evaluations.size() == draws_.size();
  if (!alike) throw InvalidArgument("state", "must be of a run with the same chains, steps and model");
  draws_ = std::move(draws);
  for (Index i = 0; i < options_.chains; ++i)
    chains_[static_cast<std::size_t>(i)].resume(state.positions.row(i).transpose(),
                                                static_cast<std::uint32_t>(state.iterations(i)));
}

}  // namespace ridgelet
