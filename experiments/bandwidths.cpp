// Appendix "Comparison of Prior Predictive with Different Settings": the bandwidths of the hidden layer.
#include <fmt/format.h>

#include "experiments/approximation_panels.hpp"
#include "experiments/approximation_study.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

constexpr Index least_squares_shown = 300;

struct Bandwidths {
  double sigma_w;
  double sigma_b;
};

const std::vector<Bandwidths> all_bandwidths = {{1, 2}, {2, 6}, {3, 12}, {4, 20}, {5, 30}};

std::vector<Index> ridgelet_units(const ExperimentOptions& options) {
  return options.fast ? std::vector<Index>{100, 300, 1000}
                      : std::vector<Index>{100, 300, 1000, 3000, 10000, 30000};
}

std::vector<Index> least_squares_units(const ExperimentOptions& options) {
  return options.fast ? std::vector<Index>{100, least_squares_shown}
                      : std::vector<Index>{30, 100, least_squares_shown, 1000};
}

/// The ridgelet's covariances that are drawn, broken lines first.
std::vector<Index> shown_units(const ExperimentOptions& options) {
  return options.fast ? std::vector<Index>{100, 300, 1000} : std::vector<Index>{3000, 10000, 30000};
}

std::vector<StudyCase> cases(const ExperimentOptions& options) {
  std::vector<StudyCase> all;
  for (const auto& [sigma_w, sigma_b] : all_bandwidths) {
    const auto add = [&](const char* model, Index units) {
      all.push_back({.model = model,
                     .units = units,
                     .sigma_w = sigma_w,
                     .sigma_b = sigma_b,
                     .replicates = affordable_replicates(units, 1000, options)});
    };
    for (const Index N : ridgelet_units(options)) add("ridgelet", N);
    for (const Index N : least_squares_units(options)) add("least-squares", N);
  }
  return all;
}

FigureScript figure(const std::vector<StudyOutcome>& outcomes, const ExperimentOptions& options) {
  FigurePage page(1160, 640);
  const PanelGrid frames{.page = {.left = 0.075, .right = 0.99, .bottom = 0.17, .top = 0.95},
                         .rows = 2,
                         .columns = static_cast<int>(all_bandwidths.size()),
                         .gap_x = 0.014,
                         .gap_y = 0.15};
  const std::vector<Index> shown = shown_units(options);
  for (int i = 0; i < frames.columns; ++i) {
    const auto [sigma_w, sigma_b] = all_bandwidths[static_cast<std::size_t>(i)];
    const auto with = [&](const char* model, Index units) {
      return select(outcomes, [&](const StudyCase& each) {
        return each.model == model && each.sigma_w == sigma_w && (units == 0 || each.units == units);
      });
    };
    const bool first = i == 0;
    page.add(error_panel(
        fmt::format("σ_w = {}, σ_b = {}", sigma_w, sigma_b), frames.at(i),
        {{with("ridgelet", 0), 0}, {with("least-squares", 0), 0}}, {1e-5, 50},
        {.y_numbers = first, .x_label = "units N", .y_label = first ? "MRMSE (in units of f)" : ""}));
    page.add(covariance_panel(
        "", frames.at(i + frames.columns), outcomes.back(),
        {{with("ridgelet", shown[0]), 2},
         {with("ridgelet", shown[1]), 1},
         {with("ridgelet", shown[2]), 0},
         {with("least-squares", least_squares_shown), 0}},
        {-0.5, 3}, {.y_numbers = first, .x_label = "x", .y_label = first ? "E[ f(x) f(0) ]" : ""}));
  }
  std::vector<LegendEntry> entries = {covariance_legend("gp", 0, "process, k(x, 0)")};
  for (int v = 0; v < 3; ++v)
    entries.push_back(covariance_legend("ridgelet", 2 - v,
                                        fmt::format("ridgelet, N = {}", shown[static_cast<std::size_t>(v)])));
  entries.push_back(
      covariance_legend("least-squares", 0, fmt::format("least-squares, N = {}", least_squares_shown)));
  page.add_legend({.left = 0.065, .right = 0.995, .bottom = 0.02, .top = 0.07}, entries, 5);
  return page.script();
}

ExperimentResult run(const ExperimentOptions& options) {
  const Vector x = study_points(options);
  std::vector<StudyOutcome> outcomes = run_cases(cases(options), x, options);
  outcomes.push_back(run_process(squared_exponential, x, options));
  return {
      .table = study_table(outcomes),
      .json = {{"cases", study_json(outcomes)},
               {"task", {{"kernel", squared_exponential}, {"fast", options.fast}, {"seed", options.seed}}}},
      .figure = figure(outcomes, options),
      .report = paragraph("Narrow bandwidths leave an error that more units do not mend; wide ones take more "
                          "units to get there. The process has E f(0)^2 = 1.") +
                study_report(outcomes)};
}

}  // namespace

Experiment bandwidths() {
  return {.name = "bandwidths",
          .description = "Appendix: five bandwidths of the hidden layer, error and covariance",
          .run = run};
}

}  // namespace ridgelet::experiments
