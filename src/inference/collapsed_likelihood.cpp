#include "ridgelet/inference/collapsed_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/blocked.hpp"

namespace ridgelet {

namespace {

/// Rows of X held at a time.
constexpr Index row_block = 2048;

constexpr double impossible = -std::numeric_limits<double>::infinity();

}  // namespace

void validate(const Data& data, Index dimension) {
  require_nonempty(data.X, "X");
  require_columns(data.X, dimension, "X");
  require_finite(data.X, "X");
  require_nonempty(data.Y, "y");
  require_rows(data.Y, data.rows(), "y");
  require_finite(data.Y, "y");
  require_rows(data.noise, data.outputs(), "noise");
  for (Index k = 0; k < data.outputs(); ++k) {
    if (data.noise(k) == 0)
      throw InvalidArgument(
          "noise",
          "must be positive, got 0: without noise the posterior lies on a surface in the space "
          "of parameters, which has no density; a small value such as 0.01 will do");
    require_positive(data.noise(k), "noise");
    if (!std::isnormal(data.noise(k) * data.noise(k)))
      throw InvalidArgument(
          "noise", "must have a square within the range of a double, got " + shortest(data.noise(k)));
  }
}

CollapsedLikelihood::CollapsedLikelihood(const LayerPrior& prior, const Data& data)
    : data_(data), output_(prior.make_output()), posteriors_(static_cast<std::size_t>(data.outputs())) {
  validate(data, prior.dimension());
  const Index block = in_data_space() ? data.rows() : std::min(row_block, data.rows());
  for (Index first = 0; first < data.rows(); first += block)
    blocks_.push_back(data.X.middleRows(first, std::min(block, data.rows() - first)));
  values_.resize(block, 1 + output_->rank());
  residual_.resize(block, data.outputs());
}

double CollapsedLikelihood::bytes(const LayerPrior& prior, const Data& data) {
  const auto R = static_cast<double>(prior.rank()), M = static_cast<double>(data.rows());
  const double side = std::min(M, R), rows = M <= R ? M : std::min(M, static_cast<double>(row_block));
  const auto outputs = static_cast<double>(data.outputs());
  return prior.output_bytes() + 8 * (M * static_cast<double>(data.X.cols()) + rows * (1 + R + unit_block) +
                                     (1 + outputs) * side * side + outputs * (M <= R ? M * R : 0));
}

double CollapsedLikelihood::operator()(const HiddenLayers& layers) {
  if (!output_->condition(layers)) return impossible;
  accumulate_over_rows();
  double total = 0;
  for (Index k = 0; k < data_.outputs(); ++k) {
    if (!condition(k)) return impossible;
    total += coordinates(k).log_marginal_likelihood();
  }
  return total;
}

void CollapsedLikelihood::accumulate_over_rows() {
  const Index R = output_->rank();
  const Index side = in_data_space() ? data_.rows() : R;
  gram_.setZero(side, side);
  projected_.setZero(R, data_.outputs());
  squares_.setZero(data_.outputs());
  Index first = 0;
  for (const Matrix& X : blocks_) {
    auto values = values_.topRows(X.rows());
    auto G = values.rightCols(R);
    auto r = residual_.topRows(X.rows());
    output_->evaluate(X, values);
    r = data_.Y.middleRows(first, X.rows()).colwise() - values.col(0);
    if (in_data_space()) {
      accumulate_gram(gram_, G);
    } else {
      accumulate_transposed_gram(gram_, G);
      accumulate_transposed_product(projected_, G, r);
      squares_ += r.colwise().squaredNorm().transpose();
    }
    first += X.rows();
  }
}

bool CollapsedLikelihood::condition(Index k) {
  LinearGaussianPosterior& posterior = posteriors_[static_cast<std::size_t>(k)];
  const double noise = data_.noise(k);
  return in_data_space()
             ? posterior.condition_on_data(values_.rightCols(output_->rank()), gram_, residual_.col(k), noise)
             : posterior.condition_on_coordinates(gram_, projected_.col(k), squares_(k), data_.rows(), noise);
}

}  // namespace ridgelet
