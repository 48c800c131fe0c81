/// Elliptical slice sampling: a Markov chain, without a step size, for a posterior with a normal prior.
///
/// The state is xi ~ N(0, I) a priori; the posterior is proportional to N(xi; 0, I) exp(L(xi)). One step draws
/// an ellipse through the state and shrinks a bracket of angles on it until a point is likely enough. It leaves
/// the posterior invariant for any L, and every step ends in finitely many evaluations of it.
///
/// Reference: Murray, Adams, MacKay, "Elliptical slice sampling" (AISTATS 2010), Figure 2.
#pragma once

#include "ridgelet/core/random.hpp"
#include "ridgelet/inference/log_density.hpp"

namespace ridgelet {

/// The random numbers of one step: the ellipse, and the level with the angles.
struct SliceRandomness {
  RandomStream ellipse;
  RandomStream slice;
};

/// Where the chain is. `ellipse` and `proposal` are the step's scratch memory.
struct SliceState {
  Vector position;
  double log_density = 0;
  Vector ellipse = {};
  Vector proposal = {};
};

/// Shrinkages after which a step gives up and stays where it is. A bracket shrinks by a factor of e^{1/2} or so
/// on average, so after this many nothing of it is left beside the state in double precision: that happens only
/// where no proposal is possible, or where the level is the state's own to the last digit.
inline constexpr int most_shrinkages = 100;

/// Moves the state once and returns the number of evaluations of `log_density`, the last of which was at the
/// new position. Evaluations that are not a number count as impossible.
int elliptical_slice(SliceState& state, LogDensity& log_density, const SliceRandomness& random);

}  // namespace ridgelet
