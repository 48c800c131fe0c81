/// Maximum mean discrepancy: how far two distributions of functions are apart, seen at a set of inputs.
///
/// With the kernel exp(-|y - y'|^2 / alpha^2) on R^M, where a draw of the outputs at M inputs is ONE point,
///   MMD^2 = E K(Y, Y') - 2 E K(Y, Z) + E K(Z, Z').
/// The paper uses 1/alpha^2 = 0.001, M = 50 and 1,000 draws. (Taking the inputs as points of R^draws instead
/// scores a process against itself at about 0.12.) Reference: Gretton et al., A kernel two-sample test (JMLR
/// 2012).
#pragma once

#include "ridgelet/core/types.hpp"
#include "ridgelet/linalg/gaussian.hpp"

namespace ridgelet {

inline constexpr double paper_inverse_alpha_squared = 0.001;

/// Between N(0, S1) and N(0, S2) in closed form:
///   e(2 S1) - 2 e(S1 + S2) + e(2 S2),   e(S) = det(I + 2 S / alpha^2)^{-1/2}.
/// Throws InvalidArgument about "S1", "S2" or "inverse_alpha_squared". Cost M^3 (eigenvalues).
double gaussian_mmd2(const MatrixView& S1, const MatrixView& S2, double inverse_alpha_squared);

/// Between Gaussians whose means are delta apart: the middle term becomes
///   -2 e(S1 + S2) exp( -delta^T (alpha^2 I + 2 (S1 + S2))^{-1} delta ).
/// This is MMD^2 given a hidden layer, where the network's outputs are Gaussian. Determinants come from the
/// factors, not from their products, so that nothing overflows: cost M^2 (M + R).
double gaussian_mmd2(const Gaussian& one, const Gaussian& other, double inverse_alpha_squared);

/// Between two samples, one draw in each row, all pairs counted (the V-statistic): equal samples give 0, and two
/// samples of size S of one distribution about (2 / S)(1 - E K), the null value to compare with. Cost S^2 M,
/// memory S.
double sample_mmd2(const MatrixView& Y, const MatrixView& Z, double inverse_alpha_squared);

}  // namespace ridgelet
