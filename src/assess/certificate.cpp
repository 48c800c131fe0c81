#include "ridgelet/assess/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "root_mean_square.hpp"

namespace ridgelet {

namespace {

constexpr Index most_points = 500;

}  // namespace

Certificate certify(const RidgeletPrior& prior, const Matrix& X, const ReplicateOptions& options) {
  const Index count = std::min(most_points, X.rows());
  // A seed other than that of the nodes, so that the error is not measured at the nodes themselves.
  const Matrix rows = subset_of_rows(X, count, options.seed + 1);
  const Matrix between = points_between(X, count, options.seed);
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
