#include "ridgelet/network/scaling.hpp"

namespace ridgelet {

Scaling Scaling::none(Index columns) {
  return {.centre = Vector::Zero(columns), .scale = Vector::Ones(columns)};
}

Scaling Scaling::standardising(const Matrix& values) {
  const Vector centre = values.colwise().mean();
  const Matrix deviations = values.rowwise() - centre.transpose();
  const double rows = static_cast<double>(values.rows());
  return {.centre = centre, .scale = (deviations.colwise().squaredNorm() / rows).cwiseSqrt()};
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
