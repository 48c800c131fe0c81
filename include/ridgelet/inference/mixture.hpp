/// Quantiles of a mixture of normal distributions (1/S) sum_s N(means_s, sds_s^2).
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// The x below which the mixture has `probability`. A component with sd 0 is a point; where a quantile falls
/// on one, the quantile is that point. Found by bisection of the interval that reaches eight sds beyond every
/// component, relative to the mean of the means, to 1e-14 of the interval's length: also where the spread is
/// small beside the values. Cost 48 S.
double mixture_quantile(const VectorView& means, const VectorView& sds, double probability);

}  // namespace ridgelet
