#include "ridgelet/assess/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {

namespace {

constexpr Index most_points = 500;
constexpr Index candidates_for_a_neighbour = 32;

RandomStream stream_of(std::uint64_t seed, std::uint32_t replicate) {
  return {.seed = seed, .purpose = Purpose::evaluation_points, .replicate = replicate};
}

Index below(Index bound, const RandomStream& stream, Index index) {
  const auto place =
      static_cast<Index>(stream.uniform(static_cast<std::uint64_t>(index)) * static_cast<double>(bound));
  return std::min(place, bound - 1);
}

/// Root mean squares over points and networks, relative to the process; the second is the floor's.
std::pair<double, double> relative_errors(const RidgeletPrior& prior, const Matrix& points, Index networks,
                                          const NetworkOutputs& outputs) {
  const RidgeletPrior::Kriging kriging = prior.kriging(points);
  const Vector mean = prior.options().target.mean(points);
  double squares = 0;
  for (Index i = 0; i < networks; ++i) squares += rmse_of(outputs(i, points), kriging, mean).squaredNorm();
  const double sd = process_sd(prior, points), count = static_cast<double>(points.rows());
  return {std::sqrt(squares / (count * static_cast<double>(networks))) / sd,
          kriging.floor.norm() / std::sqrt(count) / sd};
}

}  // namespace

Matrix rows_at_random(const Matrix& X, Index count, std::uint64_t seed) {
  std::vector<Index> rows(static_cast<std::size_t>(X.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Index used = std::min(count, X.rows());
  const RandomStream stream = stream_of(seed, 1);
  for (Index i = 0; i < used; ++i)
    std::swap(rows[static_cast<std::size_t>(i)],
              rows[static_cast<std::size_t>(i + below(X.rows() - i, stream, i))]);
  rows.resize(static_cast<std::size_t>(used));
  std::ranges::sort(rows);
  return X(rows, Eigen::all);
}

Matrix points_between(const Matrix& X, const VectorView& scale, Index count, std::uint64_t seed) {
  const RandomStream stream = stream_of(seed, 2);
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

Certificate certify(const RidgeletPrior& prior, const Matrix& X, std::uint64_t seed, Index networks,
                    const NetworkOutputs& outputs) {
  const Index count = std::min(most_points, X.rows());
  const Vector scale = (X.colwise().maxCoeff() - X.colwise().minCoeff()).cwiseMax(1e-300).transpose();
  const auto [data, floor] = relative_errors(prior, rows_at_random(X, count, seed), networks, outputs);
  const auto [between, unused] =
      relative_errors(prior, points_between(X, scale, count, seed), networks, outputs);
  return {.data = data, .between = between, .floor = floor};
}

Certificate certify(const RidgeletPrior& prior, const Matrix& X, std::uint64_t seed, Index networks) {
  std::vector<std::unique_ptr<GivenHidden>> given;
  for (Index i = 0; i < networks; ++i)
    given.push_back(std::make_unique<GivenHidden>(prior, seed, static_cast<std::uint32_t>(i)));
  return certify(prior, X, seed, networks, [&](Index i, const Matrix& points) {
    return given[static_cast<std::size_t>(i)]->output(points);
  });
}

}  // namespace ridgelet
