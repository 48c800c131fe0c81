#include "ridgelet/cubature/evaluation.hpp"

#include <cmath>
#include <string>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/random.hpp"

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

}  // namespace ridgelet
