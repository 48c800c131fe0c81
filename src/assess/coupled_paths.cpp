#include "ridgelet/assess/coupled_paths.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

constexpr double rounding = 1e-12;  ///< of the variance of a group of terms

/// A factor of k(X, X) - C^T C for one group of the kernel's terms.
Matrix group_remainder(const Kernel& kernel, const MatrixView& X, const MatrixView& C) {
  const double least = rounding * kernel.diagonal(X).mean();
  Matrix S = kernel.matrix(X, X);
  S -= transposed_product(C, C);
  const Vector variance = S.diagonal().cwiseMax(0);
  if (!(variance.maxCoeff() > least)) return Matrix(X.rows(), 0);
  const CovarianceColumns columns{.diagonal = variance,
                                  .read_column = [&](Index j, Vector& column) { column = S.col(j); }};
  return factorise(columns, {.tolerance = least / variance.mean()}, "kernel").L;
}

}  // namespace

double CoupledPaths::error() const {
  return (networks - process).norm() / std::sqrt(static_cast<double>(networks.size())) / scale;
}

double CoupledPaths::error(Index draw) const {
  return (networks.col(draw) - process.col(draw)).norm() / std::sqrt(static_cast<double>(networks.rows())) /
         scale;
}

Matrix remainder_factor(const RidgeletPrior& prior, const MatrixView& X,
                        const RidgeletPrior::Kriging& kriging) {
  const FactorAtPoints& factor = prior.node_factor();
  const std::vector<Kernel> groups =
      groups_of_terms(prior.options().target.kernel, prior.options().nodes.points);
  Matrix all(X.rows(), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Index first = factor.group_starts[g],
                end = g + 1 < groups.size() ? factor.group_starts[g + 1] : factor.rank();
    const Matrix part = group_remainder(groups[g], X, kriging.coordinates.middleRows(first, end - first));
    all.conservativeResize(Eigen::NoChange, all.cols() + part.cols());
    all.rightCols(part.cols()) = part;
  }
  return all;
}

CoupledPaths draw_coupled_paths(const RidgeletPrior& prior, const MatrixView& X, Index draws,
                                std::uint64_t seed, const std::function<void(Index)>& progress) {
  const double points = static_cast<double>(X.rows());
  require_memory(16.0 * points * static_cast<double>(draws), "draws",
                 fmt::format("{} paths at {} points", draws, X.rows()));
  require_memory(3 * 8 * points * points, "eval_points", fmt::format("the process at {} points", X.rows()));
  const GaussianProcess& target = prior.options().target;
  CoupledPaths paths{.networks = Matrix(X.rows(), draws),
                     .process = Matrix(X.rows(), draws),
                     .scale = std::sqrt(target.kernel.diagonal(X).mean())};
  if (paths.scale == 0) paths.scale = 1;
  const RidgeletPrior::Kriging kriging = prior.kriging(X);
  const Gaussian known{.mean = target.finite_mean(X), .factor = kriging.coordinates.transpose()};
  const Matrix R = remainder_factor(prior, X, kriging);
  for (Index i = 0; i < draws; ++i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const auto normals = [&](Purpose purpose, Index size) {
      return RandomStream{.seed = seed, .purpose = purpose, .replicate = replicate}.normals(size);
    };
    const Vector z = normals(Purpose::output_weights, prior.rank());
    paths.networks.col(i) = network_at(GivenHidden(prior, seed, replicate), z)(X);
    paths.process.col(i) = known.at(z) + R * normals(Purpose::target_process, R.cols());
    if (progress) progress(i + 1);
  }
  return paths;
}

}  // namespace ridgelet
