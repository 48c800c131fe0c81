#include "ridgelet/target/relevance.hpp"

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr Index most_rows = 50;

/// By which an input moves, in its standard deviations.
constexpr double distances[] = {0.5, 1.0, 2.0};

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
  return input_relevance(process, X, variance(Y));
}

Vector input_relevance(const GaussianProcess& process, const MatrixView& X, double variance_of_y) {
  require_nonempty(X, "X");
  process.validate_dimension(X.cols());
  const Matrix rows = some_rows(X);
  const double whole = 2 * variance_of_y;
  Vector relevance = Vector::Zero(X.cols());
  for (Index k = 0; k < X.cols(); ++k) {
    const double sd = std::sqrt(variance(X.col(k)));
    const double jump = mean_square_change(process, rows, k, next_to_nothing * sd);
    for (const double t : distances)
      relevance(k) = std::max(relevance(k), (mean_square_change(process, rows, k, t * sd) - jump) / whole);
  }
  return relevance;
}

Vector input_effects(const GaussianProcess& process, const Vector& noise, const MatrixView& X,
                     const MatrixView& Y, const std::vector<Index>& inputs) {
  require_rows(noise, Y.cols(), "noise");
  const Matrix rows = some_rows(X);
  Vector effects = Vector::Zero(static_cast<Index>(inputs.size()));
  for (Index j = 0; j < Y.cols(); ++j) {
    const GaussianProcessPosterior posterior(process, X, Y.col(j), noise(j));
    for (Index i = 0; i < effects.size(); ++i) {
      const Index k = inputs[static_cast<std::size_t>(i)];
      const double sd = std::sqrt(variance(X.col(k))), nothing = next_to_nothing * sd;
      const double white = mean_square_change(process.kernel, rows, k, nothing);
      // White noise belongs to the rows themselves: next to them the mean is without it.
      const Vector here = posterior.mean(with_input_moved(rows, k, nothing));
      for (const double t : distances) {
        const Vector there = posterior.mean(with_input_moved(rows, k, t * sd));
        const double change = (there - here).array().square().mean();
        effects(i) = std::max(effects(i), change / (2 * noise(j) * noise(j) + white));
      }
    }
  }
  return effects;
}

std::vector<Index> irrelevant_inputs(const GaussianProcess& process, const Vector& noise, const MatrixView& X,
                                     const MatrixView& Y, const Vector& relevance) {
  std::vector<Index> flat, inputs;
  for (Index k = 0; k < relevance.size(); ++k)
    if (relevance(k) < hardly_relevant) flat.push_back(k);
  if (flat.empty()) return {};
  try {
    const Vector effects = input_effects(process, noise, X, Y, flat);
    for (std::size_t i = 0; i < flat.size(); ++i)
      if (effects(static_cast<Index>(i)) < hardly_above_noise) inputs.push_back(flat[i]);
  } catch (const InvalidArgument&) {
    return {};
  }
  return inputs;
}

}  // namespace ridgelet
