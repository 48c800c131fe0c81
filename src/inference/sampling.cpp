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
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/inference/latent_density.hpp"

namespace ridgelet {

namespace {

/// A chain cannot start where the data are impossible.
void require_possible(const Chain& chain, const SampledPosterior& posterior) {
  if (!std::isfinite(chain.log_density())) throw InvalidArgument(posterior.impossible);
}

std::shared_ptr<DifferentiableLogDensity> with_gradient(const std::shared_ptr<SampledDensity>& density) {
  auto differentiable = std::dynamic_pointer_cast<DifferentiableLogDensity>(density);
  if (!differentiable)
    throw InvalidArgument("sampler", "nuts needs a gradient, and this posterior has none; use slice");
  return differentiable;
}

Chain make_chain(const std::shared_ptr<SampledDensity>& density, const SamplingOptions& options,
                 std::uint32_t index) {
  if (options.sampler == Sampler::slice) return {density, options.seed, index};
  return {with_gradient(density), options.seed, index, NutsOptions{},
          static_cast<std::uint32_t>(options.warmup)};
}

/// The time of one evaluation, with as many threads as a chain will have. Not of the first, which allocates memory.
double seconds_per_evaluation(const SampledPosterior& posterior, const SamplingOptions& options,
                              int threads) {
  const ThreadScope as_in_a_chain(threads);
  const std::shared_ptr<SampledDensity> density = posterior.make_density();
  const Chain chain = make_chain(density, options, 0);
  require_possible(chain, posterior);
  Vector gradient;
  const Stopwatch watch;
  if (options.sampler == Sampler::nuts)
    with_gradient(density)->value_and_gradient(chain.position(), gradient);
  else
    (*density)(chain.position());
  return watch.seconds();
}

double bytes_of_chain(const LayerPrior& prior, const Data& data, Sampler sampler) {
  const double value = CollapsedLikelihood::bytes(prior, data);
  if (sampler == Sampler::slice) return value;
  // The ends of a trajectory, its parts of every depth, and the draw.
  const double vectors = 9 + 5 * (NutsOptions{}.most_doublings + 1);
  return value + CollapsedLikelihood::gradient_bytes(prior, data) +
         8 * vectors * static_cast<double>(prior.allocate().parameters());
}

const Ranks& ranks_of(const SamplingOptions& options) {
  return options.ranks ? *options.ranks : alone();
}

/// A duration as a person would say it.
std::string readable_seconds(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 120) return fmt::format("about {:.0f} s", std::ceil(seconds));
  if (seconds < 120 * 60) return fmt::format("about {:.0f} minutes", std::ceil(seconds / 60));
  return fmt::format("about {:.0f} hours", std::ceil(seconds / 3600));
}

void require_whole(Index value, Index least, const std::string& argument) {
  require_at_least(value, least, argument);
  constexpr Index most = std::numeric_limits<std::int32_t>::max() / 2;
  if (value > most) throw InvalidArgument(argument, fmt::format("must be at most {}, got {}", most, value));
}

}  // namespace

std::vector<std::string> sampler_names() {
  return {"slice", "nuts"};
}

std::string sampler_name(Sampler sampler) {
  return sampler == Sampler::slice ? "slice" : "nuts";
}

Sampler parse_sampler(const std::string& name) {
  if (name == "slice") return Sampler::slice;
  if (name == "nuts") return Sampler::nuts;
  throw InvalidArgument("sampler", unknown_name_complaint(name, sampler_names()));
}

void validate(const SamplingOptions& options) {
  require_whole(options.chains, 1, "chains");
  require_whole(options.warmup, 0, "warmup");
  require_whole(options.draws, 1, "draws");
}

double SamplingPlan::seconds() const {
  const double evaluations_per_step = sampler == Sampler::slice ? 3 : 15;
  const double laps =
      std::ceil(static_cast<double>(chains) / static_cast<double>(std::max<Index>(1, chains_at_once)));
  return laps * static_cast<double>(steps) * evaluations_per_step * seconds_per_evaluation;
}

std::string SamplingPlan::text() const {
  const int at_once = static_cast<int>(chains_at_once), fewest = threads / at_once;
  const std::string share = threads % at_once == 0
                                ? fmt::format("{} thread{}", fewest, fewest == 1 ? "" : "s")
                                : fmt::format("{} or {} threads", fewest, fewest + 1);
  const std::string how = chains == 1           ? fmt::format(" with {}", share)
                          : chains_at_once == 1 ? fmt::format(", one after the other with {}", share)
                          : chains_at_once == chains
                              ? fmt::format(", side by side with {} each", share)
                              : fmt::format(", {} at a time with {} each", at_once, share);
  return fmt::format("{} chain{} of {} steps{}; {:.2g} ms a {}, {} in all; {} of memory", chains,
                     chains == 1 ? "" : "s", steps, how, 1e3 * seconds_per_evaluation,
                     sampler == Sampler::slice ? "likelihood" : "gradient", readable_seconds(seconds()),
                     readable_bytes(bytes));
}

SampledPosterior SampledPosterior::collapsed(std::shared_ptr<const LayerPrior> prior,
                                             std::shared_ptr<const Data> data,
                                             const SamplingOptions& options) {
  validate(options);
  validate(*data, prior->dimension());
  return {
      .prior = prior,
      .functions = data->outputs(),
      .bytes_per_chain = bytes_of_chain(*prior, *data, options.sampler),
      .make_density =
          [=, &ranks = ranks_of(options)] { return std::make_shared<CollapsedDensity>(prior, data, ranks); },
      .impossible = {"noise",
                     "must not be so small that the data's covariance is singular in double precision"}};
}

SampledPosterior SampledPosterior::latent(std::shared_ptr<const LayerPrior> prior,
                                          std::shared_ptr<const LatentData> data) {
  validate(*data, prior->dimension());
  return {.prior = prior,
          .functions = data->functions(),
          .bytes_per_chain =
              prior->output_bytes() + LatentMode::bytes(data->rows(), prior->rank(), data->functions()),
          .make_density = [=] { return std::make_shared<LatentDensity>(prior, data); },
          .impossible = no_finite_density()};
}

SamplingPlan plan_sampling(const SampledPosterior& posterior, const SamplingOptions& options,
                           const MonitoredInputs& inputs) {
  validate(options);
  const int threads = team_threads();
  // Ranks share the rows of one chain at a time.
  const Index at_once = ranks_of(options).size() > 1 ? 1 : std::min<Index>(options.chains, threads);
  SamplingPlan plan{.chains = options.chains,
                    .steps = options.warmup + options.draws,
                    .chains_at_once = at_once,
                    .threads = threads,
                    .bytes = static_cast<double>(options.chains) * posterior.bytes_per_chain +
                             PosteriorDraws::bytes(*posterior.prior, posterior.functions,
                                                   options.chains * options.draws, inputs),
                    .sampler = options.sampler,
                    .seconds_per_evaluation = 0};
  require_memory(plan.bytes, "draws",
                 fmt::format("{} chain{} of {} draws{}", options.chains, options.chains == 1 ? "" : "s",
                             options.draws, options.chains == 1 ? "" : " each"));
  plan.seconds_per_evaluation =
      seconds_per_evaluation(posterior, options, threads / static_cast<int>(at_once));
  return plan;
}

SamplingPlan plan_sampling(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                           const SamplingOptions& options, const MonitoredInputs& inputs) {
  return plan_sampling(SampledPosterior::collapsed(std::move(prior), std::move(data), options), options,
                       inputs);
}

Sampling::Sampling(const SampledPosterior& posterior, const SamplingOptions& options, MonitoredInputs inputs)
    : options_(options), inputs_(std::move(inputs)) {
  validate(options);
  snapshots_.resize(static_cast<std::size_t>(options.chains));
  draws_ =
      PosteriorDraws::allocate(*posterior.prior, posterior.functions, options.chains, options.draws, inputs_);
  for (Index i = 0; i < options.chains; ++i) {
    densities_.push_back(posterior.make_density());
    chains_.push_back(make_chain(densities_.back(), options, static_cast<std::uint32_t>(i)));
    require_possible(chains_.back(), posterior);
    take_snapshot(chains_.back());
  }
}

Sampling::Sampling(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                   const SamplingOptions& options, MonitoredInputs inputs)
    : Sampling(SampledPosterior::collapsed(std::move(prior), std::move(data), options), options,
               std::move(inputs)) {}

void Sampling::take_snapshot(const Chain& chain) {
  const std::lock_guard lock(looking_);
  Snapshot& kept = snapshots_[chain.index()];
  kept.iteration = static_cast<Index>(chain.iteration());
  kept.position = chain.position();
  kept.step_size = chain.step_size();
}

Sampling::Snapshot Sampling::snapshot(Index chain) const {
  const std::lock_guard lock(looking_);
  return snapshots_[static_cast<std::size_t>(chain)];
}

Index Sampling::draws_by(const Snapshot& snapshot) const {
  return std::max<Index>(0, snapshot.iteration - options_.warmup);
}

Index Sampling::steps_done() const {
  Index done = 0;
  for (const Chain& chain : chains_) done += static_cast<Index>(chain.iteration());
  return done;
}

void Sampling::run(const std::function<bool()>& stop,
                   const std::function<void(Index done, Index total)>& progress) {
  Index done = steps_done();
  std::mutex one_at_a_time;
  const auto keep = [&](const Chain& chain, int evaluations) {
    const Index draw = static_cast<Index>(chain.iteration()) - options_.warmup - 1;
    if (draw >= 0) draws_.record(chain, *densities_[chain.index()], draw, evaluations, inputs_);
    take_snapshot(chain);
    const std::lock_guard lock(one_at_a_time);
    progress(++done, steps_in_all());
  };
  const auto iterations = static_cast<std::uint32_t>(options_.warmup + options_.draws);
  if (ranks_of(options_).size() > 1)
    run_chains_in_turn(chains_, iterations, keep, stop);
  else
    run_chains(chains_, iterations, keep, stop);
}

void Sampling::resume(const std::vector<Snapshot>& state, PosteriorDraws draws) {
  const auto same_size = [](const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols();
  };
  const auto possible = [&](const Snapshot& chain) {
    return chain.iteration >= 0 && chain.iteration <= options_.warmup + options_.draws &&
           chain.position.size() == chains_.front().position().size() && chain.position.allFinite() &&
           (chain.iteration == 0 || chain.step_size.started() == (options_.sampler == Sampler::nuts));
  };
  const bool alike = static_cast<Index>(state.size()) == options_.chains &&
                     std::ranges::all_of(state, possible) && draws.chains == options_.chains &&
                     same_size(draws.layers, draws_.layers) &&
                     same_size(draws.coordinates, draws_.coordinates) &&
                     same_size(draws.functions, draws_.functions) && same_size(draws.means, draws_.means) &&
                     same_size(draws.sds, draws_.sds) && draws.log_likelihood.size() == draws_.size() &&
                     draws.evaluations.size() == draws_.size() && draws.diverging.size() == draws_.size();
  if (!alike) throw InvalidArgument("state", "must be of a run with the same chains, steps and model");
  draws_ = std::move(draws);
  for (std::size_t i = 0; i < state.size(); ++i) {
    chains_[i].resume(state[i].position, static_cast<std::uint32_t>(state[i].iteration), state[i].step_size);
    take_snapshot(chains_[i]);
  }
}

}  // namespace ridgelet
