/// What is made of a response y before a network sees it, and what the network's prediction then says of y itself.
///
/// A prediction is a mixture (1/S) sum_s N(mu_s, s_s^2). Where y itself was fitted, that is all. Where log y was
/// fitted, y has the mixture of log-normal distributions:
///   mean        (1/S) sum_s m_s,             m_s = exp(mu_s + s_s^2 / 2)
///   variance    (1/S) sum_s m_s^2 (exp(s_s^2) - 1) + variance of the m_s
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

enum class ResponseTransform { none, log };

struct ResponseMoments {
  double mean = 0;
  double sd = 0;
};

/// The moments of y at one place; `means` and `sds` have a number for each component. Cost S.
ResponseMoments response_moments(const VectorView& means, const VectorView& sds, ResponseTransform transform);

/// From y to the scale on which it is fitted, and back.
double to_fitted_scale(double y, ResponseTransform transform);
double from_fitted_scale(double f, ResponseTransform transform);

}  // namespace ridgelet
