/// Have the chains converged, and how many independent draws are they worth?
///
/// The draws of one scalar quantity are a draws x chains Matrix. Each chain is cut into two halves, so that a
/// drift within a chain shows as a disagreement between its halves; with an odd number of draws the middle one is
/// left out.
/// With M half-chains of N draws, S = M N, s_m^2 and xbar_m the variance and mean of half-chain m,
///   W = mean_m s_m^2,   V = (N - 1)/N W + var_m xbar_m,   R-hat = sqrt(V / W),
///   rho_t = 1 - (W - mean_m gamma_m(t)) / V,   gamma_m(t) the autocovariance at lag t,
///   effective sample size = S / tau,   tau = 1 + 2 sum_{t >= 1} rho_t, at least 1 / log10 S.
/// The sum is Geyer's: pairs rho_2k + rho_2k+1 are added while they are positive, each no larger than the one
/// before.
///
/// "Rank-normalised" means that the draws are first replaced by z = Phi^{-1}((r - 3/8) / (S + 1/4)), r being
/// their rank among all S draws (ties share their average). It makes sense even for draws without a mean or a
/// variance.
///
/// Every function agrees with the R package posterior 1.4. It returns NaN where there is no answer: for draws
/// that are constant (a range below 2.2e-16) or not finite, and, for effective sample sizes, for fewer than 6
/// draws in each chain. (The package ranks infinite draws; here they give NaN.) Each throws InvalidArgument about
/// "draws" unless there are at least 4 draws and 1 chain. Cost S log S for the ranks and S T for the
/// autocovariances, T being the lag where Geyer's sum ends; memory S.
///
/// Reference: Vehtari, Gelman, Simpson, Carpenter and Bürkner, Rank-normalization, folding, and localization:
/// an improved R-hat for assessing convergence of MCMC (Bayesian Analysis 2021).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Stan's rule: chains have mixed if R-hat is at most this ...
inline constexpr double rhat_threshold = 1.01;
/// ... and the bulk and tail effective sample sizes are at least this times the number of chains.
inline constexpr double effective_samples_per_chain = 100;

/// The larger of two rank-normalised R-hats: of the draws, which sees chains in different places, and of
/// |draws - median|, which sees chains of different widths. 1 for chains that agree, infinite for chains
/// stuck apart. NaN also if |draws - median| is constant.
double rhat(const MatrixView& draws);

/// The rank-normalised effective sample size: how well the centre of the distribution is known. About S for
/// independent draws.
double bulk_effective_sample_size(const MatrixView& draws);

/// The smaller of the effective sample sizes of the indicators draws <= q at the 5% and 95% quantiles q: how well
/// the ends of an interval are known. NaN if more than 5% of the draws share the largest value.
double tail_effective_sample_size(const MatrixView& draws);

/// Monte Carlo standard error of the mean: sd / sqrt(effective sample size), without ranks.
double mean_standard_error(const MatrixView& draws);

struct ConvergenceDiagnostics {
  double rhat = 0;
  double bulk = 0;            ///< effective sample size
  double tail = 0;            ///< effective sample size
  double standard_error = 0;  ///< of the mean
};

/// All four for one quantity.
ConvergenceDiagnostics diagnose(const MatrixView& draws);

/// Over many quantities: the largest R-hat, the smallest effective sample sizes, and which quantity (counted from
/// 0) each belongs to. NaN counts as worse than any number; of several equals the first is named.
struct WorstDiagnostics {
  struct Worst {
    double value = 0;
    Index quantity = 0;
  };
  Worst rhat;
  Worst bulk;
  Worst tail;
  Index chains = 0;
};

/// One draws x chains matrix for each quantity. Throws InvalidArgument about "quantities" if there are none, and
/// about "draws" if they differ in the number of chains.
WorstDiagnostics worst_diagnostics(const std::vector<Matrix>& draws);

/// The same with draws that are asked for when they are needed, so that one matrix is held at a time.
WorstDiagnostics worst_diagnostics(Index quantities, const std::function<Matrix(Index quantity)>& draws_of);

/// One line for each of the three that misses its threshold, saying for which quantity and what to do:
///   "R-hat is 1.08 for f(x_3), above 1.01: the chains disagree; run longer with --warmup and --draws, or use more
///    --units".
/// Of a single chain it is the halves that disagree.
/// Empty if all is well. `name_of` names a quantity for people.
std::vector<std::string> convergence_warnings(const WorstDiagnostics& worst,
                                              const std::function<std::string(Index quantity)>& name_of);

}  // namespace ridgelet
