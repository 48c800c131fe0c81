/// Likelihoods at the ends of their ranges against 50 digits. The last number of each row is mpmath's (mp.dps = 50),
/// for the doubles that the numbers before it are read as:
///   poisson            y*f - exp(f) - loggamma(y+1)
///   negative-binomial  loggamma(y+k) - loggamma(k) - loggamma(y+1) + k*log(k/(k+exp(f))) + y*log(exp(f)/(k+exp(f)))
///   student            loggamma((n+1)/2) - loggamma(n/2) - log(n*pi)/2 - log(s) - (n+1)/2*log(1+((y-f)/s)**2/n)
///   P(Y <= y)          quad of the density of Gamma(y+1) above exp(f), and of Beta(k, y+1) below k/(k+exp(f))
#include <gtest/gtest.h>

#include <cmath>

#include "ridgelet/core/text.hpp"
#include "ridgelet/likelihood/bernoulli.hpp"
#include "ridgelet/likelihood/negative_binomial.hpp"
#include "ridgelet/likelihood/poisson.hpp"
#include "ridgelet/likelihood/student.hpp"

namespace ridgelet {
namespace {

void expect_digits(double value, double expected, double digits, const std::string& where) {
  EXPECT_NEAR(value, expected, digits * std::max(1.0, std::abs(expected))) << where;
}

struct CountCase {
  double shape, y, f, expected;
};

std::string place_of(const CountCase& each) {
  return "shape " + shortest(each.shape) + ", y " + shortest(each.y) + ", f " + shortest(each.f);
}

// The rounding of log y, times y - e^f, is all that is lost at the largest counts.
TEST(Extremes, LogDensitiesOfPoissonHaveEightDigits) {
  for (const CountCase& each : {CountCase{0, 3, -700, -2101.791759469228055},
                                {0, 5, 700, -1.0142320547350045095e+304},
                                {0, 99, 4.6, -3.2185210115092073394},
                                {0, 100, 4.6, -3.2236911974972990627},
                                {0, 3e10, 24.1246, -293.63120153821811832},
                                {0, 1e15, 34.53877642, -18.503063535481318874},
                                {0, 9007199254740992, 36.7368, -1480.8492428941076212},
                                {0, 1e6, -50, -62815518.384658169624}})
    expect_digits(Poisson().log_density_of(each.y, each.f), each.expected, 1e-8, place_of(each));
}

TEST(Extremes, LogDensitiesOfNegativeBinomialsHaveTenDigits) {
  for (const CountCase& each : {CountCase{0.01, 3, -700, -2091.8733340443277198},
                                {0.01, 5, 700, -13.239897257626603757},
                                {0.01, 99, 4.6, -9.2507021364261647937},
                                {0.01, 100, 4.6, -9.2607519805856476385},
                                {0.01, 3e10, 24.12, -28.779994898260584283},
                                {0.01, 1e15, 34.5, -39.194315590980183248},
                                {0.01, 1e15, 700, -45.838920210863481167},
                                {0.01, 200, -50, -9088.8108016435177356},
                                {5, 3, -700, -2101.2729656758128874},
                                {5, 5, 700, -3487.1165285308780201},
                                {5, 99, 4.6, -4.7507167051348298793},
                                {5, 100, 4.6, -4.7605329625709778675},
                                {5, 3e10, 24.12, -24.255377361843569785},
                                {5, 1e15, 34.5, -34.673448746885814906},
                                {5, 1e15, 700, -3356.9757586885346927},
                                {5, 200, -50, -10303.822737738821736},
                                {1e4, 3, -700, -2101.7914594942250554},
                                {1e4, 5, 700, -6907855.3310702710404},
                                {1e4, 99, 4.6, -3.223435138484682717},
                                {1e4, 100, 4.6, -3.2286532801148372985},
                                {1e4, 3e10, 24.12, -20.537989980945048961},
                                {1e4, 1e15, 34.5, -38.468720670754271286},
                                {1e4, 1e15, 700, -6644643.088603918613},
                                {1e4, 200, -50, -10861.255090248419183},
                                {1e9, 3, -700, -2101.791759466228055},
                                {1e9, 5, 700, -679276734064.22475139},
                                {1e9, 99, 4.6, -3.2185210608919240886},
                                {1e9, 100, 4.6, -3.2236912473643314057},
                                {1e9, 3e10, 24.12, -9666.9908113319931926},
                                {1e9, 1e15, 34.5, -761641.07399281221841},
                                {1e9, 1e15, 700, -664461223130.18556392},
                                {1e9, 200, -50, -10863.231967292406797}})
    expect_digits(NegativeBinomial(each.shape).log_density_of(each.y, each.f), each.expected, 1e-10,
                  place_of(each));
}

TEST(Extremes, LogDensitiesOfHeavyTailsHaveThirteenDigits) {
  struct Case {
    double scale, degrees, y, f, expected;
  };
  for (const Case& each : {Case{0.1, 3, 1e8, 0.5, -79.394142507078889058},
                           {0.1, 2.5, 0.6, 0.5, 0.69711908544647326352},
                           {1e-4, 200, 1, 0, -1310.5075685849543475},
                           {2, 1e15, 1, -3, -3.6120857137646163012}})
    expect_digits(Student(each.scale, each.degrees).log_density_of(each.y, each.f), each.expected, 1e-13,
                  "degrees " + shortest(each.degrees));
}

// log(1/(1+exp(-f))). For a class that is nearly certain that is a number near 0, whose own digits must be right.
TEST(Extremes, LogDensitiesOfTwoClassesHaveFifteenDigits) {
  for (const auto& [f, expected] : {std::pair{-1e4, -1e4},
                                    {-40.0, -40.000000000000000004},
                                    {-1e-9, -0.69314718105994530954},
                                    {1e-9, -0.69314718005994530954},
                                    {40.0, -4.2483542552915889863e-18}}) {
    EXPECT_NEAR(Bernoulli().log_density_of(1, f) / expected, 1, 1e-15) << f;
    EXPECT_NEAR(Bernoulli().log_density_of(0, -f) / expected, 1, 1e-15) << f;
  }
}

TEST(Extremes, DistributionFunctionsOfPoissonHaveEightDigitsAlsoInTheirTails) {
  for (const CountCase& each : {CountCase{0, 999'998, 13.8155, 0.50368003475630936348},
                                {0, 999'999, 13.8155, 0.50407895898080121717},
                                {0, 1'002'999, 13.8155, 0.99868829866024822826},
                                {0, 999'999, 13.8205, 2.9581765885673913955e-7},
                                {0, 3e10, 24.1246, 2.1919058626653410862e-124},
                                {0, 1e15, 34.538776, 1},
                                {0, 1e15, 34.5387763, 0.99865602565249175839},
                                {0, 1e15, 34.53877648, 0.0035644677098246029897},
                                {0, 9007199254740992, 36.7368, 1}})
    EXPECT_NEAR(Poisson().cdf(each.y, each.f) / each.expected, 1, 1e-8) << place_of(each);
}

TEST(Extremes, DistributionFunctionsOfNegativeBinomialsHaveTenDigits) {
  for (const CountCase& each : {CountCase{0.3, 1e3, 13.8, 0.098217988232538666843},
                                {5, 3e15, 37, 0.010026439999880014889},
                                {5, 1e16, 37, 0.42308417628330883659},
                                {1e4, 1e6, 13.82, 0.32888124729813648271},
                                {1e4, 1e16, 36.85, 0.19509481229085464892},
                                {1e9, 100, 4.6, 0.54710875951246669213},
                                {1e9, 1e6, 13.816, 0.31257282031663923594}})
    EXPECT_NEAR(NegativeBinomial(each.shape).cdf(each.y, each.f) / each.expected, 1, 1e-10) << place_of(each);
}

TEST(Extremes, DistributionFunctionsOfPoissonHaveElevenDigitsForCountsOfHundredsAndThousands) {
  for (const CountCase& each : {CountCase{0, 98, 4.6, 0.46728671737346375622},
                                {0, 99, 4.6, 0.50730091242597170241},
                                {0, 99, 5.2, 1.6456475190223754411e-11},
                                {0, 99, 5.45, 3.2080739619550974148e-23},
                                {0, 99, 5.5, 2.872060867745581113e-26},
                                {0, 150, 5.6, 8.9699037571757529795e-16},
                                {0, 150, 4.2, 0.9999999999999999994},
                                {0, 999, 6.9, 0.59265457902006004822},
                                {0, 999, 7.1, 1.5784749639050227898e-10},
                                {0, 4321, 8.37, 0.53656294227145497344},
                                {0, 4321, 8.5, 2.8221209133394038997e-18},
                                {0, 99'999, 11.5, 0.99997724356750141453},
                                {0, 99'999, 11.52, 0.012517611097143390158},
                                {0, 99'999, 11.53, 3.0489911344665743468e-8},
                                {0, 123'456, 11.7235, 0.52038542112589060334}})
    EXPECT_NEAR(Poisson().cdf(each.y, each.f) / each.expected, 1, 1e-11) << place_of(each);
}

// Where the uniform expansion takes over from Boost's function, from the 100th count on, the distribution function must
// rise from one count to the next by the probability of the count.
TEST(Extremes, DistributionFunctionsOfPoissonGoOnAcrossTheChangeOfTheirFormula) {
  for (const double f : {4.5, 4.6, 4.7, 5.4}) {
    const double before = Poisson().cdf(98, f), after = Poisson().cdf(99, f), y = 99;
    EXPECT_NEAR(after - before, std::exp(Poisson().log_density_of(y, f)), 1e-15) << f;
  }
}

TEST(Extremes, DrawsOfLargeCountsAreQuantiles) {
  const double f = 37;
  for (const double u : {1e-3, 0.3, 0.999}) {
    EXPECT_NEAR(Poisson().cdf(Poisson().draw_of(f, u), f), u, 1e-6);
    EXPECT_NEAR(NegativeBinomial(5).cdf(NegativeBinomial(5).draw_of(f, u), f), u, 1e-12);
  }
}

}  // namespace
}  // namespace ridgelet
