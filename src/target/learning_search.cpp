#include "learning_search.hpp"

#include <LBFGSB.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ridgelet/core/cancellation.hpp"

namespace ridgelet {

namespace {

/// A slope, in log evidence for each unit of t, below which nothing is left to gain.
constexpr double flat = 0.02;

/// The same where a search has ended for another reason: little is left to gain, or rounding hides it.
constexpr double nearly_flat = 0.5;

/// The search also ends when `patience` evaluations have gained less than `smallest_gain`.
constexpr double smallest_gain = 0.01;
constexpr Index patience = 12;

/// Corrections that L-BFGS remembers, trials in a line search, and searches from one start, at most.
constexpr int corrections = 12, trials = 20, searches = 4;

struct OutOfEvaluations {};
struct NothingToGain {};

/// What L-BFGS minimises, -(log evidence + log priors), and the best point it has seen.
class Objective {
 public:
  Objective(const LearningSpace& space, const ProcessEvidence& evidence, const LearningOptions& options)
      : space_(space), evidence_(evidence.copy()), options_(options) {}

  double operator()(const Vector& t, Vector& gradient) {
    throw_if_cancelled();
    if (evaluations_ == options_.evaluations) throw OutOfEvaluations();
    if (evaluations_ == last_gain_ + patience) throw NothingToGain();
    ++evaluations_;
    const auto value = evidence_->at(space_.process(t), space_.noise(t), options_.parts);
    if (!value) return wall(t, gradient);
    gradient = space_.slope(*value);
    const double objective = value->log_evidence + space_.add_log_prior(t, gradient);
    if (!gradient.allFinite()) return wall(t, gradient);
    gradient = -gradient;
    if (!found_ || objective > last_level_ + smallest_gain) {
      last_level_ = objective;
      last_gain_ = evaluations_;
    }
    if (!found_ || objective > objective_) {
      found_ = true;
      best_ = t;
      best_gradient_ = gradient;
      objective_ = objective;
      log_evidence_ = value->log_evidence;
    }
    return -objective;
  }

  /// Counts evaluations without a gain anew.
  void begin_search() { last_gain_ = evaluations_; }

  bool found() const { return found_; }
  const Vector& best() const { return best_; }
  double objective() const { return objective_; }
  double log_evidence() const { return log_evidence_; }
  Index evaluations() const { return evaluations_; }

  /// The largest slope at the best point, of those that do not point out of the bounds.
  double steepest() const {
    const Vector moved = (best_ - best_gradient_).cwiseMax(space_.lower()).cwiseMin(space_.upper()) - best_;
    return moved.size() == 0 ? 0 : moved.cwiseAbs().maxCoeff();
  }

 private:
  /// Where there is no evidence in double precision the objective rises away from the best point, by a few times what
  /// the slope there promised: a line search then comes back, by a few tenths of its step at a time.
  double wall(const Vector& t, Vector& gradient) const {
    if (!found_) throw std::runtime_error("no evidence at the starting values");
    const Vector step = t - best_;
    const double height = 1 + 2 * std::abs(best_gradient_.dot(step));
    gradient = 2 * height / std::max(step.squaredNorm(), 1e-12) * step;
    return height - objective_;
  }

  const LearningSpace& space_;
  std::unique_ptr<ProcessEvidence> evidence_;
  const LearningOptions& options_;
  Vector best_, best_gradient_;
  double objective_ = 0, log_evidence_ = 0;
  double last_level_ = 0;  ///< the objective when it last rose by more than `smallest_gain`, at last_gain_
  Index evaluations_ = 0, last_gain_ = 0;
  bool found_ = false;
};

struct Ending {
  bool converged = false;
  std::string message;
};

/// L-BFGS from t. If it comes to a halt on a slope, it begins again at the best point so far, as long as that helps.
Ending maximise(Objective& objective, Vector t, const LearningSpace& space) {
  LBFGSpp::LBFGSBParam<double> settings;
  settings.m = corrections;
  settings.epsilon = flat;
  settings.epsilon_rel = 0;
  settings.max_linesearch = trials;
  std::string failure;
  for (int search = 0; search < searches; ++search) {
    objective.begin_search();
    const bool begun = objective.found();
    const double before = objective.objective();
    try {
      LBFGSpp::LBFGSBSolver<double> solver(settings);
      double value = 0;
      solver.minimize(objective, t, value, space.lower(), space.upper());
      return {.converged = true, .message = "converged"};
    } catch (const NothingToGain&) {
      failure = fmt::format("{} evaluations gained nothing", patience);
    } catch (const OutOfEvaluations&) {
      return {.converged = false,
              .message = fmt::format("stopped after {} evaluations", objective.evaluations())};
    } catch (const std::logic_error& error) {
      failure = error.what();
    } catch (const std::runtime_error& error) {
      failure = error.what();
    }
    if (!objective.found() || objective.steepest() <= nearly_flat) break;
    if (begun && !(objective.objective() > before)) break;
    t = objective.best();
  }
  if (!objective.found()) return {.converged = false, .message = "failed: " + failure};
  if (objective.steepest() <= nearly_flat) return {.converged = true, .message = "converged"};
  return {.converged = false, .message = "stopped: " + failure};
}

}  // namespace

LearningStart run_start(Vector& t, const LearningSpace& space, const ProcessEvidence& evidence,
                        const LearningOptions& options) {
  Objective objective(space, evidence, options);
  Ending ending{.converged = true, .message = "nothing to learn"};
  if (space.size() == 0) {
    Vector none;
    try {
      objective(t, none);
    } catch (const std::runtime_error& error) {
      ending = {.converged = false, .message = fmt::format("failed: {}", error.what())};
    }
  } else {
    // Where data without noise were followed at a few rows, all rows may need more of it to have a factor.
    constexpr int attempts = 4;
    constexpr double more = 10;
    ending = maximise(objective, t, space);
    for (int i = 1; !objective.found() && i < attempts; ++i) {
      t = space.with_noise_times(t, more);
      ending = maximise(objective, t, space);
    }
  }
  LearningStart start{.process = std::nullopt,
                      .noise = {},
                      .evaluations = objective.evaluations(),
                      .converged = ending.converged,
                      .message = ending.message};
  if (!objective.found()) return start;
  t = objective.best();
  start.process = space.process(t);
  start.noise = space.noise(t);
  start.log_evidence = objective.log_evidence();
  start.objective = objective.objective();
  return start;
}

std::optional<double> height_at(const Vector& t, const LearningSpace& space, ProcessEvidence& evidence) {
  const auto value =
      evidence.at(space.process(t), space.noise(t), {.kernel = false, .mean = false, .noise = false});
  Vector slope = Vector::Zero(space.size());
  return value ? std::optional(value->log_evidence + space.add_log_prior(t, slope)) : std::nullopt;
}

}  // namespace ridgelet
