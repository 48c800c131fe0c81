// Section 6.1: the error of the prior against its number of units, and the covariance of its networks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/approximation_panels.hpp"
#include "experiments/approximation_study.hpp"
#include "experiments/paragraph.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

struct Outcomes {
  std::vector<StudyOutcome> networks;
  StudyOutcome process;
};

/// What panel (b) shows, in the order of its legend.
struct Shown {
  const char* model;
  Index units;
  int variant;
};

std::vector<Shown> shown_covariances(const ExperimentOptions& options) {
  const std::vector<Index> units =
      options.fast ? std::vector<Index>{300, 1000, 3000} : std::vector<Index>{3000, 5000, 30000};
  return {{"ridgelet", units[0], 2},
          {"ridgelet", units[1], 1},
          {"ridgelet", units[2], 0},
          {"least-squares", 100, 1},
          {"least-squares", 300, 0}};
}

Outcomes run_all(const ExperimentOptions& options) {
  const std::vector<Index> ridgelet_units =
      options.fast ? std::vector<Index>{100, 300, 1000, 3000}
                   : std::vector<Index>{100, 300, 1000, 3000, 5000, 10000, 30000};
  const std::vector<Index> least_squares_units =
      options.fast ? std::vector<Index>{30, 100, 300} : std::vector<Index>{30, 100, 300, 1000, 3000};
  const Index replicates = options.fast ? 40 : 1000;
  std::vector<StudyCase> cases;
  for (const Index N : ridgelet_units) cases.push_back({{.model = "ridgelet", .units = N}, replicates});
  for (const Index N : least_squares_units)
    cases.push_back({{.model = "least-squares", .units = N}, replicates});
  const Vector x = study_points(options);
  return {.networks = run_cases(cases, x, options), .process = run_process(squared_exponential, x, options)};
}

/// {units, mean, sd, ...} of one operator's errors.
Json error_list(const std::vector<StudyOutcome>& outcomes, const char* model) {
  Json list = Json::array();
  for (const StudyOutcome& outcome : outcomes) {
    if (outcome.setting.model != model) continue;
    Json entry = {{"units", outcome.setting.units}, {"operator", model}};
    entry.update(estimate_json(outcome.mrmse));
    list.push_back(entry);
  }
  return list;
}

/// E f(0)^2 beside the process's.
Json covariance_list(const Outcomes& outcomes) {
  Json list = Json::array();
  for (const StudyOutcome& outcome : outcomes.networks)
    list.push_back({{"operator", outcome.setting.model},
                    {"units", outcome.setting.units},
                    {"at_zero", estimate_json(outcome.variance)},
                    {"process_at_zero", outcomes.process.covariance(outcomes.process.x.size() / 2)},
                    {"largest_error", covariance_error(outcome)}});
  return list;
}

Json result_json(const Outcomes& outcomes, const ExperimentOptions& options) {
  return {{"mrmse", error_list(outcomes.networks, "ridgelet")},
          {"mrmse_least_squares", error_list(outcomes.networks, "least-squares")},
          {"covariance", covariance_list(outcomes)},
          {"task", {{"kernel", squared_exponential}, {"fast", options.fast}, {"seed", options.seed}}}};
}

std::string half_power_style() {
  return fmt::format("with lines lw 1.5 dt 2 lc rgb '{}'", colour::gaussian_process);
}

/// A line of slope -1/2 through the error at the first number of units, a little above it.
Curve half_power(const StudyOutcome& first) {
  const double N = static_cast<double>(first.setting.units), height = 1.6 * first.mrmse.mean;
  Matrix rows(2, 2);
  rows << N, height, 300 * N, height / std::sqrt(300.0);
  return {.rows = rows, .style = "using 1:2 " + half_power_style()};
}

FigureScript figure(const Outcomes& outcomes, const ExperimentOptions& options) {
  const auto of = [&](const char* model) {
    return select(outcomes.networks, [&](const PriorSetting& each) { return each.model == model; });
  };
  FigurePage page(1000, 470);
  const PanelGrid frames{
      .page = {.left = 0.085, .right = 0.985, .bottom = 0.3, .top = 0.93}, .columns = 2, .gap_x = 0.1};
  Panel errors =
      error_panel("(a) approximation error", frames.at(0), {{of("ridgelet"), 0}, {of("least-squares"), 0}},
                  {1e-5, 20}, {.x_label = "units N", .y_label = "MRMSE (in units of f)"});
  errors.curves.push_back(half_power(outcomes.networks.front()));
  page.add(errors);
  page.add_legend({.left = 0.05, .right = 0.48, .bottom = 0.05, .top = 0.11},
                  {error_legend("ridgelet", 0, "ridgelet"),
                   error_legend("least-squares", 0, "least-squares"),
                   {half_power_style(), "N^{-1/2}"}},
                  3);

  std::vector<Series> curves;
  std::vector<LegendEntry> entries = {covariance_legend("gp", 0, "process, k(x, 0)")};
  double highest = 1.2;
  for (const Shown& shown : shown_covariances(options)) {
    const StudyOutcome& outcome = find_outcome(outcomes.networks, [&](const PriorSetting& each) {
      return each.model == shown.model && each.units == shown.units;
    });
    curves.push_back({{outcome}, shown.variant});
    entries.push_back(
        covariance_legend(shown.model, shown.variant, fmt::format("{}, N = {}", shown.model, shown.units)));
    highest = std::max(highest, 1.05 * outcome.covariance.maxCoeff());
  }
  page.add(covariance_panel("(b) covariance of networks", frames.at(1), outcomes.process, curves,
                            {-0.1, highest}, {.x_label = "x", .y_label = "E[ f(x) f(0) ]"}));
  page.add_legend({.left = 0.505, .right = 0.995, .bottom = 0.01, .top = 0.17}, entries, 2);
  return page.script();
}

std::string report(const Outcomes& outcomes) {
  return paragraph(fmt::format(
             "Error of the prior against its process over [-5, 5], and the variance of its networks at 0, "
             "where the process has 1; means over {} hidden layers.",
             outcomes.networks.front().mrmse.replicates)) +
         study_report(outcomes.networks);
}

ExperimentResult run(const ExperimentOptions& options) {
  const Outcomes outcomes = run_all(options);
  std::vector<StudyOutcome> all = outcomes.networks;
  all.push_back(outcomes.process);
  return {.table = study_table(all),
          .json = result_json(outcomes, options),
          .figure = figure(outcomes, options),
          .report = report(outcomes)};
}

}  // namespace

Experiment approximation() {
  return {.name = "approximation",
          .description = "Section 6.1: error against units, and the covariance of networks",
          .run = run};
}

}  // namespace ridgelet::experiments
