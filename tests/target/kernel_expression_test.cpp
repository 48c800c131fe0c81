#include "ridgelet/target/kernel_expression.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

const Matrix sites = RandomStream{.seed = 5}.normals(6, 3);

std::string kernel_complaint(const std::string& text) {
  return complaint_of([&] { parse_kernel(text); });
}

void expect_same_values(const std::string& a, const std::string& b) {
  EXPECT_LT(relative_error(parse_kernel(a).matrix(sites, sites), parse_kernel(b).matrix(sites, sites)),
            two_routes)
      << a << " and " << b;
}

TEST(ParseKernel, KnowsEveryKernelOfTheContract) {
  EXPECT_EQ(kernel_names(),
            (std::vector<std::string>{"se", "rq", "periodic", "matern12", "matern32", "matern52", "linear",
                                      "constant", "white", "cosine", "outer"}));
  for (const std::string& name : kernel_names()) {
    const std::string text = name == "outer" ? "outer(x)" : name + "()";
    EXPECT_TRUE(parse_kernel(text).text().starts_with(name + "(")) << text;
  }
}

TEST(ParseKernel, FillsInDefaultsInTheTextItGivesBack) {
  EXPECT_EQ(parse_kernel("se()").text(), "se(amplitude=1, lengthscale=1)");
  EXPECT_EQ(parse_kernel("rq(alpha=2)").text(), "rq(amplitude=1, lengthscale=1, alpha=2)");
  EXPECT_EQ(parse_kernel("periodic(period=1.8)").text(), "periodic(amplitude=1, lengthscale=1, period=1.8)");
  EXPECT_EQ(parse_kernel("linear(active=2)").text(), "linear(amplitude=1, active=[2])");
}

TEST(ParseKernel, GivesItsOwnTextBack) {
  for (const std::string text : {
           "se(amplitude=1, lengthscale=[1, 2.5, 3])",
           "se(amplitude=0.1, lengthscale=[1, 2.5], active=[3, 1])",
           "rq(amplitude=1e-06, lengthscale=0.75, alpha=0.3333333333333333)",
           "constant(amplitude=3) * cosine(amplitude=1, period=12)",
           "se(amplitude=1, lengthscale=2) * periodic(amplitude=1, lengthscale=1, period=2.5) + "
           "linear(amplitude=0.3)",
           "(linear(amplitude=1) + constant(amplitude=1)) * (matern12(amplitude=1, lengthscale=1) + "
           "matern32(amplitude=1, lengthscale=1) * matern52(amplitude=1, lengthscale=1))",
           "outer(sin(x1) * (x2 + 1)) + white(amplitude=0.2, active=[1])",
       })
    EXPECT_EQ(parse_kernel(text).text(), text);
}

TEST(ParseKernel, IgnoresSpacesAndTheOrderOfParameters) {
  EXPECT_EQ(parse_kernel("  se ( lengthscale = [ 1 ,2 ] ,\tamplitude=3 )\n* linear( ) ").text(),
            parse_kernel("se(amplitude=3,lengthscale=[1,2])*linear()").text());
}

TEST(ParseKernel, ReadsAKernelOverSeveralLines) {
  const Kernel kernel = parse_kernel("se(\n  lengthscale=2)\r\n\t+ outer(x1\n  + x2)");
  EXPECT_EQ(kernel.text(), "se(amplitude=1, lengthscale=2) + outer(x1   + x2)");
  EXPECT_EQ(parse_kernel(kernel.text()).text(), kernel.text());
}

/// Numbers mean the same in kernels and in means.
TEST(ParseKernel, ReadsTheNumbersThatMeansRead) {
  const auto in_kernel = [](const std::string& number) {
    return parse_kernel(number).matrix(sites, sites)(0, 0);
  };
  const auto in_mean = [](const std::string& number) { return MeanFunction(number)(sites)(0); };
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{{".5", 0.5},
                                                                               {"5.", 5},
                                                                               {"007", 7},
                                                                               {"5.e3", 5000},
                                                                               {"1E5", 1e5},
                                                                               {"1e+2", 100},
                                                                               {"0.5e-3", 5e-4}}) {
    EXPECT_NEAR(in_kernel(text), value, two_routes * value) << text;
    EXPECT_EQ(in_mean(text), value) << text;
    EXPECT_EQ(parse_kernel("constant(amplitude=" + text + ")").text(),
              "constant(amplitude=" + shortest(value) + ")");
  }
  for (const std::string text :
       {".", ".e3", "1e", "1e+", "1.2.3", "0x10", "1_000", "1,5", "1e400", "1e-400", "inf", "nan", "1d5"}) {
    EXPECT_NE(kernel_complaint(text), "") << text;
    EXPECT_NE(complaint_of([&] { MeanFunction{text}; }), "") << text;
  }
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ParseKernel, RefusesTextThatIsTooLong) {
  EXPECT_EQ(kernel_complaint("se()" + repeated("+se()", 20'000)),
            "kernel: must be an expression of at most 10000 characters, got 100004");
  EXPECT_EQ(kernel_complaint(std::string(9'000, ' ') + "1"), "");
  // A text that is short may become long when every parameter is written out.
  EXPECT_EQ(kernel_complaint("1" + repeated("+1", 4'000)),
            "kernel: must have at most 10000 characters with every parameter written out, got 96021");
}

TEST(ParseKernel, RefusesParenthesesThatAreTooDeep) {
  const auto nested = [](int depth) { return repeated("(", depth) + "se()" + repeated(")", depth); };
  EXPECT_EQ(parse_kernel(nested(100)).text(), "se(amplitude=1, lengthscale=1)");
  EXPECT_EQ(kernel_complaint(nested(101)),
            "kernel: more than 100 parentheses inside each other at column 101");
  EXPECT_EQ(kernel_complaint(repeated("(", 9'000)),
            "kernel: more than 100 parentheses inside each other at column 101");
  EXPECT_EQ(kernel_complaint("(se())" + repeated("*(se())", 100)), "");
}

TEST(ParseKernel, TakesANumberAsAVariance) {
  expect_same_values("2*se()", "se() + se()");
  expect_same_values("se() + 2.25", "se() + constant(amplitude=1.5)");
  expect_same_values("1e-2 * linear()", "linear(amplitude=0.1)");
}

TEST(ParseKernel, MultipliesBeforeItAdds) {
  expect_same_values("1 + 2*se()", "1 + (2*se())");
  expect_same_values("2*se() + 1", "1 + (2*se())");
  expect_same_values("2*(se() + 1)", "2*se() + 2");
  expect_same_values("((se()))", "se()");
}

TEST(ParseKernel, SuggestsTheNearestName) {
  EXPECT_EQ(kernel_complaint("1 + sem(lengthscale=2)"),
            "kernel: unknown kernel 'sem' at column 5; did you mean 'se'?");
  EXPECT_EQ(kernel_complaint("mattern32()"),
            "kernel: unknown kernel 'mattern32' at column 1; did you mean 'matern32'?");
  EXPECT_EQ(kernel_complaint("se(lenghtscale=2)"),
            "kernel: unknown parameter 'lenghtscale' of se at column 4; did you mean 'lengthscale'?");
}

TEST(ParseKernel, ListsTheNamesWhenNoneIsNear) {
  EXPECT_EQ(kernel_complaint("banana()"),
            "kernel: unknown kernel 'banana' at column 1; known are " + join(kernel_names()));
  EXPECT_EQ(kernel_complaint("2 * linear(lengthscale=2)"),
            "kernel: unknown parameter 'lengthscale' of linear at column 12; it takes amplitude, active");
}

TEST(ParseKernel, PointsAtWhatIsMissing) {
  EXPECT_EQ(kernel_complaint(""), "kernel: expected a kernel, got the end of the text at column 1");
  EXPECT_EQ(kernel_complaint("se() + "), "kernel: expected a kernel, got the end of the text at column 8");
  EXPECT_EQ(kernel_complaint("se() *"), "kernel: expected a kernel, got the end of the text at column 7");
  EXPECT_EQ(kernel_complaint("se"), "kernel: expected '(', got the end of the text at column 3");
  EXPECT_EQ(kernel_complaint("(se()"), "kernel: expected ')', got the end of the text at column 6");
  EXPECT_EQ(kernel_complaint("se(lengthscale=1"),
            "kernel: expected ')', got the end of the text at column 17");
  EXPECT_EQ(kernel_complaint("se(lengthscale=[1, 2)"), "kernel: expected ']', got ')' at column 21");
  EXPECT_EQ(kernel_complaint("se(lengthscale=)"), "kernel: expected a number at column 16");
  EXPECT_EQ(kernel_complaint("se(active=[])"), "kernel: expected a number at column 12");
  EXPECT_EQ(kernel_complaint("se(lengthscale 2)"), "kernel: expected '=', got '2' at column 16");
  EXPECT_EQ(kernel_complaint("se(amplitude=1 lengthscale=2)"), "kernel: expected ')', got 'l' at column 16");
}

TEST(ParseKernel, PointsAtWhatIsTooMuch) {
  EXPECT_EQ(kernel_complaint("se())"), "kernel: expected '+', '*' or the end, got ')' at column 5");
  EXPECT_EQ(kernel_complaint("se() linear()"), "kernel: expected '+', '*' or the end, got 'l' at column 6");
  EXPECT_EQ(kernel_complaint("3 4"), "kernel: expected '+', '*' or the end, got '4' at column 3");
  EXPECT_EQ(kernel_complaint("2 + +3"), "kernel: expected a kernel, got '+' at column 5");
  EXPECT_EQ(kernel_complaint("se(amplitude=[1, 2])"), "kernel: expected one number, got a list at column 14");
  EXPECT_EQ(kernel_complaint("periodic(lengthscale=[1, 2])"),
            "kernel: expected one number, got a list at column 22");
}

TEST(ParseKernel, RefusesNumbersThatAreNoVariances) {
  EXPECT_EQ(kernel_complaint("se() + 0"), "kernel: a number in a kernel must be positive, got 0 at column 8");
  EXPECT_EQ(kernel_complaint("-1.5*se()"),
            "kernel: a number in a kernel must be positive, got -1.5 at column 1");
  EXPECT_EQ(kernel_complaint("1e999"), "kernel: expected a number at column 1");
  EXPECT_EQ(kernel_complaint("-inf"), "kernel: expected a number at column 1");
}

TEST(ParseKernel, PointsAtAParameterThatBreaksItsRule) {
  EXPECT_EQ(kernel_complaint("se(lengthscale=-1)"),
            "kernel: se: lengthscale: must be positive and finite, got -1 at column 16");
  EXPECT_EQ(kernel_complaint("1 + rq(alpha=0)"),
            "kernel: rq: alpha: must be positive and finite, got 0 at column 14");
  EXPECT_EQ(kernel_complaint("se(lengthscale=[1, -2])"),
            "kernel: se: lengthscale: must be positive and finite, got -2 at column 16");
  EXPECT_EQ(kernel_complaint("se(lengthscale=nan)"), "kernel: expected a number at column 16");
  EXPECT_EQ(kernel_complaint("se(amplitude=inf)"), "kernel: expected a number at column 14");
  EXPECT_EQ(kernel_complaint("se(active=[1, 1])"),
            "kernel: se: active: must list different inputs, counted from 1, got [1, 1] at column 11");
  EXPECT_EQ(kernel_complaint("se(active=[0, 1])"),
            "kernel: se: active: must list different inputs, counted from 1, got [0, 1] at column 11");
  EXPECT_EQ(kernel_complaint("se(active=[1.5])"), "kernel: expected whole numbers at column 11");
  EXPECT_EQ(kernel_complaint("se(active=1e300)"), "kernel: expected whole numbers at column 11");
}

TEST(ParseKernel, CountsColumnsWithinOuterFromTheStartOfTheWhole) {
  EXPECT_EQ(kernel_complaint("1 + outer(x + y)"), "kernel: unknown name 'y' at column 15; did you mean 'x'?");
  EXPECT_TRUE(kernel_complaint("outer(x = 3)").starts_with("kernel: cannot read 'x = 3' at column 9: "));
  EXPECT_EQ(kernel_complaint("outer(sin(x)"), "kernel: the parenthesis before is never closed at column 7");
  EXPECT_TRUE(kernel_complaint("outer( )").starts_with("kernel: must be an expression in x1, x2, ..."));
}

std::string any_number() {
  return shortest(*rc::gen::inRange(1, 3000) / 70.0);
}

/// A random expression of the grammar for three inputs.
std::string any_expression(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 9 : 6)) {
    case 0:
      return any_number();
    case 1:
      return "se(lengthscale=[" + any_number() + "," + any_number() + "], active=[2, 3])";
    case 2:
      return "linear(amplitude=" + any_number() + ")";
    case 3:
      return "outer(x1*(x2 - " + any_number() + "))";
    case 4:
      return "periodic(period=" + any_number() + ", active=1)";
    case 5:
      return "matern52(lengthscale=" + any_number() + ")";
    case 6:
      return "(" + any_expression(depth - 1) + " + " + any_number() + ") * (" + any_expression(depth - 1) +
             ")";
    case 7:
      return any_expression(depth - 1) + "+" + any_expression(depth - 1);
    default:
      return any_expression(depth - 1) + " * " + any_expression(depth - 1);
  }
}

RC_GTEST_PROP(ParseKernel, ReadsBackWhatAnyKernelSaysOfItself, ()) {
  const Kernel kernel = parse_kernel(any_expression(4));
  const Kernel again = parse_kernel(kernel.text());
  RC_ASSERT(again.text() == kernel.text());
  RC_ASSERT(relative_error(again.matrix(sites, sites), kernel.matrix(sites, sites)) < two_routes);
}

/// Parses or throws InvalidArgument; anything else fails the property.
void expect_a_kernel_or_complaint(const std::string& text) {
  try {
    const Kernel kernel = parse_kernel(text);
    RC_ASSERT(!kernel.text().empty());
  } catch (const InvalidArgument& error) {
    RC_ASSERT(error.argument() == "kernel");
    RC_ASSERT(!error.complaint().empty());
  }
}

RC_GTEST_PROP(ParseKernel, AnswersToAnyBytes, (const std::string& text)) {
  expect_a_kernel_or_complaint(text);
  expect_a_kernel_or_complaint("outer(" + text + ")");
}

RC_GTEST_PROP(ParseKernel, AnswersToAnySequenceOfItsOwnWords, ()) {
  const auto words =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "se", "periodic", "outer", "lengthscale", "active", "(",  ")",   "()",   "[",
          "]",  ",",        "=",     "+",           "*",      "-1", "2.5", "nan",  "1e999",
          "x",  "x2",       "sin",   " ",           "?",      ":",  "\"",  "\xff", std::string(1, '\0')}));
  expect_a_kernel_or_complaint(join(words, ""));
}

RC_GTEST_PROP(ParseKernel, AnswersToASlipOfThePen, (char slip)) {
  std::string text = any_expression(2);
  text[*rc::gen::inRange<std::size_t>(0, text.size())] = slip;
  expect_a_kernel_or_complaint(text);
}

TEST(KernelExpression, DescribesEveryKernelItKnows) {
  const std::vector<KernelDescription> descriptions = kernel_descriptions();
  ASSERT_EQ(descriptions.size(), kernel_names().size());
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    EXPECT_EQ(descriptions[i].name, kernel_names()[i]);
    EXPECT_FALSE(descriptions[i].formula.empty() || descriptions[i].use.empty()) << descriptions[i].name;
  }
  EXPECT_EQ(descriptions[1].parameters, "amplitude=1, lengthscale=1, alpha=1, active");
}

}  // namespace
}  // namespace ridgelet
