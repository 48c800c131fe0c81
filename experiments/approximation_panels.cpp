#include "experiments/approximation_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

/// Light, because networks are drawn over it.
constexpr const char* process_grey = "#b3b3b3";

std::string_view colour_of_model(const std::string& model) {
  return model == "gp" ? colour::gaussian_process : colour_of_operator(model);
}

std::string axis_text(const AxisText& text, const char* x_format, const char* y_format) {
  return fmt::format(
      "set format x '{}'\nset format y '{}'\nset xlabel '{}' offset 0,0.4 font ',12'\nset ylabel '{}' offset "
      "0.8,0 font ',12'\n",
      text.x_numbers ? x_format : "", text.y_numbers ? y_format : "", text.x_label, text.y_label);
}

std::string domain_axis(const Range& range) {
  return fmt::format("set xrange [{}:{}]\nset xtics -4,2\nset yrange [{}:{}]\n", -paper_domain, paper_domain,
                     range.low, range.high);
}

/// Units, mean, two standard errors.
Matrix error_rows(const std::vector<StudyOutcome>& outcomes) {
  Matrix rows(static_cast<Index>(outcomes.size()), 3);
  for (Index i = 0; i < rows.rows(); ++i) {
    const StudyOutcome& outcome = outcomes[static_cast<std::size_t>(i)];
    rows.row(i) << static_cast<double>(outcome.setting.units), outcome.mrmse.mean,
        2 * outcome.mrmse.standard_error();
  }
  return rows;
}

Curve covariance_curve(const StudyOutcome& outcome, const std::string& style) {
  Matrix rows(outcome.x.size(), 2);
  rows << outcome.x, outcome.covariance;
  return {.rows = rows, .style = "using 1:2 " + style};
}

/// Curves that lie above the axis altogether are named; otherwise they would seem forgotten.
std::string note_of_absent(const std::vector<Series>& series, double high) {
  std::string units;
  for (const Series& each : series)
    for (const StudyOutcome& outcome : each.outcomes)
      if (outcome.covariance.minCoeff() > high)
        units += fmt::format("{}{}", units.empty() ? "" : ", ", outcome.setting.units);
  if (units.empty()) return "";
  return fmt::format("set label 'above the axis: N = {}' at graph 0.5,0.045 center font ',10'\n", units);
}

/// The process lies under the networks, so it is broad.
std::string covariance_style(const std::string& model, int variant) {
  if (model == "gp") return fmt::format("with lines lw 6 lc rgb '{}'", process_grey);
  return "with lines " + line_style(model, variant);
}

}  // namespace

std::string line_style(const std::string& model, int variant) {
  static constexpr const char* dashes[] = {"1", "'-'", "'.'", "'-.'", "'_..'"};
  static constexpr int points[] = {7, 6, 12, 10, 14};
  const int shape = points[variant % 5] - (model == "least-squares" ? 2 : 0);
  return fmt::format("lw 2 dt {} pt {} ps 0.9 lc rgb '{}'", dashes[variant % 5], shape,
                     colour_of_model(model));
}

Panel error_panel(const std::string& title, const Place& place, const std::vector<Series>& series,
                  const Range& range, const AxisText& text) {
  Panel panel{.title = title, .place = place};
  panel.axes = axis_text(text, "10^{%T}", "10^{%T}") +
               fmt::format("set logscale xy\nset xrange [20:50000]\nset yrange [{}:{}]\nset ytics 1e-6,100\n",
                           range.low, range.high);
  for (const Series& each : series) {
    const std::string& model = each.outcomes.front().setting.model;
    const std::string style = line_style(model, each.variant);
    const Matrix rows = error_rows(each.outcomes);
    panel.curves.push_back({.rows = rows,
                            .style = fmt::format("using 1:2:3 with yerrorbars pt 0 lw 1.2 lc rgb '{}'",
                                                 colour_of_model(model))});
    panel.curves.push_back({.rows = rows, .style = "using 1:2 with linespoints " + style});
  }
  return panel;
}

Panel covariance_panel(const std::string& title, const Place& place, const StudyOutcome& process,
                       const std::vector<Series>& series, const Range& range, const AxisText& text) {
  Panel panel{.title = title, .place = place, .axes = axis_text(text, "%g", "%g") + domain_axis(range)};
  panel.axes += note_of_absent(series, range.high);
  panel.curves.push_back(covariance_curve(process, covariance_style("gp", 0)));
  for (const Series& each : series)
    for (const StudyOutcome& outcome : each.outcomes)
      panel.curves.push_back(
          covariance_curve(outcome, covariance_style(outcome.setting.model, each.variant)));
  return panel;
}

Panel paths_panel(const std::string& title, const Place& place, const StudyOutcome& outcome,
                  const Range& range, const AxisText& text) {
  Panel panel{.title = title, .place = place, .axes = axis_text(text, "%g", "%g") + domain_axis(range)};
  for (Index j = 0; j < outcome.paths.cols(); ++j) {
    Matrix rows(outcome.x.size(), 2);
    rows << outcome.x, outcome.paths.col(j);
    panel.curves.push_back({.rows = rows,
                            .style = fmt::format("using 1:2 with lines lw 1.3 lc rgb '{}'",
                                                 colour_of_model(outcome.setting.model))});
  }
  return panel;
}

LegendEntry error_legend(const std::string& model, int variant, const std::string& text) {
  return {.style = "with linespoints " + line_style(model, variant), .text = text};
}

LegendEntry covariance_legend(const std::string& model, int variant, const std::string& text) {
  if (model == "gp") return {.style = process_grey, .text = text, .band = true};
  return {.style = covariance_style(model, variant), .text = text};
}

std::vector<StudyOutcome> select(const std::vector<StudyOutcome>& outcomes,
                                 const std::function<bool(const PriorSetting&)>& wanted) {
  std::vector<StudyOutcome> found;
  std::ranges::copy_if(outcomes, std::back_inserter(found), wanted, &StudyOutcome::setting);
  return found;
}

const StudyOutcome& find_outcome(const std::vector<StudyOutcome>& outcomes,
                                 const std::function<bool(const PriorSetting&)>& wanted) {
  return *std::ranges::find_if(outcomes, wanted, &StudyOutcome::setting);
}

}  // namespace ridgelet::experiments
