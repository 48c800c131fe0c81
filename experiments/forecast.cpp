#include "experiments/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "ridgelet/assess/approximation.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

constexpr double half_width = 5;
constexpr Index nodes_per_axis = 200;
constexpr Index curve_points = 301;
constexpr Index prior_error_points = 200;
constexpr double normal_975 = 1.959963984540054;  ///< Phi^{-1}(0.975)

struct Contender {
  std::string key;    ///< in the JSON
  std::string prior;  ///< an operator's name, or "iid"
  Index units;
  SamplingOptions sampling;
};

/// The networks, and how long their chains run. With `least-squares` R-hat is then below 1.01 (100 units mix
/// more slowly than 500). `ridgelet` has a long warm-up and its chains still disagree, which the report says.
std::vector<Contender> contenders(const ExperimentOptions& options) {
  const auto steps = [&](Index warmup, Index draws) -> SamplingOptions {
    if (options.fast) return {.chains = 2, .warmup = 40, .draws = 60, .seed = options.seed};
    return {.chains = 4, .warmup = warmup, .draws = draws, .seed = options.seed};
  };
  const Index units = options.fast ? 200 : 500;
  return {
      {"ridgelet", "ridgelet", units, steps(1500, 250)},
      {"least-squares", "least-squares", units, steps(200, 500)},
      {"least-squares-100", "least-squares", 100, steps(300, 1500)},
      {"iid", "iid", units, steps(200, 500)},
  };
}

/// The process less its mean: what the networks imitate.
GaussianProcess centred_process(const ForecastTask& task) {
  return {.kernel = parse_kernel(task.kernel), .mean = MeanFunction("0")};
}

RidgeletPrior imitation(const ForecastTask& task, const Contender& contender) {
  return RidgeletPrior({.target = centred_process(task),
                        .nodes = grid(half_width, nodes_per_axis, 1, half_width),
                        .activation = "tanh",
                        .units = contender.units,
                        .hidden = {.sigma_w = 3, .sigma_b = 12},
                        .op = {.name = contender.prior}});
}

IidPrior independent_weights(const Contender& contender) {
  return IidPrior({.activation = "tanh",
                   .units = contender.units,
                   .dimension = 1,
                   .hidden = {.sigma_w = 3, .sigma_b = 12},
                   .sigma_out = 0.1 / std::sqrt(static_cast<double>(contender.units))});
}

/// Everything the models share.
struct Setting {
  const ForecastTask& task;
  const ExperimentOptions& options;
  const StandardisedSeries& series;
  const Vector& curve;
  MeanFunction mean;
  Data data;  ///< the months that are data, less the process's mean

  Vector held_out() const { return series.y.tail(task.used - task.train); }
};

Data training_data(const ForecastTask& task, const StandardisedSeries& series, const MeanFunction& mean) {
  const Matrix X = series.x.head(task.train);
  return {.X = X, .Y = series.y.head(task.train) - mean(X), .noise = Vector::Constant(1, task.noise)};
}

double root_mean_square(const VectorView& values) {
  return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
}

Scores score(const PredictiveSummary& months, const VectorView& y, const PredictiveSummary& process) {
  const auto held_out = [&](const Matrix& values) -> Vector { return values.col(0).tail(y.size()); };
  const Vector lower = held_out(months.lower), upper = held_out(months.upper);
  Vector differences(2 * y.size());
  differences << held_out(months.mean) - held_out(process.mean), held_out(months.sd) - held_out(process.sd);
  return {.rmse = root_mean_square(held_out(months.mean) - y),
          .coverage = ((lower.array() <= y.array()) && (y.array() <= upper.array())).cast<double>().mean(),
          .width = (upper - lower).mean(),
          .gp_distance = root_mean_square(differences)};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

PredictiveSummary predict(const GaussianProcessPosterior& process, const Matrix& X, double noise) {
  const Vector mean = process.mean(X);
  const Vector sd = (process.variance(X).array().max(0) + noise * noise).sqrt();
  return {.mean = mean, .sd = sd, .lower = mean - normal_975 * sd, .upper = mean + normal_975 * sd};
}

ModelForecast exact_forecast(const Setting& setting) {
  const auto start = std::chrono::steady_clock::now();
  const GaussianProcess process{.kernel = parse_kernel(setting.task.kernel), .mean = setting.mean};
  const double noise = setting.task.noise;
  const GaussianProcessPosterior posterior(process, setting.data.X, setting.series.y.head(setting.task.train),
                                           noise);
  ModelForecast model{.key = "gp",
                      .name = "gp",
                      .months = predict(posterior, setting.series.x, noise),
                      .curve = predict(posterior, setting.curve, noise)};
  model.scores = score(model.months, setting.held_out(), model.months);
  model.seconds = seconds_since(start);
  return model;
}

FitReport::PriorError prior_error(const RidgeletPrior& prior, const ExperimentOptions& options) {
  const Matrix points = evaluation_points(Box::cube(half_width, 1),
                                          options.fast ? prior_error_points / 4 : prior_error_points, 0);
  const ApproximationSummary summary = assess_approximation(
      prior, points, points.topRows(1), {.replicates = options.fast ? 5 : 20, .seed = options.seed});
  const Vector variance = prior.options().target.kernel.diagonal(points);
  return {.mean = summary.rmse_mean, .max = summary.mrmse.mean, .process_sd = std::sqrt(variance.mean())};
}

/// R-hat and sample sizes of the functions at every month: weights are not identified, functions are.
WorstDiagnostics diagnose_functions(const Posterior& posterior, const Matrix& X) {
  const Matrix f = posterior.functions(X);
  const PosteriorDraws& draws = posterior.draws();
  return worst_diagnostics(
      X.rows(), [&](Index i) { return Matrix(f.col(i).reshaped(draws.draws_per_chain(), draws.chains)); });
}

/// One line, or an empty text if the chains have mixed.
std::string mixing_warning(const WorstDiagnostics& worst, const StandardisedSeries& series) {
  const double wanted = effective_samples_per_chain * static_cast<double>(worst.chains);
  const double size = std::min(worst.bulk.value, worst.tail.value);
  const bool disagree = !(worst.rhat.value <= rhat_threshold);
  if (!disagree && size >= wanted) return "";
  return fmt::format(
      "the chains have {}: R-hat is {:.3f} in {:.1f} (wanted: at most {}) and the draws are worth {:.0f} "
      "independent ones (wanted: {:.0f}), so {}",
      disagree ? "not mixed" : "mixed slowly", worst.rhat.value, series.year(worst.rhat.quantity),
      rhat_threshold, std::floor(size), wanted,
      disagree ? "the forecast depends on where they started" : "the numbers are imprecise");
}

/// What the chains of this prior leave behind.
PosteriorDraws sample(const LayerPrior& prior, const Contender& contender, const Setting& setting) {
  const std::string stage = fmt::format("steps of {} with {} units", contender.prior, contender.units);
  Sampling sampling(prior, setting.data, contender.sampling);
  sampling.run([] { return false; },
               [&](Index done, Index total) {
                 if (setting.options.progress) setting.options.progress(stage, done, total);
               });
  return sampling.draws();
}

PredictiveSummary rows(const PredictiveSummary& all, Index first, Index count) {
  return {.mean = all.mean.middleRows(first, count),
          .sd = all.sd.middleRows(first, count),
          .lower = all.lower.middleRows(first, count),
          .upper = all.upper.middleRows(first, count)};
}

ModelForecast sampled_forecast(const Contender& contender, const LayerPrior& prior, const Setting& setting,
                               const PredictiveSummary& process) {
  const Posterior posterior(prior, setting.data, setting.mean, sample(prior, contender, setting));
  Matrix everywhere(setting.series.x.size() + setting.curve.size(), 1);
  everywhere << setting.series.x, setting.curve;
  const PredictiveSummary predicted = posterior.predict(everywhere);
  ModelForecast model{.key = contender.key,
                      .name = contender.prior,
                      .months = rows(predicted, 0, setting.series.x.size()),
                      .curve = rows(predicted, setting.series.x.size(), setting.curve.size())};
  model.scores = score(model.months, setting.held_out(), process);
  model.units = contender.units;
  model.sampling = contender.sampling;
  model.diagnostics = diagnose_functions(posterior, setting.series.x);
  return model;
}

ModelForecast network_forecast(const Contender& contender, const Setting& setting,
                               const PredictiveSummary& process) {
  const auto start = std::chrono::steady_clock::now();
  ModelForecast model;
  if (contender.prior == "iid") {
    model = sampled_forecast(contender, independent_weights(contender), setting, process);
  } else {
    const RidgeletPrior prior = imitation(setting.task, contender);
    model = sampled_forecast(contender, prior, setting, process);
    model.prior_error = prior_error(prior, setting.options);
    model.warnings.push_back(prior_error_warning(*model.prior_error, prior, half_width));
  }
  model.warnings.push_back(mixing_warning(*model.diagnostics, setting.series));
  std::erase(model.warnings, "");
  model.seconds = seconds_since(start);
  return model;
}

}  // namespace

Forecast run_forecast(const ForecastTask& task, const ExperimentOptions& options) {
  Forecast forecast{
      .task = task,
      .series = standardise(read_monthly_series(task.file, task.column), task.used, task.months_per_unit),
      .curve = Vector::LinSpaced(options.fast ? curve_points / 3 : curve_points, -half_width, half_width),
      .models = {}};
  const MeanFunction mean(task.mean);
  const Setting setting{.task = task,
                        .options = options,
                        .series = forecast.series,
                        .curve = forecast.curve,
                        .mean = mean,
                        .data = training_data(task, forecast.series, mean)};
  const ModelForecast exact = exact_forecast(setting);
  for (const Contender& contender : contenders(options))
    forecast.models.push_back(network_forecast(contender, setting, exact.months));
  forecast.models.push_back(exact);
  return forecast;
}

}  // namespace ridgelet::experiments
