#include "fit_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "ridgelet/core/text.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::app {

namespace {

/// JSON knows neither NaN nor infinity.
nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

std::string list(const Vector& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(shortest(value));
  return join(texts);
}

}  // namespace

std::string FitOutput::text() const {
  const RegressionSettings& settings = model_.regression().settings();
  const RegressionTable& table = model_.regression().table();
  const FitReport& report = model_.report();
  const ModelSettings& model = settings.model;
  const double least = effective_samples_per_chain * static_cast<double>(report.chains);
  std::string lines = fmt::format("{} given {}: {} with {} units of {}\n", join(table.outputs),
                                  join(table.inputs), model.op.name, model.units, model.activation);
  const auto line = [&](const std::string& name, const std::string& value) {
    lines += fmt::format("  {:<16} {}\n", name, value);
  };
  line("process", fmt::format("{}, mean {}, noise {}{}", model.kernel, model.mean, list(settings.noise),
                              settings.standardise ? " (columns standardised)" : ""));
  line("data", fmt::format("{} rows", table.X.rows()));
  line("draws", fmt::format("{} chain{} x {} after {} steps of warm-up; {:.1f} likelihood evaluations a step",
                            report.chains, report.chains == 1 ? "" : "s", report.draws,
                            model_.sampling().warmup, report.evaluations_per_step));
  line("largest R-hat", fmt::format("{:.3f} (at most {} is good)", report.rhat_max, rhat_threshold));
  line("effective size", fmt::format("{:.0f} bulk, {:.0f} tail (at least {:.0f} is good)",
                                     std::floor(report.bulk_min), std::floor(report.tail_min), least));
  line("prior error",
       fmt::format("{:.2g} on average, {:.2g} at most, where the process has sd {:.2g}",
                   report.prior_error.mean, report.prior_error.max, report.prior_error.process_sd));
  if (seconds_) line("time", fmt::format("{:.1f} s", *seconds_));
  return lines;
}

std::string FitOutput::json() const {
  const RegressionSettings& settings = model_.regression().settings();
  const RegressionTable& table = model_.regression().table();
  const FitReport& report = model_.report();
  nlohmann::ordered_json json = {
      {"chains", report.chains},
      {"draws", report.draws},
      {"warmup", model_.sampling().warmup},
      {"rhat_max", number(report.rhat_max)},
      {"bulk_min", number(report.bulk_min)},
      {"tail_min", number(report.tail_min)},
      {"standard_error_max", number(report.standard_error_max)},
      {"evaluations_per_step", report.evaluations_per_step},
      {"prior_error",
       {{"mean", report.prior_error.mean},
        {"max", report.prior_error.max},
        {"process_sd", report.prior_error.process_sd}}},
      {"noise", nullptr},
      {"kernel", parse_kernel(settings.model.kernel).text()},
      {"mean", settings.model.mean},
      {"operator", settings.model.op.name},
      {"units", settings.model.units},
      {"rows", table.X.rows()},
      {"inputs", table.inputs},
      {"outputs", table.outputs},
      {"converged", report.converged},
      {"seconds", nullptr},
      {"warnings", report.warnings},
  };
  if (settings.noise.minCoeff() == settings.noise.maxCoeff())
    json["noise"] = settings.noise(0);
  else
    json["noise"] = std::vector<double>(settings.noise.begin(), settings.noise.end());
  if (seconds_) json["seconds"] = *seconds_;
  return json.dump(2);
}

}  // namespace ridgelet::app
