#include "ridgelet/io/results.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "latent_fit.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::content;
using testing::small_latent_fit_with_view;
using testing::table_of_classes;

/// Two outputs over one input, in units of their own.
Fit fit_with_hidden_layers(HiddenLayersAre hidden) {
  const Vector x = Vector::LinSpaced(25, 1990, 2000);
  RegressionTable table{.inputs = {"year"}, .outputs = {"a", "b"}, .X = x, .Y = Matrix(25, 2)};
  table.Y.col(0) = 300 + 20 * (x.array() - 1995).sin();
  table.Y.col(1) = 5 - 2 * (x.array() - 1995).cos();
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=0.5)";
  settings.regression.model.units = 40;
  settings.regression.model.noise = Vector::Constant(1, 0.1);
  settings.regression.model.standardise = true;
  settings.hidden = hidden;
  settings.networks = 2;
  settings.sampling = {.chains = 2, .warmup = 5, .draws = 8, .seed = 3};
  settings.most_watched = 6;
  settings.domain_points = 9;
  return fit(table, settings);
}

class ResultsFile : public testing::WithDirectory {
 protected:
  void expect_the_same_after_a_file(const Fit& fitted) {
    const std::filesystem::path path = directory / "fit.nc";
    write_results(path, fitted);
    const FittedModel read = read_results(path);
    const Matrix Xs = fitted.view.domain;
    const PredictiveSummary before = fitted.model.predict(Xs), after = read.predict(Xs);
    EXPECT_EQ(after.mean, before.mean);
    EXPECT_EQ(after.sd, before.sd);
    EXPECT_EQ(after.lower, before.lower);
    EXPECT_EQ(after.upper, before.upper);
    EXPECT_EQ(read.functions(Xs, 3, 1), fitted.model.functions(Xs, 3, 1));
    EXPECT_EQ(hidden_layers_are(read), hidden_layers_are(fitted.model));
    EXPECT_EQ(read.report().warnings, fitted.model.report().warnings);
    EXPECT_EQ(read.report().certificate.data, fitted.model.report().certificate.data);
    EXPECT_EQ(read.report().log_evidence, fitted.model.report().log_evidence);
  }
};

TEST_F(ResultsFile, GivesNetworksWithFixedHiddenLayersBackToTheLastBit) {
  expect_the_same_after_a_file(fit_with_hidden_layers(HiddenLayersAre::fixed));
}

TEST_F(ResultsFile, GivesSampledHiddenLayersBackToTheLastBit) {
  expect_the_same_after_a_file(fit_with_hidden_layers(HiddenLayersAre::sampled));
}

TEST_F(ResultsFile, GivesClassesBackToTheLastBit) {
  for (const Index classes : {2, 3})
    expect_the_same_after_a_file(small_latent_fit_with_view(table_of_classes(classes, 1, 30),
                                                            "se(amplitude=2, lengthscale=1.5)",
                                                            classes == 2 ? "bernoulli" : "categorical"));
}

TEST_F(ResultsFile, HoldsWhatWasLeftOutOfTheTable) {
  Fit fitted = fit_with_hidden_layers(HiddenLayersAre::fixed);
  const std::filesystem::path path = directory / "fit.nc";
  write_results(path, fitted);
  const std::optional<LeftOut> nothing = read_results(path).report().left_out;
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->rows, 0);
  EXPECT_EQ(nothing->of_rows, 25);
  EXPECT_TRUE(nothing->columns.empty());
  using Columns = std::vector<std::string>;
  for (const Columns& columns : {Columns{}, Columns{"unit", "two\nlines"}}) {
    FitReport report = fitted.model.report();
    report.left_out = LeftOut{.rows = 3, .of_rows = 28, .columns = columns};
    fitted.model.set_report(report);
    write_results(path, fitted);
    const std::optional<LeftOut> read = read_results(path).report().left_out;
    ASSERT_TRUE(read);
    EXPECT_EQ(read->rows, 3);
    EXPECT_EQ(read->of_rows, 28);
    EXPECT_EQ(read->columns, columns);
  }
}

TEST_F(ResultsFile, HasTheSameBytesForTheSameFit) {
  for (const char* name : {"one.nc", "two.nc"})
    write_results(directory / name, fit_with_hidden_layers(HiddenLayersAre::fixed));
  EXPECT_EQ(content(directory / "one.nc"), content(directory / "two.nc"));
}

TEST_F(ResultsFile, IsRefusedWhereItIsCutOff) {
  const std::filesystem::path path = directory / "fit.nc";
  write_results(path, fit_with_hidden_layers(HiddenLayersAre::fixed));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_NE(complaint_of([&] { read_results(path); }).find("model: "), std::string::npos);
}

}  // namespace
}  // namespace ridgelet
