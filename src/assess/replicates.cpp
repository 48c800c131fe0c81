#include "ridgelet/assess/replicates.hpp"

#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// False for a term whose f has one value at all points: k(x, x) = k(x, x0) = k(x0, x0).
bool varies(const Kernel& term, const Matrix& points) {
  const Vector variance = term.diagonal(points), with_first = term.matrix(points, points.topRows(1));
  return (with_first.array() != variance(0)).any() || (variance.array() != variance(0)).any();
}

}  // namespace

OverReplicates OverReplicates::of(const VectorView& values) {
  const double mean = values.mean(), n = static_cast<double>(values.size());
  const double sd = n < 2 ? 0.0 : std::sqrt((values.array() - mean).square().sum() / (n - 1));
  return {.mean = mean, .sd = sd, .replicates = values.size()};
}

double OverReplicates::standard_error() const {
  return sd / std::sqrt(static_cast<double>(replicates));
}

void for_each_replicate(const RidgeletPrior& prior, const ReplicateOptions& options,
                        const ReplicateVisitor& visit) {
  require_at_least(options.replicates, 1, "replicates");
  const auto visit_one = [&](Index i) {
    visit(i, GivenHidden(prior, options.seed, static_cast<std::uint32_t>(i)));
  };
  if (prior.output_bytes() <= options.side_by_side_bytes)
    parallel_for(options.replicates, visit_one);
  else
    for (Index i = 0; i < options.replicates; ++i) visit_one(i);
}

OverReplicates ErrorOverReplicates::largest() const {
  return OverReplicates::of(rmse.colwise().maxCoeff().transpose());
}

Vector ErrorOverReplicates::root_mean_square() const {
  return rmse.array().square().rowwise().mean().sqrt();
}

ErrorOverReplicates error_over_replicates(const RidgeletPrior& prior, const Matrix& points,
                                          const ReplicateOptions& options, const NetworkVisitor& also) {
  require_at_least(options.replicates, 1, "replicates");
  const RidgeletPrior::Kriging kriging = prior.kriging(points);
  ErrorOverReplicates error{.rmse = Matrix(points.rows(), options.replicates), .floor = kriging.floor};
  const Vector mean = prior.options().target.mean(points);
  for_each_replicate(prior, options, [&](Index i, const GivenHidden& given) {
    const Gaussian network = given.output(points);
    error.rmse.col(i) = rmse_of(network, kriging, mean);
    if (also) also(i, given, network);
  });
  return error;
}

double process_sd(const RidgeletPrior& prior, const Matrix& points) {
  const Kernel& kernel = prior.options().target.kernel;
  double variance = 0;
  for (const Kernel& term : kernel.terms())
    if (varies(term, points)) variance += term.diagonal(points).mean();
  return std::sqrt(variance > 0 ? variance : kernel.diagonal(points).mean());
}

}  // namespace ridgelet
