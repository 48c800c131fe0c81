/// A Gaussian process at D points q in factored form: f(q) = m + L z, z ~ N(0, I_R), L L^T = k(q, q).
///
/// A factor has a tolerance relative to its whole trace, which would drop a small term beside a large one: in
/// constant(amplitude=1e6) + se() the se is 1e-12 of the whole. So the terms of the kernel are put into groups
/// whose traces at the points are within a factor 1e3 of the largest in the group, each group has a pivoted factor
/// of its own, and the factors stand side by side:
///   k = k_1 + ... + k_G,   L = [L_1, ..., L_G],   L_g L_g^T = k_g(q, q).
/// An ordinary kernel is one group. With several, R may exceed D.
///
/// The process at any other point is known from z but for an independent remainder:
///   f(x) = m(x) + c(x) . z + remainder,   c_g(x) = L_g(pivots_g, :)^{-1} k_g(q_pivots_g, x),
///   variance of the remainder  sum_g k_g(x, x) - |c_g(x)|^2.
/// Its standard deviation is the kriging floor, which nothing computed from f(q) can go below; with one group it is
///   sqrt( k(x, x) - k(x, q) K^{-1} k(q, x) ).
///
/// Cost of construction: K, and D^2 R for its factor and the check of it. Memory: K twice meanwhile, then D x R.
#pragma once

#include <vector>

#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/target/gaussian_process.hpp"

namespace ridgelet {

/// L and the rows chosen for it: what must be stored for coordinates z to mean the same function on any machine.
struct FactorAtPoints {
  Matrix L;                         ///< D x R
  std::vector<Index> pivots;        ///< R rows; a group's are lower triangular in its columns
  std::vector<Index> group_starts;  ///< the first column of each group

  Index rank() const { return L.cols(); }
};

class ProcessAtPoints {
 public:
  /// Variances below `tolerance` times a group's mean variance are dropped.
  ProcessAtPoints(const GaussianProcess& process, const MatrixView& points,
                  double tolerance = rank_tolerance);

  /// With a factor that was computed before. Throws InvalidArgument about `factor` unless it is one of this kernel
  /// at these points.
  ProcessAtPoints(const GaussianProcess& process, const MatrixView& points, FactorAtPoints factor);

  const Vector& mean() const { return mean_; }
  const FactorAtPoints& factor() const { return factor_; }
  Index rank() const { return factor_.rank(); }

  struct Kriging {
    Matrix coordinates;  ///< c, R x M
    Vector floor;        ///< standard deviation of the remainder, M
  };
  Kriging kriging(const MatrixView& X) const;

 private:
  /// A group of terms: its first column of L, the points that are its pivots, and its square block of L there.
  struct Group {
    Kernel kernel;
    Index first;
    Matrix pivots;
    Matrix triangle;
  };

  void keep_groups(const std::vector<Kernel>& kernels, const MatrixView& points);

  Vector mean_;
  FactorAtPoints factor_;
  std::vector<Group> groups_;
};

/// The kernel as a sum of groups of its terms, largest first.
std::vector<Kernel> groups_of_terms(const Kernel& kernel, const MatrixView& points);

}  // namespace ridgelet
