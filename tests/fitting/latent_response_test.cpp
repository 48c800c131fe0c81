#include "ridgelet/fitting/latent_response.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "expectations.hpp"
#include "likelihoods.hpp"
#include "numbers.hpp"
#include "ridgelet/likelihood/poisson.hpp"

namespace ridgelet {
namespace {

using testing::drawn_responses;
using testing::likelihoods;
using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

RegressionTable table_of(Matrix Y) {
  return {.inputs = {"x"}, .outputs = {"y"}, .X = Vector::LinSpaced(Y.rows(), 0, 1), .Y = std::move(Y)};
}

TEST(FunctionScaling, MeasuresTwoClassesFromTheLogitOfTheSecondWithHalfARowMoreInEach) {
  const Matrix Y = Vector{{0, 1, 0, 0, 1, 0, 0, 0}};
  const Scaling scaling = function_scaling(*parse_likelihood("bernoulli"), table_of(Y), true);
  EXPECT_NEAR(scaling.centre(0), std::log(2.5 / 6.5), two_routes);
  EXPECT_EQ(scaling.scale, Vector::Ones(1));
}

TEST(FunctionScaling, MeasuresClassesFromLogarithmsOfTheirRowsThatAddUpToZero) {
  const Matrix Y = Vector{{0, 2, 0, 0, 2, 0, 2, 0}};
  const Scaling scaling = function_scaling(*parse_likelihood("categorical", 3), table_of(Y), true);
  EXPECT_NEAR(scaling.centre.sum(), 0, two_routes);
  EXPECT_NEAR(scaling.centre(0) - scaling.centre(1), std::log(5.5 / 0.5), two_routes);
  EXPECT_NEAR(scaling.centre(2) - scaling.centre(1), std::log(3.5 / 0.5), two_routes);
  EXPECT_EQ(scaling.scale, Vector::Ones(3));
}

TEST(FunctionScaling, MeasuresCountsFromTheLogarithmOfTheirRateAndHalfACountMore) {
  const LikelihoodPointer poisson = parse_likelihood("poisson");
  const Vector counts{{3, 0, 4, 1}}, exposure{{0.5, 2, 3, 1}};
  EXPECT_NEAR(function_scaling(*poisson, table_of(counts), true).centre(0), std::log(8.5 / 4), two_routes);
  Matrix Y(4, 2);
  Y << counts, exposure.array().log().matrix();
  EXPECT_NEAR(function_scaling(*poisson, table_of(Y), true).centre(0), std::log(8.5 / 6.5), two_routes);
}

TEST(FunctionScaling, StandardisesRealResponses) {
  const Scaling scaling =
      function_scaling(*parse_likelihood("student"), table_of(Vector{{1, 2, 6, 3}}), true);
  EXPECT_NEAR(scaling.centre(0), 3, two_routes);
  EXPECT_NEAR(scaling.scale(0), std::sqrt((4 + 1 + 9 + 0) / 4.0), two_routes);
}

TEST(FunctionScaling, IsNoneUnlessColumnsAreStandardised) {
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const Scaling scaling = function_scaling(*likelihood, table_of(Vector{{0, 1, 1, 0, 1}}), false);
    EXPECT_EQ(scaling.centre, Vector::Zero(likelihood->functions())) << likelihood->name();
    EXPECT_EQ(scaling.scale, Vector::Ones(likelihood->functions())) << likelihood->name();
  }
}

TEST(Offsets, AreBaselineAndLogarithmOfTheExposureUnlessTheResponseIsScaled) {
  const Matrix Y{{3, 0.5}, {0, -1}};
  const Scaling functions{.centre = Vector{{0.7}}, .scale = Vector{{2}}};
  EXPECT_EQ(offsets_of(*parse_likelihood("poisson"), Y, functions), Vector({{0.7 + 0.5, 0.7 - 1}}));
  EXPECT_EQ(responses_of(*parse_likelihood("poisson"), Y, functions), Vector({{3, 0}}));
  const LikelihoodPointer student = parse_likelihood("student(scale=0.5, degrees=4)");
  EXPECT_EQ(offsets_of(*student, Y.leftCols(1), functions), Vector::Zero(2));
  EXPECT_EQ(responses_of(*student, Y.leftCols(1), functions), Vector({{(3 - 0.7) / 2, (0 - 0.7) / 2}}));
  EXPECT_EQ(in_own_units(*student, functions)->text(), "student(scale=1, degrees=4)");
}

TEST(Responses, OfClassesAreARowWithOneAtTheirPlace) {
  const Matrix one_hot = responses_of(*parse_likelihood("categorical", 3), Vector{{2, 0}}, Scaling::none(3));
  EXPECT_EQ(one_hot, Matrix({{0, 0, 1}, {1, 0, 0}}));
}

/// The lower end of the 80 % interval of five sorted values: four tenths of the way from the least to the next.
double lower_of_five(const Vector& sorted) {
  return 0.6 * sorted(0) + 0.4 * sorted(1);
}

void expect_summary_of_five(const PredictiveSummary& summary, Index i, Index k, Vector values) {
  std::ranges::sort(values);
  const double mean = values.sum() / 5;
  EXPECT_NEAR(summary.mean(i, k), mean, two_routes);
  EXPECT_NEAR(summary.sd(i, k), std::sqrt((values.array() - mean).square().sum() / 5), two_routes);
  EXPECT_NEAR(summary.lower(i, k), lower_of_five(values), two_routes);
  EXPECT_NEAR(summary.upper(i, k), lower_of_five(values.reverse()), two_routes);
}

TEST(SummariseFunctions, GivesTwoClassesTheProbabilityOfTheSecond) {
  const Matrix F = 2 * numbers(5, 3);
  const PredictiveSummary summary = summarise_functions(F, *parse_likelihood("bernoulli"), 0.8, false);
  for (Index i = 0; i < 3; ++i) expect_summary_of_five(summary, i, 0, 1 / (1 + (-F.col(i).array()).exp()));
}

TEST(SummariseFunctions, GivesEachOfSeveralClassesItsProbability) {
  const Index M = 2, K = 3;
  const Matrix F = numbers(5, M * K);
  const PredictiveSummary summary = summarise_functions(F, *parse_likelihood("categorical", K), 0.8, false);
  for (Index i = 0; i < M; ++i) {
    const auto weight = [&](Index k) -> Eigen::ArrayXd { return F.col(k * M + i).array().exp(); };
    for (Index k = 0; k < K; ++k)
      expect_summary_of_five(summary, i, k, weight(k) / (weight(0) + weight(1) + weight(2)));
  }
}

TEST(SummariseFunctions, GivesExpectationsOfTheResponseWhereTheFunctionIsAskedFor) {
  const Matrix F = numbers(5, 2);
  const PredictiveSummary rate = summarise_functions(F, *parse_likelihood("poisson"), 0.8, true),
                          real = summarise_functions(F, *parse_likelihood("student"), 0.8, true);
  for (Index i = 0; i < 2; ++i) {
    expect_summary_of_five(rate, i, 0, F.col(i).array().exp());
    expect_summary_of_five(real, i, 0, F.col(i));
  }
}

/// The mean over draws of P(Y <= y), each a sum of probabilities.
double count_cdf(const Likelihood& likelihood, const VectorView& f, int y) {
  double sum = 0;
  for (int each = 0; each <= y; ++each)
    for (const double of_draw : f) {
      const double count = each;
      sum += std::exp(likelihood.log_density(&count, &of_draw));
    }
  return sum / static_cast<double>(f.size());
}

double first_count_with(const Likelihood& likelihood, const VectorView& f, double probability) {
  int y = 0;
  while (count_cdf(likelihood, f, y) < probability) ++y;
  return y;
}

TEST(SummariseFunctions, InvertsTheMixtureOfDistributionsOfCounts) {
  Matrix F = numbers(7, 4);
  F.col(0).array() -= 4;  // hardly any
  F.col(3).array() += 2.5;
  for (const std::string name : {"poisson", "negative-binomial(shape=3)"}) {
    const LikelihoodPointer likelihood = parse_likelihood(name);
    const PredictiveSummary summary = summarise_functions(F, *likelihood, 0.8, false);
    for (Index i = 0; i < F.cols(); ++i) {
      const Eigen::ArrayXd rate = F.col(i).array().exp();
      const Eigen::ArrayXd variance = name == "poisson" ? rate : rate + rate.square() / 3;
      EXPECT_NEAR(summary.mean(i), rate.mean(), two_routes * rate.mean());
      const double sd = std::sqrt(variance.mean() + rate.square().mean() - rate.mean() * rate.mean());
      EXPECT_NEAR(summary.sd(i), sd, two_routes * sd);
      EXPECT_EQ(summary.lower(i), first_count_with(*likelihood, F.col(i), 0.1)) << name << " at " << i;
      EXPECT_EQ(summary.upper(i), first_count_with(*likelihood, F.col(i), 0.9)) << name << " at " << i;
    }
  }
}

/// Poisson's likelihood, which counts how often it is asked for P(Y <= y).
class AskedPoisson final : public SingleFunction<AskedPoisson> {
 public:
  std::string name() const override { return poisson_.name(); }
  ResponseKind response() const override { return poisson_.response(); }
  LikelihoodPointer with_parameters(const VectorView& values) const override {
    return poisson_.with_parameters(values);
  }
  double log_density_of(double y, double f) const { return poisson_.log_density_of(y, f); }
  double slope_of(double y, double f) const { return poisson_.slope_of(y, f); }
  double curvature_of(double y, double f) const { return poisson_.curvature_of(y, f); }
  double curvature_slope_of(double y, double f) const { return poisson_.curvature_slope_of(y, f); }
  double mean_of(double f) const { return poisson_.mean_of(f); }
  double variance_of(double f) const { return poisson_.variance_of(f); }
  double draw_of(double f, double u) const { return poisson_.draw_of(f, u); }
  double cdf(double y, double f) const override { return ++asked, poisson_.cdf(y, f); }

  mutable std::atomic<Index> asked = 0;  ///< by any thread

 private:
  Poisson poisson_;
};

TEST(SummariseFunctions, SearchesForQuantilesOfCountsNoFartherThanTheFunctionsReach) {
  constexpr Index S = 250;
  const Matrix spread = numbers(S, 1);
  for (const double count : {1e2, 1e5, 1e9}) {
    const AskedPoisson poisson;
    // Four standard deviations of a count apart.
    const Matrix F = std::log(count) + 4 / std::sqrt(count) * spread.array();
    const PredictiveSummary summary = summarise_functions(F, poisson, 0.95, false);
    const double reach = std::exp(F.maxCoeff()) - std::exp(F.minCoeff());
    EXPECT_LE(poisson.asked, 2 * S * std::ceil(std::log2(2 * reach))) << count;
    const auto cdf = [&](double y) {
      return F.unaryExpr([&](double f) { return poisson.cdf(y, f); }).mean();
    };
    EXPECT_GE(cdf(summary.upper(0)), 0.975) << count;
    EXPECT_LT(cdf(summary.upper(0) - 1), 0.975) << count;
  }
}

TEST(SummariseFunctions, SaysTheSameOfCountsWhereEveryFunctionIsThereTwice) {
  const LikelihoodPointer poisson = parse_likelihood("poisson");
  const Matrix F = numbers(250, 1).array() + 3;
  const Matrix twice = F.transpose().replicate(2, 1).reshaped(500, 1);
  const PredictiveSummary once = summarise_functions(F, *poisson, 0.95, false),
                          again = summarise_functions(twice, *poisson, 0.95, false);
  EXPECT_EQ(again.lower, once.lower);
  EXPECT_EQ(again.upper, once.upper);
  EXPECT_LT(relative_error(again.sd, once.sd), two_routes);
}

TEST(SummariseFunctions, InvertsTheMixtureOfDistributionsOfRealResponses) {
  const Index S = 30;
  const Matrix F = 0.7 * numbers(S, 2);
  for (const std::string name : {"gaussian(scale=0.6)", "student(scale=0.5, degrees=4)"}) {
    const LikelihoodPointer likelihood = parse_likelihood(name);
    const double noise = name[0] == 'g' ? 0.36 : 0.25 * 4 / (4 - 2);
    for (const double level : {0.5, 0.8, 0.999})
      for (Index i = 0; i < 2; ++i) {
        const PredictiveSummary summary = summarise_functions(F, *likelihood, level, false);
        const Eigen::ArrayXd f = F.col(i);
        const auto cdf = [&](double y) {
          double sum = 0;
          for (const double each : f) sum += likelihood->cdf(y, each);
          return sum / static_cast<double>(S);
        };
        EXPECT_NEAR(summary.mean(i), f.mean(), two_routes);
        EXPECT_NEAR(summary.sd(i), std::sqrt((f - f.mean()).square().mean() + noise), two_routes);
        EXPECT_NEAR(cdf(summary.lower(i)), (1 - level) / 2, two_routes) << name;
        EXPECT_NEAR(cdf(summary.upper(i)), (1 + level) / 2, two_routes) << name;
      }
  }
}

TEST(SummariseFunctions, PutsOneFunctionInTheMiddleOfItsNoise) {
  for (const std::string name : {"gaussian(scale=0.6)", "student(scale=0.5, degrees=4)"}) {
    const PredictiveSummary summary = summarise_functions(Matrix{{0.7}}, *parse_likelihood(name), 0.8, false);
    EXPECT_NEAR(summary.lower(0) + summary.upper(0), 2 * 0.7, two_routes) << name;
  }
}

TEST(SummariseFunctions, GivesACertainFunctionTheQuantilesOfItsNoiseAtEveryLevel) {
  const LikelihoodPointer student = parse_likelihood("student(scale=0.1, degrees=3)");
  const Matrix F = Matrix::Constant(500, 1, 0.53);
  for (const auto& [level, t] : {std::pair{0.95, 3.1824463052837096},
                                 {0.99, 5.8409093097333573},
                                 {0.999, 12.923978636687483},
                                 {0.9999, 28.000130010948975}}) {
    const PredictiveSummary summary = summarise_functions(F, *student, level, false);
    EXPECT_NEAR(summary.upper(0), 0.53 + 0.1 * t, two_routes) << level;
    EXPECT_NEAR(summary.lower(0), 0.53 - 0.1 * t, two_routes) << level;
  }
}

// Doubles of 1e16 and more are farther apart than 1: a search for neighbouring counts has to end, and to be right.
TEST(SummariseFunctions, InvertsDistributionsOfCountsThatDoublesCannotCount) {
  const LikelihoodPointer likelihood = parse_likelihood("negative-binomial(shape=3)");
  const Matrix F = 0.3 * numbers(7, 1);
  const PredictiveSummary near = summarise_functions(F.array() + 30, *likelihood, 0.8, false);
  for (const double farther : {8.0, 20.0, 100.0, 600.0}) {
    const PredictiveSummary far = summarise_functions(F.array() + 30 + farther, *likelihood, 0.8, false);
    EXPECT_NEAR(far.lower(0) / near.lower(0) / std::exp(farther), 1, 1e-11) << farther;
    EXPECT_NEAR(far.upper(0) / near.upper(0) / std::exp(farther), 1, 1e-11) << farther;
  }
}

/// Responses y and z, of which z is of classes, if it has levels.
TableEncoding two_responses(std::vector<std::string> levels) {
  TableEncoding encoding = TableEncoding::of_numbers({"x"}, {"y", "z"});
  encoding.outputs[1].levels = std::move(levels);
  return encoding;
}

ModelSettings with_likelihood(const std::string& likelihood) {
  ModelSettings model;
  model.likelihood = likelihood;
  return model;
}

TEST(ChosenLikelihood, RefusesClassesBesideAnotherColumnWhicheverComesFirst) {
  TableEncoding encoding = two_responses({"p", "q"});
  for (int order = 0; order < 2; ++order) {
    EXPECT_EQ(
        testing::complaint_of([&] { chosen_likelihood({}, encoding); }),
        "y: 'z' is of classes, as text is, and they must be the only column; name it alone, or leave it "
        "out");
    std::swap(encoding.outputs[0], encoding.outputs[1]);
  }
}

TEST(ChosenLikelihood, RefusesSeveralColumnsUnlessTheirNoiseIsGaussian) {
  TableEncoding encoding = two_responses({});
  EXPECT_EQ(chosen_likelihood({}, encoding), "gaussian");
  EXPECT_EQ(testing::complaint_of([&] { chosen_likelihood(with_likelihood("poisson"), encoding); }),
            "y: must be one column for poisson, got y, z; fit each by itself");
  encoding.outputs[1].exposure = true;
  EXPECT_EQ(chosen_likelihood(with_likelihood("poisson"), encoding), "poisson");
}

TEST(ChosenLikelihood, RefusesGaussianNoiseForTheCodesOfClasses) {
  TableEncoding encoding = TableEncoding::of_numbers({"x"}, {"y"});
  encoding.outputs[0].levels = {"p", "q"};
  EXPECT_EQ(testing::complaint_of([&] { chosen_likelihood(with_likelihood("gaussian"), encoding); }),
            "likelihood: gaussian needs a response of numbers, and 'y' is of classes; use bernoulli");
}

TEST(ChosenLikelihood, RefusesANoiseThatItDoesNotHave) {
  TableEncoding encoding = TableEncoding::of_numbers({"x"}, {"y"});
  ModelSettings model;
  model.noise = Vector{{0.1}};
  EXPECT_EQ(chosen_likelihood(model, encoding), "gaussian");
  const std::string rule = "noise: belongs to Gaussian noise, not to --likelihood ";
  encoding.outputs[0].levels = {"p", "q"};
  EXPECT_EQ(testing::complaint_of([&] { chosen_likelihood(model, encoding); }),
            rule + "bernoulli; leave it out");
  model.likelihood = "student(scale=1, degrees=4)";
  encoding.outputs[0].levels.clear();
  EXPECT_EQ(testing::complaint_of([&] { chosen_likelihood(model, encoding); }),
            rule + "student; leave it out");
}

/// The integral of (F(t) - 1{t >= y})^2 over t, by the midpoints of small steps, of counts by the sum of their terms. F
/// is the mean distribution function over the functions f, all of them.
double crps_by_integration(const Likelihood& likelihood, const Vector& f, double y, double low, double high,
                           double step) {
  const bool counts = likelihood.response() == ResponseKind::count;
  double integral = 0;
  for (double t = low; t < high; t += step) {
    const double at = counts ? t : t + step / 2;
    double below = 0;
    for (const double each : f) below += likelihood.cdf(at, each) / static_cast<double>(f.size());
    integral += step * std::pow(below - (at >= y ? 1 : 0), 2);
  }
  return integral;
}

TEST(ResponseCrps, IsTheIntegralOfTheSquaredDistanceOfDistributionFunctions) {
  constexpr double of_pieces = 3e-3;
  const Vector f = 0.5 * numbers(40, 1).col(0).array() + 1;
  const auto expect_same = [&](const char* name, double y, double low, double high, double step) {
    const LikelihoodPointer likelihood = parse_likelihood(name);
    const double expected = crps_by_integration(*likelihood, f, y, low, high, step);
    EXPECT_NEAR(response_crps(f, *likelihood, Vector{{y}})(0) / expected, 1, of_pieces) << name << y;
  };
  for (const double y : {-4.0, 0.9, 1.3, 30.0}) {
    expect_same("student(scale=0.5, degrees=4)", y, -200, 200, 0.01);
    expect_same("student(scale=0.02, degrees=30)", y, -10, 40, 0.001);
    expect_same("student(scale=3, degrees=2.5)", y, -3000, 3000, 0.05);
  }
  for (const double y : {0.0, 2.0, 3.0, 40.0}) {
    expect_same("poisson", y, 0, 200, 1);
    expect_same("negative-binomial(shape=1.5)", y, 0, 1000, 1);
  }
}

TEST(ResponseCrps, IsTheAbsoluteErrorOfAPoint) {
  const LikelihoodPointer student = parse_likelihood("student(scale=1e-9, degrees=4)");
  EXPECT_NEAR(response_crps(Matrix::Constant(60, 1, 2), *student, Vector{{5}})(0), 3, 1e-7);
}

TEST(LikelihoodFor, RefusesCountsThatDoublesCannotCount) {
  const auto complaint = [](double count) {
    return testing::complaint_of([&] { likelihood_for("poisson", table_of(Vector{{3, count}})); });
  };
  EXPECT_EQ(complaint(9007199254740992.0), "");
  EXPECT_EQ(
      complaint(1e17),
      "data: row 2, column 'y': must be a count up to 2^53 = 9007199254740992, as far as doubles count, "
      "got 1e+17; fit log(y) with Gaussian noise");
}

TEST(LikelihoodFor, RefusesCodesOfClassesThatAreNoPlaceAmongTheirLevels) {
  const auto complaint = [](std::vector<std::string> levels, const std::string& name, double code) {
    RegressionTable table = table_of(Vector{{0, 1, code}});
    table.encoding = TableEncoding::of_numbers({"x"}, {"y"});
    table.encoding.outputs[0].levels = std::move(levels);
    return testing::complaint_of([&] { likelihood_for(name, table); });
  };
  EXPECT_EQ(complaint({"a", "b"}, "bernoulli", 1), "");
  EXPECT_EQ(complaint({"a", "b", "c"}, "categorical", 2), "");
  const std::string row = "data: row 3, column 'y': must be the place of its class, ";
  EXPECT_EQ(complaint({"a", "b"}, "bernoulli", 2), row + "0 to 1, got 2");
  EXPECT_EQ(complaint({"a", "b"}, "bernoulli", 0.5), row + "0 to 1, got 0.5");
  EXPECT_EQ(complaint({"a", "b", "c"}, "categorical", -1), row + "0 to 2, got -1");
  EXPECT_EQ(complaint({}, "bernoulli", 1),
            "likelihood: bernoulli needs a response of classes, and 'y' has numbers; name them by "
            "classes=[...]");
}

TEST(LikelihoodFor, HasAFunctionForEachOfTwoOrMoreClasses) {
  std::vector<std::string> levels = {"a"};
  for (const char* another : {"b", "c", "d"}) {
    levels.emplace_back(another);
    const ResponseEncoding response{.column = "y", .levels = levels};
    EXPECT_EQ(likelihood_for("categorical", response)->functions(), static_cast<Index>(levels.size()));
  }
}

TEST(LogPredictiveDensity, IsTheLogarithmOfTheMeanDensity) {
  const Index S = 6, M = 4;
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const Index K = likelihood->functions();
    const Matrix F = numbers(S, M * K), Y = drawn_responses(*likelihood, M);
    const Vector densities = log_predictive_density(F, *likelihood, Y);
    for (Index i = 0; i < M; ++i) {
      const Vector y = Y.row(i);
      double sum = 0;
      for (Index s = 0; s < S; ++s) {
        const Eigen::RowVectorXd f = F(s, Eigen::seqN(i, K, M));
        sum += std::exp(likelihood->log_density(y.data(), f.data()));
      }
      EXPECT_NEAR(densities(i), std::log(sum / S), two_routes) << likelihood->name() << " at " << i;
    }
  }
}

TEST(LogPredictiveDensity, IsFiniteWhereEveryDensityIsBelowTheLeastDouble) {
  const Vector density =
      log_predictive_density(Matrix{{0}, {1}}, *parse_likelihood("gaussian(scale=0.01)"), Matrix{{3}});
  const double nearer = -0.5 * 200 * 200 - std::log(0.01 * std::sqrt(2 * M_PI));
  EXPECT_NEAR(density(0), nearer - std::log(2), two_routes * std::abs(nearer));
}

}  // namespace
}  // namespace ridgelet
