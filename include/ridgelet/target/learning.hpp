/// Learning the target: kernel, mean and noise by the evidence of the exact process.
///
/// The objective is log p(Y | kernel, mean, noise) (target/evidence.hpp) plus the logarithm of weak priors, at the
/// rows given or at a seeded subset of them. It is maximised by L-BFGS with bounds over the logarithms of the kernel's
/// parameters and of the noise and over the coefficients of the mean, from several starts in parallel, since the
/// evidence has several modes, and the start decides in which of them a search ends:
///   - the first start has the values given;
///   - the others have lengthscales of sqrt(d) times a log-normal factor, amplitudes that give the process the variance
///     of y, and noise of 0.03 and 0.3 by turns;
///   - but the fifth takes most of y for noise: noise of 1, amplitudes that give the process 0.3 of y's standard
///     deviation, lengthscales at the location of their prior. In many inputs all rows are far from each other, and
///     starts with less noise end where a function so rough that no two rows know of each other explains the noise.
/// In one or two inputs a series may have many waves, which lengthscales near sqrt(d) take for noise: lengthscales of 1/2,
/// 1/4, ..., 1/1024 of those of the third start are looked at, and if the best are 1/8 or less, one more start begins there
/// (3,000 hours with a daily wave: log evidence -1309 without it, -406 with it).
/// All of this is in units of the data: a lengthscale is measured in standard deviations of its column, amplitudes and
/// noise in those of y, so that columns times 1000 lead to the same process with lengthscales times 1000.
///
/// The priors are log-normal and decide only what the data leave open. Log noise has location log 0.1 and two
/// scales: 5 for more noise, and 0.5 for less, since few rows in many inputs can be followed without any noise as well
/// as with some. (30 rows of a linear function of 10 inputs: from a noise of 0.01 of their sd down to none, the log
/// evidence changes by less than 0.1, while predictions without noise are sure of themselves and wrong.) Log
/// lengthscales have location sqrt(2) + log(d) / 2 (Hvarfner, Hellsten and Nardi, 2024) and two scales, one on either
/// side of the location, where the two halves of the density join smoothly:
///   - sqrt(3), theirs, for shorter ones. A lengthscale so short that no two rows know of each other explains any data
///     as well as noise does, and chance will find one that is better by a few units of evidence; where the evidence
///     does not tell the two apart, the smooth function with noise is preferred.
///   - 8 for longer ones, since an irrelevant input wants a long lengthscale: with sqrt(3) there too, Friedman's first
///     function (500 rows, 5 of 10 inputs irrelevant) loses up to 5.2 in log evidence, with 8 at most 0.21
///     (docs/benchmarks.md compares the learned likelihoods).
/// Amplitudes of logits and log rates have location log 3 and scale 1: where classes can be told apart without an
/// error, the evidence rises slowly for ever, and far out Laplace's approximation of it is worth nothing. Irrelevant
/// inputs and data without noise then end somewhere finite. The bounds are wide: lengthscales and periods 1e-3 to 1e5,
/// noise 1e-4 to 10, amplitudes 1e-3 to 1e3, other numbers of a kernel 1e-2 to 1e3; whatever is given lies within.
///
/// In three inputs or more, and with 500 rows or more, the starts first climb the evidence of 250 of the rows, which
/// costs little. Starts that end at the same height there go on as one on all rows, the others each for itself, with
/// only a few steps left to take. One of those that met begins anew on 500 rows, which may have a mode that 250 do not
/// show (a sum of |x_k| in five inputs, 500 rows: log evidence -61, where 250 rows lead to -103). In one or two inputs
/// the rows may be a series, whose short waves 250 of them would not show.
///
/// Cost: 30 to 150 evaluations for each start, of n^3 operations each, most of them at 250 rows. The result does not
/// depend on the number of threads. References: Rasmussen and Williams (2006), Section 5.4; Byrd, Lu, Nocedal and Zhu
/// (1995) for L-BFGS-B.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/ranks.hpp"
#include "ridgelet/likelihood/likelihood.hpp"
#include "ridgelet/target/evidence.hpp"

namespace ridgelet {

/// The prior of the noise, a number of standard deviations of the response.
struct NoisePrior {
  static constexpr double location = 0.1, scale_below = 0.5, scale_above = 5;

  /// -1/2 (log(ratio) / scale)^2 for a ratio of the noise to the location; its maximum is 0.
  static double log_density(double ratio);
};

struct LearningOptions {
  LearnedParts parts = {};    ///< what is learned; the rest stays as it is given
  bool hold_periods = false;  ///< periods stay too
  bool hold_ratios = false;   ///< lengthscales of one list keep their ratios: a factor on all is learned
  std::optional<Vector> noise = {};  ///< one for all outputs, or one each: where to start, or what to keep
  bool priors = true;
  Index rows = 1000;  ///< at most this many; a seeded subset if there are more
  Index starts = 5;
  /// The starts first look for their modes on this many rows; 0: on all rows from the beginning.
  Index thinned_rows = 250;
  Index evaluations = 300;  ///< of the evidence, at most, for each start
  std::uint64_t seed = 0;
  std::function<void(Index done, Index starts)> progress = {};  ///< called whenever a start has ended
  const Ranks* ranks = nullptr;  ///< that share the starts; all must have the same data
};

/// Where one start ended.
struct LearningStart {
  std::optional<GaussianProcess> process;  ///< nothing if the start failed
  Vector noise;
  double log_evidence = 0;
  double objective = 0;  ///< log evidence plus log priors
  Index evaluations = 0;
  bool converged = false;
  std::string message;  ///< in words, why it ended
};

/// A learned number that lies at one of its bounds.
struct BoundHit {
  std::string parameter;  ///< "se.lengthscale[3]", "noise", "noise[2]" of several
  double value = 0;
  bool upper = false;
};

/// How what was learned from some rows was refined by others (target/refinement.hpp).
struct Refinement {
  Index rows = 0;    ///< that the bound of the evidence was climbed on
  Index points = 0;  ///< inducing points
  double gain = 0;   ///< in the bound with priors, by the same points before and after
};

struct LearnedTarget {
  GaussianProcess process;
  Vector noise;             ///< one for each output, or the numbers of a likelihood
  double log_evidence = 0;  ///< without the priors
  double objective = 0;
  std::vector<Index> rows;                         ///< of X that were used, as learning_rows() has them
  Index learned = 0;                               ///< how many numbers were learned
  bool hold_periods = false, hold_ratios = false;  ///< those of the options
  std::vector<LearningStart> starts;
  std::size_t best = 0;  ///< among the starts
  std::vector<BoundHit> at_bounds;
  std::optional<Refinement> refinement = {};  ///< after which no start has these numbers

  /// How far the worst start that did not fail ended below the best, in objective.
  double disagreement = 0;

  /// Log evidence less log(n) / 2 for each number learned from n rows (Schwarz, 1978): what kernels are compared by, since
  /// one more number never lowers the largest evidence.
  double score() const;
};

/// A disagreement of starts, in units of log evidence, that is worth mentioning.
inline constexpr double worth_mentioning = 0.5;

/// The parameters of `given` are where the first start begins. X is n x d, Y is n x q. Throws InvalidArgument if the
/// data or options break a rule, or if every start fails.
LearnedTarget learn_target(const GaussianProcess& given, const MatrixView& X, const MatrixView& Y,
                           const LearningOptions& options = {});

/// Responses that are not Gaussian given the functions.
struct LatentResponse {
  LikelihoodPointer likelihood;  ///< its numbers are where the first start begins
  Matrix Y;                      ///< n x K
  Matrix offset;                 ///< n x K, added to the functions
};

/// The same by Laplace's approximation of the evidence (target/laplace_evidence.hpp); options.noise is not used.
LearnedTarget learn_target(const GaussianProcess& given, const MatrixView& X, const LatentResponse& response,
                           const LearningOptions& options = {});

/// The rows that learn_target uses: all, or `rows` of them without repetition, in the order of their contents
/// (core/row_order.hpp), so that what is learned does not depend on how a table is sorted.
std::vector<Index> learning_rows(const MatrixView& X, const MatrixView& Y, Index rows, std::uint64_t seed);

}  // namespace ridgelet
