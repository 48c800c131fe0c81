#include "ridgelet/io/fit_figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "expectations.hpp"
#include "latent_fit.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::content;
using testing::small_latent_fit;
using testing::table_of_classes;

class FitFigure : public testing::WithDirectory {
 protected:
  std::string drawn(const FittedModel& model) {
    const std::filesystem::path path = directory / "fit.svg";
    plot_fit(picture_fit(model, {.curve_points = 12}), path);
    return content(path);
  }
};

FittedModel fit_of_inputs(Index inputs) {
  const Matrix X = RandomStream{.seed = 4}.normals(30, inputs);
  RegressionTable table{.inputs = {"height", "width", "depth"}, .outputs = {"weight"}, .X = X, .Y = X.col(0)};
  table.inputs.resize(static_cast<std::size_t>(inputs));
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=1.5)";
  settings.regression.model.units = 40;
  settings.regression.model.noise = Vector::Constant(1, 0.2);
  settings.regression.model.standardise = true;
  return fit(table, settings).model;
}

TEST_F(FitFigure, NamesTheColumnsOfAnyNumberOfInputs) {
  for (const Index inputs : {1, 2, 3}) {
    const std::string svg = drawn(fit_of_inputs(inputs));
    for (const char* name : {"weight", "height"}) EXPECT_NE(svg.find(name), std::string::npos) << inputs;
    EXPECT_EQ(svg.find("depth") != std::string::npos, inputs == 3);
  }
}

TEST_F(FitFigure, NamesEveryClass) {
  for (const Index inputs : {1, 2, 3}) {
    const std::string svg = drawn(
        small_latent_fit(table_of_classes(3, inputs, 40), "se(amplitude=2, lengthscale=1.5)", "categorical"));
    for (const char* name : {"low", "mid", "top", "x1"})
      EXPECT_NE(svg.find(name), std::string::npos) << inputs;
  }
}

TEST_F(FitFigure, NamesTheLevelsOfAColumnOfText) {
  const Matrix numbers = RandomStream{.seed = 4}.normals(30, 2);
  Matrix X(30, 4);
  X << numbers, Matrix::Zero(30, 2);
  for (Index i = 0; i < 30; ++i) X(i, 2 + i % 2) = 1;
  RegressionTable table{.inputs = {}, .outputs = {"weight"}, .X = X, .Y = X.col(0) + X.col(3)};
  table.encoding = {.inputs = {{"height"}, {"width"}, {"colour", ColumnKind::levels, {"blue", "red"}}},
                    .outputs = {{"weight"}}};
  table.inputs = table.encoding.input_names();
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=2)";
  settings.regression.model.units = 40;
  settings.regression.model.noise = Vector::Constant(1, 0.2);
  const std::string svg = drawn(fit(table, settings).model);
  for (const char* name : {"height", "width", "colour", "blue", "red"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
}

/// Rows are of classes kind-0!, kind-1!, ... in turn.
RegressionTable table_of_many_classes(Index classes, Index rows) {
  RegressionTable table = table_of_classes(3, 2, rows);
  table.encoding.outputs[0].levels.clear();
  for (Index k = 0; k < classes; ++k)
    table.encoding.outputs[0].levels.push_back("kind-" + std::to_string(k) + "!");
  for (Index i = 0; i < rows; ++i) table.Y(i, 0) = static_cast<double>(i % classes);
  return table;
}

TEST_F(FitFigure, NamesTheElevenMostFrequentOfFourteenClassesAndCountsTheOthers) {
  const RegressionTable table = table_of_many_classes(14, 84);
  const std::string svg = drawn(small_latent_fit(table, "se(amplitude=2, lengthscale=1.5)", "categorical"));
  const auto is_named = [&](const std::string& name) { return svg.find(name) != std::string::npos; };
  EXPECT_EQ(std::ranges::count_if(table.encoding.outputs[0].levels, is_named), 11);
  EXPECT_TRUE(is_named("3 others"));
}

/// Two inputs, and a mean and sd of the sizes given.
FitMap map_of(double mean, double sd) {
  const Matrix X{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  return {.data = {.columns = {{"height"}, {"width"}},
                   .output = "price",
                   .X = X,
                   .y = Vector::Constant(4, mean),
                   .rows = 4,
                   .source = {},
                   .label = {},
                   .operator_name = {}},
          .X = X,
          .mean = mean * Vector{{0.2, 0.5, 0.8, 1}},
          .sd = Vector::Constant(4, sd)};
}

/// Where a text that is aligned in this way begins or ends in a picture, from left to right, in pixels.
std::vector<double> places_of(const std::string& text, const std::string& svg, const std::string& anchor) {
  const std::regex place("translate\\(([0-9.]+),[^>]*text-anchor=\"" + anchor +
                         "\">\\s*<text>(?:<tspan[^>]*>)? ?" + text + "<");
  std::vector<double> places;
  for (std::sregex_iterator each(svg.begin(), svg.end(), place), end; each != end; ++each)
    places.push_back(std::stod((*each)[1]));
  std::ranges::sort(places);
  return places;
}

TEST_F(FitFigure, KeepsTheNumbersOfTheColoursOfAMapFromTheAxisOfTheNextOneAndFromTheEdge) {
  constexpr double letter = 11.5;  // of a PNG, whose letters are wider
  const std::filesystem::path path = directory / "map.svg";
  plot_fit(map_of(800000, 250000), path);
  const std::string svg = content(path);
  const std::vector<double> of_mean = places_of("600000", svg, "start"),
                            of_sd = places_of("250000", svg, "start"), axis = places_of("0.4", svg, "end");
  ASSERT_EQ(of_mean.size(), 1u);
  ASSERT_EQ(of_sd.size(), 1u);
  ASSERT_EQ(axis.size(), 2u);
  EXPECT_LT(of_mean[0] + 6 * letter, axis[1] - 3 * letter);
  std::smatch width;
  ASSERT_TRUE(std::regex_search(svg, width, std::regex("width=\"([0-9]+)\"")));
  EXPECT_LT(of_sd[0] + 6 * letter, std::stod(width[1]));
}

TEST_F(FitFigure, SaysInFullWhatItsSecondMapShowsWhereThatIsTiny) {
  const std::filesystem::path path = directory / "map.svg";
  plot_fit(map_of(1e-3, 1e-4), path);
  EXPECT_NE(content(path).find("its standard deviation, without noise, in 1e-6"), std::string::npos);
}

TEST_F(FitFigure, IsRefusedUnderAnotherEnding) {
  const FittedModel model = fit_of_inputs(1);
  EXPECT_NE(complaint_of([&] { plot_fit(picture_fit(model), directory / "fit.pdf"); }).find(".svg or .png"),
            std::string::npos);
}

}  // namespace
}  // namespace ridgelet
