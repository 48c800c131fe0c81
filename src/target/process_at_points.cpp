#include "ridgelet/target/process_at_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/linalg/triangular.hpp"

namespace ridgelet {

namespace {

constexpr double largest_ratio_in_a_group = 1e3;
constexpr double stored_tolerance =
    1e-8;                              ///< of the largest variance, between a stored factor and its kernel
constexpr Index kriging_piece = 1024;  ///< new points that a thread takes at a time
constexpr double rounding_tolerance = 1e-14;  ///< of a group's variance; a remainder below is rounding

std::vector<double> traces(const std::vector<Kernel>& terms, const MatrixView& points) {
  std::vector<double> values;
  for (const Kernel& term : terms) {
    values.push_back(term.diagonal(points).sum());
    if (!std::isfinite(values.back()))
      throw InvalidArgument("kernel", "must be finite at every point, and '" + term.text() + "' is not");
  }
  return values;
}

Kernel sum_of_terms(const std::vector<Kernel>& terms, std::vector<std::size_t> chosen) {
  std::sort(chosen.begin(), chosen.end());
  Kernel sum = terms[chosen[0]];
  for (std::size_t i = 1; i < chosen.size(); ++i) sum = sum + terms[chosen[i]];
  return sum;
}

/// The factors of the groups side by side.
FactorAtPoints factor_groups(const std::vector<Kernel>& groups, const MatrixView& points, double tolerance) {
  FactorAtPoints all{.L = Matrix(points.rows(), 0), .pivots = {}, .group_starts = {}};
  for (const Kernel& group : groups) {
    RankRevealingFactor factor = factorise(group.matrix(points, points), "kernel", tolerance);
    const Index first = all.L.cols();
    all.group_starts.push_back(first);
    all.pivots.insert(all.pivots.end(), factor.pivots.begin(), factor.pivots.end());
    if (first == 0) {
      all.L = std::move(factor.L);
    } else {
      all.L.conservativeResize(Eigen::NoChange, first + factor.rank());
      all.L.rightCols(factor.rank()) = factor.L;
    }
  }
  return all;
}

Index group_end(const FactorAtPoints& factor, std::size_t group) {
  return group + 1 < factor.group_starts.size() ? factor.group_starts[group + 1] : factor.rank();
}

std::vector<Index> group_pivots(const FactorAtPoints& factor, std::size_t group) {
  return {factor.pivots.begin() + factor.group_starts[group],
          factor.pivots.begin() + group_end(factor, group)};
}

void require_shapes(const FactorAtPoints& factor, std::size_t groups, Index D) {
  require_rows(factor.L, D, "factor: L");
  const auto complain = [](const std::string& complaint) { throw InvalidArgument("factor", complaint); };
  if (!factor.L.allFinite()) complain("L must be finite");
  if (static_cast<Index>(factor.pivots.size()) != factor.rank())
    complain(
        fmt::format("must have {} pivots, one for each column, got {}", factor.rank(), factor.pivots.size()));
  const auto& starts = factor.group_starts;
  if (starts.size() != groups)
    complain(fmt::format("must have {} groups of terms as the kernel has, got {}", groups, starts.size()));
  if (starts[0] != 0 || !std::is_sorted(starts.begin(), starts.end()) || starts.back() > factor.rank())
    complain("group starts must rise from 0 to at most the rank");
  for (std::size_t g = 0; g < groups; ++g) {
    const std::vector<Index> pivots = group_pivots(factor, g);
    const std::set<Index> distinct(pivots.begin(), pivots.end());
    if (distinct.size() != pivots.size() ||
        (!distinct.empty() && (*distinct.begin() < 0 || *distinct.rbegin() >= D)))
      complain(fmt::format("pivots must be different rows below {}", D));
  }
}

/// The rows of the pivots must be triangular, and every row have the variance of its point.
void require_factor_of(const Kernel& kernel, const MatrixView& points, const MatrixView& L,
                       const Matrix& triangle) {
  for (Index r = 0; r < triangle.cols(); ++r)
    if (!(triangle(r, r) > 0) || !triangle.col(r).head(r).isZero(0))
      throw InvalidArgument(
          "factor", "L must be lower triangular in the order of its pivots, with a positive diagonal");
  const Vector variance = kernel.diagonal(points);
  const double error = (variance - L.rowwise().squaredNorm()).cwiseAbs().maxCoeff();
  if (!(error <= stored_tolerance * variance.maxCoeff()))
    throw InvalidArgument("factor",
                          fmt::format("L L^T must have the variances of the kernel at the points, and is "
                                      "off by {:.3g}",
                                      error));
}

}  // namespace

std::vector<Kernel> groups_of_terms(const Kernel& kernel, const MatrixView& points) {
  const std::vector<Kernel> terms = kernel.terms();
  const std::vector<double> trace = traces(terms, points);
  std::vector<std::size_t> order(terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return trace[i] > trace[j]; });
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t term : order) {
    if (groups.empty() || trace[term] < trace[groups.back()[0]] / largest_ratio_in_a_group)
      groups.emplace_back();
    groups.back().push_back(term);
  }
  if (groups.size() == 1) return {kernel};
  std::vector<Kernel> sums;
  for (const auto& group : groups) sums.push_back(sum_of_terms(terms, group));
  return sums;
}

ProcessAtPoints::ProcessAtPoints(const GaussianProcess& process, const MatrixView& points, double tolerance) {
  process.validate_dimension(points.cols());
  mean_ = process.finite_mean(points);
  const std::vector<Kernel> kernels = groups_of_terms(process.kernel, points);
  factor_ = factor_groups(kernels, points, tolerance);
  keep_groups(kernels, points);
}

ProcessAtPoints::ProcessAtPoints(const GaussianProcess& process, const MatrixView& points,
                                 FactorAtPoints factor)
    : factor_(std::move(factor)) {
  process.validate_dimension(points.cols());
  mean_ = process.finite_mean(points);
  const std::vector<Kernel> kernels = groups_of_terms(process.kernel, points);
  require_shapes(factor_, kernels.size(), points.rows());
  keep_groups(kernels, points);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    require_factor_of(kernels[g], points, factor_.L.middleCols(groups_[g].first, groups_[g].triangle.cols()),
                      groups_[g].triangle);
}

void ProcessAtPoints::keep_groups(const std::vector<Kernel>& kernels, const MatrixView& points) {
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    const std::vector<Index> pivots = group_pivots(factor_, g);
    const Index first = factor_.group_starts[g], rank = static_cast<Index>(pivots.size());
    groups_.push_back({.kernel = kernels[g],
                       .first = first,
                       .pivots = points(pivots, Eigen::all),
                       .triangle = factor_.L(pivots, Eigen::seqN(first, rank))});
  }
}

ProcessAtPoints::Kriging ProcessAtPoints::kriging(const MatrixView& X) const {
  Kriging result{.coordinates = Matrix(rank(), X.rows()), .floor = Vector::Zero(X.rows())};
  parallel_for((X.rows() + kriging_piece - 1) / kriging_piece, [&](Index piece) {
    const Index from = piece * kriging_piece, count = std::min(kriging_piece, X.rows() - from);
    const Matrix x = X.middleRows(from, count);
    for (const Group& group : groups_) {
      auto c = result.coordinates.block(group.first, from, group.triangle.rows(), count);
      c = group.kernel.matrix(group.pivots, x);
      solve_triangular(group.triangle, Triangle::lower, c);
      const Vector variance = group.kernel.diagonal(x), explained = c.colwise().squaredNorm();
      for (Index i = 0; i < count; ++i) {
        const double remainder = variance(i) - explained(i);
        if (remainder > rounding_tolerance * variance(i)) result.floor(from + i) += remainder;
      }
    }
  });
  result.floor = result.floor.cwiseSqrt();
  return result;
}

}  // namespace ridgelet
