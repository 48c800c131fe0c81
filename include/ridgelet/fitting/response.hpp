/// What a prediction on the scale of a fit says of the response itself.
///
/// Mean and variance are those of network/response_transform.hpp. Where log y was fitted,
///   quantiles   exp of those of log y
///   density     the density of log y, divided by y
#pragma once

#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/inference/mixture.hpp"
#include "ridgelet/network/response_transform.hpp"

namespace ridgelet {

/// At each of M places.
struct ResponseSummary {
  Vector mean;
  Vector sd;
  Matrix quantiles;  ///< M x probabilities
};

/// `means` and `sds` are S x M. Cost about 10 S M for each quantile (mixture.hpp), in parallel over the places.
ResponseSummary summarise_response(const MatrixView& means, const MatrixView& sds,
                                   ResponseTransform transform, const VectorView& probabilities);

}  // namespace ridgelet
