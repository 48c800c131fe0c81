/// What single precision in the pass over rows costs a posterior: how far it moves means and standard deviations.
///
/// A pass in mixed precision sees G~ = G + D in the place of G and r~ in that of r
/// (transform/single_feature_product.hpp), but sums them in double precision, so its posterior is the exact posterior
/// of slightly different rows. With cov[z | y] = C C^T, F = G C, F~ = G~ C and the residuals e = r - G zbar,
/// e~ = r~ - G~ zbar, the sums over rows change by
///   E = (F~^T F~ - F^T F) / s^2   and   u = (F~^T e~ - F^T e) / s^2
/// in coordinates in which the posterior is N(0, I), and predictions at a row f of F, in first order, by
///   mean  f . u,  in units of its sd  |f . u| / |f|;      sd  1/2 |f E f^T| / |f|^2  of itself.
/// m of the M rows are evaluated in both precisions, and E and u are M / m times what those rows say. Rounding errors
/// that are the same function of x at all rows are found in full. Those that differ from row to row average out over M
/// rows, and are overstated by up to sqrt(M / m). Cost: m N (1 + R) twice, and m R^2 for each output.
#pragma once

#include "ridgelet/inference/closed_form_posterior.hpp"

namespace ridgelet {

/// The largest change at any of the rows and of any output.
struct MixedCost {
  double mean = 0;  ///< of the function's mean, in units of its sd
  double sd = 0;    ///< of that sd, relative to it

  /// Too small to see: at most a hundredth of the sd. False where a number is not finite.
  bool negligible() const { return mean <= negligible_change && sd <= negligible_change; }
  static constexpr double negligible_change = 0.01;
};

/// The larger of two costs, number by number; NaN counts as the largest.
MixedCost larger(const MixedCost& one, const MixedCost& other);

/// The cost for a network whose function is `amplitude` times that of `given`, and whose posterior given M rows is
/// `network`; `some` are the m rows.
MixedCost mixed_cost(ConditionalOutput& given, const ClosedFormNetwork& network, double amplitude,
                     const Data& some, const VectorView& noise, Index M);

}  // namespace ridgelet
