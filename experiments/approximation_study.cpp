#include "experiments/approximation_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/draws.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index paths_kept = 6;
constexpr Index most_units = 3'000'000;
constexpr Index fewest_replicates = 100;

Vector standard_errors(const Matrix& columns) {
  Vector errors(columns.rows());
  for (Index i = 0; i < columns.rows(); ++i)
    errors(i) = Estimate::of(columns.row(i).transpose()).standard_error();
  return errors;
}

Vector process_covariance(const std::string& kernel, const Vector& x) {
  return parse_kernel(kernel).matrix(x, Matrix::Zero(1, 1)).col(0);
}

void append_rows(LongTable& table, const StudyOutcome& outcome) {
  const PriorSetting& setting = outcome.setting;
  const auto if_network = [&](Cell cell) { return outcome.is_process() ? Cell("") : cell; };
  const auto add = [&](const char* quantity, Cell draw, Cell x, double value, Cell error) {
    table.rows.push_back({setting.model, setting.kernel, if_network(setting.activation),
                          if_network(setting.sigma_w), if_network(setting.sigma_b),
                          if_network(static_cast<double>(setting.units)), quantity, draw, x, value, error});
  };
  if (!outcome.is_process()) add("mrmse", "", "", outcome.mrmse.mean, outcome.mrmse.standard_error());
  for (Index i = 0; i < outcome.x.size(); ++i)
    add("covariance", "", outcome.x(i), outcome.covariance(i), if_network(outcome.covariance_se(i)));
  for (Index j = 0; j < outcome.paths.cols(); ++j)
    for (Index i = 0; i < outcome.x.size(); ++i)
      add("path", static_cast<double>(j + 1), outcome.x(i), outcome.paths(i, j), "");
}

Json outcome_json(const StudyOutcome& outcome) {
  const PriorSetting& setting = outcome.setting;
  return {{"operator", setting.model},
          {"units", setting.units},
          {"sigma_w", setting.sigma_w},
          {"sigma_b", setting.sigma_b},
          {"activation", setting.activation},
          {"kernel", setting.kernel},
          {"mrmse", estimate_json(outcome.mrmse)},
          {"variance", estimate_json(outcome.variance)},
          {"covariance_error", covariance_error(outcome)}};
}

std::string report_line(const StudyOutcome& outcome) {
  const PriorSetting& setting = outcome.setting;
  return fmt::format("{:<15}{:>7}{:>9}{:>9}{:>11.3g} +- {:<8.1g}{:>8.3g} +- {:<8.1g}{:>8.2g}\n",
                     setting.model, setting.units, setting.sigma_w, setting.sigma_b, outcome.mrmse.mean,
                     outcome.mrmse.standard_error(), outcome.variance.mean, outcome.variance.standard_error(),
                     covariance_error(outcome));
}

}  // namespace

Vector study_points(const ExperimentOptions& options) {
  return Vector::LinSpaced(options.fast ? 41 : 101, -paper_domain, paper_domain);
}

Index affordable_replicates(Index units, Index most, const ExperimentOptions& options) {
  if (options.fast) return std::min<Index>(most, units > 1000 ? 8 : 24);
  return std::min(most, std::max(fewest_replicates, most_units / units));
}

StudyOutcome run_case(const StudyCase& study, const Vector& x, const ExperimentOptions& options) {
  const PriorSetting& setting = study.prior;
  const std::string stage = fmt::format("hidden layers of {} with {} units", setting.model, setting.units);
  Index done = 0;
  const auto step = [&] {
    if (++done; options.progress) options.progress(stage, done, study.replicates);
  };
  const Index zero = x.size() / 2;
  Matrix covariance(x.size(), study.replicates);
  const MeasuredDraws measured =
      measured_draws(make_prior(setting), x, {.count = study.replicates, .seed = options.seed, .step = step},
                     paths_kept, Purpose::target_process, [&](Index i, const Gaussian& network) {
                       covariance.col(i) = network.factor * network.factor.row(zero).transpose();
                     });
  return {.setting = setting,
          .x = x,
          .mrmse = measured.error.largest(),
          .variance = Estimate::of(covariance.row(zero).transpose()),
          .covariance = covariance.rowwise().mean(),
          .covariance_se = standard_errors(covariance),
          .paths = measured.paths};
}

std::vector<StudyOutcome> run_cases(const std::vector<StudyCase>& cases, const Vector& x,
                                    const ExperimentOptions& options) {
  std::vector<StudyOutcome> outcomes;
  for (const StudyCase& each : cases) outcomes.push_back(run_case(each, x, options));
  return outcomes;
}

StudyOutcome run_process(const std::string& kernel, const Vector& x, const ExperimentOptions& options) {
  return {.setting = {.model = "gp", .units = 0, .kernel = kernel},
          .x = x,
          .covariance = process_covariance(kernel, x),
          .covariance_se = Vector::Zero(x.size()),
          .paths = imitated_draws(make_prior({.kernel = kernel}), x, paths_kept, options.seed,
                                  Purpose::target_process)};
}

double covariance_error(const StudyOutcome& outcome) {
  return (outcome.covariance - process_covariance(outcome.setting.kernel, outcome.x)).cwiseAbs().maxCoeff();
}

LongTable study_table(const std::vector<StudyOutcome>& outcomes) {
  LongTable table{.header = {"operator", "kernel", "activation", "sigma_w", "sigma_b", "units", "quantity",
                             "draw", "x", "value", "standard_error"},
                  .rows = {}};
  for (const StudyOutcome& outcome : outcomes) append_rows(table, outcome);
  return table;
}

Json estimate_json(const Estimate& estimate) {
  return {{"mean", estimate.mean},
          {"sd", estimate.sd},
          {"standard_error", estimate.standard_error()},
          {"replicates", estimate.replicates}};
}

Json study_json(const std::vector<StudyOutcome>& outcomes) {
  Json json = Json::array();
  for (const StudyOutcome& outcome : outcomes)
    if (!outcome.is_process()) json.push_back(outcome_json(outcome));
  return json;
}

std::string study_report(const std::vector<StudyOutcome>& outcomes, const std::string& first,
                         const std::function<std::string(const StudyOutcome&)>& name) {
  const int width = first.empty() ? 0 : 12;
  std::string text =
      fmt::format("  {:<{}}{:<15}{:>7}{:>9}{:>9}{:>11}{:<12}{:>8}{:<12}{:>8}\n", first, width, "operator",
                  "units", "sigma_w", "sigma_b", "MRMSE", " +- s.e.", "E f(0)^2", " +- s.e.", "cov error");
  for (const StudyOutcome& outcome : outcomes)
    if (!outcome.is_process())
      text += fmt::format("  {:<{}}", name ? name(outcome) : "", width) + report_line(outcome);
  return text;
}

}  // namespace ridgelet::experiments
