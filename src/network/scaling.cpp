#include "ridgelet/network/scaling.hpp"

#include <cmath>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

/// Divided first: a sum of numbers near the largest double would overflow.
Vector column_means(const Matrix& values) {
  return (values / static_cast<double>(values.rows())).colwise().sum().transpose();
}

}  // namespace

Scaling Scaling::none(Index columns) {
  return {.centre = Vector::Zero(columns), .scale = Vector::Ones(columns)};
}

Vector column_sds(const Matrix& values) {
  const Vector means = column_means(values);
  Vector sds(values.cols());
  // stableNorm scales before it squares.
  for (Index k = 0; k < values.cols(); ++k) sds(k) = (values.col(k).array() - means(k)).matrix().stableNorm();
  return sds / std::sqrt(static_cast<double>(values.rows()));
}

const Scaling& require_usable(const Scaling& scaling) {
  if (!scaling.centre.allFinite() || !scaling.scale.allFinite() || !(scaling.scale.minCoeff() > 0))
    throw InvalidArgument("data", "has numbers too large, or too close together, to standardise");
  return scaling;
}

Scaling Scaling::standardising(const Matrix& values) {
  return require_usable({.centre = column_means(values), .scale = column_sds(values)});
}

Matrix Scaling::apply(const MatrixView& values) const {
  if (scale.size() == 0) return values;
  return (values.rowwise() - centre.transpose()).array().rowwise() / scale.transpose().array();
}

Matrix Scaling::undo(const MatrixView& values) const {
  if (scale.size() == 0) return values;
  const Matrix scaled = values.array().rowwise() * scale.transpose().array();
  return scaled.rowwise() + centre.transpose();
}

}  // namespace ridgelet
