#include "ridgelet/target/learning.hpp"

#include <LBFGSB.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "learning_space.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/laplace_evidence.hpp"

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

/// Climbs from t, and moves t to where that ended.
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

void validate(const LearningOptions& options) {
  require_at_least(options.rows, 2, "learn_rows");
  require_at_least(options.starts, 1, "starts");
  require_at_least(options.evaluations, 1, "evaluations");
}

}  // namespace

std::vector<Index> learning_rows(Index n, Index rows, std::uint64_t seed) {
  return RandomStream{.seed = seed, .purpose = Purpose::learning_rows}.subset(n, rows);
}

namespace {

std::vector<Index> all_of(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<Index> evenly_spaced(Index rows, Index count) {
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) chosen.push_back(i * rows / count);
  return chosen;
}

/// Runs the starts `which` from their places. Ranks share the starts in turn, and each rank fills in where those of the
/// others ended. The result is in the order of `which`.
std::vector<LearningStart> run_starts(std::vector<Vector>& places, const std::vector<Index>& which,
                                      const LearningSpace& space, const ProcessEvidence& evidence,
                                      const LearningOptions& options) {
  const Ranks& ranks = options.ranks ? *options.ranks : alone();
  const auto place = [&](std::size_t k) -> Vector& { return places[static_cast<std::size_t>(which[k])]; };
  std::vector<LearningStart> ends(which.size());
  std::vector<std::size_t> mine;
  for (auto k = static_cast<std::size_t>(ranks.rank()); k < which.size();
       k += static_cast<std::size_t>(ranks.size()))
    mine.push_back(k);
  const auto run_mine = [&] {
    std::mutex reporting;
    Index done = 0;
    const auto count = static_cast<Index>(mine.size());
    parallel_for(count, [&](Index i) {
      const std::size_t k = mine[static_cast<std::size_t>(i)];
      ends[k] = run_start(place(k), space, evidence, options);
      const std::lock_guard lock(reporting);
      ++done;
      if (options.progress) options.progress(done, count);
    });
  };
  if (ranks.size() == 1) {
    run_mine();
    return ends;
  }
  const auto packed_mine = [&] {
    run_mine();
    Packer packer;
    for (const std::size_t k : mine) {
      packer.put(k);
      packer.put(ends[k].process.has_value());
      packer.put_matrix(place(k));
      packer.put(ends[k].log_evidence);
      packer.put(ends[k].objective);
      packer.put(ends[k].evaluations);
      packer.put(ends[k].converged);
      packer.put_text(ends[k].message);
    }
    return packer.take();
  };
  const std::string all =
      ranks.shared(packed_mine, [](std::string earlier, std::string later) { return earlier + later; });
  for (Unpacker unpacker(all); !unpacker.at_end();) {
    const auto k = unpacker.get<std::size_t>();
    const bool found = unpacker.get<bool>();
    place(k) = unpacker.get_matrix();
    LearningStart& end = ends[k];
    end.log_evidence = unpacker.get<double>();
    end.objective = unpacker.get<double>();
    end.evaluations = unpacker.get<Index>();
    end.converged = unpacker.get<bool>();
    end.message = unpacker.get_text();
    if (!found) continue;
    end.process = space.process(place(k));
    end.noise = space.noise(place(k));
  }
  return ends;
}

/// Whether the starts should first look for their modes at fewer rows.
bool thinning_pays(const ProcessEvidence& evidence, const LearningSpace& space,
                   const LearningOptions& options) {
  constexpr Index fewest_inputs = 3;
  return options.thinned_rows > 0 && evidence.X().rows() >= 2 * options.thinned_rows &&
         evidence.X().cols() >= fewest_inputs && options.starts > 1 && space.size() > 0;
}

/// For each start, its leader: the first one that ended at the same height, itself or an earlier one.
std::vector<Index> leaders_of(const std::vector<LearningStart>& ends) {
  constexpr double same_height = 0.02;
  std::vector<Index> leaders;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    std::size_t leader = 0;
    const auto same = [&](std::size_t j) {
      return ends[i].process && ends[j].process &&
             std::abs(ends[i].objective - ends[j].objective) < same_height;
    };
    while (leader < i && !same(leader)) ++leader;
    leaders.push_back(static_cast<Index>(leader));
  }
  return leaders;
}

/// More rows may have a mode that few rows do not show. The first start that met another on the thinned rows is
/// therefore run from its beginning on twice as many, beside the one that it met; where it ends higher, it goes on by
/// itself.
void begin_one_anew(std::vector<Index>& leaders, std::vector<Vector>& places, const LearningSpace& space,
                    const ProcessEvidence& evidence, const LearningOptions& options) {
  const auto met =
      std::ranges::find_if(leaders, [&](const Index& leader) { return leader != &leader - leaders.data(); });
  if (met == leaders.end()) return;
  const auto own = static_cast<std::size_t>(met - leaders.begin()), other = static_cast<std::size_t>(*met);
  const Index rows = std::min(2 * options.thinned_rows, evidence.X().rows());
  const std::unique_ptr<ProcessEvidence> more = evidence.of_rows(evenly_spaced(evidence.X().rows(), rows));
  std::vector<Vector> both{space.start(static_cast<Index>(own)), places[other]};
  const std::vector<LearningStart> ends = run_starts(both, {0, 1}, space, *more, options);
  if (!ends[0].process || (ends[1].process && ends[0].objective < ends[1].objective + worth_mentioning))
    return;
  *met = static_cast<Index>(own);
  places[own] = both[0];
}

/// Enters where the starts `apart`, which were run on, have ended; every other start ends where its leader does.
void follow(std::vector<LearningStart>& ends, const std::vector<LearningStart>& run_on,
            const std::vector<Index>& apart, const std::vector<Index>& leaders, std::vector<Vector>& places) {
  for (std::size_t k = 0; k < apart.size(); ++k) {
    LearningStart& end = ends[static_cast<std::size_t>(apart[k])];
    const Index before = end.evaluations;
    end = run_on[k];
    end.evaluations += before;
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto leader = static_cast<std::size_t>(leaders[i]);
    if (leader == i) continue;
    const Index evaluations = ends[i].evaluations;
    ends[i] = ends[leader];
    ends[i].evaluations = evaluations;
    ends[i].message = fmt::format("met start {} at fewer rows", leader + 1);
    places[i] = places[leader];
  }
}

}  // namespace

namespace {

/// The starts of one evidence, which is that of the rows `rows`.
LearnedTarget climb(const ProcessEvidence& evidence, const LearningSpace& space, std::vector<Index> rows,
                    const LearningOptions& options) {
  const Index starts = options.starts;
  std::vector<Vector> places;
  for (Index i = 0; i < starts; ++i) places.push_back(space.start(i));
  std::vector<LearningStart> ends;
  if (thinning_pays(evidence, space, options)) {
    const std::vector<Index> few = evenly_spaced(evidence.X().rows(), options.thinned_rows);
    const std::unique_ptr<ProcessEvidence> thinned = evidence.of_rows(few);
    LearningOptions quietly = options;
    quietly.progress = {};
    ends = run_starts(places, all_of(starts), space, *thinned, quietly);
    std::vector<Index> leaders = leaders_of(ends);
    begin_one_anew(leaders, places, space, evidence, quietly);
    std::vector<Index> apart;
    for (Index i = 0; i < starts; ++i)
      if (leaders[static_cast<std::size_t>(i)] == i) apart.push_back(i);
    follow(ends, run_starts(places, apart, space, evidence, options), apart, leaders, places);
  } else {
    ends = run_starts(places, all_of(starts), space, evidence, options);
  }

  std::size_t best = ends.size();
  double worst = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i].process) continue;
    worst = best == ends.size() ? ends[i].objective : std::min(worst, ends[i].objective);
    if (best == ends.size() || ends[i].objective > ends[best].objective) best = i;
  }
  if (best == ends.size())
    throw InvalidArgument("noise",
                          "must be larger, or the kernel another: the covariance of the data is not positive "
                          "definite in double precision from any start");
  const LearningStart& winner = ends[best];
  return {.process = *winner.process,
          .noise = winner.noise,
          .log_evidence = winner.log_evidence,
          .objective = winner.objective,
          .rows = std::move(rows),
          .learned = space.size(),
          .starts = ends,
          .best = best,
          .at_bounds = space.at_bounds(places[best]),
          .disagreement = winner.objective - worst};
}

/// The rows to learn from. Throws if data or options break a rule, or memory does not suffice.
std::vector<Index> rows_to_learn(const GaussianProcess& given, const MatrixView& X, const MatrixView& Y,
                                 const LearningOptions& options,
                                 const std::function<double(Index rows)>& bytes) {
  validate(options);
  require_nonempty(X, "X");
  require_rows(Y, X.rows(), "y");
  given.validate_dimension(X.cols());
  std::vector<Index> rows = learning_rows(X.rows(), options.rows, options.seed);
  const double side_by_side = static_cast<double>(std::min<Index>(options.starts, team_size(options.starts)));
  require_memory(side_by_side * bytes(static_cast<Index>(rows.size())), "learn_rows",
                 fmt::format("the evidence of {} rows from {} starts", rows.size(), options.starts));
  return rows;
}

}  // namespace

LearnedTarget learn_target(const GaussianProcess& given, const MatrixView& X, const MatrixView& Y,
                           const LearningOptions& options) {
  if (!options.parts.noise && !options.noise)
    throw InvalidArgument("noise", "must be given where it is not learned");
  std::vector<Index> rows = rows_to_learn(given, X, Y, options, EvidenceFunction::bytes);
  const EvidenceFunction evidence(X(rows, Eigen::all), Y(rows, Eigen::all));
  const LearningSpace space(given, evidence.X(), standard_deviations(X),
                            gaussian_numbers(evidence.Y(), options), options);
  return climb(evidence, space, std::move(rows), options);
}

LearnedTarget learn_target(const GaussianProcess& given, const MatrixView& X, const LatentResponse& response,
                           const LearningOptions& options) {
  const Index K = response.likelihood->functions();
  std::vector<Index> rows =
      rows_to_learn(given, X, response.Y, options, [K](Index n) { return LaplaceEvidence::bytes(n, K); });
  const LaplaceEvidence evidence(response.likelihood, X(rows, Eigen::all), response.Y(rows, Eigen::all),
                                 response.offset(rows, Eigen::all));
  const LearningSpace space(given, evidence.X(), standard_deviations(X),
                            likelihood_numbers(*response.likelihood, response.Y), options);
  return climb(evidence, space, std::move(rows), options);
}

}  // namespace ridgelet
