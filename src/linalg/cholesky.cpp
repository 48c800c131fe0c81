#include "ridgelet/linalg/cholesky.hpp"

#include <lapack.h>

#include <Eigen/Dense>

namespace ridgelet {

std::optional<Cholesky> Cholesky::of(Matrix K) {
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(K.rows());
  lapack_int info = 0;
  if (n > 0) LAPACK_dpotrf(&lower, &n, K.data(), &n, &info);
  // A NaN passes LAPACK's test of the pivot, so look at the diagonal as well.
  if (info != 0 || !K.diagonal().allFinite()) return std::nullopt;
  return Cholesky(std::move(K));
}

Matrix Cholesky::solve(const MatrixView& F) const {
  return solve_transposed(whiten(F));
}

Matrix Cholesky::whiten(const MatrixView& F) const {
  return C_.triangularView<Eigen::Lower>().solve(F);
}

Matrix Cholesky::solve_transposed(const MatrixView& F) const {
  return C_.transpose().triangularView<Eigen::Upper>().solve(F);
}

double Cholesky::log_determinant() const {
  return 2 * C_.diagonal().array().log().sum();
}

}  // namespace ridgelet
