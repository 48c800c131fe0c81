// What holds for a whole fit, whatever the table. A fit takes some hundredths of a second, so ten tables must do.
#include <gtest/gtest.h>

#include <cmath>

#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {
namespace {

constexpr std::uint64_t tables = 10;

Matrix numbers_of(std::uint64_t seed, std::uint32_t use, Index rows, Index cols) {
  return RandomStream{.seed = seed, .replicate = use}.normals(rows, cols);
}

RegressionTable table_of(std::uint64_t seed) {
  const Index rows = 15 + 2 * static_cast<Index>(seed);
  const Matrix X = numbers_of(seed, 1, rows, 2);
  return {.inputs = {"a", "b"},
          .outputs = {"y"},
          .X = X,
          .Y = (2 * X.col(0).array()).sin().matrix() + 0.5 * X.col(1) + 0.2 * numbers_of(seed, 2, rows, 1)};
}

FitSettings standardised() {
  FitSettings settings;
  ModelSettings& model = settings.regression.model;
  model.kernel = "se(lengthscale=1.5)";
  model.noise = Vector::Constant(1, 0.3);
  model.standardise = true;
  model.units = 60;
  model.nodes = "sobol";
  model.points = 64;
  model.sigma_w = 0.7;
  model.sigma_b = 1.5;
  model.ridge = 1e-6;
  return settings;
}

/// Largest difference of means and standard deviations, those of `found` in units of `unit`.
double difference(const PredictiveSummary& found, const PredictiveSummary& expected, double unit = 1) {
  return std::max((found.mean / unit - expected.mean).cwiseAbs().maxCoeff(),
                  (found.sd / unit - expected.sd).cwiseAbs().maxCoeff());
}

TEST(AnyFit, DoesNotDependOnTheUnitOfAColumn) {
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const RegressionTable table = table_of(seed);
    const Vector draw = numbers_of(seed, 3, 3, 1);
    const double metre = std::exp(4 * draw(0)), kilo = std::exp(4 * draw(1)), zero = 5 * draw(2);
    const Matrix Xs = numbers_of(seed, 4, 5, 2);
    RegressionTable other = table;
    Matrix other_Xs = Xs;
    other.X.col(0) = metre * (table.X.col(0).array() + zero);
    other_Xs.col(0) = metre * (Xs.col(0).array() + zero);
    other.Y *= kilo;
    const PredictiveSummary expected = fit(table, standardised()).model.predict(Xs);
    EXPECT_LT(difference(fit(other, standardised()).model.predict(other_Xs), expected, kilo), 1e-6) << seed;
  }
}

TEST(AnyFit, DoesNotDependOnTheOrderOfRows) {
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const RegressionTable table = table_of(seed);
    RegressionTable reversed = table;
    reversed.X = table.X.colwise().reverse();
    reversed.Y = table.Y.colwise().reverse();
    const Matrix Xs = numbers_of(seed, 4, 5, 2);
    const PredictiveSummary expected = fit(table, standardised()).model.predict(Xs);
    EXPECT_LT(difference(fit(reversed, standardised()).model.predict(Xs), expected), 1e-7) << seed;
  }
}

/// Nothing given but kernel and noise, or, if these are to be learned, nothing at all.
FitSettings by_default(bool learned) {
  FitSettings settings;
  if (learned) return settings;
  settings.regression.model.kernel = "se(lengthscale=1.5)";
  settings.regression.model.noise = Vector::Constant(1, 0.3);
  return settings;
}

TEST(AnyFit, DoesNotDependOnTheOrderOfRowsWhereNodesAreChosenAmongThem) {
  for (const bool learned : {false, true})
    for (std::uint64_t seed = 0; seed < tables; ++seed) {
      const RegressionTable table = table_of(seed);
      RegressionTable reversed = table;
      reversed.X = table.X.colwise().reverse();
      reversed.Y = table.Y.colwise().reverse();
      const Matrix Xs = numbers_of(seed, 4, 5, 2);
      const PredictiveSummary expected = fit(table, by_default(learned)).model.predict(Xs);
      EXPECT_LT(difference(fit(reversed, by_default(learned)).model.predict(Xs), expected),
                learned ? 1e-5 : 1e-7)
          << seed << (learned ? " learned" : "");
    }
}

TEST(AnyFit, DoesNotDependOnTheUnitOfAColumnWhereTheKernelIsLearned) {
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const RegressionTable table = table_of(seed);
    const Matrix Xs = numbers_of(seed, 4, 5, 2);
    RegressionTable other = table;
    Matrix other_Xs = Xs;
    other.X.col(0) = 12 * (table.X.col(0).array() + 3);
    other_Xs.col(0) = 12 * (Xs.col(0).array() + 3);
    other.Y *= 0.01;
    const PredictiveSummary expected = fit(table, by_default(true)).model.predict(Xs);
    EXPECT_LT(difference(fit(other, by_default(true)).model.predict(other_Xs), expected, 0.01), 1e-5) << seed;
  }
}

}  // namespace
}  // namespace ridgelet
