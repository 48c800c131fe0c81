#include "ridgelet/network/response_transform.hpp"

#include <cmath>

namespace ridgelet {

namespace {

struct ComponentMoments {
  Vector means, variances;
};

ComponentMoments components_of(const VectorView& means, const VectorView& sds, ResponseTransform transform) {
  const auto variances = sds.array().square();
  if (transform == ResponseTransform::none) return {means, variances};
  const Vector m = (means.array() + 0.5 * variances).exp();
  return {m, m.array().square() * variances.unaryExpr([](double v) { return std::expm1(v); })};
}

}  // namespace

ResponseMoments response_moments(const VectorView& means, const VectorView& sds,
                                 ResponseTransform transform) {
  const auto [m, v] = components_of(means, sds, transform);
  const double mean = m(0) + (m.array() - m(0)).mean();
  return {.mean = mean, .sd = std::sqrt(v.mean() + (m.array() - mean).square().mean())};
}

double to_fitted_scale(double y, ResponseTransform transform) {
  return transform == ResponseTransform::log ? std::log(y) : y;
}

double from_fitted_scale(double f, ResponseTransform transform) {
  return transform == ResponseTransform::log ? std::exp(f) : f;
}

}  // namespace ridgelet
