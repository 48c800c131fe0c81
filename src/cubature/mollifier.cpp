#include "ridgelet/cubature/mollifier.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

double g(double t) {
  return t > 0 ? std::exp(-1 / t) : 0.0;
}

double h(double t) {
  return g(t) / (g(t) + g(1 - t));
}

}  // namespace

Vector mollifier(const MatrixView& X, const Box& domain, const Box& box) {
  Vector values = Vector::Ones(X.rows());
  for (Index i = 0; i < X.cols(); ++i) {
    const double centre = (box.lower(i) + box.upper(i)) / 2;
    const double a = (domain.upper(i) - domain.lower(i)) / 2;
    const double S = (box.upper(i) - box.lower(i)) / 2;
    if (!(a < S)) continue;
    for (Index j = 0; j < X.rows(); ++j) {
      const double x = X(j, i) - centre;
      values(j) *= 1 - h((x * x - a * a) / (S * S - a * a));
    }
  }
  return values;
}

void require_concentric(const Box& domain, const Box& box) {
  const bool same_inputs = domain.dimension() == box.dimension();
  const double slack = 1e-9 * (box.upper - box.lower).maxCoeff();
  const auto off_centre = [&] {
    return (domain.lower + domain.upper - box.lower - box.upper).cwiseAbs().maxCoeff() > slack;
  };
  const auto outside = [&] { return (box.lower - domain.lower).maxCoeff() > slack; };
  if (!same_inputs || off_centre() || outside())
    throw InvalidArgument(
        "domain", fmt::format("must lie in the middle of the box {}, got {}", text(box), text(domain)));
}

Vector cubature_weights(const Matrix& points, const Box& domain, const Box& box) {
  const Vector weights = box.volume() / static_cast<double>(points.rows()) * mollifier(points, domain, box);
  if (!weights.allFinite())
    throw InvalidArgument("domain",
                          "must be so small that doubles hold its volume and squares, got " + text(domain));
  return weights;
}

}  // namespace ridgelet
