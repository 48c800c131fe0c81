#include "ridgelet/inference/elliptical_slice.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace ridgelet {

namespace {

constexpr double nothing_there = -std::numeric_limits<double>::infinity();

double evaluate(LogDensity& log_density, const Vector& xi) {
  const double value = log_density(xi);
  return std::isnan(value) ? nothing_there : value;
}

}  // namespace

int elliptical_slice(SliceState& state, LogDensity& log_density, const SliceRandomness& random) {
  std::uint64_t used = 0;
  const auto uniform = [&] { return random.slice.uniform(used++); };

  state.ellipse.resize(state.position.size());
  for (Index i = 0; i < state.ellipse.size(); ++i)
    state.ellipse(i) = random.ellipse.normal(static_cast<std::uint64_t>(i));
  const double here = std::isnan(state.log_density) ? nothing_there : state.log_density;
  const double level = here + std::log(uniform());
  double angle = 2 * std::numbers::pi * uniform();
  double lower = angle - 2 * std::numbers::pi, upper = angle;

  for (int evaluations = 1; evaluations <= most_shrinkages; ++evaluations) {
    state.proposal = std::cos(angle) * state.position + std::sin(angle) * state.ellipse;
    const double proposed = evaluate(log_density, state.proposal);
    if (proposed > level) {
      state.position.swap(state.proposal);
      state.log_density = proposed;
      return evaluations;
    }
    (angle < 0 ? lower : upper) = angle;
    angle = lower + (upper - lower) * uniform();
  }
  state.log_density = evaluate(log_density, state.position);
  return most_shrinkages + 1;
}

}  // namespace ridgelet
