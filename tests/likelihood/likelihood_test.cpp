#include "ridgelet/likelihood/likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::tolerance::central_differences;

constexpr Index classes = 3;

/// Every likelihood, with responses that it can have: rows of K numbers.
struct Case {
  LikelihoodPointer likelihood;
  std::vector<Vector> responses;
};

std::vector<Case> cases() {
  const auto number = [](double y) { return Vector::Constant(1, y); };
  std::vector<Vector> one_hot;
  for (Index k = 0; k < classes; ++k) one_hot.push_back(Vector::Unit(classes, k));
  return {{parse_likelihood("gaussian(scale=0.7)"), {number(-1.3), number(0.2), number(40)}},
          {parse_likelihood("bernoulli"), {number(0), number(1)}},
          {parse_likelihood("categorical", classes), one_hot},
          {parse_likelihood("poisson"), {number(0), number(1), number(17)}},
          {parse_likelihood("negative-binomial(shape=2.5)"), {number(0), number(3), number(60)}},
          {parse_likelihood("student(scale=0.4, degrees=3)"), {number(-2), number(0.1), number(9)}}};
}

/// Values of the functions at which derivatives are looked at.
std::vector<Vector> functions_of(const Likelihood& likelihood) {
  std::vector<Vector> values;
  for (const double f : {-3.1, -0.4, 0.3, 2.2}) {
    Vector each = Vector::Constant(likelihood.functions(), f);
    for (Index k = 1; k < each.size(); ++k) each(k) = std::sin(5.0 * f + static_cast<double>(k));
    values.push_back(each);
  }
  return values;
}

template <class Check>
void for_each_case(Check&& check) {
  for (const Case& each : cases())
    for (const Vector& y : each.responses)
      for (const Vector& f : functions_of(*each.likelihood)) {
        SCOPED_TRACE(each.likelihood->text() + " at y = " + std::to_string(y(0)) +
                     ", f = " + std::to_string(f(0)));
        check(*each.likelihood, y, f);
      }
}

/// The matrix W that K numbers stand for.
Matrix curvature_matrix(const Likelihood& likelihood, const Vector& y, const Vector& f) {
  Vector d(f.size());
  likelihood.normal_curvature(y.data(), f.data(), d.data());
  Matrix W = d.asDiagonal();
  if (f.size() > 1) W -= d * d.transpose() / d.sum();
  return W;
}

Vector moved(Vector f, Index k, double step) {
  f(k) += step;
  return f;
}

TEST(Likelihood, SlopeIsTheDerivativeOfTheLogDensity) {
  constexpr double step = 1e-5;
  for_each_case([](const Likelihood& likelihood, const Vector& y, const Vector& f) {
    Vector slope(f.size()), d(f.size());
    likelihood.derivatives(y.data(), f.data(), slope.data(), d.data());
    for (Index k = 0; k < f.size(); ++k) {
      const double difference = (likelihood.log_density(y.data(), moved(f, k, step).data()) -
                                 likelihood.log_density(y.data(), moved(f, k, -step).data())) /
                                (2 * step);
      EXPECT_NEAR(slope(k), difference, central_differences * std::max(1.0, std::abs(difference)));
    }
  });
}

TEST(Likelihood, CurvatureIsMinusTheSecondDerivativeWhereTheLogDensityIsConcave) {
  constexpr double step = 1e-5;
  for_each_case([](const Likelihood& likelihood, const Vector& y, const Vector& f) {
    if (likelihood.name() == "student") return;
    const Matrix W = curvature_matrix(likelihood, y, f);
    for (Index k = 0; k < f.size(); ++k) {
      Vector more(f.size()), less(f.size()), d(f.size());
      likelihood.derivatives(y.data(), moved(f, k, step).data(), more.data(), d.data());
      likelihood.derivatives(y.data(), moved(f, k, -step).data(), less.data(), d.data());
      const Vector difference = -(more - less) / (2 * step);
      EXPECT_LT((W.col(k) - difference).norm(), central_differences * std::max(1.0, W.norm()));
    }
  });
}

TEST(Likelihood, CurvatureOfStudentIsMinusItsSecondDerivativeWhereThatIsPositive) {
  constexpr double step = 1e-5, y = 0.2;
  const LikelihoodPointer student = parse_likelihood("student(scale=0.4, degrees=3)");
  for (const double f : {-4.0, -0.6, -0.2, 0.15, 0.2, 0.5, 3.0}) {
    const double above = f + step, below = f - step;
    double more = 0, less = 0, slope = 0, d = 0;
    student->derivatives(&y, &above, &more, &d);
    student->derivatives(&y, &below, &less, &d);
    student->derivatives(&y, &f, &slope, &d);
    EXPECT_NEAR(d, std::max(-(more - less) / (2 * step), 0.0), 1e-5) << f;
  }
}

TEST(Likelihood, NormalCurvatureOfStudentIsTheExpectedOne) {
  // E[-d^2 log p / df^2] over y, by a fine sum over quantiles of y.
  const LikelihoodPointer student = parse_likelihood("student(scale=0.4, degrees=3)");
  constexpr Index quantiles = 20'000;
  constexpr double f = 0.3, step = 1e-4;
  double sum = 0;
  for (Index i = 0; i < quantiles; ++i) {
    double y = 0, more = 0, less = 0, d = 0;
    student->draw(&f, (static_cast<double>(i) + 0.5) / quantiles, &y);
    const double above = f + step, below = f - step;
    student->derivatives(&y, &above, &more, &d);
    student->derivatives(&y, &below, &less, &d);
    sum -= (more - less) / (2 * step);
  }
  double W = 0;
  student->normal_curvature(&f, &f, &W);
  EXPECT_NEAR(sum / quantiles, W, 1e-3 * W);
}

TEST(Likelihood, ContractsTheSlopeOfItsCurvature) {
  constexpr double step = 1e-5;
  for_each_case([](const Likelihood& likelihood, const Vector& y, const Vector& f) {
    const Index K = f.size();
    const Matrix A = RandomStream{.seed = 8}.normals(K, K), S = A * A.transpose();
    Vector result(K);
    likelihood.contract_curvature_slope(y.data(), f.data(), S.data(), result.data());
    for (Index a = 0; a < K; ++a) {
      const double difference = (S.cwiseProduct(curvature_matrix(likelihood, y, moved(f, a, step)) -
                                                curvature_matrix(likelihood, y, moved(f, a, -step))))
                                    .sum() /
                                (2 * step);
      EXPECT_NEAR(result(a), difference, central_differences * std::max(1.0, std::abs(difference)));
    }
  });
}

TEST(Likelihood, ProbabilitiesOfClassesAndCountsAddUpToOne) {
  for (const Case& each : cases()) {
    const ResponseKind kind = each.likelihood->response();
    if (kind == ResponseKind::real) continue;
    for (const Vector& f : functions_of(*each.likelihood)) {
      double sum = 0;
      if (kind == ResponseKind::count)
        for (double y = 0; y < 3000; ++y) sum += std::exp(each.likelihood->log_density(&y, f.data()));
      else
        for (const Vector& y : each.responses)
          sum += std::exp(each.likelihood->log_density(y.data(), f.data()));
      EXPECT_NEAR(sum, 1, 1e-9) << each.likelihood->text();
    }
  }
}

TEST(Likelihood, DrawsHaveItsMeanAndVariance) {
  constexpr Index draws = 10'000;
  for (const Case& each : cases())
    for (const Vector& f : functions_of(*each.likelihood)) {
      const Index K = f.size();
      Vector mean(K), variance(K), y(K), sum = Vector::Zero(K), squares = Vector::Zero(K);
      each.likelihood->mean(f.data(), mean.data());
      each.likelihood->variance(f.data(), variance.data());
      // Evenly spaced quantiles: the mean is that of the distribution but for its tails.
      for (Index i = 0; i < draws; ++i) {
        each.likelihood->draw(f.data(), (static_cast<double>(i) + 0.5) / draws, y.data());
        sum += y;
        squares += (y - mean).cwiseAbs2();
      }
      for (Index k = 0; k < K; ++k) {
        EXPECT_NEAR(sum(k) / draws, mean(k), 1e-3 * std::max(1.0, std::sqrt(variance(k))))
            << each.likelihood->text();
        if (each.likelihood->name() == "student") continue;  // what follows needs a fourth moment
        EXPECT_NEAR(squares(k) / draws, variance(k), 3e-3 * std::max(1.0, variance(k)))
            << each.likelihood->text();
      }
    }
}

TEST(Likelihood, DistributionFunctionIsTheSumOfTheProbabilities) {
  for (const char* name : {"poisson", "negative-binomial(shape=2.5)", "bernoulli"}) {
    const LikelihoodPointer likelihood = parse_likelihood(name);
    double sum = 0, f = 0.8;
    for (double y = 0; y < (likelihood->response() == ResponseKind::count ? 30 : 2); ++y) {
      sum += std::exp(likelihood->log_density(&y, &f));
      EXPECT_NEAR(likelihood->cdf(y, f), sum, 1e-12) << name << " at " << y;
    }
  }
}

// On both sides of the shape at which Stirling's series takes the place of two gamma functions.
TEST(Likelihood, NegativeBinomialHasTheDensityOfItsFormulaForAnyShape) {
  for (const long double k : {0.3L, 20.0L, 99.0L, 100.0L, 150.0L, 5000.0L}) {
    const LikelihoodPointer likelihood =
        parse_likelihood("negative-binomial(shape=" + std::to_string(static_cast<double>(k)) + ")");
    for (const double y : {0.0, 1.0, 7.0, 400.0})
      for (const double f : {-1.0, 2.0, 5.0}) {
        const long double mu = std::exp(static_cast<long double>(f));
        const long double expected = std::lgamma(k + y) - std::lgamma(k) - std::lgamma(y + 1.0L) +
                                     k * std::log(k / (k + mu)) + y * std::log(mu / (k + mu));
        EXPECT_NEAR(likelihood->log_density(&y, &f), static_cast<double>(expected),
                    1e-11 * (1 + std::abs(static_cast<double>(expected))))
            << "shape " << static_cast<double>(k) << ", y " << y << ", f " << f;
      }
  }
}

TEST(Likelihood, NegativeBinomialTendsToPoisson) {
  const LikelihoodPointer poisson = parse_likelihood("poisson"),
                          other = parse_likelihood("negative-binomial(shape=1e9)");
  for (double y = 0; y < 20; ++y)
    for (const double f : {-2.0, 0.5, 3.0})
      EXPECT_NEAR(other->log_density(&y, &f), poisson->log_density(&y, &f), 1e-6);
}

TEST(Categorical, OfTwoClassesIsBernoulliOfTheDifferenceOfItsFunctions) {
  const LikelihoodPointer softmax = parse_likelihood("categorical", 2),
                          bernoulli = parse_likelihood("bernoulli");
  for (const double f : {-3.0, 0.0, 0.7, 40.0})
    for (const double y : {0.0, 1.0}) {
      const Vector both{{0.25, 0.25 + f}}, observed{{1 - y, y}};
      EXPECT_NEAR(softmax->log_density(observed.data(), both.data()), bernoulli->log_density(&y, &f), 1e-13);
    }
  EXPECT_NE(complaint_of([] { parse_likelihood("categorical", 1); }).find("two classes"), std::string::npos);
}

TEST(Likelihood, IsFiniteWhereFunctionsAreLarge) {
  for (const char* name : {"bernoulli", "negative-binomial"}) {
    const LikelihoodPointer likelihood = parse_likelihood(name);
    for (const double f : {-1e4, 1e4})
      for (const double y : {0.0, 1.0}) {
        double slope = 0, curvature = 0;
        likelihood->derivatives(&y, &f, &slope, &curvature);
        EXPECT_TRUE(std::isfinite(likelihood->log_density(&y, &f))) << name;
        EXPECT_TRUE(std::isfinite(slope) && std::isfinite(curvature)) << name;
      }
  }
  const LikelihoodPointer softmax = parse_likelihood("categorical", classes);
  const Vector f{{1e4, -1e4, 0}}, y = Vector::Unit(classes, 1);
  EXPECT_NEAR(softmax->log_density(y.data(), f.data()), -2e4, 1e-6);
}

TEST(LikelihoodText, IsReadBack) {
  for (const Case& each : cases())
    EXPECT_EQ(parse_likelihood(each.likelihood->text(), classes)->text(), each.likelihood->text());
  EXPECT_EQ(parse_likelihood(" student ( degrees = 7 )")->text(), "student(scale=0.3, degrees=7)");
}

TEST(LikelihoodText, IsRefusedWithWhatIsRight) {
  const auto complaint = [](const std::string& text) {
    return complaint_of([&] { parse_likelihood(text); });
  };
  EXPECT_NE(complaint("poison").find("poisson"), std::string::npos) << complaint("poison");
  EXPECT_NE(complaint("student(degree=4)").find("degrees"), std::string::npos);
  EXPECT_EQ(complaint("student(degrees=2)"), "likelihood: degrees must be above 2, got 2");
  EXPECT_EQ(complaint("student(degrees=4"),
            "likelihood: must end with ')' after its parameters, got 'student(degrees=4'");
  EXPECT_EQ(complaint("bernoulli(scale=1)"), "likelihood: 'bernoulli' has no parameters, got 'scale'");
  EXPECT_EQ(complaint("gaussian(scale=much)"),
            "likelihood: must have numbers for its parameters, got 'much'");
}

}  // namespace
}  // namespace ridgelet
