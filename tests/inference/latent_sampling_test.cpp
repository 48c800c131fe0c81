// Chains over hidden layers and functions of responses that are not Gaussian: the same run as with Gaussian noise
// (sampling_test.cpp), on another density.
#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/inference/sampling.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

std::shared_ptr<const LayerPrior> classes_prior() {
  return std::make_shared<const RidgeletPrior>(
      PriorOptions{.target = {.kernel = parse_kernel("se(amplitude=1.5)")},
                   .nodes = grid(3, 8, 1, 3),
                   .units = 10,
                   .op = {.name = "least-squares", .ridge = 1e-2}});
}

/// Some responses of every class, or counts with an exposure that differs from row to row.
std::shared_ptr<const LatentData> responses(const std::string& text) {
  const Matrix X = Vector::LinSpaced(12, -3, 3);
  const LikelihoodPointer likelihood = parse_likelihood(text, 3);
  const Index K = likelihood->functions();
  Matrix Y = Matrix::Zero(X.rows(), K), offset = Matrix::Zero(X.rows(), K);
  for (Index i = 0; i < X.rows(); ++i) {
    if (K > 1)
      Y(i, i % K) = 1;
    else
      Y(i, 0) = static_cast<double>(text == "bernoulli" ? i % 2 : i % 4);
    if (text == "poisson") offset(i, 0) = std::log(1 + 0.3 * static_cast<double>(i));
  }
  return std::make_shared<const LatentData>(
      LatentData{.likelihood = likelihood, .X = X, .Y = Y, .offset = offset});
}

const SamplingOptions few_steps{.chains = 3, .warmup = 4, .draws = 6, .seed = 2};
const MonitoredInputs four_rows{.paths = Vector::LinSpaced(4, -2, 2)};

class ChainsOf : public ::testing::TestWithParam<std::string> {
 protected:
  ChainsOf() : posterior_(SampledPosterior::latent(classes_prior(), responses(GetParam()))) {}

  PosteriorDraws undisturbed() const {
    Sampling sampling(posterior_, few_steps, four_rows);
    sampling.run([] { return false; }, [](Index, Index) {});
    EXPECT_TRUE(sampling.finished());
    return sampling.take_draws();
  }

  SampledPosterior posterior_;
};

INSTANTIATE_TEST_SUITE_P(Likelihoods, ChainsOf, ::testing::Values("bernoulli", "categorical", "poisson"),
                         [](const auto& tested) { return tested.param; });

TEST_P(ChainsOf, StoppedAndResumedWithOtherThreadsLeaveTheSameDraws) {
  const PosteriorDraws expected = undisturbed();
  for (const int steps : {1, 13, 29}) {
    const ThreadScope one(1);
    Sampling first(posterior_, few_steps, four_rows);
    int asked = 0;
    first.run([&] { return asked++ >= steps; }, [](Index, Index) {});
    ASSERT_EQ(first.steps_done(), steps);
    std::vector<Sampling::Snapshot> state;
    for (Index chain = 0; chain < few_steps.chains; ++chain) state.push_back(first.snapshot(chain));
    const ThreadScope three(3);
    Sampling second(posterior_, few_steps, four_rows);
    second.resume(state, first.draws());
    second.run([] { return false; }, [](Index, Index) {});
    EXPECT_EQ(second.draws().layers, expected.layers) << steps;
    EXPECT_EQ(second.draws().coordinates, expected.coordinates) << steps;
    EXPECT_EQ(second.draws().functions, expected.functions) << steps;
    EXPECT_EQ(second.draws().log_likelihood, expected.log_likelihood) << steps;
    EXPECT_EQ(second.draws().evaluations, expected.evaluations) << steps;
  }
}

// Computed again from the network of the kept layers and coordinates, without the density.
TEST_P(ChainsOf, KeepTheFunctionsOfTheNetworksThatTheyKeep) {
  const PosteriorDraws draws = undisturbed();
  const Index R = posterior_.prior->rank(), K = posterior_.functions, P = four_rows.paths.rows();
  ASSERT_EQ(draws.functions.cols(), P * K);
  EXPECT_EQ(draws.means.cols(), 0);
  const std::unique_ptr<ConditionalOutput> network = posterior_.prior->make_output();
  HiddenLayers layers = posterior_.prior->allocate();
  for (Index s = 0; s < draws.size(); ++s) {
    layers.unpack(draws.layers.row(s).transpose());
    ASSERT_TRUE(network->condition(layers));
    Matrix values(P, 1 + R);
    network->evaluate(four_rows.paths, values);
    const Vector coordinates = draws.coordinates.row(s);
    const Matrix z = coordinates.reshaped(R, K);
    const Matrix f = (values.rightCols(R) * z).colwise() + values.col(0);
    const Vector kept = draws.functions.row(s);
    EXPECT_LT((kept - f.reshaped()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST_P(ChainsOf, HaveAPlanOfWhatTheyWillTake) {
  const SamplingPlan plan = plan_sampling(posterior_, few_steps, four_rows);
  EXPECT_EQ(plan.chains, 3);
  EXPECT_EQ(plan.steps, 10);
  EXPECT_GE(plan.bytes, 3 * posterior_.bytes_per_chain);
  EXPECT_GT(plan.seconds_per_evaluation, 0);
}

TEST_P(ChainsOf, HaveNoGradientForTrajectories) {
  SamplingOptions by_trajectories = few_steps;
  by_trajectories.sampler = Sampler::nuts;
  const auto complaint = complaint_of([&] { Sampling(posterior_, by_trajectories); });
  EXPECT_NE(complaint.find("sampler: nuts needs a gradient"), std::string::npos) << complaint;
}

// An exposure of e^100000: every rate is infinite.
TEST(LatentSampling, IsRefusedWhereNoChainCanStart) {
  auto impossible = std::make_shared<LatentData>(*responses("poisson"));
  impossible->offset.setConstant(1e5);
  const SampledPosterior posterior = SampledPosterior::latent(classes_prior(), impossible);
  const auto complaint = complaint_of([&] { plan_sampling(posterior, few_steps); });
  EXPECT_NE(complaint.find("likelihood: the data have no finite density"), std::string::npos) << complaint;
}

}  // namespace
}  // namespace ridgelet
