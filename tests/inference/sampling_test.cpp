#include "ridgelet/inference/sampling.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "network_chain.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "thread_ranks.hpp"

namespace ridgelet {
namespace {

using testing::borrowed;
using testing::complaint_of;
using testing::NetworkChain;

RidgeletPrior sampled_prior(Index layers = 1) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("se(lengthscale=1)")},
                        .nodes = grid(3, 8, 1, 3),
                        .units = 10,
                        .layers = layers,
                        .op = {.name = "least-squares", .ridge = 1e-2}});
}

Data data(double noise = 0.2) {
  Data seen{.X = Vector::LinSpaced(6, -3, 3), .Y = {}, .noise = Vector::Constant(1, noise)};
  seen.Y = seen.X.array().sin();
  return seen;
}

const SamplingOptions short_run{.chains = 3, .warmup = 4, .draws = 6, .seed = 2};

void nothing(Index, Index) {}

std::vector<Sampling::Snapshot> snapshots(const Sampling& sampling) {
  std::vector<Sampling::Snapshot> all;
  for (Index chain = 0; chain < sampling.options().chains; ++chain) all.push_back(sampling.snapshot(chain));
  return all;
}

SamplingOptions short_run_by(Sampler sampler) {
  SamplingOptions options = short_run;
  options.sampler = sampler;
  return options;
}

PosteriorDraws all_at_once(const LayerPrior& prior, const Data& seen, Sampler sampler = Sampler::slice) {
  Sampling sampling(borrowed<LayerPrior>(prior), borrowed(seen), short_run_by(sampler));
  sampling.run([] { return false; }, nothing);
  EXPECT_TRUE(sampling.finished());
  return sampling.take_draws();
}

class SamplingBy : public ::testing::TestWithParam<Sampler> {};

INSTANTIATE_TEST_SUITE_P(Samplers, SamplingBy, ::testing::Values(Sampler::slice, Sampler::nuts),
                         [](const auto& tested) { return sampler_name(tested.param); });

// The warm-up, in which steps learn their size, has four steps of each of three chains, one chain after the other.
TEST_P(SamplingBy, StoppedAndResumedElsewhereLeavesTheSameDraws) {
  for (const Index layers : {1, 2}) {
    const RidgeletPrior prior = sampled_prior(layers);
    const Data seen = data(1);
    const PosteriorDraws expected = all_at_once(prior, seen, GetParam());
    for (const int steps : {1, 13, 29}) {
      const ThreadScope one(1);
      Sampling first(borrowed<LayerPrior>(prior), borrowed(seen), short_run_by(GetParam()));
      int asked = 0;
      first.run([&] { return asked++ >= steps; }, nothing);
      EXPECT_EQ(first.steps_done(), steps);
      EXPECT_FALSE(first.finished());
      Sampling second(borrowed<LayerPrior>(prior), borrowed(seen), short_run_by(GetParam()));
      second.resume(snapshots(first), first.draws());
      second.run([] { return false; }, nothing);
      EXPECT_EQ(second.draws().layers, expected.layers);
      EXPECT_EQ(second.draws().coordinates, expected.coordinates);
      EXPECT_EQ(second.draws().log_likelihood, expected.log_likelihood);
      EXPECT_EQ(second.draws().evaluations, expected.evaluations);
      EXPECT_EQ(second.draws().diverging, expected.diverging);
    }
  }
}

TEST_P(SamplingBy, LeavesTheSameDrawsOnAnyNumberOfThreads) {
  const RidgeletPrior prior = sampled_prior(2);
  const Data seen = data(1);
  const auto on_threads = [&](int threads) {
    const ThreadScope scope(threads);
    return all_at_once(prior, seen, GetParam()).layers;
  };
  const Matrix alone = on_threads(1);
  for (const int threads : {2, 4, 7}) EXPECT_EQ(on_threads(threads), alone) << threads << " threads";
}

TEST(Sampling, ByTrajectoriesIsAnotherRunThanBySlices) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  EXPECT_NE(all_at_once(prior, seen, Sampler::nuts).layers, all_at_once(prior, seen).layers);
  Sampling slices(borrowed<LayerPrior>(prior), borrowed(seen), short_run);
  slices.run([] { return false; }, nothing);
  Sampling trajectories(borrowed<LayerPrior>(prior), borrowed(seen), short_run_by(Sampler::nuts));
  EXPECT_NE(complaint_of([&] { trajectories.resume(snapshots(slices), slices.draws()); }), "");
}

// Half of all places are impossible here, and every trajectory that meets one diverges.
TEST(Sampling, CountsTrajectoriesThatDiverge) {
  PriorOptions options = sampled_prior().options();
  options.activation = "relu";
  options.units = 1;
  options.nodes = grid(3, 2, 1, 3);
  const RidgeletPrior prior(options);
  const Data seen = data();
  EXPECT_GT(all_at_once(prior, seen, Sampler::nuts).diverging.sum(), 0);
  EXPECT_EQ(all_at_once(prior, seen).diverging.sum(), 0);
}

TEST(PosteriorDraws, CountTrajectoriesOfTheGreatestLength) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  PosteriorDraws draws = all_at_once(prior, seen, Sampler::nuts);
  EXPECT_EQ(draws.longest(), 0);
  draws.evaluations(0) = 1023;
  draws.evaluations(1) = 1022;
  EXPECT_EQ(draws.longest(), 1);
}

TEST(Sampling, KeepsWhatComesAfterTheWarmUp) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  const PosteriorDraws draws = all_at_once(prior, seen);
  EXPECT_EQ(draws.size(), 18);
  for (std::uint32_t i = 0; i < 3; ++i) {
    NetworkChain chain(prior, seen, 2, i);
    for (int step = 0; step < 4; ++step) chain.step();
    for (Index draw = 0; draw < 6; ++draw) {
      chain.step();
      EXPECT_EQ(draws.layers.row(6 * i + draw).transpose(), chain.layers().packed());
    }
  }
}

TEST(Sampling, CountsItsSteps) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  Sampling sampling(borrowed<LayerPrior>(prior), borrowed(seen), short_run);
  EXPECT_EQ(sampling.steps_in_all(), 30);
  Index last = 0;
  sampling.run([] { return false; },
               [&](Index done, Index total) {
                 EXPECT_EQ(done, last + 1);
                 EXPECT_EQ(total, 30);
                 last = done;
               });
  EXPECT_EQ(last, 30);
  EXPECT_EQ(sampling.draws_by(sampling.snapshot(2)), 6);
}

TEST(Sampling, LooksAtEveryDrawWhileItsChainIsThere) {
  for (const Index layers : {1, 2}) {
    const auto prior = std::make_shared<const RidgeletPrior>(sampled_prior(layers));
    const auto seen = std::make_shared<const Data>(data());
    const MonitoredInputs inputs{.paths = Vector::LinSpaced(5, -2, 2), .points = Vector::LinSpaced(7, -3, 3)};
    Sampling sampling(prior, seen, short_run, inputs);
    sampling.run([] { return false; }, nothing);
    const Posterior posterior(prior, seen, MeanFunction("0"), sampling.take_draws());
    const PosteriorDraws& draws = posterior.draws();
    for (Index k = 0; k < seen->outputs(); ++k)
      EXPECT_LT(
          testing::relative_error(draws.functions.middleCols(5 * k, 5), posterior.functions(inputs.paths, k)),
          testing::tolerance::two_routes);
    const PredictiveSummary expected = posterior.predict(inputs.points),
                            summary = summarise_mixtures(draws.means, draws.sds, seen->noise, 0.95);
    EXPECT_LT(testing::relative_error(summary.mean, expected.mean), testing::tolerance::two_routes);
    EXPECT_LT(testing::relative_error(summary.sd, expected.sd), testing::tolerance::two_routes);
    EXPECT_LT(testing::relative_error(summary.lower, expected.lower), testing::tolerance::two_routes);
    EXPECT_LT(testing::relative_error(summary.upper, expected.upper), testing::tolerance::two_routes);
  }
}

TEST(Sampling, ShowsWhereChainsAreWhileTheyRun) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  Sampling sampling(borrowed<LayerPrior>(prior), borrowed(seen), short_run);
  const PosteriorDraws expected = all_at_once(prior, seen);
  sampling.run([] { return false; },
               [&](Index, Index) {
                 for (Index chain = 0; chain < 3; ++chain) {
                   const Index made = sampling.draws_by(sampling.snapshot(chain));
                   EXPECT_EQ(sampling.draws().layers.middleRows(6 * chain, made),
                             expected.layers.middleRows(6 * chain, made));
                 }
               });
}

TEST(Sampling, RefusesAStateOfAnotherRun) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  Sampling sampling(borrowed<LayerPrior>(prior), borrowed(seen), short_run);
  const auto refusal = [&](auto&& change) {
    std::vector<Sampling::Snapshot> state = snapshots(sampling);
    PosteriorDraws draws = sampling.draws();
    change(state, draws);
    return complaint_of([&] { sampling.resume(state, draws); });
  };
  const std::string expected = "state: must be of a run with the same chains, steps and model";
  EXPECT_EQ(refusal([](auto&, auto&) {}), "");
  EXPECT_EQ(refusal([](auto& state, auto&) { state.pop_back(); }), expected);
  EXPECT_EQ(refusal([](auto& state, auto&) { state[0].iteration = 11; }), expected);
  EXPECT_EQ(refusal([](auto& state, auto&) { state[0].position(0) = NAN; }), expected);
  EXPECT_EQ(refusal([](auto&, auto& draws) { draws.evaluations.conservativeResize(3); }), expected);
  EXPECT_EQ(refusal([](auto&, auto& draws) { draws.layers.conservativeResize(18, 2); }), expected);
}

/// The first part of the plan's text.
std::string plan_text(Index chains, int threads, const Ranks* ranks = nullptr) {
  const ThreadScope scope(threads);
  const SamplingOptions options{.chains = chains, .warmup = 4, .draws = 6, .ranks = ranks};
  const std::string text = plan_sampling(std::make_shared<const RidgeletPrior>(sampled_prior()),
                                         std::make_shared<const Data>(data()), options)
                               .text();
  return text.substr(0, text.find(';'));
}

TEST(SamplingPlan, SaysHowTheThreadsAreUsed) {
  EXPECT_EQ(plan_text(4, 8), "4 chains of 10 steps, side by side with 2 threads each");
  EXPECT_EQ(plan_text(4, 5), "4 chains of 10 steps, side by side with 1 or 2 threads each");
  EXPECT_EQ(plan_text(4, 4), "4 chains of 10 steps, side by side with 1 thread each");
  EXPECT_EQ(plan_text(3, 2), "3 chains of 10 steps, 2 at a time with 1 thread each");
  EXPECT_EQ(plan_text(3, 1), "3 chains of 10 steps, one after the other with 1 thread");
  EXPECT_EQ(plan_text(1, 2), "1 chain of 10 steps with 2 threads");
  EXPECT_EQ(plan_text(1, 1), "1 chain of 10 steps with 1 thread");
}

TEST(SamplingPlan, OfSeveralRanksTakesChainsInTurn) {
  testing::on_ranks(2, [](const Ranks& ranks) {
    EXPECT_EQ(plan_text(4, 2, &ranks), "4 chains of 10 steps, one after the other with 2 threads");
  });
}

TEST(SamplingPlan, SaysHowLongItWillTake) {
  // Three evaluations for each step, fifteen for each trajectory; six chains on four threads make two laps.
  const auto text = [](Index steps, double seconds, Sampler sampler = Sampler::slice) {
    return SamplingPlan{.chains = 6,
                        .steps = steps,
                        .chains_at_once = 4,
                        .threads = 4,
                        .bytes = 1e6,
                        .sampler = sampler,
                        .seconds_per_evaluation = seconds}
        .text();
  };
  EXPECT_NE(text(100, 1e-3).find("1 ms a likelihood, less than a second in all;"), std::string::npos);
  EXPECT_NE(text(1000, 1e-3).find("1 ms a likelihood, about 6 s in all;"), std::string::npos);
  EXPECT_NE(text(1000, 1e-3, Sampler::nuts).find("1 ms a gradient, about 30 s in all;"), std::string::npos);
  EXPECT_NE(text(1000, 0.1).find("about 10 minutes in all;"), std::string::npos);
  EXPECT_NE(text(100'000, 0.1).find("about 17 hours in all;"), std::string::npos);
}

/// Why a plan for these data and options is refused.
std::string refusal_of_plan(const Data& seen, const SamplingOptions& options) {
  const RidgeletPrior prior = sampled_prior();
  return complaint_of([&] { plan_sampling(borrowed<LayerPrior>(prior), borrowed(seen), options); });
}

TEST(SamplingPlan, RefusesWhatWouldNotFitInMemory) {
  const std::string complaint = refusal_of_plan(data(), {.chains = 1000, .draws = 100'000'000});
  EXPECT_NE(complaint.find("draws: 1000 chains of 100000000 draws each would take"), std::string::npos)
      << complaint;
}

TEST(SamplingPlan, RefusesNoiseThatLeavesNothingPossible) {
  EXPECT_NE(refusal_of_plan(data(1e-300), short_run).find("noise: must have a square"), std::string::npos);
  Data huge = data(1e-100);
  huge.Y.setConstant(1e200);
  const std::string complaint = refusal_of_plan(huge, short_run);
  EXPECT_NE(complaint.find("noise: must not be so small"), std::string::npos) << complaint;
}

TEST(Sampler, IsKnownByItsName) {
  for (const std::string& name : sampler_names()) EXPECT_EQ(sampler_name(parse_sampler(name)), name);
  EXPECT_EQ(complaint_of([] { parse_sampler("nut"); }).substr(0, 8), "sampler:");
}

TEST(SamplingPlan, OfTrajectoriesSpeaksOfGradientsAndTakesMoreMemory) {
  const RidgeletPrior prior = sampled_prior();
  const Data seen = data();
  const auto plan_by = [&](Sampler sampler) {
    return plan_sampling(borrowed<LayerPrior>(prior), borrowed(seen), short_run_by(sampler));
  };
  EXPECT_NE(plan_by(Sampler::nuts).text().find(" ms a gradient, "), std::string::npos);
  EXPECT_NE(plan_by(Sampler::slice).text().find(" ms a likelihood, "), std::string::npos);
  EXPECT_GT(plan_by(Sampler::nuts).bytes, plan_by(Sampler::slice).bytes);
}

TEST(SamplingOptions, AreChecked) {
  const auto refusal = [](SamplingOptions options) { return complaint_of([&] { validate(options); }); };
  EXPECT_EQ(refusal({.chains = 0}), "chains: must be at least 1, got 0");
  EXPECT_EQ(refusal({.warmup = -1}), "warmup: must be at least 0, got -1");
  EXPECT_EQ(refusal({.draws = 0}), "draws: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
