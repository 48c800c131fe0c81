#include "fit_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "messages.hpp"
#include "own_units.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/inference/pareto_smoothing.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "score_output.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

std::string list(const Vector& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.4g}", value));
  return join(texts);
}

std::string certificate_text(const Certificate& certificate) {
  return fmt::format(
      "the network's functions follow the process's to {} of their size at the data and {} between (its "
      "nodes "
      "alone leave {})",
      percent(certificate.data), percent(certificate.between), percent(certificate.floor));
}

/// What hidden layers were drawn from, if there is a lower bound of the evidence.
std::string drawn_from(const FitReport::Elbo& elbo) {
  return elbo.is_prior() ? "draws of their prior, since no normal distribution came closer to the posterior"
                         : "draws of the normal distribution closest to their posterior";
}

/// Classes and their order, or what a count is measured from.
std::string response_text(const FittedModel& model) {
  const RegressionTable& table = model.regression().table();
  const std::vector<std::string> levels = encoding_of(table).outputs.front().levels;
  std::string text = rounded(*model.regression().likelihood());
  if (!levels.empty()) text += fmt::format("; classes {}", name_list(levels));
  if (levels.size() == 2) text += fmt::format(" (probabilities are of {})", name_list({levels[1]}));
  if (const auto exposure = encoding_of(table).exposure())
    text += fmt::format("; for one unit of {}", *exposure);
  return text;
}

/// What weights would have been worth, where chains took their place.
std::string shape_beside_chains(const LaplaceReport& laplace) {
  if (!std::isfinite(laplace.shape)) return "";
  return fmt::format("; weights about the mode have a Pareto shape of {:.2f} (at most {} is good)",
                     laplace.shape, largest_good_shape);
}

/// Weights that cannot be trusted leave the evidence as Laplace's approximation has it.
std::string evidence_text(const FitReport& report) {
  const bool corrected = !report.laplace || report.laplace->shape <= largest_good_shape;
  return fmt::format("{:.2f}{}", *report.log_evidence,
                     corrected ? "" : " (Laplace's approximation, not corrected)");
}

std::string latent_text(const FittedModel& model) {
  const LaplaceReport& laplace = *model.report().laplace;
  const std::optional<FitReport::Elbo>& elbo = model.report().elbo;
  const bool by_normal = elbo.has_value();
  const std::string layers =
      fmt::format("{} {}; {} functions ", model.latent_posterior().networks().size(),
                  by_normal ? drawn_from(*elbo) : "drawn and kept", model.latent_posterior().draws());
  const std::string exact = by_normal ? "" : ": the posterior is exact";
  if (laplace.exact)
    return layers + fmt::format(
                        "sampled{} (R-hat of the chains {:.3f}, at most {} is good; effective size "
                        "{:.0f}, at least {} is good){}",
                        laplace.chains_agree() ? exact : "", laplace.rhat, LaplaceReport::good_rhat,
                        std::floor(laplace.bulk), LaplaceReport::good_bulk, shape_beside_chains(laplace));
  if (laplace.shape == -std::numeric_limits<double>::infinity()) return layers + "about the mode" + exact;
  return layers + fmt::format("about the mode, {}; Pareto shape {:.2f} (at most {} is good)",
                              laplace.shape <= largest_good_shape ? "corrected by weights" : "as they are",
                              laplace.shape, largest_good_shape);
}

void add_latent(Json& json, const FittedModel& model) {
  const FitReport& report = model.report();
  json["likelihood"] = model.regression().likelihood()->text();
  const std::vector<std::string> levels = encoding_of(model.regression().table()).outputs.front().levels;
  if (!levels.empty()) json["classes"] = levels;
  json["networks"] = model.latent_posterior().networks().size();
  json["function_draws"] = model.latent_posterior().draws();
  json["coordinates"] = report.laplace && !report.laplace->exact ? "laplace" : "sampled";
  if (!report.laplace) return;
  if (report.log_evidence) {
    json["log_evidence"] = number(*report.log_evidence);
    json["laplace_evidence"] = number(report.laplace->log_evidence);
  }
  json["pareto_shape"] = number(report.laplace->shape);
  if (report.laplace->exact) {
    json["coordinates_rhat"] = number(report.laplace->rhat);
    json["coordinates_bulk"] = number(report.laplace->bulk);
  }
}

/// "; 3 of 100 rows are left out: a missing value; columns left out: unit, empty", or nothing.
std::string left_out_text(const FitReport& report) {
  if (!report.left_out) return "";
  const LeftOut& left_out = *report.left_out;
  std::string text;
  if (left_out.rows > 0) text += "; " + dropped_text(left_out.rows, left_out.of_rows);
  if (left_out.columns.empty()) return text;
  constexpr std::size_t most = 10;
  return text + (left_out.columns.size() <= most
                     ? "; columns left out: " + join(left_out.columns)
                     : fmt::format("; {} columns are left out", left_out.columns.size()));
}

std::string fixed_text(std::size_t networks, const FitReport& report) {
  if (networks == 1) return "drawn once and kept: the posterior is exact";
  return fmt::format("{} drawn and kept, posteriors mixed; means are {:.2g} % of the process's sd apart",
                     networks, 100 * report.spread.value_or(0));
}

void add_chains(Json& json, const FittedModel& model) {
  const FitReport& report = model.report();
  json["chains"] = report.chains;
  json["draws"] = report.draws;
  json["warmup"] = model.sampling().warmup;
  json["sampler"] = sampler_name(model.sampling().sampler);
  json["divergences"] = report.divergences;
  json["longest_trajectories"] = report.longest;
  json["rhat_max"] = number(report.rhat_max);
  json["bulk_min"] = number(report.bulk_min);
  json["tail_min"] = number(report.tail_min);
  json["standard_error_max"] = number(report.standard_error_max);
  json["evaluations_per_step"] = report.evaluations_per_step;
  json["prior_error"] = {{"mean", report.prior_error.mean},
                         {"max", report.prior_error.max},
                         {"process_sd", report.prior_error.process_sd}};
}

void add_elbo(Json& json, const FitReport::Elbo& elbo) {
  json["elbo"] = number(elbo.value);
  json["elbo_standard_error"] = number(elbo.standard_error);
  json["elbo_of_prior"] = number(elbo.of_prior);
  json["is_prior"] = elbo.is_prior();
  json["steps"] = elbo.trace.size();
}

void add_chain_distance(Json& json, const ChainDistance& distance) {
  json["from_chains"] = {{"mean", number(distance.mean)},
                         {"sd", number(distance.sd)},
                         {"draws", distance.draws},
                         {"rhat", number(distance.rhat)}};
}

/// How far a normal distribution in the place of the posterior is from chains.
std::string chain_distance_text(const ChainDistance& distance) {
  return fmt::format("means are {:.2g} of their sd away and sds {:.0f} % off, by {} draws of short chains{}",
                     distance.mean, 100 * std::expm1(distance.sd), distance.draws,
                     distance.chains_agree()
                         ? ""
                         : fmt::format("; these disagree (R-hat {:.2f}), so this is a guess", distance.rhat));
}

/// The precision of the pass over the rows, where mixed precision was asked for.
std::string precision_text(const MixedCost& cost) {
  return fmt::format("{}; mixed precision moves means by {:.2g} of their sd and sds by {:.2g} of themselves",
                     cost.negligible() ? "mixed" : "double", cost.mean, cost.sd);
}

void add_networks(Json& json, const FittedModel& model) {
  const FitReport& report = model.report();
  json["networks"] = model.closed_form().networks().size();
  if (report.log_evidence) json["log_evidence"] = number(*report.log_evidence);
  if (report.spread) json["spread"] = *report.spread;
  json["precision"] = report.mixed && report.mixed->negligible() ? "mixed" : "double";
  if (report.mixed)
    json["mixed_precision"] = {{"mean", number(report.mixed->mean)}, {"sd", number(report.mixed->sd)}};
}

/// The evidence of every kernel that was tried, and the score by which one was taken.
std::string candidates_text(const KernelChoice& choice) {
  std::string lines =
      fmt::format("  {:<38}{:>14}{:>12}{:>12}\n", "kernel", "log evidence", "parameters", "score");
  for (std::size_t i = 0; i < choice.candidates.size(); ++i) {
    const KernelCandidate& each = choice.candidates[i];
    lines += fmt::format("  {:<38}{:>14.2f}{:>12}{:>12.2f}{}\n", each.form, each.learned.log_evidence,
                         each.learned.learned, each.learned.score(), i == choice.best ? "  (taken)" : "");
  }
  const std::size_t rows = choice.candidates.front().learned.rows.size();
  return lines +
         fmt::format(
             "  the score decides: log evidence less log(rows) / 2 = {:.2f} for each parameter, on {} "
             "rows\n",
             0.5 * std::log(static_cast<double>(rows)), rows);
}

}  // namespace

std::string input_list(const std::vector<std::string>& inputs) {
  constexpr std::size_t most = 10;
  if (inputs.size() <= most) return join(inputs);
  return fmt::format("{}, {}, ... {} ({} inputs)", inputs[0], inputs[1], inputs.back(), inputs.size());
}

std::string FitOutput::text() const {
  constexpr double worth_mentioning = 1e-6;
  const Regression& regression = model_.regression();
  const ModelSettings& model = regression.settings().model;
  const RegressionTable& table = regression.table();
  const FitReport& report = model_.report();
  std::string lines =
      fmt::format("{} given {}: {} with {} units of {} on {} nodes\n",
                  join(encoding_of(table).response_names()), input_list(table.inputs), model.operator_name,
                  regression.prior().units(), model.activation, regression.prior().options().nodes.size());
  const auto line = [&](const std::string& name, const std::string& value) {
    lines += fmt::format("  {:<16} {}\n", name, value);
  };
  line("process",
       fmt::format("{}, mean {}{}{}", rounded(parse_kernel(model.kernel)), rounded(MeanFunction(model.mean)),
                   model_.latent() ? "" : ", noise " + list(*model.noise),
                   model.standardise.value_or(false) ? " (columns standardised)" : ""));
  if (model_.latent()) line("response", response_text(model_));
  if (model.standardise.value_or(false)) lines += OwnUnits(model_).text();
  for (const std::string& learned : report.learned) line("learned", learned);
  line("data", fmt::format("{} rows{}", table.row_count(), left_out_text(report)));
  if (report.elbo && !model_.latent()) {
    line("hidden layers", fmt::format("{} {}", report.draws, drawn_from(*report.elbo)));
  } else if (model_.by_chains()) {
    const double least = effective_samples_per_chain * static_cast<double>(report.chains);
    const bool trajectories = model_.sampling().sampler == Sampler::nuts;
    line("draws",
         fmt::format("{} chain{} x {} after {} steps of warm-up; {:.1f} {} a step", report.chains,
                     report.chains == 1 ? "" : "s", report.draws, model_.sampling().warmup,
                     report.evaluations_per_step, trajectories ? "gradients" : "likelihood evaluations"));
    if (trajectories) {
      line("divergences", fmt::format("{} (none is good)", report.divergences));
      line("greatest length", fmt::format("{} of {} trajectories reached it (none is good)", report.longest,
                                          report.chains * report.draws));
    }
    line("largest R-hat", fmt::format("{:.3f} (at most {} is good)", report.rhat_max, rhat_threshold));
    line("effective size", fmt::format("{:.0f} bulk, {:.0f} tail (at least {:.0f} is good)",
                                       std::floor(report.bulk_min), std::floor(report.tail_min), least));
    line("prior error",
         fmt::format("{:.2g} on average, {:.2g} at most, where the process has sd {:.2g}",
                     report.prior_error.mean, report.prior_error.max, report.prior_error.process_sd));
  } else if (model_.latent()) {
    line("hidden layers", latent_text(model_));
  } else {
    line("hidden layers", fixed_text(model_.closed_form().networks().size(), report));
    if (report.mixed) line("precision", precision_text(*report.mixed));
  }
  if (report.log_evidence) line("log evidence", evidence_text(report));
  if (report.elbo)
    line("ELBO",
         fmt::format("{:.2f} (standard error {:.2g}) after {} steps; {:.2f} for the prior{}",
                     report.elbo->value, report.elbo->standard_error, report.elbo->trace.size(),
                     report.elbo->of_prior,
                     model_.latent() ? "; a bound of Laplace's approximation of the log evidence" : ""));
  if (report.from_chains) line("from chains", chain_distance_text(*report.from_chains));
  line("certificate", certificate_text(report.certificate));
  if (report.rounding.value_or(0) > worth_mentioning)
    line("rounding",
         fmt::format("moves predictions by up to {:.1g} of their standard deviations", *report.rounding));
  if (report.from_exact)
    line("exact process", fmt::format("means differ by {:.2g} and sds by {:.2g} of the response's sd",
                                      report.from_exact->mean, report.from_exact->sd));
  if (run_.seconds) line("time", fmt::format("{:.1f} s", *run_.seconds));
  if (run_.held_out_latent)
    lines +=
        "held out: " + latent_score_text(encoding_of(table).outputs.front().column, *run_.held_out_latent);
  if (!run_.held_out.empty()) lines += "held out: " + scores_text(encoding_of(table).outputs, run_.held_out);
  return lines;
}

std::string FitOutput::json() const {
  const Regression& regression = model_.regression();
  const ModelSettings& model = regression.settings().model;
  const RegressionTable& table = regression.table();
  const FitReport& report = model_.report();
  Json json = {
      {"hidden", hidden_layers_are(model_)},
      {"units", regression.prior().units()},
      {"nodes", regression.prior().options().nodes.size()},
      {"rank", regression.prior().rank()},
      {"noise", model_.latent() ? Json(nullptr) : one_or_several(regression.data().noise)},
      {"kernel", parse_kernel(model.kernel).text()},
      {"mean", model.mean},
      {"operator", model.operator_name},
      {"sigma_w", one_or_several(numbers_of(regression.prior().options().hidden.sigma_w, table.X.cols()))},
      {"sigma_b", regression.prior().options().hidden.sigma_b},
      {"ridge", regression.prior().options().op.ridge},
      {"rows", table.row_count()},
      {"inputs", table.inputs},
      {"outputs", encoding_of(table).response_names()},
      {"exposure", name_or_null(encoding_of(table).exposure())},
      {"standardise", model.standardise.value_or(false)},
      {"certificate",
       {{"data", report.certificate.data},
        {"between", report.certificate.between},
        {"floor", report.certificate.floor}}}};
  if (model.standardise.value_or(false)) {
    json["scaling"] = OwnUnits(model_).scaling();
    json["own_units"] = OwnUnits(model_).json();
  }
  json["log_evidence"] = nullptr;  // unless it is known in closed form
  json["rows_dropped"] = report.left_out ? Json(report.left_out->rows) : Json(nullptr);
  json["columns_left_out"] = report.left_out ? Json(report.left_out->columns) : Json(nullptr);
  if (report.elbo) add_elbo(json, *report.elbo);
  if (report.from_chains) add_chain_distance(json, *report.from_chains);
  if (model_.by_chains()) add_chains(json, model_);
  if (model_.latent())
    add_latent(json, model_);
  else if (report.elbo)
    json["draws"] = report.draws;
  else if (!model_.sampled())
    add_networks(json, model_);
  if (report.rounding) json["rounding"] = *report.rounding;
  json["learned"] = report.learned;
  if (report.learned_evidence) json["learned_evidence"] = number(*report.learned_evidence);
  if (report.from_exact)
    json["exact_distance"] = {{"mean", report.from_exact->mean}, {"sd", report.from_exact->sd}};
  json["converged"] = report.converged;
  if (run_.held_out_latent)
    json["holdout"] = latent_score_json(encoding_of(table).outputs.front().column, *run_.held_out_latent);
  if (!run_.held_out.empty()) json["holdout"] = scores_json(encoding_of(table).outputs, run_.held_out);
  if (!run_.learning.is_null()) json["learning"] = run_.learning;
  json["seconds"] = run_.seconds ? Json(*run_.seconds) : Json(nullptr);
  json["warnings"] = report.warnings;
  if (report.left_out && report.left_out->rows > 0)
    json["warnings"].push_back(dropped_text(report.left_out->rows, report.left_out->of_rows));
  return json.dump(2);
}

std::string learning_text(const LearnedSettings& learned) {
  const LearnedTarget& target = *learned.target;
  std::string lines;
  if (learned.choice) lines += candidates_text(*learned.choice);
  const std::string& likelihood = learned.settings.model.likelihood;
  const std::string noise =
      is_gaussian(likelihood) ? "noise " + list(target.noise) : "likelihood " + likelihood;
  const std::size_t rows = target.rows.size();
  const auto& refinement = target.refinement;
  const MeanFunction& mean = target.process.mean;
  lines += fmt::format("learned on {} rows{}: {}, {}{}, log evidence{} {:.2f}\n", rows,
                       refinement ? fmt::format(" and refined on {}", refinement->rows) : "",
                       rounded(target.process.kernel),
                       mean.text() == "0" ? "" : fmt::format("mean {}, ", rounded(mean)), noise,
                       refinement ? fmt::format(" of the {}", rows) : "", target.log_evidence);
  lines += fmt::format("  {:<8}{:>14}{:>14}\n", "start", "log evidence", "with priors");
  for (std::size_t i = 0; i < target.starts.size(); ++i) {
    const LearningStart& start = target.starts[i];
    lines += start.process ? fmt::format("  {:<8}{:>14.2f}{:>14.2f}{}\n", i + 1, start.log_evidence,
                                         start.objective, i == target.best ? "  (taken)" : "")
                           : fmt::format("  {:<8}{}\n", i + 1, start.message);
  }
  if (refinement)
    lines += fmt::format(
        "  from there, on {} rows by {} inducing points: a lower bound of their log evidence rose by "
        "{:.1f}\n",
        refinement->rows, refinement->points, refinement->gain);
  lines.pop_back();
  return lines;
}

std::string choice_text(const Regression& regression, const Certificate& certificate) {
  const PriorOptions& chosen = regression.prior().options();
  return fmt::format("network: {} units on {} nodes ({}); {}", chosen.units, chosen.nodes.size(),
                     *regression.settings().model.nodes, certificate_text(certificate));
}

void tell_warnings(const FitReport& report) {
  for (const std::string& warning : report.warnings) warn(warning);
}

}  // namespace ridgelet::app
