#include "ridgelet/assess/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "root_mean_square.hpp"

namespace ridgelet {

namespace {

constexpr Index most_points = 500;
constexpr Index candidates_for_a_neighbour = 32;

Index below(Index bound, const RandomStream& stream, Index index) {
  const auto place =
      static_cast<Index>(stream.uniform(static_cast<std::uint64_t>(index)) * static_cast<double>(bound));
  return std::min(place, bound - 1);
}

}  // namespace

Matrix points_between(const Matrix& X, const VectorView& scale, Index count, std::uint64_t seed) {
  const RandomStream stream{.seed = seed, .purpose = Purpose::evaluation_points, .replicate = 1};
  Matrix points(count, X.cols());
  Index next = 0;
  for (Index i = 0; i < count; ++i) {
    const Index one = below(X.rows(), stream, next++);
    Index nearest = one;
    double least = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < candidates_for_a_neighbour; ++j) {
      const Index other = below(X.rows(), stream, next++);
      const double distance =
          ((X.row(other) - X.row(one)).transpose().array() / scale.array()).square().sum();
      if (distance > 0 && distance < least) {
        least = distance;
        nearest = other;
      }
    }
    points.row(i) = 0.5 * (X.row(one) + X.row(nearest));
  }
  return points;
}

Certificate certify(const RidgeletPrior& prior, const Matrix& X, const ReplicateOptions& options) {
  const Index count = std::min(most_points, X.rows());
  const Vector scale = (X.colwise().maxCoeff() - X.colwise().minCoeff()).cwiseMax(1e-300).transpose();
  // Another seed than that of the nodes, so that they are not looked at where they lie.
  const Matrix rows = subset_of_rows(X, count, options.seed + 1);
  const Matrix between = points_between(X, scale, count, options.seed);
  const ErrorOverReplicates at_rows = error_over_replicates(prior, rows, options);
  const double sd = process_sd(prior, rows);
  return {.data = root_mean_square(at_rows.rmse) / sd,
          .between = root_mean_square(error_over_replicates(prior, between, options).rmse) /
                     process_sd(prior, between),
          .floor = root_mean_square(at_rows.floor) / sd};
}

std::string percent(double part) {
  const double hundredths = 100 * part;
  return hundredths < 10 ? fmt::format("{:.2g} %", hundredths) : fmt::format("{:.0f} %", hundredths);
}

}  // namespace ridgelet
