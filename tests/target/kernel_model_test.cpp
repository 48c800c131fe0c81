#include "ridgelet/target/covariance/kernel_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/covariance/matern12.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

/// Points of R^3; two are in both sets, where distances are 0.
const Matrix X1 = RandomStream{.seed = 21}.normals(5, 3);
const Matrix X2 = [] {
  Matrix X = RandomStream{.seed = 22}.normals(4, 3);
  X.topRows(2) = X1.middleRows(1, 2);
  return X;
}();

Vector values_of(const Kernel& k) {
  const std::vector<KernelParameter> parameters = k.parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index p = 0; p < values.size(); ++p) values(p) = parameters[static_cast<std::size_t>(p)].value;
  return values;
}

std::vector<std::string> names_of(const Kernel& k) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : k.parameters()) names.push_back(parameter.name);
  return names;
}

/// The kernel with different numbers that are not round, so that no derivative vanishes by chance.
Kernel with_other_values(const Kernel& k) {
  Vector values = values_of(k);
  for (Index p = 0; p < values.size(); ++p) values(p) *= 0.7 + 0.23 * static_cast<double>(p % 5);
  return k.with_parameters(values);
}

/// d k / d log p by central differences, against visit_derivatives, for every parameter.
void expect_derivatives(const Kernel& k) {
  constexpr double step = 1e-5;
  const Vector values = values_of(k);
  Index visited = 0;
  k.visit_derivatives(X1, X2, [&](Index p, const Matrix& dK) {
    EXPECT_EQ(p, visited++) << k.text();
    Vector more = values, less = values;
    more(p) *= std::exp(step);
    less(p) *= std::exp(-step);
    const Matrix difference =
        (k.with_parameters(more).matrix(X1, X2) - k.with_parameters(less).matrix(X1, X2)) / (2 * step);
    // White noise in a product leaves nothing but the diagonal, where distances have no derivative.
    const double error = difference.isZero(0) ? dK.cwiseAbs().maxCoeff() : relative_error(dK, difference);
    EXPECT_LT(error, testing::tolerance::central_differences)
        << k.parameters()[static_cast<std::size_t>(p)].name << " of " << k.text();
  });
  EXPECT_EQ(visited, values.size()) << k.text();
}

/// Ways to write a kernel of the registry, as far as it has the parameters.
std::vector<Kernel> variants(const std::string& name) {
  if (name == "outer") return {parse_kernel("outer(x1 - x2*x3)")};
  std::vector<Kernel> kernels;
  for (const std::string arguments : {"", "active=[2]", "active=[3, 1]", "lengthscale=[1, 2, 1.5]",
                                      "lengthscale=[1.5, 0.8], active=[3, 1]"}) {
    const std::string text = name + "(" + arguments + ")";
    if (complaint_of([&] { parse_kernel(text); }).empty()) kernels.push_back(parse_kernel(text));
  }
  return kernels;
}

class EveryKernel : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(OfTheRegistry, EveryKernel, ::testing::ValuesIn(kernel_names()),
                         [](const auto& test) { return test.param; });

TEST_P(EveryKernel, HasTheDerivativesOfCentralDifferences) {
  for (const Kernel& k : variants(GetParam())) expect_derivatives(with_other_values(k));
}

TEST_P(EveryKernel, HasThemInSumsAndProducts) {
  const Kernel other = parse_kernel("rq(lengthscale=[1, 2, 3]) + outer(1 + x1)");
  for (const Kernel& k : variants(GetParam())) {
    expect_derivatives(with_other_values(k + other));
    expect_derivatives(with_other_values(k * other));
    expect_derivatives(with_other_values(other * k * k));
    expect_derivatives(with_other_values(k * (other + k * other) + k));
  }
}

TEST_P(EveryKernel, TakesItsOwnValuesBack) {
  for (const Kernel& k : variants(GetParam())) EXPECT_EQ(k.with_parameters(values_of(k)).text(), k.text());
}

TEST(Variants, OfAStationaryKernelAreAllFive) {
  EXPECT_EQ(variants("matern32").size(), 5u);
  EXPECT_EQ(variants("periodic").size(), 3u);
  EXPECT_EQ(variants("constant").size(), 1u);
}

TEST(KernelDerivatives, AreZeroBetweenEqualPointsHoweverSteepTheKernel) {
  const Matrix x = X1.topRows(1);
  Kernel(Matern12{}).visit_derivatives(x, x, [](Index p, const Matrix& dK) {
    EXPECT_EQ(dK(0, 0), p == 0 ? 2 : 0);
  });
}

TEST(KernelDerivatives, AreZeroBetweenPointsFartherApartThanDoublesCanSquare) {
  for (const std::string name : {"se", "matern12", "matern32", "matern52"})
    for (const std::string lengthscale : {"1e-200", "[1e-200, 1, 1]"})
      parse_kernel(name + "(lengthscale=" + lengthscale + ")")
          .visit_derivatives(X1.topRows(1), X1.bottomRows(1),
                             [&](Index, const Matrix& dK) { EXPECT_EQ(dK(0, 0), 0) << name; });
}

TEST(KernelParameters, AreNamedAfterTheirKernelAndInput) {
  EXPECT_EQ(names_of(parse_kernel("se(lengthscale=[1, 2])")),
            (std::vector<std::string>{"se.amplitude", "se.lengthscale[1]", "se.lengthscale[2]"}));
  EXPECT_EQ(names_of(parse_kernel("rq(lengthscale=[1, 2], active=[3, 1]) + cosine()")),
            (std::vector<std::string>{"rq.amplitude", "rq.lengthscale[3]", "rq.lengthscale[1]", "rq.alpha",
                                      "cosine.amplitude", "cosine.period"}));
}

TEST(KernelParameters, AreNumberedWhereAKernelOccursTwice) {
  EXPECT_EQ(names_of(parse_kernel("white() + linear() * (white() + outer(x)) + 2")),
            (std::vector<std::string>{"white#1.amplitude", "linear.amplitude", "white#2.amplitude",
                                      "constant.amplitude"}));
}

TEST(KernelParameters, KnowTheirKindAndInputs) {
  const auto parameters = parse_kernel("se(lengthscale=[1, 2], active=[3, 1]) * linear()").parameters();
  EXPECT_EQ(parameters[0].kind, "amplitude");
  EXPECT_EQ(parameters[0].inputs.inputs, (std::vector<Index>{3, 1}));
  EXPECT_EQ(parameters[2].kind, "lengthscale");
  EXPECT_EQ(parameters[2].inputs.inputs, std::vector<Index>{1});
  EXPECT_EQ(parameters[3].inputs.inputs, std::vector<Index>{});
}

TEST(KernelParameters, AreReplacedFromLeftToRight) {
  const Kernel k = parse_kernel("se(lengthscale=[1, 2]) * periodic() + outer(x) + 2");
  EXPECT_EQ(
      k.with_parameters(Vector::LinSpaced(7, 1, 7)).text(),
      "se(amplitude=1, lengthscale=[2, 3]) * periodic(amplitude=4, lengthscale=5, period=6) + outer(x) + "
      "constant(amplitude=7)");
}

TEST(KernelParameters, AreRefusedInTheWrongNumberOrNotPositive) {
  const Kernel k = SquaredExponential{};
  EXPECT_EQ(complaint_of([&] { k.with_parameters(Vector::Ones(3)); }),
            "kernel: has 2 parameters, and 3 values were given");
  EXPECT_EQ(complaint_of([&] {
              k.with_parameters(Vector{{1, -2}});
            }),
            "kernel: se: lengthscale: must be positive and finite, got -2");
}

/// A kernel with a number that nothing gives the derivative of.
struct Forgetful {
  static constexpr std::string_view name = "forgetful";
  double amplitude = 1;
  Lengthscale lengthscale = 1.0;
  double power = 2;
  ActiveInputs active = {};

  double correlation(double r2) const { return std::exp(-std::pow(r2, power / 2)); }
  double correlation_slope(double) const { return 0; }
  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("power", self.power);
    visit("active", self.active);
  }
};

struct Complete : Forgetful {
  double shape_slope(double) const { return 0; }
};

static_assert(!CovarianceFunction<Forgetful> && CovarianceFunction<Complete>);

TEST(ScaledKernel, IsTheKernelTimesTheSquareOfTheAmplitude) {
  const Matrix X = RandomStream{.seed = 3}.normals(5, 2);
  for (const char* text :
       {"se(amplitude=2)", "se() + linear(amplitude=0.3)", "se() * periodic(period=2, active=[1]) + white()",
        "outer(x1) + constant(amplitude=3)", "outer(x1) * se()",
        // Too many terms to be multiplied out.
        "(se() + rq() + linear() + white() + 1) * (matern32() + matern52() + se(lengthscale=2) + "
        "outer(x2))"}) {
    const Kernel kernel = parse_kernel(text);
    EXPECT_LT(relative_error(kernel.scaled(1.7).matrix(X, X), 1.7 * 1.7 * kernel.matrix(X, X)), 1e-14)
        << text;
  }
}

TEST(ScaledKernel, KeepsItsShape) {
  EXPECT_EQ(parse_kernel("(se() + rq()) * linear()").scaled(3).text(),
            parse_kernel("(se(amplitude=3) + rq(amplitude=3)) * linear()").text());
}

TEST(KernelTerms, AreTheSummands) {
  const auto terms = [](const std::string& text) {
    std::vector<std::string> texts;
    for (const Kernel& term : parse_kernel(text).terms()) texts.push_back(term.text());
    return texts;
  };
  const std::string w = "white(amplitude=1)", l = "linear(amplitude=1)", c = "constant(amplitude=1)";
  EXPECT_EQ(terms("white()"), (std::vector<std::string>{w}));
  EXPECT_EQ(terms("white() + (linear() + 1)"), (std::vector<std::string>{w, l, c}));
  EXPECT_EQ(terms("white() * linear()"), (std::vector<std::string>{w + " * " + l}));
  EXPECT_EQ(terms("(white() + linear()) * (linear() + 1) + 1"),
            (std::vector<std::string>{w + " * " + l, w + " * " + c, l + " * " + l, l + " * " + c, c}));
  EXPECT_EQ(terms("white() * (linear() + white() * (linear() + 1))"),
            (std::vector<std::string>{w + " * " + l, w + " * " + w + " * " + l, w + " * " + w + " * " + c}));
}

TEST(KernelTerms, SumUpToTheKernel) {
  const Kernel k = parse_kernel("(se() + linear()) * (2 + matern12(active=2)) + outer(x1) * (cosine() + 3)");
  Matrix sum = Matrix::Zero(5, 4);
  for (const Kernel& term : k.terms()) sum += term.matrix(X1, X2);
  EXPECT_EQ(k.terms().size(), 6u);
  EXPECT_LT(relative_error(sum, k.matrix(X1, X2)), two_routes);
}

TEST(KernelTerms, OfAProductAreMultipliedOutToAtMostSixteen) {
  const Kernel four = parse_kernel("se() + linear() + white() + 1"), five = four + four.terms()[0];
  EXPECT_EQ((four * four).terms().size(), 16u);
  EXPECT_EQ((four * five).terms().size(), 1u);
  EXPECT_EQ((four * five + four).terms().size(), 5u);
}

TEST(Kernel, MayBeASumOfThousandsOfTerms) {
  Kernel sum = SquaredExponential{};
  for (int i = 1; i < 3000; ++i) sum = i % 2 ? sum + SquaredExponential{} : SquaredExponential{} + sum;
  EXPECT_NEAR(sum.matrix(X1, X1)(0, 0), 3000, 3000 * two_routes);
  EXPECT_EQ(sum.parameters().size(), 6000u);
  EXPECT_EQ(sum.terms().size(), 3000u);
}

TEST(Kernel, RefusesToNestDeeperThanParenthesesMay) {
  Kernel nested = SquaredExponential{};
  const std::string complaint = complaint_of([&] {
    for (int i = 0; i < 300; ++i) nested = i % 2 ? nested * Matern12{} : nested + Matern12{};
  });
  EXPECT_EQ(complaint, "kernel: must not nest sums and products more than 201 deep");
}

TEST(Kernel, ContractsItsDerivativesWithASymmetricMatrix) {
  Matrix W = RandomStream{.seed = 23}.normals(5, 5);
  W = (W + W.transpose()).eval();
  Matrix lower = W;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
  for (const char* text :
       {"se(lengthscale=[1, 2, 3])", "rq(lengthscale=2, alpha=0.5)", "matern12(active=[2])",
        "periodic(active=[1]) * (se() + linear()) + white() * matern32(lengthscale=[2, 1, 1])",
        "outer(x1) + 2 * cosine(active=[3])"}) {
    const Kernel k = with_other_values(parse_kernel(text));
    const Vector sums = k.contract_derivatives(X1, lower);
    EXPECT_EQ(sums.size(), values_of(k).size());
    k.visit_derivatives(X1, X1, [&](Index p, const Matrix& dK) {
      EXPECT_NEAR(sums(p), W.cwiseProduct(dK).sum(), two_routes) << text;
    });
  }
}

TEST(Kernel, HasTheSummandsInTheOrderOfItsParameters) {
  const Kernel k =
      parse_kernel("(se() + linear()) * (rq() + 1) + (white() + matern32(lengthscale=[1, 2])) + 3");
  std::vector<double> values;
  for (const Kernel& part : k.summands())
    for (const KernelParameter& parameter : part.parameters()) values.push_back(parameter.value);
  EXPECT_EQ(k.summands().size(), 4u);
  EXPECT_EQ(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())), values_of(k));
}

TEST(Kernel, ContractsItsDerivativesBetweenOtherPointsInAnyBlocks) {
  const Matrix X2 = RandomStream{.seed = 24}.normals(11, 3), W = RandomStream{.seed = 25}.normals(5, 11);
  const Vector w = RandomStream{.seed = 26}.normals(11, 1);
  for (const char* text : {"se(lengthscale=[1, 2, 3])", "periodic(active=[1]) * (se() + linear()) + white()",
                           "outer(x1) + 2 * cosine(active=[3])"}) {
    const Kernel k = with_other_values(parse_kernel(text));
    for (const Index rows : {1, 4, 11, 100}) {
      const Vector sums = k.contract_derivatives(X1, X2, W, rows);
      const Vector diagonal = k.contract_diagonal_derivatives(X2, w, rows);
      ASSERT_EQ(sums.size(), values_of(k).size());
      ASSERT_EQ(diagonal.size(), values_of(k).size());
      k.visit_derivatives(X1, X2, [&](Index p, const Matrix& dK) {
        EXPECT_NEAR(sums(p), W.cwiseProduct(dK).sum(), two_routes) << text;
      });
      k.visit_derivatives(X2, X2, [&](Index p, const Matrix& dK) {
        EXPECT_NEAR(diagonal(p), w.dot(dK.diagonal()), two_routes) << text;
      });
    }
  }
}

TEST(Kernel, IsTheSameProcessInOtherUnits) {
  const UnitChange units{.centre = (Vector(3) << 5, -2, 1e3).finished(),
                         .scale = (Vector(3) << 100, 0.01, 7).finished(),
                         .response = 1e4};
  const Matrix other = (X1 * units.scale.asDiagonal()).rowwise() + units.centre.transpose();
  for (const char* text :
       {"se(lengthscale=[1, 2, 3])", "matern52(lengthscale=2)", "rq(lengthscale=2, active=[3, 1])",
        "se(lengthscale=2) * periodic(period=1.5, active=[2]) + white() + 3",
        "(cosine(active=[1]) + matern12()) * (se() + 2)"}) {
    const Kernel k = parse_kernel(text);
    const auto restated = k.in_units(units);
    ASSERT_TRUE(restated) << text;
    EXPECT_LT(relative_error(restated->matrix(other, other), 1e8 * k.matrix(X1, X1)), 1e-6)
        << restated->text();
  }
  EXPECT_EQ(parse_kernel("se()").in_units(units)->text(), "se(amplitude=10000, lengthscale=[100, 0.01, 7])");
}

TEST(Kernel, HasNoOtherUnitsWhereItsShapeWouldChange) {
  const UnitChange moved{.centre = Vector::Ones(3), .scale = Vector::Constant(3, 2)};
  const UnitChange stretched{.centre = Vector::Zero(3), .scale = (Vector(3) << 1, 2, 3).finished()};
  EXPECT_FALSE(parse_kernel("linear()").in_units(moved));
  EXPECT_FALSE(parse_kernel("se() + linear()").in_units(stretched));
  EXPECT_FALSE(parse_kernel("se() * periodic()").in_units(stretched));
  EXPECT_FALSE(parse_kernel("outer(x1)").in_units(stretched));
  EXPECT_EQ(parse_kernel("linear(active=[2])").in_units(stretched)->text(),
            "linear(amplitude=0.5, active=[2])");
}

}  // namespace
}  // namespace ridgelet
