#include <cmath>

#include "ridgelet/core/random.hpp"
#include "ridgelet/target/mean/affine.hpp"

namespace ridgelet {

namespace {

/// A power of two: the product with a coefficient has the coefficient's own digits.
constexpr double step = 1 << 20;

constexpr Index points_of_a_size = 32;

/// At 0, then a step either way along each axis.
Matrix axis_points(Index d) {
  Matrix points = Matrix::Zero(1 + 2 * d, d);
  for (Index k = 0; k < d; ++k) {
    points(1 + 2 * k, k) = step;
    points(2 + 2 * k, k) = -step;
  }
  return points;
}

bool agree(const AffineFunction& affine, const MeanFunction& mean, const Matrix& points) {
  const Vector sizes = (points.cwiseAbs() * affine.slope.cwiseAbs()).array() + std::abs(affine.constant);
  // Written so that NaN does not agree.
  return ((mean(points) - affine(points)).array().abs() <= 1e-12 * sizes.array()).all();
}

}  // namespace

Vector AffineFunction::operator()(const MatrixView& X) const {
  return (X * slope).array() + constant;
}

std::optional<AffineFunction> affine_form(const MeanFunction& mean, Index d) {
  const Vector values = mean(axis_points(d));
  AffineFunction affine{.constant = values(0), .slope = Vector(d)};
  for (Index k = 0; k < d; ++k) affine.slope(k) = (values(1 + 2 * k) - values(2 + 2 * k)) / (2 * step);
  if (!values.allFinite()) return std::nullopt;
  const Matrix normals = RandomStream{.purpose = Purpose::evaluation_points}.normals(points_of_a_size, d);
  for (const double size : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e4, 1e6})
    if (!agree(affine, mean, size * normals)) return std::nullopt;
  return affine;
}

}  // namespace ridgelet
