// Appendix "Comparison of Prior Predictive with Different Settings": bandwidths that grow with the units.
#include <fmt/format.h>

#include "experiments/approximation_panels.hpp"
#include "experiments/approximation_study.hpp"
#include "experiments/dynamic_setting.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

constexpr Range path_range{-4, 4};

struct Outcomes {
  std::vector<StudyOutcome> ridgelet, least_squares, fixed;
  StudyOutcome process;
};

std::vector<StudyOutcome> run_model(const char* model, bool dynamic, const Vector& x,
                                    const ExperimentOptions& options) {
  std::vector<StudyCase> cases;
  for (const DynamicSetting& each : dynamic_settings(options)) {
    StudyCase one = dynamic_case(model, each, squared_exponential, options);
    if (!dynamic) one.sigma_w = 3, one.sigma_b = 12;
    cases.push_back(one);
  }
  return run_cases(cases, x, options);
}

std::string setting_title(const StudyOutcome& outcome) {
  const StudyCase& setting = outcome.setting;
  return fmt::format("{} ({}, {}), N = {}", setting.model, setting.sigma_w, setting.sigma_b, setting.units);
}

/// Two rows of four: five settings of the ridgelet, two of least squares, and the process.
void add_paths(FigurePage& page, const Outcomes& outcomes) {
  const PanelGrid frames{.page = {.left = 0.055, .right = 0.99, .bottom = 0.495, .top = 0.97},
                         .rows = 2,
                         .columns = 4,
                         .gap_x = 0.015,
                         .gap_y = 0.065};
  std::vector<StudyOutcome> shown = outcomes.ridgelet;
  shown.push_back(outcomes.least_squares.front());
  shown.push_back(outcomes.least_squares[2]);
  shown.push_back(outcomes.process);
  for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
    const StudyOutcome& outcome = shown[static_cast<std::size_t>(i)];
    page.add(paths_panel(outcome.is_process() ? "process" : setting_title(outcome), frames.at(i), outcome,
                         path_range,
                         {.x_numbers = frames.in_last_row(i),
                          .y_numbers = frames.in_first_column(i),
                          .x_label = frames.in_last_row(i) ? "x" : "",
                          .y_label = frames.in_first_column(i) ? "f(x)" : ""}));
  }
}

void add_measures(FigurePage& page, const Outcomes& outcomes) {
  const PanelGrid frames{
      .page = {.left = 0.07, .right = 0.99, .bottom = 0.155, .top = 0.385}, .columns = 3, .gap_x = 0.065};
  page.add(error_panel("error; (σ_w, σ_b) grow with N", frames.at(0),
                       {{outcomes.ridgelet, 0}, {outcomes.fixed, 1}, {outcomes.least_squares, 0}}, {1e-6, 20},
                       {.x_label = "units N", .y_label = "MRMSE (in units of f)"}));
  const auto covariances = [&](const char* title, int place, const std::vector<StudyOutcome>& all) {
    std::vector<Series> series;
    for (std::size_t i = 0; i < all.size(); i += 2) series.push_back({{all[i]}, static_cast<int>(4 - i) / 2});
    page.add(covariance_panel(title, frames.at(place), outcomes.process, series, {-0.2, 2},
                              {.x_label = "x", .y_label = "E[ f(x) f(0) ]"}));
  };
  covariances("covariance, ridgelet", 1, outcomes.ridgelet);
  covariances("covariance, least-squares", 2, outcomes.least_squares);
}

void add_legends(FigurePage& page, const Outcomes& outcomes) {
  const auto units_of = [&](std::size_t i) {
    const StudyCase& setting = outcomes.ridgelet[i].setting;
    return fmt::format("({}, {}), N = {}", setting.sigma_w, setting.sigma_b, setting.units);
  };
  page.add_legend(
      {.left = 0.06, .right = 0.99, .bottom = 0.005, .top = 0.075},
      {error_legend("ridgelet", 0, "ridgelet"), covariance_legend("gp", 0, "process, k(x, 0)"),
       covariance_legend("ridgelet", 2, units_of(0)), covariance_legend("ridgelet", 1, units_of(2)),
       covariance_legend("ridgelet", 0, units_of(4)), error_legend("ridgelet", 1, "ridgelet, (3, 12)"),
       error_legend("least-squares", 0, "least-squares"), covariance_legend("least-squares", 2, units_of(0)),
       covariance_legend("least-squares", 1, units_of(2)),
       covariance_legend("least-squares", 0, units_of(4))},
      5);
}

FigureScript figure(const Outcomes& outcomes) {
  FigurePage page(1100, 960);
  add_paths(page, outcomes);
  add_measures(page, outcomes);
  add_legends(page, outcomes);
  return page.script();
}

ExperimentResult run(const ExperimentOptions& options) {
  const Vector x = study_points(options);
  const Outcomes outcomes{.ridgelet = run_model("ridgelet", true, x, options),
                          .least_squares = run_model("least-squares", true, x, options),
                          .fixed = run_model("ridgelet", false, x, options),
                          .process = run_process(squared_exponential, x, options)};
  std::vector<StudyOutcome> networks = outcomes.ridgelet;
  networks.insert(networks.end(), outcomes.least_squares.begin(), outcomes.least_squares.end());
  std::vector<StudyOutcome> all = networks;
  for (const StudyOutcome& each : outcomes.fixed)
    // Once: there the fixed bandwidths are the dynamic ones.
    if (each.setting.units != outcomes.ridgelet[2].setting.units) all.push_back(each);
  all.push_back(outcomes.process);
  return {
      .table = study_table(all),
      .json = {{"dynamic", study_json(networks)},
               {"fixed", study_json(outcomes.fixed)},
               {"task", {{"kernel", squared_exponential}, {"fast", options.fast}, {"seed", options.seed}}}},
      .figure = figure(outcomes),
      .report = paragraph("Bandwidths that grow with the units; the process has E f(0)^2 = 1.") +
                study_report(networks) + paragraph("The same units with bandwidths 3 and 12:") +
                study_report(outcomes.fixed)};
}

}  // namespace

Experiment dynamic_bandwidths() {
  return {.name = "dynamic-bandwidths",
          .description = "Appendix: bandwidths that grow with the units; paths, error and covariance",
          .run = run};
}

}  // namespace ridgelet::experiments
