#include "experiments/approximation_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

constexpr double grid_half_width = 6;
constexpr Index grid_points = 200;
constexpr Index paths_kept = 6;
constexpr Index most_units = 3'000'000;
constexpr Index fewest_replicates = 100;

/// The coordinates z of path j: of every prior, and of the process.
Vector path_coordinates(Index rank, Index j, const ExperimentOptions& options) {
  return RandomStream{
      .seed = options.seed, .purpose = Purpose::target_process, .replicate = static_cast<std::uint32_t>(j)}
      .normals(rank);
}

/// What the replicates leave behind, a column or an entry each.
struct Measurements {
  Vector largest_error;
  Matrix covariance;
  Matrix paths;
};

class CaseRun {
 public:
  CaseRun(const StudyCase& setting, const Vector& x, const ExperimentOptions& options)
      : options_(options),
        prior_(study_prior(setting)),
        x_(x),
        result_{.largest_error = Vector(setting.replicates),
                .covariance = Matrix(x.size(), setting.replicates),
                .paths = Matrix(x.size(), std::min(setting.replicates, paths_kept))} {}

  const Measurements& run() {
    const std::string stage = fmt::format("hidden layers of {} with {} units", prior_.name(), prior_.units());
    const Index count = result_.largest_error.size();
    Index done = 0;
    std::mutex counting;
    const ErrorOverReplicates error =
        error_over_replicates(prior_, x_, {.replicates = count, .seed = options_.seed},
                              [&](Index i, const GivenHidden&, const Gaussian& network) {
                                look_at(i, network.factor);
                                if (!options_.progress) return;
                                const std::lock_guard lock(counting);
                                options_.progress(stage, ++done, count);
                              });
    result_.largest_error = error.rmse.colwise().maxCoeff();
    return result_;
  }

 private:
  void look_at(Index i, const Matrix& G) {
    result_.covariance.col(i) = G * G.row(x_.size() / 2).transpose();
    if (i < result_.paths.cols()) result_.paths.col(i) = G * path_coordinates(G.cols(), i, options_);
  }

  const ExperimentOptions& options_;
  RidgeletPrior prior_;
  const Vector& x_;
  Measurements result_;
};

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
  const StudyCase& setting = outcome.setting;
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
  const StudyCase& setting = outcome.setting;
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
  const StudyCase& setting = outcome.setting;
  return fmt::format("{:<15}{:>7}{:>9}{:>9}{:>11.3g} +- {:<8.1g}{:>8.3g} +- {:<8.1g}{:>8.2g}\n",
                     setting.model, setting.units, setting.sigma_w, setting.sigma_b, outcome.mrmse.mean,
                     outcome.mrmse.standard_error(), outcome.variance.mean, outcome.variance.standard_error(),
                     covariance_error(outcome));
}

}  // namespace

RidgeletPrior study_prior(const StudyCase& setting) {
  return RidgeletPrior({.target = {.kernel = parse_kernel(setting.kernel), .mean = MeanFunction("0")},
                        .nodes = grid(grid_half_width, grid_points, 1, study_domain),
                        .activation = setting.activation,
                        .units = setting.units,
                        .hidden = {.sigma_w = setting.sigma_w, .sigma_b = setting.sigma_b},
                        .op = {.name = setting.model}});
}

Vector study_points(const ExperimentOptions& options) {
  return Vector::LinSpaced(options.fast ? 41 : 101, -study_domain, study_domain);
}

Index affordable_replicates(Index units, Index most, const ExperimentOptions& options) {
  if (options.fast) return std::min<Index>(most, units > 1000 ? 8 : 24);
  return std::min(most, std::max(fewest_replicates, most_units / units));
}

StudyOutcome run_case(const StudyCase& setting, const Vector& x, const ExperimentOptions& options) {
  CaseRun run(setting, x, options);
  const Measurements& measured = run.run();
  StudyOutcome outcome{.setting = setting, .x = x};
  outcome.mrmse = Estimate::of(measured.largest_error);
  outcome.variance = Estimate::of(measured.covariance.row(x.size() / 2).transpose());
  outcome.covariance = measured.covariance.rowwise().mean();
  outcome.covariance_se = standard_errors(measured.covariance);
  outcome.paths = measured.paths;
  return outcome;
}

std::vector<StudyOutcome> run_cases(const std::vector<StudyCase>& settings, const Vector& x,
                                    const ExperimentOptions& options) {
  std::vector<StudyOutcome> outcomes;
  for (const StudyCase& setting : settings) outcomes.push_back(run_case(setting, x, options));
  return outcomes;
}

StudyOutcome run_process(const std::string& kernel, const Vector& x, const ExperimentOptions& options) {
  const Matrix c = study_prior({.kernel = kernel}).kriging(x).coordinates;
  StudyOutcome outcome{.setting = {.model = "gp", .units = 0, .kernel = kernel, .replicates = 0}, .x = x};
  outcome.covariance = process_covariance(kernel, x);
  outcome.covariance_se = Vector::Zero(x.size());
  outcome.paths.resize(x.size(), paths_kept);
  for (Index j = 0; j < paths_kept; ++j)
    outcome.paths.col(j) = c.transpose() * path_coordinates(c.rows(), j, options);
  return outcome;
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
