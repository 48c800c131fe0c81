// Appendix "Comparison of Prior Predictive with Different Settings": the covariance function of the process,
// with bandwidths that grow with the units.
#include "experiments/approximation_study.hpp"
#include "experiments/comparison_figure.hpp"
#include "experiments/dynamic_setting.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

struct NamedKernel {
  const char* name;
  const char* kernel;
};

const std::vector<NamedKernel> kernels = {{"SE", squared_exponential},
                                          {"RQ", "rq(amplitude=1, lengthscale=0.75, alpha=1)"},
                                          {"periodic", "periodic(amplitude=1, lengthscale=0.75, period=2)"}};

std::string name_of(const StudyOutcome& outcome) {
  return outcome.setting.kernel.substr(0, outcome.setting.kernel.find('('));
}

std::vector<StudyOutcome> run_model(const char* model, const char* kernel, const Vector& x,
                                    const ExperimentOptions& options) {
  std::vector<StudyCase> cases;
  for (const DynamicSetting& each : dynamic_settings(options))
    if (std::string(model) == "ridgelet" || each.units <= 3000)
      cases.push_back(dynamic_case(model, each, kernel, options));
  return run_cases(cases, x, options);
}

ExperimentResult run(const ExperimentOptions& options) {
  const Vector x = study_points(options);
  std::vector<Contestant> contestants;
  for (const auto& [name, kernel] : kernels)
    contestants.push_back({.name = name,
                           .ridgelet = run_model("ridgelet", kernel, x, options),
                           .least_squares = run_model("least-squares", kernel, x, options),
                           .process = run_process(kernel, x, options)});
  const std::vector<DynamicSetting> settings = dynamic_settings(options);
  const ComparisonLayout layout{.ridgelet_shown = {settings[0].units, settings[2].units, settings[4].units},
                                .least_squares_shown = settings[1].units,
                                .errors = {1e-5, 20},
                                .covariances = {-0.3, 2}};
  const std::vector<StudyOutcome> outcomes = all_outcomes(contestants);
  return {
      .table = study_table(outcomes),
      .json = {{"cases", study_json(outcomes)}, {"task", {{"fast", options.fast}, {"seed", options.seed}}}},
      .figure = comparison_figure(contestants, layout),
      .report = paragraph("Three kernels, with bandwidths that grow with the units; each process has "
                          "E f(0)^2 = 1.") +
                study_report(outcomes, "kernel", name_of)};
}

}  // namespace

Experiment covariances() {
  return {.name = "covariances",
          .description = "Appendix: three covariance functions; paths, error and covariance",
          .run = run};
}

}  // namespace ridgelet::experiments
