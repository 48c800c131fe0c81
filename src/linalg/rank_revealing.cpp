#include "ridgelet/linalg/rank_revealing.hpp"

#include <fmt/format.h>
#include <lapack.h>

#include <Eigen/Dense>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr double definiteness_tolerance = 1e-8;

void require_covariance(const Matrix& K, const Matrix& L, const std::string& argument) {
  Matrix residual = K;
  residual.noalias() -= L * L.transpose();
  const double error = residual.cwiseAbs().maxCoeff();
  if (!(error <= definiteness_tolerance * K.cwiseAbs().maxCoeff()))
    throw InvalidArgument(
        argument, "must be positive semi-definite, and at these points it is not (off by " +
                      fmt::format("{:.3g}", error) +
                      "); periodic and cosine depend on a Euclidean distance and are covariances of one "
                      "input only: give each its input with active=[i] and multiply them");
}

}  // namespace

Matrix RankRevealingFactor::coordinates(const MatrixView& values_at_pivots) const {
  const Matrix triangle = L(pivots, Eigen::all);
  return triangle.triangularView<Eigen::Lower>().solve(values_at_pivots);
}

RankRevealingFactor factorise(const Matrix& K, const std::string& argument) {
  if (!K.allFinite()) throw InvalidArgument(argument, "must be finite at every point, and it is not");
  if (K.size() == 0) return {};
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(K.rows());
  const double tolerance = rank_tolerance * K.diagonal().mean();
  std::vector<lapack_int> order(static_cast<std::size_t>(n));
  std::vector<double> work(2 * static_cast<std::size_t>(n));
  lapack_int rank = 0, info = 0;
  Matrix C = K;
  LAPACK_dpstrf(&lower, &n, C.data(), &n, order.data(), &rank, &tolerance, work.data(), &info);

  RankRevealingFactor factor{.L = Matrix::Zero(n, rank), .pivots = {}};
  for (Index i = 0; i < n; ++i) {
    const Index row = order[static_cast<std::size_t>(i)] - 1;
    const Index filled = std::min<Index>(i + 1, rank);
    factor.L.row(row).head(filled) = C.row(i).head(filled);
    if (i < rank) factor.pivots.push_back(row);
  }
  require_covariance(K, factor.L, argument);
  return factor;
}

}  // namespace ridgelet
