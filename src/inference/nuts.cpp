#include "ridgelet/inference/nuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ridgelet/core/cancellation.hpp"

namespace ridgelet {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// log(e^a + e^b).
double log_sum(double a, double b) {
  const double larger = std::max(a, b);
  return larger == -infinity ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

void draw_momentum(PhasePoint& point, const RandomStream& stream) {
  point.momentum.resize(point.position.size());
  for (Index i = 0; i < point.momentum.size(); ++i)
    point.momentum(i) = stream.normal(static_cast<std::uint64_t>(i));
}

/// Whether a part of a trajectory with these momenta at its ends still moves apart.
bool moves_apart(const Vector& first, const Vector& last, const Vector& sum) {
  return first.dot(sum) > 0 && last.dot(sum) > 0;
}

}  // namespace

void StepSize::start(double step) {
  *this = {};
  trajectories = 0;
  log_step = log_start = average = std::log(step);
}

void StepSize::learn(double acceptance, const NutsOptions& options) {
  constexpr double shrinkage = 0.05, delay = 10, forgetting = 0.75;
  ++trajectories;
  const double newest = 1 / (trajectories + delay), weight = std::pow(trajectories, -forgetting);
  error = (1 - newest) * error + newest * (options.acceptance - acceptance);
  const double centre = log_start + std::log(10);
  log_step = std::min(centre - std::sqrt(trajectories) * error / shrinkage, std::log(options.largest_step));
  average = weight * log_step + (1 - weight) * average;
}

double StepSize::current() const {
  return std::exp(log_step);
}

double StepSize::settled() const {
  return std::exp(average);
}

Nuts::Nuts(std::shared_ptr<DifferentiableLogDensity> density, const NutsOptions& options)
    : density_(std::move(density)),
      options_(options),
      parts_(static_cast<std::size_t>(options.most_doublings)) {}

void Nuts::evaluate(PhasePoint& point) {
  throw_if_cancelled();
  point.gradient.resize(point.position.size());
  point.log_density = density_->value_and_gradient(point.position, point.gradient);
  if (std::isnan(point.log_density)) point.log_density = -infinity;
}

void Nuts::move_to(const VectorView& position) {
  here_.position = position;
  evaluate(here_);
}

void Nuts::advance(PhasePoint& point, double step) {
  const double cosine = std::cos(step), sine = std::sin(step);
  point.momentum += step / 2 * point.gradient;
  for (Index i = 0; i < point.position.size(); ++i) {
    const double x = point.position(i), p = point.momentum(i);
    point.position(i) = cosine * x + sine * p;
    point.momentum(i) = cosine * p - sine * x;
  }
  evaluate(point);
  point.momentum += step / 2 * point.gradient;
}

double Nuts::reasonable_step(const RandomStream& momentum) {
  constexpr int most_trials = 20;
  constexpr double first = 0.1;
  const auto accepted = [&](double step) {
    forward_ = here_;
    draw_momentum(forward_, momentum);
    const double before = forward_.energy();
    advance(forward_, step);
    return before - forward_.energy() > std::log(options_.acceptance);
  };
  const bool grows = accepted(first);
  double step = first;
  for (int trial = 0; trial < most_trials; ++trial) {
    const double next = grows ? 2 * step : step / 2;
    if (next > options_.largest_step) return step;
    const bool well = accepted(next);
    if (well != grows) return grows ? step : next;
    step = next;
  }
  return step;
}

bool Nuts::single_step(PhasePoint& end, double step, Part& part) {
  advance(end, step);
  ++trajectory_.evaluations;
  const double difference = end.energy() - start_energy_;
  const double error = std::isnan(difference) ? infinity : difference;
  sum_of_acceptances_ += std::min(1.0, std::exp(-error));
  trajectory_.diverged = error > options_.energy_error;
  if (trajectory_.diverged) return false;
  part.first = part.last = part.sum = end.momentum;
  part.position = end.position;
  part.gradient = end.gradient;
  part.log_density = end.log_density;
  part.log_weight = -error;
  return true;
}

bool Nuts::extend(PhasePoint& end, int doublings, double step, Part& part) {
  if (doublings == 0) return single_step(end, step, part);
  Part& second = parts_[static_cast<std::size_t>(doublings - 1)];
  return extend(end, doublings - 1, step, part) && extend(end, doublings - 1, step, second) &&
         join(part, second, false);
}

bool Nuts::join(Part& earlier, Part& later, bool biased) {
  const double both = log_sum(earlier.log_weight, later.log_weight);
  const double share = later.log_weight - (biased ? earlier.log_weight : both);
  if (std::log(uniform()) < share) {
    earlier.position.swap(later.position);
    earlier.gradient.swap(later.gradient);
    earlier.log_density = later.log_density;
  }
  earlier.log_weight = both;
  // Each half with the nearest state of the other: trajectories that turn back between the two are noticed too.
  extended_ = earlier.sum + later.first;
  bool apart = moves_apart(earlier.first, later.first, extended_);
  extended_ = later.sum + earlier.last;
  apart = apart && moves_apart(earlier.last, later.last, extended_);
  earlier.sum += later.sum;
  earlier.last.swap(later.last);
  return apart && moves_apart(earlier.first, earlier.last, earlier.sum);
}

Trajectory Nuts::move(double step, const NutsRandomness& random) {
  random_ = random;
  used_ = 0;
  trajectory_ = {};
  sum_of_acceptances_ = 0;
  forward_ = here_;
  draw_momentum(forward_, random.momentum);
  backward_ = forward_;
  start_energy_ = forward_.energy();
  whole_.first = whole_.last = whole_.sum = forward_.momentum;
  whole_.position = here_.position;
  whole_.gradient = here_.gradient;
  whole_.log_density = here_.log_density;
  whole_.log_weight = 0;
  for (bool goes_on = true; goes_on && trajectory_.doublings < options_.most_doublings;) {
    const bool forwards = uniform() < 0.5;
    // A part that is joined at the back was made after the whole; in that order the whole runs the other way round.
    if (!forwards) whole_.first.swap(whole_.last);
    Part& part = parts_.back();
    goes_on = extend(forwards ? forward_ : backward_, trajectory_.doublings, forwards ? step : -step, part) &&
              join(whole_, part, true);
    if (!forwards) whole_.first.swap(whole_.last);
    ++trajectory_.doublings;
  }
  here_.position.swap(whole_.position);
  here_.gradient.swap(whole_.gradient);
  here_.log_density = whole_.log_density;
  trajectory_.acceptance = sum_of_acceptances_ / trajectory_.evaluations;
  return trajectory_;
}

}  // namespace ridgelet
