/// What a prediction on the scale of a fit says of the response itself.
///
/// A prediction is a mixture (1/S) sum_s N(mu_s, s_s^2). Where y itself was fitted, that is all. Where log y was fitted, y
/// has the mixture of log-normal distributions:
///   mean        (1/S) sum_s m_s,             m_s = exp(mu_s + s_s^2 / 2)
///   variance    (1/S) sum_s m_s^2 (exp(s_s^2) - 1) + variance of the m_s
///   quantiles   exp of those of log y
///   density     that of log y at log y, over y
#pragma once

#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/inference/mixture.hpp"

namespace ridgelet {

/// At each of M places.
struct ResponseSummary {
  Vector mean;
  Vector sd;
  Matrix quantiles;  ///< M x probabilities
};

/// `means` and `sds` are S x M. Cost 48 S M for each quantile, in parallel over the places.
ResponseSummary summarise_response(const MatrixView& means, const MatrixView& sds,
                                   ResponseTransform transform, const VectorView& probabilities);

/// y as it was fitted, and the way back.
double to_fitted_scale(double y, ResponseTransform transform);
double from_fitted_scale(double f, ResponseTransform transform);

}  // namespace ridgelet
