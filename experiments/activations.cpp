// Appendix "Comparison of Prior Predictive with Different Settings": the activation function.
#include "experiments/approximation_study.hpp"
#include "experiments/comparison_figure.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

constexpr Index least_squares_shown = 300;

std::vector<Index> shown_units(const ExperimentOptions& options) {
  return options.fast ? std::vector<Index>{100, 300, 1000} : std::vector<Index>{300, 3000, 30000};
}

std::vector<StudyOutcome> run_model(const char* model, const char* activation,
                                    const std::vector<Index>& units, const Vector& x,
                                    const ExperimentOptions& options) {
  std::vector<StudyCase> cases;
  for (const Index N : units)
    cases.push_back({.model = model,
                     .units = N,
                     .activation = activation,
                     .replicates = affordable_replicates(N, 1000, options)});
  return run_cases(cases, x, options);
}

std::vector<Contestant> run_all(const ExperimentOptions& options) {
  const std::vector<Index> ridgelet_units =
      options.fast ? shown_units(options) : std::vector<Index>{100, 300, 1000, 3000, 10000, 30000};
  const std::vector<Index> least_squares_units = options.fast
                                                     ? std::vector<Index>{100, least_squares_shown}
                                                     : std::vector<Index>{30, 100, least_squares_shown, 1000};
  const Vector x = study_points(options);
  std::vector<Contestant> contestants;
  for (const char* activation : {"gaussian", "tanh", "relu"})
    contestants.push_back(
        {.name = activation,
         .ridgelet = run_model("ridgelet", activation, ridgelet_units, x, options),
         .least_squares = run_model("least-squares", activation, least_squares_units, x, options),
         .process = run_process(squared_exponential, x, options)});
  return contestants;
}

ExperimentResult run(const ExperimentOptions& options) {
  const std::vector<Contestant> contestants = run_all(options);
  std::vector<StudyOutcome> outcomes;
  for (const StudyOutcome& each : all_outcomes(contestants))
    if (!each.is_process()) outcomes.push_back(each);
  outcomes.push_back(contestants.front().process);
  const ComparisonLayout layout{.ridgelet_shown = shown_units(options),
                                .least_squares_shown = least_squares_shown,
                                .paths = {-5, 5},
                                .errors = {1e-6, 50}};
  return {
      .table = study_table(outcomes),
      .json = {{"cases", study_json(outcomes)},
               {"task", {{"kernel", squared_exponential}, {"fast", options.fast}, {"seed", options.seed}}}},
      .figure = comparison_figure(contestants, layout),
      .report = paragraph("Three activations, each with its own associated function; the process has "
                          "E f(0)^2 = 1.") +
                study_report(outcomes, "activation",
                             [](const StudyOutcome& outcome) { return outcome.setting.activation; })};
}

}  // namespace

Experiment activations() {
  return {.name = "activations",
          .description = "Appendix: Gaussian, tanh and ReLU; paths, error and covariance",
          .run = run};
}

}  // namespace ridgelet::experiments
