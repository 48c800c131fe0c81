#include "ridgelet/fitting/kept_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/closed_form_fit.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "thread_ranks.hpp"

namespace ridgelet {
namespace {

using testing::on_ranks;
using testing::relative_error;

RegressionTable long_table(Index rows = 900) {
  Matrix X = RandomStream{.seed = 1}.normals(rows, 2);
  X.col(1) = (1e4 + 3 * X.col(1).array()).matrix();
  Matrix Y(rows, 1);
  Y.col(0) = (2 * X.col(0).array()).sin() + 0.1 * RandomStream{.seed = 2}.normals(rows).array();
  return {.inputs = {"a", "b"}, .outputs = {"y"}, .X = std::move(X), .Y = std::move(Y)};
}

/// The same rows, shared by ranks.
class SharedTable : public TableInMemory {
 public:
  SharedTable(RegressionTable rows, Index tile_rows, const Ranks& ranks)
      : TableInMemory(std::move(rows), "t", tile_rows), ranks_(ranks) {}
  const Ranks& ranks() const override { return ranks_; }

 private:
  const Ranks& ranks_;
};

FitSettings settings_keeping(Index kept) {
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=1)";
  settings.regression.model.standardise = true;
  settings.regression.model.noise = Vector::Constant(1, 0.2);
  settings.kept_rows = kept;
  settings.learning.rows = 2;
  return settings;
}

TEST(KeptRows, AreAllOfASmallTable) {
  const RegressionTable kept = keep_rows(TableInMemory(long_table()), 900, 0);
  EXPECT_FALSE(kept.whole);
  EXPECT_EQ(kept.X, long_table().X);
  EXPECT_EQ(kept.Y, long_table().Y);
}

TEST(KeptRows, AreRowsOfTheTableInTheirOrder) {
  const RegressionTable all = long_table(), kept = keep_rows(TableInMemory(all), 100, 0);
  ASSERT_TRUE(kept.whole);
  ASSERT_EQ(kept.X.rows(), 100);
  EXPECT_TRUE(std::ranges::is_sorted(kept.numbers));
  EXPECT_EQ(kept.X, all.X(kept.numbers, Eigen::all));
  EXPECT_EQ(kept.Y, all.Y(kept.numbers, Eigen::all));
  EXPECT_NE(keep_rows(TableInMemory(all), 100, 1).numbers, kept.numbers);
}

TEST(KeptRows, AreAsLikelyFromOnePartOfTheTableAsFromAnother) {
  // Of 900 rows 100 are kept, 200 times over: each third should give 6,667 of the 20,000, with a standard deviation of
  // sqrt(200) times that of a hypergeometric count.
  Vector thirds = Vector::Zero(3);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RegressionTable kept = keep_rows(TableInMemory(long_table()), 100, seed);
    for (const Index row : kept.numbers) thirds(row / 300) += 1;
  }
  const double sd = std::sqrt(200 * 100 * (1.0 / 3) * (2.0 / 3) * (800.0 / 899));
  for (const double count : thirds) EXPECT_NEAR(count, 20000.0 / 3, testing::tolerance::standard_errors * sd);
}

TEST(KeptRows, DoNotDependOnTilesOrRanks) {
  const RegressionTable whole = keep_rows(TableInMemory(long_table()), 100, 0);
  for (const Index tile_rows : {1, 7, 64, 899})
    for (const Index ranks : {1, 2, 4})
      on_ranks(ranks, [&](const Ranks& each) {
        const RegressionTable kept = keep_rows(SharedTable(long_table(), tile_rows, each), 100, 0);
        EXPECT_EQ(kept.numbers, whole.numbers);
        EXPECT_EQ(kept.X, whole.X);
        EXPECT_LT(relative_error(kept.whole->inputs.scale, whole.whole->inputs.scale), 1e-12);
      });
}

TEST(KeptRows, ComeWithTheScalesAndRangesOfAllRows) {
  const RegressionTable all = long_table(), kept = keep_rows(TableInMemory(all, "t", 50), 100, 0);
  EXPECT_EQ(kept.whole->rows, 900);
  EXPECT_EQ(kept.row_count(), 900);
  const Scaling inputs = Scaling::standardising(all.X), outputs = Scaling::standardising(all.Y);
  EXPECT_LT(relative_error(kept.standardised_inputs().centre, inputs.centre), 1e-13);
  EXPECT_LT(relative_error(kept.standardised_inputs().scale, inputs.scale), 1e-12);
  EXPECT_LT(relative_error(kept.standardised_outputs().scale, outputs.scale), 1e-12);
  EXPECT_EQ(kept.input_range().low, all.X.colwise().minCoeff().transpose());
  EXPECT_EQ(kept.input_range().high, all.X.colwise().maxCoeff().transpose());
}

TEST(KeptRows, AreRefusedWhereAColumnIsTheSameInEveryRow) {
  RegressionTable constant = long_table();
  constant.X.col(1).setConstant(3);
  EXPECT_EQ(testing::complaint_of([&] { keep_rows(TableInMemory(constant, "t.csv"), 100, 0); }),
            "data: 't.csv', column 'b': is 3 in every row; leave it out of --x");
}

TEST(FitOfManyRows, IsTheClosedFormOfAllOfThem) {
  const RegressionTable all = long_table();
  const Fit streamed = fit(TableInMemory(all, "t", 64), settings_keeping(100));
  const Regression& regression = streamed.model.regression();
  EXPECT_EQ(regression.data().rows(), 100);
  EXPECT_EQ(regression.table().row_count(), 900);
  EXPECT_FALSE(streamed.model.report().from_exact);

  // The same network, conditioned on all rows in memory at once.
  const DataTile rows = regression.in_model_units(all.X, all.Y);
  const Data data{.X = rows.X, .Y = rows.Y, .noise = regression.data().noise};
  const auto output = regression.prior().make_output();
  ASSERT_TRUE(output->condition(streamed.model.closed_form().networks().front().layers));
  const RowSpectrum spectrum = row_spectrum(*output, data);
  const ClosedFormNetwork& network = streamed.model.closed_form().networks().front();
  EXPECT_NEAR(network.log_evidence, spectrum.log_evidence(0, 0.2), 1e-8);
  const ClosedFormPosterior at_once(regression.shared_prior(), data.noise, regression.offset(),
                                    {closed_form_network(network.layers, spectrum, data.noise)});
  const Matrix Xs = regression.input_scaling().apply(long_table(20).X);
  const PredictiveSummary whole = at_once.predict(Xs), cut = streamed.model.closed_form().predict(Xs);
  EXPECT_LT(relative_error(cut.mean, whole.mean), testing::tolerance::two_routes);
  EXPECT_LT(relative_error(cut.sd, whole.sd), testing::tolerance::two_routes);
}

TEST(FitOfManyRows, HasTheSameBitsOnAnyNumberOfRanks) {
  FitSettings learning = settings_keeping(100);
  learning.regression.model.kernel = "";
  learning.regression.model.noise.reset();
  learning.learning.rows = 60;
  learning.networks = 2;
  const Matrix Xs = long_table(20).X;
  const PredictiveSummary alone_mean = fit(TableInMemory(long_table(), "t", 16), learning).model.predict(Xs);
  for (const Index ranks : {2, 3, 4})
    on_ranks(ranks, [&](const Ranks& each) {
      const PredictiveSummary shared = fit(SharedTable(long_table(), 16, each), learning).model.predict(Xs);
      EXPECT_EQ(shared.mean, alone_mean.mean) << ranks << " ranks";
      EXPECT_EQ(shared.sd, alone_mean.sd);
    });
}

TEST(FitOfManyRows, KeepsDigitsWhereTheNoiseIsSmallOnAnyNumberOfRanks) {
  RegressionTable smooth = long_table();
  smooth.Y.col(0) = smooth.X.col(0).array().sin();
  FitSettings exact = settings_keeping(100);
  exact.regression.model.noise = Vector::Constant(1, 1e-8);
  exact.force =
      true;  // So little noise is below the rounding of the kernel; here its bits are compared, not its truth.
  const Matrix Xs = long_table(20).X;
  const PredictiveSummary whole = fit(TableInMemory(smooth, "t", 900), exact).model.predict(Xs);
  const PredictiveSummary cut = fit(TableInMemory(smooth, "t", 33), exact).model.predict(Xs);
  EXPECT_LT(relative_error(cut.mean, whole.mean), 1e-6);
  on_ranks(3, [&](const Ranks& each) {
    EXPECT_EQ(fit(SharedTable(smooth, 33, each), exact).model.predict(Xs).mean, cut.mean);
  });
}

}  // namespace
}  // namespace ridgelet
