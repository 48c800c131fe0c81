#include "ridgelet/fitting/response.hpp"

#include <algorithm>

#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Places that one task takes: enough to be worth a task.
constexpr Index share_of_places = 64;

}  // namespace

ResponseSummary summarise_response(const MatrixView& means, const MatrixView& sds,
                                   ResponseTransform transform, const VectorView& probabilities) {
  const Index M = means.cols(), Q = probabilities.size();
  ResponseSummary summary{Vector(M), Vector(M), Matrix(M, Q)};
  const auto summarise = [&](Index i) {
    const ResponseMoments moments = response_moments(means.col(i), sds.col(i), transform);
    summary.mean(i) = moments.mean;
    summary.sd(i) = moments.sd;
    for (Index q = 0; q < Q; ++q)
      summary.quantiles(i, q) =
          from_fitted_scale(mixture_quantile(means.col(i), sds.col(i), probabilities(q)), transform);
  };
  parallel_for((M + share_of_places - 1) / share_of_places, [&](Index share) {
    const Index end = std::min(M, (share + 1) * share_of_places);
    for (Index i = share * share_of_places; i < end; ++i) summarise(i);
  });
  return summary;
}

}  // namespace ridgelet
