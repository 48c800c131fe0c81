/// Elliptical slice sampling: a Markov chain, without a step size, for a posterior with a normal prior.
///
/// The state is xi ~ N(0, I) a priori; the posterior is proportional to N(xi; 0, I) L(xi). One step draws an
/// ellipse through the state and shrinks a bracket of angles on it until a point is likely enough. It leaves
/// the posterior invariant for any likelihood, and every step ends in finitely many evaluations of L.
///
/// Reference: Murray, Adams, MacKay, "Elliptical slice sampling" (AISTATS 2010), Figure 2.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "ridgelet/core/random.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// The random numbers of one step: the ellipse, and the level with the angles.
struct SliceRandomness {
  RandomStream ellipse;
  RandomStream slice;
};

/// Where the chain is. `ellipse` and `proposal` are the step's scratch memory.
struct SliceState {
  Vector position;
  double log_likelihood = 0;
  Vector ellipse = {};
  Vector proposal = {};
};

/// Moves the state once and returns the number of evaluations of `log_likelihood`, the last of which was at
/// the new position. Evaluations that are not a number count as impossible.
template <class LogLikelihood>
int elliptical_slice(SliceState& state, LogLikelihood&& log_likelihood, const SliceRandomness& random) {
  constexpr double vanished = 1e-14;
  constexpr double impossible = -std::numeric_limits<double>::infinity();
  const auto possible_or_not = [](double value) { return std::isnan(value) ? impossible : value; };
  std::uint64_t used = 0;
  const auto uniform = [&] { return random.slice.uniform(used++); };

  state.ellipse.resize(state.position.size());
  for (Index i = 0; i < state.ellipse.size(); ++i)
    state.ellipse(i) = random.ellipse.normal(static_cast<std::uint64_t>(i));
  const double level = possible_or_not(state.log_likelihood) + std::log(uniform());
  double angle = 2 * std::numbers::pi * uniform();
  double lower = angle - 2 * std::numbers::pi, upper = angle;

  for (int evaluations = 1;; ++evaluations) {
    state.proposal = std::cos(angle) * state.position + std::sin(angle) * state.ellipse;
    const double proposed = possible_or_not(log_likelihood(state.proposal));
    // A bracket that has shrunk to nothing has shrunk to the state itself, where the chain then stays: that
    // happens only where no proposal is possible, or where log u is lost in rounding.
    if (proposed > level || upper - lower < vanished) {
      state.position.swap(state.proposal);
      state.log_likelihood = proposed;
      return evaluations;
    }
    (angle < 0 ? lower : upper) = angle;
    angle = lower + (upper - lower) * uniform();
  }
}

}  // namespace ridgelet
