/// A kernel for those who have none: the default, and the best of a short list by its evidence.
///
/// The default is se with a lengthscale for each input, or with one that all inputs share where the rows cannot tell
/// many apart (`lengthscales_to_try`): a few rows are explained better by many lengthscales, by chance, and new rows are
/// then predicted worse, with too much certainty. A lengthscale can be shared in two ways: as a number of standard
/// deviations of each column, or, where the columns have a unit in common, as a number of those, which leaves columns
/// that hardly vary little to say. (Pixels of scikit-learn's digits: log evidence -169 in their own unit, -192 in
/// standard deviations, by which a pixel that is bright in one picture of a thousand counts as much as any other.)
///
/// The list: se, rq, matern32 and matern52 with the same lengthscales, each alone and with `+ linear()`; where a period
/// P is given, each of them also with a term on the first input that repeats and may drift,
///   + se(lengthscale=3, active=[1]) * periodic(period=P, active=[1]),
/// whose period stays as given. Numbers are starting values for columns of mean 0 and standard deviation 1.
///
/// The best candidate is the one with the largest LearnedTarget::score: a term has to be worth its parameters.
/// Candidates are compared on the same rows, fewer than those on which the winner is learned, since there are many
/// candidates.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/target/learning.hpp"

namespace ridgelet {

/// Whether every input has a lengthscale of its own, or all share one: in the scale of each column, or in the unit that
/// the columns have in common.
enum class Lengthscales { each, shared, common };

/// What this many rows to learn from can tell apart: `each` alone where there are 3 d^2 rows for d inputs or more, or 30 d
/// if that is less; both, to be compared by their scores, where there are fewer; `shared` alone where there are no more
/// rows than inputs, or more than 250 inputs, for which learning would take minutes. One input is `each`. Where `shared`
/// is tried, so is `common` if the columns have a unit in common and there are no more than 250.
std::vector<Lengthscales> lengthscales_to_try(Index rows, Index inputs, bool unit_in_common = false);

/// "se(amplitude=1, lengthscale=[2, 2, 2, 2])" for four inputs, or "se(amplitude=1, lengthscale=2)": the lengthscales are
/// sqrt(d) for d inputs. Those of `common` are times `unit`, the size of the common unit in each column.
Kernel default_kernel(Index inputs, Lengthscales lengthscales = Lengthscales::each, const Vector& unit = {});

struct KernelCandidate {
  /// "se + linear"; where all inputs share a lengthscale "isotropic se + linear", or "isotropic (own unit) se + linear".
  std::string form;
  LearnedTarget learned;
};

/// What was learned with the default kernel.
struct LearnedDefault {
  LearnedTarget learned;
  Lengthscales lengthscales = Lengthscales::each;
  std::optional<double> other_score = {};  ///< the best of the other lengthscales, where several were tried
};

/// Learns the default kernel of `inputs` inputs from `rows` rows by `learn`, once for each of the lengthscales to try;
/// `hold_ratios` is that of LearningOptions. `unit` is the size of the columns' common unit in each, empty if there is
/// none.
LearnedDefault learn_default_kernel(
    Index rows, Index inputs, const Vector& unit,
    const std::function<LearnedTarget(const Kernel& kernel, bool hold_ratios)>& learn);

struct KernelChoice {
  std::vector<KernelCandidate> candidates;  ///< in the order of the list
  std::size_t best = 0;                     ///< among the candidates
  LearnedTarget learned;                    ///< the best, on all the rows of the options
};

struct KernelChoiceOptions {
  LearningOptions learning = {};
  std::optional<double> period = {};  ///< of the first input
  Vector unit = {};  ///< the size of the columns' common unit in each; empty if there is none
  Index comparison_rows = 500;
};

/// Learns every candidate with this mean, and the best one again on more rows if there are more. Progress counts the
/// candidates, and one step more for the best.
KernelChoice choose_kernel(const MeanFunction& mean, const MatrixView& X, const MatrixView& Y,
                           const KernelChoiceOptions& options = {});

}  // namespace ridgelet
