/// The no-U-turn sampler: Hamiltonian trajectories that choose their own length, for a posterior with a normal prior.
///
/// As for elliptical slices, the posterior is proportional to N(xi; 0, I) exp(L(xi)); here L has a gradient. With
/// momenta p ~ N(0, I), the metric in which the prior is round, the energy is
///   H(xi, p) = |xi|^2 / 2 + |p|^2 / 2 - L(xi).
/// The quadratic part is solved exactly, by a rotation of (xi, p), so a step of size e is
///   p += (e/2) grad L(xi);   (xi, p) <- (xi cos e + p sin e, p cos e - xi sin e);   p += (e/2) grad L(xi).
/// It keeps volume, can be reversed, and has no error where L is constant, in any number of dimensions; leapfrog steps
/// would have to become shorter as that number grows.
///
/// A trajectory doubles forwards or backwards at random until it makes a U-turn: p . rho < 0 at either end, where rho
/// is the sum of its momenta. The same is asked of each half extended by the nearest state of the other half. The draw
/// is one of its states, with probability proportional to exp(-H), those of the last doubling preferred. A state whose
/// energy is more than 1000 above that of the start ends the trajectory: it has diverged, since steps of this size
/// cannot follow the posterior there.
///
/// Steps are as large as a mean acceptance of 0.8 allows, found by dual averaging while the chain warms up.
///
/// References: Hoffman and Gelman, "The no-U-turn sampler" (JMLR 2014), with dual averaging in Section 3.2; Betancourt,
/// "A conceptual introduction to Hamiltonian Monte Carlo" (2017), Appendix A, for multinomial draws; Shahbaba, Lan,
/// Johnson, Neal, "Split Hamiltonian Monte Carlo" (Statistics and Computing 2014), Section 3, for the rotation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ridgelet/core/random.hpp"
#include "ridgelet/inference/log_density.hpp"

namespace ridgelet {

struct NutsOptions {
  double acceptance = 0.8;     ///< mean acceptance that the step size aims at
  int most_doublings = 10;     ///< of a trajectory, which then has 1023 steps
  double energy_error = 1000;  ///< above which a trajectory has diverged
  double largest_step = 1.5;   ///< an angle; a quarter turn takes a draw of the prior to an independent one

  /// Steps of a trajectory that doubled so often and did not turn back before.
  int most_steps() const { return (1 << most_doublings) - 1; }
};

/// Dual averaging of the logarithm of the step size e, which starts at e_0. After n trajectories of mean acceptance
/// a_1, ..., a_n, with target a,
///   error     is the average of the a - a_i, the newest with weight 1 / (n + 10)
///   log e     = log(10 e_0) - sqrt(n) error / 0.05, but at most the logarithm of the largest step
///   average   is that of the log e, the newest with weight n^{-3/4}.
struct StepSize {
  double log_step = 0;
  double log_start = 0;  ///< log e_0
  double error = 0;
  double average = 0;
  double trajectories = -1;  ///< n; -1 before there is an e_0

  bool started() const { return trajectories >= 0; }
  void start(double step);
  void learn(double acceptance, const NutsOptions& options);

  /// The step size while it is being learned (e), and the one to keep afterwards (from the average).
  double current() const;
  double settled() const;
};

/// The random numbers of one trajectory.
struct NutsRandomness {
  RandomStream momentum;
  RandomStream tree;
};

/// A state of a trajectory: position and momentum, and L with its gradient there.
struct PhasePoint {
  Vector position, momentum, gradient;
  double log_density = 0;

  double energy() const { return 0.5 * (position.squaredNorm() + momentum.squaredNorm()) - log_density; }
};

/// What one trajectory was like.
struct Trajectory {
  int evaluations = 0;    ///< of the density with its gradient
  double acceptance = 0;  ///< mean over its states
  int doublings = 0;
  bool diverged = false;
};

/// A workspace: after the first trajectories of each depth, nothing is allocated.
class Nuts {
 public:
  Nuts(std::shared_ptr<DifferentiableLogDensity> density, const NutsOptions& options = {});

  /// Goes to a position, at which the next trajectory begins, and evaluates L and its gradient there.
  void move_to(const VectorView& position);

  const Vector& position() const { return here_.position; }
  double log_density() const { return here_.log_density; }

  /// A size with which a single step from here is accepted with probability near the target: halved or doubled from 0.1
  /// until the probability crosses the target, at most 20 times and never beyond the largest step.
  double reasonable_step(const RandomStream& momentum);

  /// Moves along one trajectory. If an evaluation throws, it stays where it was.
  Trajectory move(double step, const NutsRandomness& random);

  const NutsOptions& options() const { return options_; }

 private:
  /// A part of a trajectory: the momenta at its ends and their sum over it, a state drawn from it, and the logarithm of
  /// the sum of exp(H_0 - H) over it.
  struct Part {
    Vector first, last, sum;
    Vector position, gradient;
    double log_density = 0;
    double log_weight = 0;
  };

  void evaluate(PhasePoint& point);
  void advance(PhasePoint& point, double step);

  /// Makes `part` of 2^doublings steps from `end`, which moves to the last of them. False if the part turned back or
  /// diverged on the way; it has no meaning then.
  bool extend(PhasePoint& end, int doublings, double step, Part& part);
  bool single_step(PhasePoint& end, double step, Part& part);

  /// Joins two parts, in the order in which they were made; `earlier` becomes the whole. `biased` prefers the draw of
  /// the later one. False if both together have turned back.
  bool join(Part& earlier, Part& later, bool biased);

  double uniform() { return random_.tree.uniform(used_++); }

  std::shared_ptr<DifferentiableLogDensity> density_;
  NutsOptions options_;
  PhasePoint here_;

  // What belongs to the trajectory under way.
  PhasePoint forward_, backward_;
  Part whole_;
  std::vector<Part> parts_;  ///< the newest of each depth
  Vector extended_;
  NutsRandomness random_;
  std::uint64_t used_ = 0;
  double start_energy_ = 0;
  double sum_of_acceptances_ = 0;
  Trajectory trajectory_;
};

}  // namespace ridgelet
