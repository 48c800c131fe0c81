#include "experiments/forecast_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/panels.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

constexpr int columns = 2;
/// Where the panels lie on the page, in shares of it.
constexpr Place page = {.left = 0.075, .right = 0.985, .bottom = 0.135, .top = 0.955};
constexpr double gap_x = 0.02, gap_y = 0.065, legend_y = 0.028, year_y = 0.073;
/// How far the axis follows a wide interval beyond the data, in heights of the data.
constexpr double furthest = 0.7;

struct Range {
  double low;
  double high;
};

/// Room for the data and for every interval, unless one reaches far beyond the data.
Range response_range(const Forecast& forecast, const std::vector<std::string>& keys) {
  const StandardisedSeries& series = forecast.series;
  const double smallest = series.y.minCoeff(), largest = series.y.maxCoeff();
  const double reach = furthest * (largest - smallest);
  Range range{smallest, largest};
  for (const std::string& key : keys) {
    const PredictiveSummary curve = forecast.along_curve(find_answer(forecast.models, key));
    range.low = std::min(range.low, std::max(curve.lower.minCoeff(), smallest - reach));
    range.high = std::max(range.high, std::min(curve.upper.maxCoeff(), largest + reach));
  }
  const double pad = 0.03 * (range.high - range.low);
  return {series.value_at(range.low - pad), series.value_at(range.high + pad)};
}

/// Year and response of `count` months from `first`.
std::string months_block(const char* name, const StandardisedSeries& series, Index first, Index count) {
  Matrix table(count, 2);
  table << series.year.segment(first, count),
      series.minimum + series.span * series.y.segment(first, count).array();
  return data_block(name, table);
}

/// Year, mean, lower and upper along the curve.
std::string curve_block(const std::string& name, const Forecast& forecast, const PredictiveSummary& curve) {
  const StandardisedSeries& series = forecast.series;
  const auto value = [&](const Matrix& y) { return series.minimum + series.span * y.array(); };
  Matrix table(forecast.curve.size(), 4);
  table << series.year_at(0) + series.years / 10 * forecast.curve.array(), value(curve.mean),
      value(curve.lower), value(curve.upper);
  return data_block(name, table);
}

/// "(b) least-squares, 500 units: rmse 0.56 ppm", in the unit of the axis.
std::string panel_title(const Answer& model, const Forecast& forecast, std::size_t number) {
  const std::string units = model.units ? fmt::format(", {} units", *model.units) : "";
  const std::string prior = model.key == "gp" ? "exact Gaussian process" : model.name;
  const double rmse = forecast.series.span * model.scores.rmse;
  return fmt::format("({}) {}{}: rmse {:.{}f} {}", static_cast<char>('a' + number), prior, units, rmse,
                     rmse < 10 ? 2 : 0, forecast.task.unit);
}

/// The panel's place, and numbers at its axes only at the edge of the page.
std::string panel_frame(std::size_t number, std::size_t panels) {
  const int place = static_cast<int>(number), rows = (static_cast<int>(panels) + columns - 1) / columns;
  const PanelGrid cells{.page = page, .rows = rows, .columns = columns, .gap_x = gap_x, .gap_y = gap_y};
  return cells.at(place).script() + fmt::format("set format x '{}'\nset format y '{}'\n",
                                                cells.in_last_row(place) ? "%.0f" : "",
                                                cells.in_first_column(place) ? "%g" : "");
}

/// What the symbols mean, in grey because it holds for every colour, in a row at the foot of the page.
/// Points, arrows and a rectangle instead of gnuplot's key, which breaks its row where it likes.
std::string legend() {
  const auto mark = [](double x) { return fmt::format("at screen {:.3f},{}", x, legend_y); };
  const auto text = [&](double x, const char* words) {
    return fmt::format("set label '{}' {} left\n", words, mark(x + 0.012));
  };
  const auto line = [](double from, double to, const char* style) {
    return fmt::format("set arrow from screen {:.3f},{} to screen {:.3f},{} nohead {} lc rgb '{}'\n", from,
                       legend_y, to, legend_y, style, colour::gaussian_process);
  };
  const auto point = [&](double x, const char* style) {
    return fmt::format("set label '' {} point {} lc rgb 'black'\n", mark(x), style);
  };
  const std::string band = fmt::format(
      "set object rectangle from screen 0.455,{} to screen 0.485,{} fs solid 0.25 noborder fc rgb '{}'\n",
      legend_y - 0.012, legend_y + 0.012, colour::gaussian_process);
  return point(0.08, "pt 7 ps 0.6") + text(0.08, "data") +               //
         point(0.155, "pt 6 ps 0.8 lw 1.2") + text(0.155, "held out") +  //
         line(0.25, 0.28, "lw 2") + text(0.28, "predictive mean") +      //
         band + text(0.485, "95 % interval, noise included") +           //
         line(0.79, 0.82, "lw 1.2 dt 2") + text(0.82, "forecast starts");
}

/// A line between the last month of data and the first that is held out.
std::string forecast_start(const StandardisedSeries& series, Index train) {
  const double year = (series.year(train - 1) + series.year(train)) / 2;
  return fmt::format("set arrow from {},graph 0 to {},graph 1 nohead lw 1.2 dt 2 lc rgb '{}' back\n", year,
                     year, colour::gaussian_process);
}

std::string axes(const Forecast& forecast, const Range& range) {
  const StandardisedSeries& series = forecast.series;
  const double pad = 0.01 * series.years;
  return panel_style() + fmt::format(R"(
set xtics 1
set xrange [{}:{}]
set yrange [{}:{}]
set label '{}' at screen 0.016,{} center rotate by 90
set label 'year' at screen {},{} center
)",
                                     series.year(0) - pad, series.year(series.year.size() - 1) + pad,
                                     range.low, range.high, forecast.task.response,
                                     (page.top + page.bottom) / 2, (page.left + page.right) / 2, year_y);
}

std::string panel(const Forecast& forecast, const Answer& model, std::size_t number) {
  return fmt::format(R"(
set title '{0}' offset 0,-0.6
plot $curve{1} using 1:3:4 with filledcurves fs solid 0.25 noborder lc rgb '{2}', \
     $curve{1} using 1:2 with lines lw 2 lc rgb '{2}', \
     $data using 1:2 with points pt 7 ps 0.5 lc rgb 'black', \
     $held_out using 1:2 with points pt 6 ps 0.7 lw 1.2 lc rgb 'black'
)",
                     panel_title(model, forecast, number), number, colour_of(model));
}

}  // namespace

FigureScript forecast_figure(const Forecast& forecast, const std::vector<std::string>& keys) {
  const StandardisedSeries& series = forecast.series;
  const Index train = forecast.task.train;
  std::string script =
      months_block("data", series, 0, train) + months_block("held_out", series, train, forecast.held_out());
  for (std::size_t i = 0; i < keys.size(); ++i)
    script += curve_block(fmt::format("curve{}", i), forecast,
                          forecast.along_curve(find_answer(forecast.models, keys[i])));

  const std::string start = forecast_start(series, train);
  script += "set multiplot\n" + axes(forecast, response_range(forecast, keys)) + legend() + start;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    script += panel_frame(i, keys.size()) + panel(forecast, find_answer(forecast.models, keys[i]), i);
    // What belongs to the page and not to a panel is drawn once: drawn again, it would look bold.
    if (i == 0) script += "unset label\nunset object\nunset arrow\n" + start;
  }
  return {.script = script + "unset multiplot\n", .width = 1000, .height = 720};
}

}  // namespace ridgelet::experiments
