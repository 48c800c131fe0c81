#include "ridgelet/fitting/fit.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <thread>

#include "expectations.hpp"
#include "latent_fit.hpp"
#include "numbers.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

RegressionTable wave(Index rows = 15) {
  const Vector x = Vector::LinSpaced(rows, 1990, 2000);
  Matrix Y(rows, 2);
  Y.col(0) = 300 + 20 * (x.array() - 1995).sin();
  Y.col(1) = 5 - 2 * (x.array() - 1995).cos();
  return {.inputs = {"year"}, .outputs = {"a", "b"}, .X = x, .Y = Y};
}

FitSettings short_fit() {
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=0.5)";
  settings.regression.model.mean = "0.1*x";
  settings.regression.model.units = 30;
  settings.regression.model.nodes = "grid";
  settings.regression.model.points = 20;
  settings.regression.model.sigma_w = 3;
  settings.regression.model.sigma_b = 12;
  settings.regression.model.ridge = 1e-6;
  settings.hidden = HiddenLayersAre::sampled;
  settings.regression.model.noise = Vector::Constant(1, 0.1);
  settings.regression.model.standardise = true;
  settings.sampling = {.chains = 2, .warmup = 5, .draws = 8, .seed = 3};
  settings.most_watched = 6;
  settings.domain_points = 9;
  return settings;
}

TEST(Fit, OwnsAllThatItNeedsToPredict) {
  std::optional<FittedModel> kept;
  {
    FitSettings settings = short_fit();
    RegressionTable table = wave();
    kept = fit(table, settings).model;
    table.X.setZero();
  }
  const RegressionTable table = wave();
  const PredictiveSummary summary = kept->predict(table.X);
  EXPECT_LT((summary.mean - table.Y).cwiseAbs().maxCoeff(), 10);
}

TEST(FittedModel, HasTheErrorOfFourDrawsSpreadOverAllOfThem) {
  const FittedModel model = fit(wave(), short_fit()).model;
  const Matrix Xs = Vector::LinSpaced(5, 1991, 1999);
  const Matrix x = model.regression().input_scaling().apply(Xs);
  const RidgeletPrior& prior = model.regression().prior();
  const Index draws = model.posterior().draws().size();
  ASSERT_EQ(draws, 16);
  Vector squares = Vector::Zero(5);
  for (const Index draw : {0, 4, 8, 12}) {
    const Matrix outputs = model.posterior().outputs_at(draw, x);
    const Gaussian network{.mean = outputs.col(0), .factor = outputs.rightCols(outputs.cols() - 1)};
    squares += rmse_of(network, prior.kriging(x), Vector::Zero(5)).cwiseAbs2();
  }
  const Vector variance = prior.options().target.kernel.diagonal(x);
  EXPECT_LT(
      relative_error(model.relative_error(Xs), (squares.array() / (4 * variance.array())).sqrt().matrix()),
      two_routes);
}

// Root mean squares over rows and outputs, each output in units of its own spread.
TEST(FittedModel, HasAFunctionOfEachClassAndNoOther) {
  const FittedModel model =
      testing::small_latent_fit(testing::table_of_classes(3, 2, 40), "se()", "categorical");
  const Matrix Xs = numbers(4, 2);
  const Matrix all = model.latent_functions(Xs);
  for (Index output = 0; output < 3; ++output) {
    const Matrix own = all.middleCols(4 * output, 4);
    EXPECT_EQ(model.functions(Xs, all.rows(), 0, output), own);
    EXPECT_EQ(model.functions(Xs, all.rows() + 1, 0, output), own);
    const Matrix centred = own.rowwise() - own.colwise().mean();
    const Matrix covariance = centred.transpose() * centred / static_cast<double>(own.rows());
    EXPECT_LT(relative_error(model.covariance(Xs, output), covariance), two_routes);
  }
  for (const Index output : {-1, 3}) {
    const std::string complaint = "output: must be from 0 to 2, got " + std::to_string(output);
    EXPECT_EQ(complaint_of([&] { model.functions(Xs, 1, 0, output); }), complaint);
    EXPECT_EQ(complaint_of([&] { model.covariance(Xs, output); }), complaint);
  }
  EXPECT_EQ(complaint_of([&] { model.functions(Xs, 0, 0); }), "draws: must be at least 1, got 0");
}

TEST(Fit, OfDrawnHiddenLayersSaysHowFarItIsFromTheExactProcess) {
  for (const HiddenLayersAre hidden : {HiddenLayersAre::sampled, HiddenLayersAre::variational}) {
    FitSettings settings = short_fit();
    settings.hidden = hidden;
    settings.variational.steps = 5;
    const Fit fitted = fit(wave(), settings);
    const PredictiveSummary ours = fitted.model.predict(fitted.view.watched, {.noise = false});
    const ProcessMoments& exact = *fitted.view.target.posterior;
    const Matrix Y = wave().Y, centred = Y.rowwise() - Y.colwise().mean();
    double mean = 0, sd = 0;
    for (Index k = 0; k < 2; ++k) {
      const double variance = centred.col(k).squaredNorm() / static_cast<double>(Y.rows());
      mean += (ours.mean.col(k) - exact.mean.col(k)).squaredNorm() / variance;
      sd += (ours.sd.col(k) - exact.sd.col(k)).squaredNorm() / variance;
    }
    const auto count = static_cast<double>(2 * fitted.view.watched.rows());
    ASSERT_TRUE(fitted.model.report().from_exact);
    EXPECT_NEAR(fitted.model.report().from_exact->mean, std::sqrt(mean / count), 1e-9);
    EXPECT_NEAR(fitted.model.report().from_exact->sd, std::sqrt(sd / count), 1e-9);
    EXPECT_GT(fitted.model.report().from_exact->mean, 0);
  }
}

TEST(Fit, ShowsThePosteriorThatItHolds) {
  const Fit fitted = fit(wave(), short_fit());
  const FittedModel& model = fitted.model;
  const PredictiveSummary expected = model.predict(fitted.view.domain);
  EXPECT_LT(relative_error(fitted.view.predictions.mean, expected.mean), two_routes);
  EXPECT_LT(relative_error(fitted.view.predictions.sd, expected.sd), two_routes);
  EXPECT_LT(relative_error(fitted.view.predictions.lower, expected.lower), two_routes);
  EXPECT_LT(relative_error(fitted.view.predictions.upper, expected.upper), two_routes);

  const Matrix watched = model.regression().input_scaling().apply(fitted.view.watched);
  for (Index k = 0; k < 2; ++k) {
    const Matrix functions = model.posterior().functions(watched, k);
    const double scale = model.regression().output_scaling().scale(k),
                 centre = model.regression().output_scaling().centre(k);
    for (Index s = 0; s < functions.rows(); ++s) {
      const Vector in_table = (scale * functions.row(s)).array() + centre;
      EXPECT_LT(relative_error(fitted.view.posterior.functions.row(2 * s + k).transpose(), in_table),
                two_routes);
    }
  }
}

TEST(Fit, ShowsTheExactProcessInTheTablesUnits) {
  const Fit fitted = fit(wave(), short_fit());
  ASSERT_TRUE(fitted.view.target.posterior);
  EXPECT_LT((fitted.view.target.posterior->mean - fitted.model.predict(fitted.view.watched).mean)
                .cwiseAbs()
                .maxCoeff(),
            5);
  const Vector scale = fitted.model.regression().output_scaling().scale;
  for (Index k = 0; k < 2; ++k)
    EXPECT_LT(relative_error(fitted.view.target.prior.sd.col(k), Vector::Constant(6, scale(k))), two_routes);
}

TEST(Fit, IsTheSameForAnyNumberOfThreads) {
  std::optional<Matrix> expected;
  for (const int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    const Matrix mean = fit(wave(), short_fit()).view.predictions.mean;
    if (!expected) expected = mean;
    EXPECT_EQ(mean, *expected) << threads << " threads";
  }
}

TEST(Fit, TellsItsPlanBeforeTheFirstStep) {
  bool planned = false;
  Index steps = 0;
  fit(wave(), short_fit(),
      {.plan =
           [&](const SamplingPlan& plan) {
             EXPECT_EQ(plan.chains, 2);
             EXPECT_EQ(steps, 0);
             planned = true;
           },
       .progress =
           [&](Index done, Index total) {
             EXPECT_EQ(total, 26);
             steps = done;
           }});
  EXPECT_TRUE(planned);
  EXPECT_EQ(steps, 26);
}

TEST(Fit, StopsWhenItIsToldAndGoesOnFromWhereItWasSaved) {
  const Matrix expected = fit(wave(), short_fit()).view.predictions.mean;
  struct Saved {
    std::vector<Sampling::Snapshot> chains;
    PosteriorDraws draws;
  };
  std::optional<Saved> saved;
  std::atomic<int> asked = 0;
  const FitHandlers stopping{
      .stop = [&] { return ++asked > 12; },
      .save =
          [&](const Sampling& sampling) {
            saved = Saved{{sampling.snapshot(0), sampling.snapshot(1)}, sampling.draws()};
          }};
  try {
    fit(wave(), short_fit(), stopping);
    FAIL() << "it did not stop";
  } catch (const FitStopped& stopped) {
    EXPECT_EQ(stopped.total(), 26);
    EXPECT_EQ(stopped.done(), saved->chains[0].iteration + saved->chains[1].iteration);
  }
  ASSERT_TRUE(saved);
  const Fit resumed =
      fit(wave(), short_fit(),
          {.restore = [&](Sampling& sampling) { sampling.resume(saved->chains, saved->draws); }});
  EXPECT_EQ(resumed.view.predictions.mean, expected);
}

TEST(Fit, SavesItselfBesideTheChains) {
  std::atomic<int> saves = 0;
  std::atomic<Index> steps_seen = 0;
  fit(wave(), short_fit(),
      {.progress = [](Index, Index) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
       .save =
           [&](const Sampling& sampling) {
             ++saves;
             steps_seen = sampling.snapshot(0).iteration;
           },
       .save_interval = std::chrono::milliseconds(5)});
  EXPECT_GT(saves, 1);
  EXPECT_GT(steps_seen, 0);
}

// A signal that comes while the report is made then loses no sampling.
TEST(Fit, SavesWhatTheChainsHaveDoneBeforeItReports) {
  std::vector<std::pair<Index, Index>> saved;
  const Fit done = fit(wave(), short_fit(),
                       {.save =
                            [&](const Sampling& sampling) {
                              saved.emplace_back(sampling.steps_done(), sampling.steps_in_all());
                            },
                        .save_interval = std::chrono::hours(1)});
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(saved[0].first, saved[0].second);
}

TEST(Fit, CarriesOutWhatSavingThrew) {
  const FitHandlers handlers{
      .progress = [](Index, Index) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
      .save = [](const Sampling&) { throw IoError("no room"); },
      .save_interval = std::chrono::milliseconds(1)};
  EXPECT_THROW(fit(wave(), short_fit(), handlers), IoError);
}

TEST(Fit, RefusesSettingsThatBreakARuleBeforeAnySampling) {
  FitSettings settings = short_fit();
  settings.regression.model.kernel = "sem()";
  bool planned = false;
  const FitHandlers handlers{.plan = [&](const SamplingPlan&) { planned = true; }};
  EXPECT_NE(complaint_of([&] { fit(wave(), settings, handlers); }).find("kernel: unknown kernel 'sem'"),
            std::string::npos);
  settings = short_fit();
  settings.sampling.draws = 1'000'000'000;
  EXPECT_NE(complaint_of([&] { fit(wave(), settings, handlers); }).find("draws: "), std::string::npos);
  EXPECT_FALSE(planned);
}

TEST(WatchedRows, AreAllOfThemOrEvenlySpacedOnes) {
  FitSettings settings = short_fit();
  const Regression regression(settings.regression, wave());
  const Index rows = regression.data().rows();
  ASSERT_EQ(static_cast<Index>(watched_rows(regression, 1000).size()), rows);
  const std::vector<Index> three = watched_rows(regression, 3);
  EXPECT_EQ(three, (std::vector<Index>{0, (rows - 1) / 2, rows - 1}));
}

TEST(WatchedRows, AreFewerForALargeNetwork) {
  RegressionTable table{.inputs = {"x"}, .outputs = {"y"}, .X = Vector::LinSpaced(5000, -3, 3), .Y = {}};
  table.Y = table.X.array().sin();
  RegressionSettings settings = short_fit().regression;
  settings.model.noise = Vector::Constant(1, 0.1);
  settings.model.units = 40'000;
  const Regression regression(settings, table);
  const auto of_a_row = static_cast<double>(40'000 * (1 + regression.prior().rank()));
  EXPECT_EQ(static_cast<Index>(watched_rows(regression, 1000).size()),
            std::max<Index>(100, static_cast<Index>(2e8 / of_a_row)));
  EXPECT_LT(watched_rows(regression, 1000).size(), 1000u);
}

TEST(FitView, HasTheLogLikelihoodOfEveryObservationUnderEveryFunction) {
  const Fit fitted = fit(wave(), short_fit());
  const FitView& view = fitted.view;
  const Regression& regression = fitted.model.regression();
  const Index K = regression.data().outputs();
  ASSERT_EQ(view.log_likelihood.rows(), view.posterior.functions.rows());
  ASSERT_EQ(static_cast<Index>(view.rows.size()), view.observed.rows());
  for (const Index i : {Index{0}, K, view.log_likelihood.rows() - 1})
    for (const Index j : {Index{0}, view.observed.rows() - 1}) {
      const double sd = regression.data().noise(i % K) * regression.output_scaling().scale(i % K);
      const double y = regression.table().Y(view.rows[static_cast<std::size_t>(j)], i % K);
      const double z = (y - view.posterior.functions(i, j)) / sd;
      EXPECT_NEAR(view.log_likelihood(i, j), std::log(std::exp(-z * z / 2) / (sd * std::sqrt(2 * M_PI))),
                  1e-9);
    }
}

}  // namespace
}  // namespace ridgelet
