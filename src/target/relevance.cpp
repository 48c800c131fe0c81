#include "ridgelet/target/relevance.hpp"

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr Index most_rows = 50;

/// A distance, in standard deviations, at which nothing but white noise differs.
constexpr double next_to_nothing = 1e-9;

Matrix with_input_moved(Matrix X, Index k, double distance) {
  X.col(k).array() += distance;
  return X;
}

double mean_square_change(const GaussianProcess& process, const Matrix& X, Index k, double distance) {
  const Vector change = process.mean(with_input_moved(X, k, distance)) - process.mean(X);
  return mean_square_change(process.kernel, X, k, distance) + change.array().square().mean();
}

double variance(const MatrixView& values) {
  return (values.rowwise() - values.colwise().mean()).squaredNorm() / static_cast<double>(values.size());
}

/// At most `most_rows` rows, evenly spread.
Matrix some_rows(const MatrixView& X) {
  const Index step = (X.rows() + most_rows - 1) / most_rows;
  return X(Eigen::seq(0, X.rows() - 1, step), Eigen::all);
}

}  // namespace

double mean_square_change(const Kernel& kernel, const Matrix& X, Index k, double distance) {
  const Matrix moved = with_input_moved(X, k, distance);
  const Vector between = kernel.matrix(X, moved).diagonal();
  return (kernel.diagonal(X) + kernel.diagonal(moved) - 2 * between).mean();
}

Vector input_relevance(const GaussianProcess& process, const MatrixView& X, const MatrixView& Y) {
  require_nonempty(X, "X");
  require_rows(Y, X.rows(), "y");
  process.validate_dimension(X.cols());
  const Matrix rows = some_rows(X);
  const double whole = 2 * variance(Y);
  Vector relevance = Vector::Zero(X.cols());
  for (Index k = 0; k < X.cols(); ++k) {
    const double sd = std::sqrt(variance(X.col(k)));
    const double jump = mean_square_change(process, rows, k, next_to_nothing * sd);
    for (const double t : {0.5, 1.0, 2.0})
      relevance(k) = std::max(relevance(k), (mean_square_change(process, rows, k, t * sd) - jump) / whole);
  }
  return relevance;
}

std::vector<Index> irrelevant_inputs(const Vector& relevance) {
  std::vector<Index> inputs;
  for (Index k = 0; k < relevance.size(); ++k)
    if (relevance(k) < hardly_relevant) inputs.push_back(k);
  return inputs;
}

}  // namespace ridgelet
