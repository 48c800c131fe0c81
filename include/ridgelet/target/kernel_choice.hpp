/// A kernel for those who have none: the default, and the best of a short list by its evidence.
///
/// The list: se, rq, matern32 and matern52 with a lengthscale for each input, each alone and with `+ linear()`; where a
/// period P is given, each of the eight also with a term on the first input that repeats and may drift,
///   + se(lengthscale=3, active=[1]) * periodic(period=P, active=[1]),
/// whose period stays as given. Numbers are starting values for columns of mean 0 and standard deviation 1.
///
/// One more term never lowers the largest evidence. So the best candidate is the one with the largest log evidence less
/// one for each number that was learned (Akaike, 1974): a term has to be worth its parameters. Candidates are compared
/// on the same rows, fewer than those on which the winner is learned, since there are many candidates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridgelet/target/learning.hpp"

namespace ridgelet {

/// "se(amplitude=1, lengthscale=[2, 2, 2, 2])": a lengthscale of sqrt(d) for each of d inputs.
Kernel default_kernel(Index inputs);

struct KernelCandidate {
  std::string form;  ///< "se + linear"
  LearnedTarget learned;

  /// Log evidence less one for each number learned.
  double score() const { return learned.log_evidence - static_cast<double>(learned.learned); }
};

struct KernelChoice {
  std::vector<KernelCandidate> candidates;  ///< in the order of the list
  std::size_t best = 0;                     ///< among the candidates
  LearnedTarget learned;                    ///< the best, on all the rows of the options
};

struct KernelChoiceOptions {
  LearningOptions learning = {};
  std::optional<double> period = {};  ///< of the first input
  Index comparison_rows = 500;
};

/// Learns every candidate with this mean, and the best one again on more rows if there are more. Progress counts the
/// candidates, and one step more for the best.
KernelChoice choose_kernel(const MeanFunction& mean, const MatrixView& X, const MatrixView& Y,
                           const KernelChoiceOptions& options = {});

}  // namespace ridgelet
