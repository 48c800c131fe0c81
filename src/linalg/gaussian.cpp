#include "ridgelet/linalg/gaussian.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>

#include <numbers>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr double support_tolerance = 1e-8;

/// The thin singular value decomposition F = U S V^T cut at the rank: U and S.
struct LeftFactors {
  Matrix U;
  Vector S;
};

LeftFactors left_factors(const Matrix& F) {
  if (F.size() == 0) return {.U = Matrix(F.rows(), 0), .S = Vector(0)};
  const Eigen::BDCSVD<Matrix> svd(F, Eigen::ComputeThinU);
  return {.U = svd.matrixU().leftCols(svd.rank()), .S = svd.singularValues().head(svd.rank())};
}

}  // namespace

Vector Gaussian::at(const VectorView& z) const {
  return mean + factor * z;
}

Matrix Gaussian::covariance() const {
  return factor * factor.transpose();
}

Vector Gaussian::variance() const {
  return factor.rowwise().squaredNorm();
}

double log_density_on_support(const Gaussian& gaussian, const VectorView& w, const std::string& argument) {
  require_rows(w, gaussian.dimension(), argument);
  require_finite(w, argument);
  const auto [U, S] = left_factors(gaussian.factor);
  const Index rank = S.size();

  const Vector centred = w - gaussian.mean;
  const Vector along = U.transpose() * centred;
  const double off = (centred - U * along).norm();
  if (off > support_tolerance * (centred.norm() + gaussian.mean.norm()))
    throw InvalidArgument(
        argument, fmt::format("must lie on the support of the prior, a subspace of dimension {} in {}; "
                              "it is {:.3g} away, relative to its distance from the mean",
                              rank, gaussian.dimension(), off / centred.norm()));
  const double log_pseudo_determinant = 2 * S.array().log().sum();
  const double distance = (along.array() / S.array()).square().sum();
  return -0.5 *
         (static_cast<double>(rank) * std::log(2 * std::numbers::pi) + log_pseudo_determinant + distance);
}

}  // namespace ridgelet
