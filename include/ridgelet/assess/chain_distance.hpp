/// How far is a posterior that was found without chains from the one that chains sample?
///
/// Draws of the function at P inputs have means m_p and standard deviations s_p, those of chains on the posterior itself
/// m'_p and s'_p. The distance has two parts, each a root mean square over the inputs at which functions vary:
///   mean = (m_p - m'_p) / s'_p,   sd = log(s_p / s'_p).
/// Both are 0 for the same distribution; with S independent draws on either side chance leaves about
///   mean = (2 / S)^{1/2},   sd = S^{-1/2}.
///
/// Cost: S P, and S P log S for the R-hat that says whether the chains know their own distribution (diagnostics.hpp).
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct ChainDistance {
  double mean = 0;
  double sd = 0;
  Index draws = 0;  ///< of all chains together
  double rhat = 1;  ///< of the chains: the largest over the inputs

  /// Chains this short that disagree no more than this tell how far away something else is.
  static constexpr double good_rhat = 1.1;
  bool chains_agree() const { return rhat <= good_rhat; }

  /// Worth a warning: what predictions say has changed, by more than chance makes of some hundred draws.
  static constexpr double far_mean = 0.5, far_sd = 0.5;
  bool far() const { return !(mean <= far_mean && sd <= far_sd); }
};

/// A row for each draw and a column for each input, on both sides; those of the chains one chain after another. Inputs at
/// which a side does not vary are left out; if that is all of them the distance is 0. Throws InvalidArgument about
/// "functions" if the columns differ in number.
ChainDistance distance_from_chains(const Matrix& functions, const Matrix& of_chains, Index chains);

}  // namespace ridgelet
