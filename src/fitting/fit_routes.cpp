#include "fit_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/fitting/closed_form_fit.hpp"
#include "ridgelet/fitting/latent_fit.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"

namespace ridgelet {

namespace {

/// Warnings to which the table itself gives reason.
std::vector<std::string> warnings_about(const Regression& regression) {
  std::vector<std::string> warnings;
  const Index rows = regression.table().X.rows();
  const bool some = regression.table().whole.has_value();
  if (const Index outside = regression.rows_outside_domain(regression.table().X); outside > 0)
    warnings.push_back(
        fmt::format("{} of {} rows of the data{} lie outside of --domain, where the network "
                    "need not resemble its process",
                    outside, rows, some ? " that were looked at" : ""));
  if (some) return warnings;  // A sample says nothing of rows that repeat others.
  if (const Index repeated = repeated_rows(regression.table()); repeated > 0)
    warnings.push_back(fmt::format(
        "{} of {} rows repeat an earlier one in every column; each counts as a measurement", repeated, rows));
  return warnings;
}

std::string certificate_warning(const ChosenModel& chosen) {
  if (chosen.certificate.worst() <= large_relative_error) return "";
  return fmt::format(
      "the network follows its process to {} of its size at the data and {} between them, where 10 % is "
      "good; {}",
      percent(chosen.certificate.data), percent(chosen.certificate.between), chosen.advice);
}

/// Nodes that fill the domain were measured to help where those chosen from the data, or more units, did not.
std::string advice_on_nodes(const Regression& regression) {
  if (regression.settings().model.nodes != "data") return "more --points and --units";
  return regression.data().X.cols() <= 2 ? "--nodes grid" : "--nodes sobol";
}

/// A good network may still be far from the posterior of a process that does not expect such data: its error is a part
/// of the data's size, which may be large beside the spread that is to be explained.
std::string exact_warning(const ExactDistance& distance, const Regression& regression) {
  if (!(std::max(distance.mean, distance.sd) > large_relative_error)) return "";
  return fmt::format(
      "predictions are far from those of the exact process: means by {:.2g} and sds by {:.2g} of the "
      "response's "
      "sd, where 0.1 is little; use {}",
      distance.mean, distance.sd,
      regression.settings().model.standardise.value_or(false)
          ? advice_on_nodes(regression)
          : "--standardise, or a --mean and a kernel of the size of the response");
}

/// The largest distance between two means, in standard deviations of a prediction of the exact process, noise included.
double distance_in_sds(const Regression& regression, const Matrix& means, const ProcessMoments& exact) {
  const Vector noise = regression.data().noise.cwiseProduct(regression.output_scaling().scale);
  const Matrix sds = (exact.sd.array().square().rowwise() + noise.transpose().array().square()).sqrt();
  return (means - exact.mean).cwiseAbs().cwiseQuotient(sds).maxCoeff();
}

/// What was measured to help: a network carries a large constant less exactly than small ones. Where other nodes and
/// units were `tried` for this table, the advice on the certificate has what came of them.
std::string advice_on_means(const Regression& regression, bool tried) {
  constexpr double far_away = 10;
  const Matrix& Y = regression.data().Y;
  if ((Y.colwise().mean().transpose().cwiseAbs().array() > far_away * column_sds(Y).array()).any())
    return "--standardise, or a --mean of the size of the response";
  const std::string noise = "a --noise of the size by which the data scatter";
  return tried ? noise : advice_on_nodes(regression) + ", or " + noise;
}

/// A response of a large spread hides differences that are large beside what is left of it.
std::string sds_warning(double distance, const Regression& regression, bool tried) {
  constexpr double worth_a_warning = 0.5;
  if (!(distance > worth_a_warning)) return "";
  return fmt::format(
      "means are up to {:.2g} standard deviations of a prediction away from those of the exact process, "
      "where "
      "{} is little; use {}",
      distance, worth_a_warning, advice_on_means(regression, tried));
}

std::string mixed_warning(const MixedCost& cost) {
  return fmt::format(
      "mixed precision would move means by {:.2g} of their sd and sds by {:.2g} of themselves, where {} is "
      "nothing; the rows were passed over again in double precision",
      cost.mean, cost.sd, MixedCost::negligible_change);
}

/// Empty unless the degrees of freedom of Student's distribution ended at their lower bound.
std::string degrees_warning(const LearnedSettings& learned) {
  if (!learned.target) return "";
  const std::vector<BoundHit>& hits = learned.target->at_bounds;
  const auto hit = std::ranges::find_if(
      hits, [](const BoundHit& each) { return each.parameter == "degrees" && !each.upper; });
  if (hit == hits.end()) return "";
  return fmt::format(
      "the degrees of freedom ended at their lower bound, {:.3g}: tails may be heavier still, and the sd of "
      "new observations is set by that bound; use intervals instead, whose ends are known",
      hit->value);
}

/// Root mean square over rows and outputs of the sd between networks, relative to the process.
std::optional<double> spread_of_networks(const FittedModel& model, const Matrix& watched) {
  if (model.closed_form().networks().size() < 2) return std::nullopt;
  const Matrix means = model.closed_form().moments(watched).means;
  const Matrix centred = means.rowwise() - means.colwise().mean();
  return centred.norm() / std::sqrt(static_cast<double>(centred.size())) /
         process_sd(model.regression().prior(), watched);
}

}  // namespace

void announce(const FitHandlers& handlers, const std::string& what) {
  if (handlers.stage) handlers.stage(what);
}

void announce_choice(const FitHandlers& handlers, const ChosenModel& chosen) {
  if (handlers.chosen) handlers.chosen(*chosen.regression, chosen.certificate);
  if (handlers.advice && !chosen.advice.empty()) handlers.advice(chosen.advice);
}

Watched watched_inputs(const Regression& regression, const FitSettings& settings) {
  std::vector<Index> rows = watched_rows(regression, settings.most_watched);
  MonitoredInputs inputs{
      .paths = regression.data().X(rows, Eigen::all),
      .points = evaluation_points(regression.domain(), settings.domain_points, settings.sampling.seed)};
  return {.rows = std::move(rows), .inputs = std::move(inputs)};
}

void add_what_is_known(FitReport& report, const ChosenModel& chosen) {
  report.certificate = chosen.certificate;
  report.left_out = LeftOut{.of_rows = chosen.regression->table().row_count()};
  report.learned = findings(chosen.learned, chosen.regression->table());
  if (!chosen.taken.empty()) report.learned.push_back(chosen.taken);
  if (chosen.learned.target) report.learned_evidence = chosen.learned.target->log_evidence;
  for (std::string& warning : warnings_about(*chosen.regression))
    report.warnings.push_back(std::move(warning));
}

void add_what_is_known_and_warn(FitReport& report, const ChosenModel& chosen) {
  add_what_is_known(report, chosen);
  if (std::string warning = certificate_warning(chosen); !warning.empty())
    report.warnings.insert(report.warnings.begin(), std::move(warning));
  if (std::string warning = degrees_warning(chosen.learned); !warning.empty())
    report.warnings.push_back(std::move(warning));
}

double judged_rounding(const Regression& regression, const Watched& watched, const Matrix& means,
                       bool force) {
  const Data& data = regression.data();
  const Matrix left = data.Y(watched.rows, Eigen::all) - means;
  const double variance = std::pow(process_sd(regression.prior(), watched.inputs.paths), 2);
  const double of_all = std::sqrt(static_cast<double>(regression.table().row_count()) /
                                  static_cast<double>(watched.rows.size()));
  double worst = 0;
  for (Index k = 0; k < data.outputs(); ++k)
    worst = std::max(worst, rounding_of_mean(variance, of_all * left.col(k).norm(), data.noise(k)));
  if (!(worst < 1) && !force)
    throw InvalidArgument(
        "noise",
        fmt::format(
            "is too small beside the process for double precision: rounding moves predictions by {:.2g} "
            "of their standard deviations; use a larger one, or --force to go on",
            worst));
  return worst;
}

void add_rounding(FitReport& report, double rounding) {
  report.rounding = rounding;
  if (!(rounding < visible_rounding))
    report.warnings.push_back(
        fmt::format("rounding moves predictions by up to {:.1g} of their standard "
                    "deviations; a larger --noise leaves more digits",
                    rounding));
}

void add_distance_from_exact(FitReport& report, const FittedModel& model, const FitView& view) {
  if (!view.target.posterior) return;
  const PredictiveSummary ours = model.predict(view.watched, {.noise = false});
  const Vector scale = column_sds(model.regression().table().Y);
  const auto relative = [&](const Matrix& network, const Matrix& exact) {
    const Matrix difference = (network - exact).array().rowwise() / scale.transpose().array();
    return difference.norm() / std::sqrt(static_cast<double>(difference.size()));
  };
  report.from_exact = ExactDistance{.mean = relative(ours.mean, view.target.posterior->mean),
                                    .sd = relative(ours.sd, view.target.posterior->sd)};
  std::string warning = exact_warning(*report.from_exact, model.regression());
  if (warning.empty())
    warning = sds_warning(distance_in_sds(model.regression(), ours.mean, *view.target.posterior),
                          model.regression(), report.certificate.worst() > large_relative_error);
  if (!warning.empty()) report.warnings.push_back(std::move(warning));
}

namespace {

/// Whether noise or an amplitude ended at a bound of learning.
bool has_scale_at_bound(const LearnedTarget& target) {
  const std::vector<KernelParameter> parameters = target.process.kernel.parameters();
  return std::ranges::any_of(target.at_bounds, [&](const BoundHit& hit) {
    const auto found = std::ranges::find(parameters, hit.parameter, &KernelParameter::name);
    return found == parameters.end() ? hit.parameter.starts_with("noise")
                                     : found->unit == ParameterUnit::response;
  });
}

/// Says why the network's noise may lie beyond a bound at which learning ended.
void add_polishing(FitReport& report, const LearnedSettings& learned, const Vector& noise) {
  if (!learned.target || !has_scale_at_bound(*learned.target)) return;
  std::vector<std::string> numbers;
  for (const double each : noise) numbers.push_back(fmt::format("{:.3g}", each));
  report.learned.push_back(
      "noise and amplitudes were then polished for the network, also beyond their bounds: noise " +
      join(numbers));
}

}  // namespace

Fit fit_fixed(const ChosenModel& chosen, const TableRows* rows_of_all, const FitSettings& settings,
              const FitHandlers& handlers) {
  announce_choice(handlers, chosen);
  announce(handlers, "passing over the rows");
  const ClosedFormSettings how{.networks = settings.networks,
                               .polish_noise = chosen.learned.noise,
                               .polish_amplitude = chosen.learned.kernel,
                               .priors = settings.learning.priors,
                               .seed = settings.sampling.seed,
                               .arithmetic = settings.arithmetic,
                               .progress = handlers.progress};
  const ClosedFormFit closed = rows_of_all ? fit_closed_form(chosen.regression, *rows_of_all, how)
                                           : fit_closed_form(chosen.regression, how);
  announce(handlers, "judging the fit");
  FitReport report{.certificate = {}, .log_evidence = 0, .converged = true};
  for (const ClosedFormNetwork& network : closed.posterior->networks())
    *report.log_evidence += network.log_evidence / static_cast<double>(settings.networks);
  add_what_is_known_and_warn(report, chosen);
  add_polishing(report, chosen.learned, closed.regression->data().noise);
  const Watched watched = watched_inputs(*closed.regression, settings);
  const Matrix means = closed.posterior->moments(watched.inputs.paths).means.colwise().mean();
  add_rounding(report, judged_rounding(
                           *closed.regression, watched,
                           means.reshaped(watched.inputs.paths.rows(), closed.regression->data().outputs()),
                           settings.force));
  report.mixed = closed.mixed;
  if (closed.mixed && !closed.mixed->negligible()) report.warnings.push_back(mixed_warning(*closed.mixed));
  FittedModel model(closed.regression, closed.posterior, report);
  FitView view = view_fit(model, watched.rows, watched.inputs);
  report.spread = spread_of_networks(model, watched.inputs.paths);
  add_distance_from_exact(report, model, view);
  model.set_report(std::move(report));
  return {.model = std::move(model), .view = std::move(view)};
}

namespace {

/// Hidden layers drawn from q, and functions drawn for each.
LatentFit latent_by_normal(const Regression& regression, const FitSettings& settings,
                           const FitHandlers& handlers, FitReport& report) {
  constexpr Index most_networks = 50;
  const RidgeletPrior& prior = regression.prior();
  const Index side_by_side = team_size(settings.variational.draws);
  require_memory(static_cast<double>(side_by_side) *
                     (LatentMode::bytes(regression.data().rows(), prior.rank(), regression.functions()) +
                      prior.output_bytes() + prior.pull_back_bytes(regression.data().rows())),
                 "draws", fmt::format("{} gradients side by side", side_by_side));
  const VariationalFit found = closest_normal(
      [&] {
        return std::make_shared<LaplaceDensity>(regression.shared_prior(), regression.shared_latent_data());
      },
      settings, handlers);
  add_elbo(report, found);
  announce(handlers, "drawing functions");
  LatentFit fit = draw_latent(regression, found.q, std::min(settings.sampling.draws, most_networks),
                              settings.latent, settings.sampling.seed);
  const Matrix compared = compared_rows(regression);
  const PosteriorDraws chains =
      short_chains(SampledPosterior::latent(regression.shared_prior(), regression.shared_latent_data()),
                   compared, settings, handlers);
  const Matrix of_chains = sampled_networks(regression, chains)->functions_at(compared);
  add_distance_from_chains(
      report, distance_from_chains(fit.posterior->functions_at(compared), of_chains, chains.chains));
  return fit;
}

LatentFit latent_posterior(const Regression& regression, const FitSettings& settings,
                           const FitHandlers& handlers, FitReport& report) {
  if (settings.hidden == HiddenLayersAre::fixed) {
    announce(handlers, "going to the mode");
    return fit_latent(regression, settings.networks, settings.latent, settings.sampling.seed);
  }
  return latent_by_normal(regression, settings, handlers, report);
}

}  // namespace

Fit fit_latent_responses(const ChosenModel& chosen, const FitSettings& settings,
                         const FitHandlers& handlers) {
  announce_choice(handlers, chosen);
  FitReport report{.certificate = {}, .converged = true};
  const LatentFit latent = latent_posterior(*chosen.regression, settings, handlers, report);
  announce(handlers, "judging the fit");
  if (settings.hidden == HiddenLayersAre::fixed) report.log_evidence = latent.log_evidence;
  report.laplace = latent.laplace;
  report.converged = report.converged && latent.warnings.empty();
  report.warnings.insert(report.warnings.end(), latent.warnings.begin(), latent.warnings.end());
  add_what_is_known_and_warn(report, chosen);
  const auto [rows, inputs] = watched_inputs(*chosen.regression, settings);
  FittedModel model(chosen.regression, latent.posterior, std::move(report));
  FitView view = view_fit(model, rows, inputs);
  return {.model = std::move(model), .view = std::move(view)};
}

}  // namespace ridgelet
