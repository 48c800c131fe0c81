/// Networks drawn from the prior, each beside the path of the process whose node values made it.
///
/// A network's output weights are B f, with f = m + L z the process at the nodes. Elsewhere the process follows from
/// the same z, up to a remainder that is independent of z (target/process_at_points.hpp):
///   network  A(x) f
///   process  m(x) + c(x) . z + r(x),   cov( r(x), r(x') ) = k(x, x') - c(x) . c(x').
/// Each is an exact draw of its own distribution, and they belong together: their difference has mean square
/// rmse(x)^2 given the hidden layers (prior/given_hidden.hpp), so the distance between the two curves shows the error
/// of the prior.
///
/// Cost: at M points, M^2 R for the covariance of the remainder and M r^2 for its factor of rank r; then a network for
/// each draw. Memory M^2.
#pragma once

#include <cstdint>
#include <functional>

#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

struct CoupledPaths {
  Matrix networks;  ///< M x draws
  Matrix process;   ///< M x draws
  /// Root mean square of the process's standard deviation over the points (1 if that is 0).
  double scale = 1;

  /// Root mean square of network - process over points and draws, as a share of `scale`; or of one draw.
  double error() const;
  double error(Index draw) const;
};

/// The process's remainder r at the rows of X in factored form, M x rank: r = factor z', z' ~ N(0, I). `kriging` is
/// prior.kriging(X). Variances below 1e-12 of the process's own are rounding errors, and left out.
Matrix remainder_factor(const RidgeletPrior& prior, const MatrixView& X,
                        const RidgeletPrior::Kriging& kriging);

/// The networks are draw_network(prior, seed, i), i = 0, 1, ...; more draws leave the earlier ones unchanged.
/// `progress` is told how many are done.
CoupledPaths draw_coupled_paths(const RidgeletPrior& prior, const MatrixView& X, Index draws,
                                std::uint64_t seed,
                                const std::function<void(Index done)>& progress = nullptr);

}  // namespace ridgelet
