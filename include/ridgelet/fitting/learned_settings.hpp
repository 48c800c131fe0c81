/// What a person left open about the process, learned from the table (target/learning.hpp).
///
/// | not given      | is                                                                                   |
/// |----------------|--------------------------------------------------------------------------------------|
/// | the kernel     | `se` with a lengthscale for each input, or one for all where rows are too few to tell  |
/// |                | them apart (target/kernel_choice.hpp, common_unit.hpp), learned; columns are          |
/// |                | standardised                                                                         |
/// | the noise      | learned                                                                              |
///
/// With `learn` the numbers in kernel and mean, and the noise, are where learning starts; without it they stay. The
/// mean `0`, which is the default, stays 0. The kernel `best` is the one of a short list with the greatest evidence. With
/// Gaussian noise, what was learned from some of the rows is refined by up to four times as many, 4000 at most
/// (target/refinement.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/target/kernel_choice.hpp"

namespace ridgelet {

inline const std::string best_of_a_list = "best";

struct LearnSettings {
  bool learn = false;
  /// At most; if nothing is said, 1000 for Gaussian noise and 500 / cbrt(K) for any other, with K functions.
  std::optional<Index> rows = std::nullopt;
  bool priors = true;
  /// A period along the first input, in the table's units; `best` then tries periodic terms.
  std::optional<double> period = std::nullopt;
  std::function<void(Index done, Index starts)> progress = nullptr;
  const Ranks* ranks = nullptr;  ///< that share the work

  /// With Gaussian noise, the most.
  Index most_rows() const { return rows.value_or(1000); }
};

/// Whether numbers of the kernel are left open.
bool learns_kernel(const ModelSettings& settings, const LearnSettings& how);

struct LearnedSettings {
  RegressionSettings settings;                    ///< with kernel, mean and noise
  std::optional<LearnedTarget> target;            ///< nothing if all was given
  std::optional<KernelChoice> choice;             ///< of `best`
  std::optional<LearnedDefault> by_default = {};  ///< where no kernel was given
  bool kernel = false;                            ///< was learned
  bool noise = false;                             ///< was learned
  Vector relevance = {};               ///< of each input (target/relevance.hpp), where that was learned
  std::vector<Index> irrelevant = {};  ///< inputs that hardly matter, where relevance was learned
  bool noise_raised = false;           ///< to where rounding does not show; evidences are those before
  double overdispersion = 0;           ///< by which few rows prefer negative binomial counts, in log evidence
  Vector noise_share =
      {};  ///< noise over the standard deviation, of each response with learned Gaussian noise
};

/// Whether anything is left to learn.
bool leaves_open(const ModelSettings& settings, const LearnSettings& how);

/// Throws what learn_target throws.
LearnedSettings learn_settings(const RegressionTable& table, RegressionSettings settings,
                               const LearnSettings& how);

/// The model that was learned, for use without the data: with the range of the table's inputs and their scaling.
ModelSettings with_table(const LearnedSettings& learned, const RegressionTable& table);

/// What the model's response is measured in: centre and scale of each column, or with heavy tails of the function. Empty
/// for classes and counts, whose functions, log-odds and logarithms of rates, have no units.
Scaling response_units(const LearnedSettings& learned, const RegressionTable& table);

/// The columns of the table that hardly matter: all inputs that a column becomes, the levels of a text, do not.
std::vector<std::string> irrelevant_columns(const LearnedSettings& learned, const TableEncoding& encoding);

/// What is worth saying about what was learned, a sentence each: a lengthscale that all inputs share, starts that ended
/// nearly as high as the best or far below, numbers at their bounds, counts that vary more than Poisson's, a noise that
/// was raised, responses that are nearly all noise, values that lie far from all others, columns, by their names, that
/// hardly matter, and columns whose logarithm would serve better.
std::vector<std::string> findings(const LearnedSettings& learned, const RegressionTable& table);

}  // namespace ridgelet
