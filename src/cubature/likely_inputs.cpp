#include "ridgelet/cubature/likely_inputs.hpp"

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/rare_inputs.hpp"

namespace ridgelet {

namespace {

constexpr Index most_rows = 1000;

double smoothing_width(Index n, Index d) {
  const auto rows = static_cast<double>(n), inputs = static_cast<double>(d);
  return std::pow(4 / (rows * (inputs + 2)), 1 / (inputs + 4));
}

Vector column_sd(const Matrix& centred) {
  return (centred.colwise().squaredNorm() / static_cast<double>(centred.rows())).cwiseSqrt().transpose();
}

}  // namespace

double correlation_shrinkage(const Matrix& rows) {
  require_at_least(rows.rows(), 2, "rows");
  const auto n = static_cast<double>(rows.rows());
  Matrix columns = rows.rowwise() - rows.colwise().mean();
  for (Index k = 0; k < columns.cols(); ++k) {
    const double length = columns.col(k).norm();
    if (length > 0) columns.col(k) /= length;
  }
  double uncertain = 0, certain = 0;
  for (Index k = 1; k < columns.cols(); ++k) {
    const Eigen::ArrayXd squares = (columns.leftCols(k).transpose() * columns.col(k)).array().square();
    uncertain += (1 - squares).square().sum() / (n - 1);
    certain += squares.sum();
  }
  return certain > 0 ? std::clamp(uncertain / certain, 1 / (n - 1), 1.0) : 1.0;
}

Matrix likely_inputs(const Matrix& rows, Index count, std::uint64_t seed) {
  require_nonempty(rows, "rows");
  const Index d = rows.cols();
  const RandomStream of_rows{.seed = seed, .purpose = Purpose::likely_inputs};
  const Matrix X = sorted_rows(rows)(of_rows.subset(rows.rows(), most_rows), Eigen::all);
  const Index n = X.rows();
  const auto mean = X.colwise().mean().eval();
  if (n == 1) return mean.replicate(count, 1);
  const Matrix centred = X.rowwise() - mean;
  const Vector sd = column_sd(centred);
  const double h = smoothing_width(rows.rows(), d), lambda = correlation_shrinkage(X);
  const double together = std::sqrt((1 - lambda) / static_cast<double>(n)), apart = std::sqrt(lambda);
  const auto least = X.colwise().minCoeff().eval(), most = X.colwise().maxCoeff().eval();
  const std::vector<Index> levels = columns_of_two_values(X);
  Matrix inputs(count, d);
  for (Index i = 0; i < count; ++i) {
    const RandomStream stream{.seed = seed,
                              .purpose = Purpose::likely_inputs,
                              .replicate = 1,
                              .iteration = static_cast<std::uint32_t>(i)};
    const Vector z = stream.normals(n + d);
    const auto row =
        std::min(static_cast<Index>(of_rows.uniform(static_cast<std::uint64_t>(rows.rows() + i)) *
                                    static_cast<double>(n)),
                 n - 1);
    const Eigen::RowVectorXd e =
        together * (z.head(n).transpose() * centred) + apart * z.tail(d).cwiseProduct(sd).transpose();
    inputs.row(i) = (mean + (centred.row(row) + h * e) / std::sqrt(1 + h * h)).cwiseMax(least).cwiseMin(most);
    inputs(i, levels) = X(row, levels);
  }
  return inputs;
}

}  // namespace ridgelet
