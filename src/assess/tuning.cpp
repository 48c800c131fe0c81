#include "ridgelet/assess/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "root_mean_square.hpp"

namespace ridgelet {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Index hidden_layers_of_a_trial = 2;
constexpr Index most_units_chosen = 2000;  ///< by doubling
/// Where no width is good, the narrowest whose error is within this factor of the least is taken.
constexpr double hardly_worse = 1.05;
/// Errors within this factor count as equal, and the larger ridge, with its smaller weights, is taken.
constexpr double as_good = 1.02;

/// The model on the first of the nodes, in the order of how much they say about the process.
PriorOptions on_fewer_nodes(const TuningRequest& request, const FactorAtPoints& factor) {
  PriorOptions model = request.model;
  const Index D = model.nodes.size();
  if (request.units) model.units = width_for(factor.rank());
  model.units = std::min(model.units, request.most_units);
  if (D <= request.most_nodes) return model;
  std::vector<Index> chosen;
  for (const Index pivot : factor.pivots)
    if (static_cast<Index>(chosen.size()) < request.most_nodes &&
        std::ranges::find(chosen, pivot) == chosen.end() && model.nodes.weights(pivot) > 0)
      chosen.push_back(pivot);
  model.nodes = {.points = Matrix(model.nodes.points(chosen, Eigen::all)),
                 .weights = Vector(model.nodes.weights(chosen))};
  const double part = static_cast<double>(chosen.size()) / static_cast<double>(D);
  model.units = request.units ? width_for(static_cast<Index>(chosen.size()))
                              : std::max<Index>(1, std::lround(part * static_cast<double>(model.units)));
  return model;
}

/// The model with the numbers of a trial, as far as they are free.
PriorOptions with_trial(PriorOptions model, const TuningRequest& request, const TuningTrial& trial) {
  if (request.sigma_w)
    model.hidden.sigma_w = sigma_w_for(model.target.kernel, request.half_widths, trial.factor);
  if (request.sigma_b) model.hidden.sigma_b = sigma_b_for(model.hidden.sigma_w, request.half_widths);
  if (request.ridge) model.op.ridge = trial.ridge;
  return model;
}

std::vector<TuningTrial> trials_of(const TuningRequest& request) {
  const bool scales = request.sigma_w || request.sigma_b;
  std::vector<TuningTrial> trials;
  for (const double c : scales ? request.factors : std::vector<double>{1})
    for (const double ridge : request.ridge ? request.ridges : std::vector<double>{request.model.op.ridge})
      trials.push_back({.factor = c, .ridge = ridge});
  return trials;
}

/// The error of networks beyond the kriging floor, at each point.
Vector excess_errors(const RidgeletPrior& prior, const ProcessAtPoints::Kriging& kriging,
                     const Matrix& points, std::uint64_t seed) {
  const RidgeletPrior::Kriging above{.coordinates = kriging.coordinates,
                                     .floor = Vector::Zero(points.rows())};
  const Vector mean = prior.options().target.mean(points);
  Vector squares = Vector::Zero(points.rows());
  for (std::uint32_t i = 0; i < hidden_layers_of_a_trial; ++i)
    squares += rmse_of(GivenHidden(prior, seed, i).output(points), above, mean).cwiseAbs2();
  return (squares / static_cast<double>(hidden_layers_of_a_trial)).cwiseSqrt();
}

TuningTrial best_of(const std::vector<TuningTrial>& trials) {
  const auto least = std::ranges::min_element(trials, {}, &TuningTrial::error);
  TuningTrial best = *least;
  for (const TuningTrial& trial : trials)
    if (trial.error <= as_good * least->error && trial.ridge > best.ridge) best = trial;
  return best;
}

/// Trials of one model: the process at its nodes, and what it says of the points held out, are computed once.
class Trials {
 public:
  Trials(const TuningRequest& request, PriorOptions model, std::optional<FactorAtPoints> factor)
      : request_(request),
        first_(std::move(model), std::move(factor)),
        kriging_(first_.kriging(request.held_out)) {}

  /// The trials with their errors.
  std::vector<TuningTrial> run(std::vector<TuningTrial> trials) const {
    parallel_for(static_cast<Index>(trials.size()), [&](Index i) {
      TuningTrial& trial = trials[static_cast<std::size_t>(i)];
      trial.error = error(trial);
    });
    return trials;
  }

  /// Throws the reason why a trial has no network.
  void explain(const TuningTrial& trial) const { error_of(trial); }

 private:
  double error(const TuningTrial& trial) const {
    try {
      const double relative = error_of(trial);
      return std::isfinite(relative) ? relative : infinite;
    } catch (const InvalidArgument&) {
      return infinite;
    }
  }

  double error_of(const TuningTrial& trial) const {
    const RidgeletPrior prior(with_trial(first_.options(), request_, trial), first_.node_factor());
    return root_mean_square(excess_errors(prior, kriging_, request_.held_out, request_.seed)) /
           process_sd(first_, request_.held_out);
  }

  const TuningRequest& request_;
  RidgeletPrior first_;
  RidgeletPrior::Kriging kriging_;
};

/// More nodes resolve more, and call for larger bandwidths: starts from the best on few nodes, and goes up as long as
/// that helps.
TuningTrial climb(const Trials& all, TuningTrial best, const TuningRequest& request,
                  std::vector<TuningTrial>& made) {
  best = all.run({best}).front();
  made.push_back(best);
  for (const double factor : request.factors) {
    if (factor <= best.factor) continue;
    const TuningTrial next = all.run({{.factor = factor, .ridge = best.ridge}}).front();
    made.push_back(next);
    if (next.error >= best.error) break;
    best = next;
  }
  return best;
}

}  // namespace

Bandwidth sigma_w_for(const Kernel& kernel, const VectorView& half_widths, double c) {
  const Vector lengths = shortest_lengthscales(kernel, half_widths.size());
  std::vector<double> sigma_w;
  for (Index k = 0; k < half_widths.size(); ++k)
    sigma_w.push_back(c / (std::isfinite(lengths(k)) ? lengths(k) : half_widths(k)));
  return sigma_w;
}

double sigma_b_for(const Bandwidth& sigma_w, const VectorView& half_widths) {
  double reach = 1;
  for (Index k = 0; k < half_widths.size(); ++k) reach += std::pow(sigma_w[k] * half_widths(k), 2);
  return std::sqrt(reach);
}

Index width_for(Index rank) {
  return std::max<Index>(50, 2 * rank);
}

PriorOptions Tuned::applied_to(PriorOptions model) const {
  model.hidden = hidden;
  model.op.ridge = ridge;
  model.units = units;
  return model;
}

double error_of_width(const TuningRequest& request, const FactorAtPoints& factor, const Tuned& tuned) {
  const RidgeletPrior prior(tuned.applied_to(request.model), factor);
  const RidgeletPrior::Kriging kriging = prior.kriging(request.held_out);
  const Vector errors = excess_errors(prior, kriging, request.held_out, request.seed);
  const Vector sd = prior.options().target.kernel.diagonal(request.held_out).cwiseSqrt();
  const auto told = 2 * kriging.floor.array() < errors.array().min(sd.array());
  const Vector of_width = told.select(errors, 0);
  return root_mean_square(of_width) / process_sd(prior, request.held_out);
}

Index widen(const TuningRequest& request, const FactorAtPoints& factor, Tuned tuned) {
  std::vector<Index> widths;
  std::vector<double> errors;
  for (;; tuned.units *= 2) {
    widths.push_back(tuned.units);
    errors.push_back(error_of_width(request, factor, tuned));
    if (errors.back() <= request.good_error) return tuned.units;
    if (2 * tuned.units > most_units_chosen) break;
  }
  const double enough = hardly_worse * std::ranges::min(errors);
  const auto narrowest = std::ranges::find_if(errors, [&](double error) { return error <= enough; });
  return narrowest == errors.end() ? widths.front()
                                   : widths[static_cast<std::size_t>(narrowest - errors.begin())];
}

Tuned tune(const TuningRequest& request, const FactorAtPoints& factor) {
  require_rows(request.half_widths, request.model.nodes.dimension(), "half_widths");
  require_nonempty(request.held_out, "held_out");
  Tuned tuned{.hidden = request.model.hidden,
              .ridge = request.model.op.ridge,
              .units = request.units ? width_for(factor.rank()) : request.model.units,
              .trials = {}};
  if (!request.sigma_w && !request.sigma_b && !request.ridge) return tuned;
  const Trials few(request, on_fewer_nodes(request, factor), std::nullopt);
  tuned.trials = few.run(trials_of(request));
  TuningTrial best = best_of(tuned.trials);
  if (request.model.nodes.size() > request.most_nodes && best.error < infinite) {
    PriorOptions all = request.model;
    all.units = std::min(tuned.units, request.most_units);
    best = climb(Trials(request, all, factor), best, request, tuned.trials);
  }
  if (best.error == infinite) {
    few.explain(best);
    throw InvalidArgument("kernel", "no network of any bandwidth follows '" +
                                        request.model.target.kernel.text() +
                                        "' in double precision; look at its parameters");
  }
  const PriorOptions chosen = with_trial(request.model, request, best);
  tuned.hidden = chosen.hidden;
  tuned.ridge = chosen.op.ridge;
  return tuned;
}

}  // namespace ridgelet
