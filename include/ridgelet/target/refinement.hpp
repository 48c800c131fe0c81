/// What was learned from some of the rows, refined by what the others say.
///
/// The evidence of n rows costs n^3, so kernel, mean and noise are learned from a thousand of them (target/learning.hpp),
/// and a thousand rows leave lengthscales open that several thousand would tell. Its lower bound by inducing points
/// (target/inducing_evidence.hpp) costs D^2 n. From what was learned, one more search climbs that bound, with the same
/// priors and bounds of the numbers. The inducing points are the rows that say most about the others, by pivoted
/// Cholesky, until less than the noise variance of one row is left unexplained over all rows together, or at `points` of
/// them.
///
/// The bound prefers smooth functions, which few points tell, so a gain in it may be no gain in evidence. It is below the
/// evidence by trace(K - Q) / s^2 at most, on average over data of the process: what a search has found is kept only if
/// the bound rose by more than that. Then the evidence itself rose too, as far as averages tell.
///
/// Cost: 15 to 40 evaluations of the bound in each of two rounds, between which the points are chosen anew; a second or
/// two for 2,000 rows, where the evidence of all of them would take 10 to 20.
#pragma once

#include "ridgelet/target/learning.hpp"

namespace ridgelet {

struct RefinementOptions {
  Index rows = 4000;       ///< at most this many; a seeded subset if there are more
  Index points = 400;      ///< inducing points, at most
  int rounds = 2;          ///< searches, each with points chosen for where the one before has ended
  Index evaluations = 60;  ///< of the bound, at most, in each round
};

/// Returns `learned` with other numbers, and the log evidence and objective of the rows it was learned from there; or as it is if
/// the kernel was not learned, all rows were learned from already, or nothing worth keeping was gained. `learning` has
/// the options that it was learned with from the same X and Y; what `learned` itself says was held stays held.
LearnedTarget refine_target(LearnedTarget learned, const MatrixView& X, const MatrixView& Y,
                            const LearningOptions& learning, const RefinementOptions& options = {});

}  // namespace ridgelet
