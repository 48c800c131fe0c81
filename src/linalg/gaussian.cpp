#include "ridgelet/linalg/gaussian.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/linalg/svd.hpp"

namespace ridgelet {

namespace {

constexpr double support_tolerance = 1e-8;

}  // namespace

Gaussian condition_on_entries(const Gaussian& gaussian, const std::vector<Index>& entries,
                              const VectorView& values, const std::string& argument) {
  require_rows(values, static_cast<Index>(entries.size()), argument);
  for (const Index entry : entries)
    if (entry < 0 || entry >= gaussian.dimension())
      throw InvalidArgument(
          argument, fmt::format("must have indices from 0 to {}, got {}", gaussian.dimension() - 1, entry));
  if (entries.empty()) return gaussian;
  const Matrix F = gaussian.factor(entries, Eigen::all);
  const Vector before = gaussian.mean(entries), target = values - before;
  const SingularValueDecomposition svd = full_svd(F);
  const Vector z = svd.solve(target);
  const double scale = target.norm() + before.norm();
  if ((F * z - target).norm() > support_tolerance * scale)
    throw InvalidArgument(argument, "cannot be taken: they lie outside of the support of the weights");
  const Matrix Q = svd.V.rightCols(gaussian.rank() - svd.rank());
  Gaussian given{.mean = gaussian.mean + gaussian.factor * z, .factor = product(gaussian.factor, Q)};
  given.mean(entries) = values;
  given.factor(entries, Eigen::all).setZero();
  return given;
}

Vector Gaussian::at(const VectorView& z) const {
  return mean + factor * z;
}

Matrix Gaussian::draws(Index count, const RandomStream& stream) const {
  Matrix draws = mean.transpose().replicate(count, 1);
  accumulate_product_transposed(draws, stream.normals(count, rank()), factor);
  return draws;
}

Matrix Gaussian::covariance() const {
  return product_transposed(factor, factor);
}

Vector Gaussian::variance() const {
  return factor.rowwise().squaredNorm();
}

double log_density_on_support(const Gaussian& gaussian, const VectorView& w, const std::string& argument) {
  require_rows(w, gaussian.dimension(), argument);
  require_finite(w, argument);
  const SingularValueDecomposition svd = thin_svd(gaussian.factor);
  const Index rank = svd.rank();
  const Matrix U = svd.U.leftCols(rank);
  const Vector S = svd.S.head(rank);

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
