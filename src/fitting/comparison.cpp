#include "ridgelet/fitting/comparison.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/fitting/closed_form_fit.hpp"
#include "ridgelet/fitting/exact_process.hpp"
#include "ridgelet/prior/iid_prior.hpp"

namespace ridgelet {

namespace {

/// Where the search for the noise of the i.i.d. network starts, on standardised responses; it spans a factor of 100
/// either way.
constexpr double starting_noise = 0.1;

/// The fit, and on the way to it the process before its scales were polished for the network.
struct ObservedFit {
  std::optional<Fit> fitted;
  std::shared_ptr<const Regression> learned;
  double seconds_of_learning = 0;
};

ObservedFit observe_fit(const RegressionTable& table, const FitSettings& settings,
                        const FitHandlers& handlers) {
  ObservedFit seen;
  const Stopwatch watch;
  FitHandlers watching = handlers;
  watching.learned = [&](const LearnedSettings& learned) {
    seen.seconds_of_learning = watch.seconds();
    if (handlers.learned) handlers.learned(learned);
  };
  watching.chosen = [&](const Regression& chosen, const Certificate& certificate) {
    seen.learned = std::make_shared<const Regression>(chosen.settings(), chosen.table(), chosen.stored());
    if (handlers.chosen) handlers.chosen(chosen, certificate);
  };
  seen.fitted = fit(table, settings, watching);
  return seen;
}

/// The mixture of one component that has these moments, with the noise added.
PredictiveMixture with_noise(const ProcessMoments& moments, const Vector& noise) {
  const Matrix sd =
      (moments.sd.array().square().rowwise() + noise.transpose().array().square()).sqrt().matrix();
  return {.means = moments.mean.reshaped().transpose(), .sds = sd.reshaped().transpose()};
}

std::optional<PredictiveMixture> exact_answer(const Regression& regression, const Matrix& Xs,
                                              Index most_rows) {
  const std::optional<ProcessMoments> moments =
      process_given_data(regression, regression.input_scaling().apply(Xs), most_rows);
  if (!moments) return std::nullopt;
  return with_noise(*moments, regression.data().noise.cwiseProduct(regression.output_scaling().scale));
}

IidPrior iid_prior(Index units, Index inputs, const Activation& activation, double amplitude) {
  return IidPrior({.activation = activation,
                   .units = units,
                   .dimension = inputs,
                   .hidden = {.sigma_w = 1, .sigma_b = 1},
                   .sigma_out = amplitude / std::sqrt(static_cast<double>(units))});
}

PredictiveMixture iid_answer(const RegressionTable& table, const Matrix& Xs, Index units,
                             const Activation& activation, std::uint64_t seed) {
  const Scaling inputs = Scaling::standardising(table.X), outputs = Scaling::standardising(table.Y);
  const Index d = table.X.cols(), K = table.Y.cols();
  const Data data{
      .X = inputs.apply(table.X), .Y = outputs.apply(table.Y), .noise = Vector::Constant(K, starting_noise)};
  const IidPrior prior = iid_prior(units, d, activation, 1);
  ConditionedNetworks networks;
  networks.push_back(prior.make_output());
  (void)networks.front()->condition(prior.hidden().draw(units, d, seed));
  PolishedNetworks polished =
      polished_networks(networks, tiles_of(data, CollapsedLikelihood::default_row_block), data.noise,
                        column_sds(data.Y), 1, {.polish_noise = true, .polish_amplitude = true});
  const ClosedFormPosterior posterior(
      std::make_shared<const IidPrior>(iid_prior(units, d, activation, polished.scales.amplitude)),
      polished.scales.noise, MeanFunction("0"), std::move(polished.networks));
  const PredictiveSummary latent = posterior.predict(inputs.apply(Xs), {.noise = false});
  return with_noise({.mean = outputs.undo(latent.mean),
                     .sd = latent.sd.array().rowwise() * outputs.scale.transpose().array()},
                    polished.scales.noise.cwiseProduct(outputs.scale));
}

/// The other two models know no other noise.
void require_gaussian(const std::string& likelihood) {
  if (!is_gaussian(likelihood))
    throw InvalidArgument("likelihood",
                          "must be gaussian in a comparison, got '" + likelihood +
                              "'; fit with --holdout 0.1 instead, which scores the rows it keeps back");
}

}  // namespace

Comparison compare(const RegressionTable& table, const ComparisonSettings& settings,
                   const FitHandlers& handlers) {
  const auto announce = [&](const std::string& what) {
    if (handlers.stage) handlers.stage(what);
  };
  require_gaussian(chosen_likelihood(settings.fit.regression.model, encoding_of(table)));
  const TableSplit split = hold_out(table, settings.holdout, settings.fit.sampling.seed);
  Comparison result{.responses = encoding_of(table).outputs,
                    .rows = split.fitted.X.rows(),
                    .held_out = split.held_out.X.rows()};
  const Stopwatch of_fit;
  const ObservedFit seen = observe_fit(split.fitted, settings.fit, handlers);
  const FittedModel& model = seen.fitted->model;
  ComparedModel ridgelet{.model = "ridgelet", .scores = score_at(model, split.held_out)};
  ridgelet.seconds = of_fit.seconds();
  result.units = model.regression().prior().units();
  result.warnings = model.report().warnings;

  if (result.rows <= settings.most_process_rows) announce("conditioning the exact process");
  const Stopwatch of_process;
  if (const auto exact = exact_answer(*seen.learned, split.held_out.X, settings.most_process_rows))
    result.models.push_back({.model = "gp",
                             .seconds = seen.seconds_of_learning + of_process.seconds(),
                             .scores = score_of(*exact, split.held_out)});
  announce("fitting the network with independent weights");
  const Stopwatch of_iid;
  const PredictiveMixture iid =
      iid_answer(split.fitted, split.held_out.X, result.units, model.regression().prior().activation(),
                 settings.fit.sampling.seed);
  result.models.push_back(
      {.model = "iid", .seconds = of_iid.seconds(), .scores = score_of(iid, split.held_out)});
  result.models.push_back(std::move(ridgelet));
  return result;
}

}  // namespace ridgelet
