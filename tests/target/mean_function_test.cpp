#include "ridgelet/target/mean/mean_function.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "expectations.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::tolerance::two_routes;

const Matrix eight_inputs = RandomStream{.seed = 3}.normals(8, 3);

std::string mean_complaint(const std::string& text) {
  return complaint_of([&] { MeanFunction{text}; });
}

/// Whether the complaint about `text` says that it cannot be read, and points at `column`.
void expect_unreadable(const std::string& text, int column) {
  const std::string start = "mean: cannot read '" + text + "' at column " + std::to_string(column) + ": ";
  const std::string complaint = mean_complaint(text);
  EXPECT_TRUE(complaint.starts_with(start)) << complaint;
}

TEST(MeanFunction, IsZeroUnlessGiven) {
  EXPECT_EQ(MeanFunction()(eight_inputs), Vector::Zero(8));
  EXPECT_EQ(MeanFunction().text(), "0");
}

TEST(MeanFunction, FollowsItsExpressionRowByRow) {
  const Vector values = MeanFunction("sin(2*pi*x1) + x2^2 - exp(-x3)/2")(eight_inputs);
  for (Index i = 0; i < eight_inputs.rows(); ++i) {
    const double expected = std::sin(2 * std::numbers::pi * eight_inputs(i, 0)) +
                            eight_inputs(i, 1) * eight_inputs(i, 1) - std::exp(-eight_inputs(i, 2)) / 2;
    EXPECT_NEAR(values(i), expected, two_routes);
  }
}

TEST(MeanFunction, CallsTheFirstInputByItsShortName) {
  EXPECT_EQ(MeanFunction("0.06*x")(eight_inputs), MeanFunction("0.06*x1")(eight_inputs));
  EXPECT_EQ(MeanFunction("x + x1")(eight_inputs), 2 * eight_inputs.col(0));
  EXPECT_EQ(MeanFunction("x3")(eight_inputs), eight_inputs.col(2));
}

TEST(MeanFunction, ReadsInputsWithNumbersOfSeveralDigits) {
  Matrix wide = Matrix::Zero(2, 12);
  wide.col(11) << 5, 7;
  wide.col(0) << 100, 200;
  EXPECT_EQ(MeanFunction("x12 + x1")(wide), (Vector{{105, 207}}));
}

TEST(MeanFunction, KnowsTheConstants) {
  EXPECT_EQ(MeanFunction("pi")(eight_inputs), Vector::Constant(8, std::numbers::pi));
  EXPECT_EQ(MeanFunction("e")(eight_inputs), Vector::Constant(8, std::numbers::e));
}

TEST(MeanFunction, BindsOperatorsAsMathematicsDoes) {
  const auto value = [](const std::string& text) { return MeanFunction(text)(Matrix::Constant(1, 1, 2))(0); };
  EXPECT_EQ(value("1 + 2*x^2"), 9);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("x^3^2"), 512);
  EXPECT_EQ(value("8/x/2"), 2);
  EXPECT_EQ(value("x > 1 ? 10 : 20"), 10);
  EXPECT_EQ(value("(x == 2) + (x <= 1) + (x != 3)"), 2);
}

TEST(MeanFunction, HasNoValuesAtNoPoints) {
  EXPECT_EQ(MeanFunction("x")(Matrix(0, 1)).size(), 0);
}

TEST(MeanFunction, KeepsItsText) {
  EXPECT_EQ(MeanFunction(" 0.06 * x ").text(), " 0.06 * x ");
}

TEST(MeanFunction, IsTheSameOnManyThreadsAtOnce) {
  const MeanFunction mean("sin(x1)*x2 + x3^2");
  const Vector expected = mean(eight_inputs);
  constexpr int calls = 200;
  std::vector<Vector> values(calls);
  const ThreadScope scope(4);
  parallel_for(calls, [&](Index i) {
    values[static_cast<std::size_t>(i)] = mean(eight_inputs * (1 + static_cast<double>(i % 3)));
  });
  for (int i = 0; i < calls; ++i)
    EXPECT_EQ(values[static_cast<std::size_t>(i)], mean(eight_inputs * (1 + i % 3))) << "call " << i;
  EXPECT_EQ(mean(eight_inputs), expected);
}

TEST(MeanFunction, SuggestsTheNearestName) {
  EXPECT_EQ(mean_complaint("y"), "mean: unknown name 'y' at column 1; did you mean 'x'?");
  EXPECT_EQ(mean_complaint("2 + X1"), "mean: unknown name 'X1' at column 5; did you mean 'x1'?");
  EXPECT_EQ(mean_complaint("x + time"),
            "mean: unknown name 'time' at column 5; inputs are x1, x2, ... (x is x1)");
}

TEST(MeanFunction, CountsInputsFromOne) {
  EXPECT_EQ(mean_complaint("x0"), "mean: unknown name 'x0' at column 1; did you mean 'x'?");
  EXPECT_EQ(mean_complaint("x01"), "mean: unknown name 'x01' at column 1; did you mean 'x1'?");
  EXPECT_EQ(mean_complaint("x99999999999999999999"),
            "mean: unknown name 'x99999999999999999999' at column 1; inputs are x1, x2, ... (x is x1)");
}

TEST(MeanFunction, PointsAtTheColumnItCannotRead) {
  expect_unreadable("x)", 2);
  expect_unreadable("2x", 2);
  expect_unreadable("x x2", 3);
  expect_unreadable("1 + x**2", 7);
  expect_unreadable("1 + sin()", 9);
}

TEST(MeanFunction, RefusesWhatEndsTooSoon) {
  for (const std::string text : {"x +", "(x", "sin(x", "x > 1 ? 2", "max(1,"})
    EXPECT_TRUE(mean_complaint(text).starts_with("mean: cannot read '" + text + "' at column ")) << text;
}

TEST(MeanFunction, RefusesToAssign) {
  EXPECT_EQ(mean_complaint("x = 3"),
            "mean: cannot read 'x = 3' at column 3: '=' has no meaning here; compare with '=='");
  expect_unreadable("x == 2 ? x=5 : 2", 11);
}

TEST(MeanFunction, RefusesEmptyText) {
  for (const std::string text : {"", " ", " \t "})
    EXPECT_EQ(mean_complaint(text),
              "mean: must be an expression in x1, x2, ... such as '0' or '0.06*x', got ''");
}

TEST(MeanFunction, NamesTheArgumentAndAddsTheOffsetItIsGiven) {
  EXPECT_EQ(complaint_of([] { MeanFunction("1 + y", "kernel", 6); }),
            "kernel: unknown name 'y' at column 11; did you mean 'x'?");
}

TEST(MeanFunction, StandsOnOneLine) {
  EXPECT_EQ(MeanFunction("x1\n\t+ x2\r\n").text(), "x1  + x2  ");
  EXPECT_EQ(MeanFunction("x1\n+\tx2")(eight_inputs), eight_inputs.col(0) + eight_inputs.col(1));
}

TEST(MeanFunction, RefusesTextThatIsTooLongOrTooDeep) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  EXPECT_EQ(MeanFunction("x" + repeated("+x", 4'999))(Matrix::Ones(1, 1))(0), 5000);
  for (const std::string part : {"+x", "-(x", "*sin(x", "^x", "-"})
    EXPECT_TRUE(mean_complaint("x" + repeated(part, 20'000))
                    .starts_with("mean: must be an expression of at most 10000 characters, got "));
  EXPECT_EQ(mean_complaint(repeated("(", 100) + "x" + repeated(")", 100)), "");
  const std::string complaint = mean_complaint(repeated("sin(", 101) + "x" + repeated(")", 101));
  EXPECT_EQ(complaint, "mean: cannot read '" + repeated("sin(", 15) +
                           "...' at column 404: more than 100 parentheses inside each other");
  // Unary signs and conditions need no parentheses to nest.
  for (const std::string part : {"- ", "+", "x>1 ? 1 : "})
    EXPECT_NO_FATAL_FAILURE(mean_complaint(repeated(part, 900) + "x"));
}

TEST(MeanFunction, RefusesCharactersWithoutMeaning) {
  EXPECT_EQ(mean_complaint(std::string("x\0+1", 4)), "mean: a character at column 2 has no meaning");
  EXPECT_EQ(mean_complaint("x \xc3\x97 2"), "mean: a character at column 3 has no meaning");
}

TEST(MeanFunction, RefusesNumbersBeyondDoublePrecision) {
  EXPECT_EQ(mean_complaint("x + 1e400"),
            "mean: cannot read 'x + 1e400' at column 5: 1e400 is beyond double precision");
  EXPECT_EQ(mean_complaint("1e-400"),
            "mean: cannot read '1e-400' at column 1: 1e-400 is beyond double precision");
}

TEST(MeanFunction, RefusesInputsBeyondTheDimension) {
  const MeanFunction mean("x1 + x3");
  EXPECT_NO_THROW(mean.validate_dimension(3, "mean"));
  EXPECT_EQ(complaint_of([&] { mean.validate_dimension(2, "mean"); }),
            "mean: 'x1 + x3' uses x3, and there are only 2 inputs");
  EXPECT_EQ(complaint_of([] { MeanFunction("x2").validate_dimension(1, "kernel"); }),
            "kernel: 'x2' uses x2, and there is only 1 input");
  EXPECT_NO_THROW(MeanFunction("3").validate_dimension(1, "mean"));
  EXPECT_NO_THROW(MeanFunction("x").validate_dimension(1, "mean"));
}

/// Reads or throws InvalidArgument; anything else fails the property.
void expect_a_mean_or_complaint(const std::string& text) {
  try {
    const MeanFunction mean(text);
    RC_ASSERT(mean.text().size() == text.size());
    RC_ASSERT(MeanFunction(mean.text()).text() == mean.text());
  } catch (const InvalidArgument& error) {
    RC_ASSERT(error.argument() == "mean");
  }
}

RC_GTEST_PROP(MeanFunction, AnswersToAnyBytes, (const std::string& text)) {
  expect_a_mean_or_complaint(text);
}

RC_GTEST_PROP(MeanFunction, AnswersToAnySequenceOfItsOwnWords, ()) {
  const auto words =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "x", "x1", "x3", "x0", "sin", "atan2", "sum", "pi", "(",     ")", ",",  "+", "-", "*",
          "/", "^",  "?",  ":",  "=",   "<",     "&&",  "1",  "2.5e3", ".", "\"", " ", "#", "\xff"}));
  expect_a_mean_or_complaint(join(words, ""));
}

TEST(MeanFunction, HasTheNumbersOfItsTextAsCoefficients) {
  const auto coefficients = [](const char* text) {
    const Vector values = MeanFunction(text).coefficients();
    return std::vector<double>(values.begin(), values.end());
  };
  using Values = std::vector<double>;
  EXPECT_EQ(coefficients("x1"), Values{});
  EXPECT_EQ(coefficients("0"), Values{0});
  EXPECT_EQ(coefficients("0.06*x10 + 2e-3*sin(x2)"), (Values{0.06, 2e-3}));
  EXPECT_EQ(coefficients("x^2 + 3*x1 ^ -4 - 0.5"), (Values{3, 0.5}));
  EXPECT_EQ(coefficients("-2*x - -3 + (-4)"), (Values{-2, -3, -4}));
  EXPECT_EQ(coefficients("-2^x + exp(-1.5*x)"), (Values{2, -1.5}));
}

TEST(MeanFunction, TakesOtherCoefficientsIncludingNegativeOnes) {
  const Matrix points = (Matrix(2, 2) << 0.5, 2, -1, 3).finished();
  const auto expect = [&](const char* text, std::initializer_list<double> values, const char* same) {
    const MeanFunction changed =
        MeanFunction(text).with_coefficients(Eigen::Map<const Vector>(values.begin(), Index(values.size())));
    EXPECT_LE((changed(points) - MeanFunction(same)(points)).cwiseAbs().maxCoeff(), 1e-14) << changed.text();
    // The text can be read and changed again.
    EXPECT_EQ(MeanFunction(changed.text()).coefficients(),
              Vector(Eigen::Map<const Vector>(values.begin(), Index(values.size()))))
        << changed.text();
  };
  expect("0.06*x - 1", {-2, -3}, "0-2*x + 3");
  expect("-0.06*x - 1", {2, 3}, "2*x - 3");
  expect("x2^2*0.5", {-0.25}, "0-x2^2/4");
  expect("2^x2", {3}, "exp(x2*ln(3))");
  expect("1 + 2*x", {1e-9, 1e12}, "1e-9 + 1e12*x");
  const MeanFunction once = MeanFunction("1 - 2*x").with_coefficients((Vector(2) << -1, -2).finished());
  EXPECT_EQ(once.with_coefficients((Vector(2) << 1, 2).finished())(points), MeanFunction("1 - 2*x")(points));
}

TEST(MeanFunction, DifferentiatesWithRespectToItsCoefficients) {
  const Matrix points = (Matrix(4, 2) << 0.5, 2, -1, 3, 0.1, 0.2, 2, -1).finished();
  const auto slope = [&](const char* text, Index k) -> Vector {
    return MeanFunction(text).derivatives(points).col(k);
  };
  // Slopes in coefficients that enter linearly are exact but for rounding, the others are within 1e-8.
  EXPECT_LE((slope("3*x1*sin(x2) + 7", 0) - MeanFunction("x1*sin(x2)")(points)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((slope("3*x1*sin(x2) + 1e5", 1) - Vector::Ones(4)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((slope("sin(1.3*x1)", 0) - MeanFunction("x1*cos(1.3*x1)")(points)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((slope("exp(-2*x1 + x2)", 0) - MeanFunction("x1*exp(-2*x1 + x2)")(points)).cwiseAbs().maxCoeff(),
            1e-8);
  EXPECT_LE(
      (slope("sqrt(0.3 + x1^2)", 0) - MeanFunction("0.5/sqrt(0.3 + x1^2)")(points)).cwiseAbs().maxCoeff(),
      1e-8);
}

TEST(MeanFunction, RefusesCoefficientsThatDoNotFit) {
  EXPECT_EQ(complaint_of([] { MeanFunction("1 + 2*x").with_coefficients(Vector::Ones(3)); }),
            "mean: has 2 coefficients, and 3 values were given");
  EXPECT_NE(complaint_of([] { MeanFunction("1").with_coefficients(Vector::Constant(1, NAN)); }), "");
}

}  // namespace
}  // namespace ridgelet
