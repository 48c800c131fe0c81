#include "ridgelet/network/scaling.hpp"

#include <cmath>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

Scaling Scaling::none(Index columns) {
  return {.centre = Vector::Zero(columns), .scale = Vector::Ones(columns)};
}

Scaling Scaling::standardising(const Matrix& values) {
  const double rows = static_cast<double>(values.rows());
  Scaling scaling = none(values.cols());
  for (Index k = 0; k < values.cols(); ++k) {
    // Divided first: a sum of numbers near the largest double would overflow.
    scaling.centre(k) = (values.col(k) / rows).sum();
    // stableNorm scales before it squares.
    scaling.scale(k) = (values.col(k).array() - scaling.centre(k)).matrix().stableNorm() / std::sqrt(rows);
  }
  if (!scaling.centre.allFinite() || !scaling.scale.allFinite() || !(scaling.scale.minCoeff() > 0))
    throw InvalidArgument("data", "has numbers too large, or too close together, to standardise");
  return scaling;
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
