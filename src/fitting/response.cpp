#include "ridgelet/fitting/response.hpp"

#include <algorithm>
#include <cmath>

#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Places that one task takes: enough to be worth a task.
constexpr Index share_of_places = 64;

struct Moments {
  Vector means, variances;  ///< of each component
};

Moments components_of(const VectorView& means, const VectorView& sds, ResponseTransform transform) {
  const auto variances = sds.array().square();
  if (transform == ResponseTransform::none) return {means, variances};
  const Vector m = (means.array() + 0.5 * variances).exp();
  return {m, m.array().square() * variances.unaryExpr([](double v) { return std::expm1(v); })};
}

}  // namespace

ResponseSummary summarise_response(const MatrixView& means, const MatrixView& sds,
                                   ResponseTransform transform, const VectorView& probabilities) {
  const Index M = means.cols(), Q = probabilities.size();
  ResponseSummary summary{Vector(M), Vector(M), Matrix(M, Q)};
  const auto summarise = [&](Index i) {
    const auto [m, v] = components_of(means.col(i), sds.col(i), transform);
    const double mean = m(0) + (m.array() - m(0)).mean();
    summary.mean(i) = mean;
    summary.sd(i) = std::sqrt(v.mean() + (m.array() - mean).square().mean());
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

double to_fitted_scale(double y, ResponseTransform transform) {
  return transform == ResponseTransform::log ? std::log(y) : y;
}

double from_fitted_scale(double f, ResponseTransform transform) {
  return transform == ResponseTransform::log ? std::exp(f) : f;
}

}  // namespace ridgelet
