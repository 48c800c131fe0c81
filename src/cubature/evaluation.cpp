#include "ridgelet/cubature/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/row_order.hpp"
#include "ridgelet/cubature/gap_inputs.hpp"
#include "ridgelet/cubature/likely_inputs.hpp"
#include "ridgelet/cubature/rare_inputs.hpp"

namespace ridgelet {

namespace {

Matrix closed_grid(const Box& domain, Index points_per_axis) {
  const Index d = domain.dimension();
  const Index rows = d == 1 ? points_per_axis : points_per_axis * points_per_axis;
  Matrix points(rows, d);
  for (Index i = 0; i < d; ++i) {
    const Vector axis = Vector::LinSpaced(points_per_axis, domain.lower(i), domain.upper(i));
    const Index stride = (d == 2 && i == 0) ? points_per_axis : 1;
    for (Index j = 0; j < rows; ++j) points(j, i) = axis((j / stride) % points_per_axis);
  }
  return points;
}

Matrix uniform_points(const Box& domain, Index count, std::uint64_t seed) {
  const RandomStream stream{.seed = seed, .purpose = Purpose::evaluation_points};
  const Index d = domain.dimension();
  Matrix points(count, d);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < d; ++i) {
      const double u = stream.uniform(static_cast<std::uint64_t>(j * d + i));
      points(j, i) = domain.lower(i) + u * (domain.upper(i) - domain.lower(i));
    }
  return points;
}

Index below(Index bound, const RandomStream& stream, Index index) {
  const auto place =
      static_cast<Index>(stream.uniform(static_cast<std::uint64_t>(index)) * static_cast<double>(bound));
  return std::min(place, bound - 1);
}

}  // namespace

Matrix evaluation_points(const Box& domain, Index count, std::uint64_t seed) {
  validate(domain, "domain");
  require_at_least(count, 2, "eval_points");
  require_memory(8.0 * static_cast<double>(count) * static_cast<double>(domain.dimension()), "eval_points",
                 std::to_string(count) + " points");
  switch (domain.dimension()) {
    case 1:
      return closed_grid(domain, count);
    case 2:
      return closed_grid(domain, std::max<Index>(2, std::lround(std::sqrt(static_cast<double>(count)))));
    default:
      return uniform_points(domain, count, seed);
  }
}

Matrix sorted_rows(const Matrix& rows) {
  return rows(order_by_contents(rows), Eigen::all);
}

namespace {

Matrix midpoints(const Matrix& rows, Index count, std::uint64_t seed) {
  const Matrix X = sorted_rows(rows);
  constexpr Index candidates_for_a_neighbour = 32;
  const RandomStream stream{.seed = seed, .purpose = Purpose::evaluation_points, .replicate = 1};
  const Eigen::ArrayXd scale =
      (X.colwise().maxCoeff() - X.colwise().minCoeff()).cwiseMax(1e-300).transpose().array();
  const std::vector<Index> levels = columns_of_two_values(X);
  Matrix points(count, X.cols());
  Index next = 0;
  for (Index i = 0; i < count; ++i) {
    const Index one = below(X.rows(), stream, next++);
    Index nearest = one;
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < candidates_for_a_neighbour; ++j) {
      const Index other = below(X.rows(), stream, next++);
      const double distance = ((X.row(other) - X.row(one)).transpose().array() / scale).square().sum();
      if (distance > 0 && distance < least) {
        least = distance;
        nearest = other;
      }
    }
    points.row(i) = 0.5 * (X.row(one) + X.row(nearest));
    points(i, levels) = X(one, levels);
  }
  return points;
}

constexpr Index points_of_a_gap = 6;

}  // namespace

Matrix points_between(const Matrix& rows, Index count, std::uint64_t seed) {
  if (rows.cols() <= 2) return midpoints(rows, count, seed);
  const Matrix gaps = gap_inputs(rows, points_of_a_gap, count / 5, seed);
  const Index likely = count / 2;
  Matrix points(count, rows.cols());
  points << midpoints(rows, count - likely - gaps.rows(), seed), gaps, likely_inputs(rows, likely, seed);
  return points;
}

}  // namespace ridgelet
