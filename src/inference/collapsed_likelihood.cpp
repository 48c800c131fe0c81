#include "ridgelet/inference/collapsed_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/tiles.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "row_sums.hpp"

namespace ridgelet {

namespace {

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

CollapsedLikelihood::CollapsedLikelihood(const LayerPrior& prior, const Data& data, Index row_block,
                                         const Ranks& ranks)
    : data_(data),
      ranks_(ranks),
      output_(prior.make_output()),
      posteriors_(static_cast<std::size_t>(data.outputs())) {
  validate(data, prior.dimension());
  require_at_least(row_block, 1, "row_block");
  const Index M = data.rows();
  for (Index first = 0; first < M; first += row_block)
    blocks_.push_back({.X = data.X.middleRows(first, std::min(row_block, M - first)), .first = first});
  const Index held = in_data_space() ? M : std::min(row_block, M);
  values_.resize(held, 1 + output_->rank());
  residual_.resize(held, data.outputs());
}

double CollapsedLikelihood::bytes(const LayerPrior& prior, const Data& data, Index row_block) {
  const auto R = static_cast<double>(prior.rank()), M = static_cast<double>(data.rows());
  const auto K = static_cast<double>(data.outputs()), d = static_cast<double>(data.X.cols());
  const double block = std::min(M, static_cast<double>(row_block));
  const double rows = M <= R ? M : block, side = std::min(M, R);
  const double squared = (1 + K) * side * side + (M <= R ? K * M * R : 0);
  // Each posterior's factor and, in data space, its basis; the stack and its rows where there are blocks.
  const double by_root =
      K * (side + 1) * (side + 1) + (M <= R ? K * M * (R + 2 * M) : block * (R + K) + 2 * (R + K) * (R + K));
  return prior.output_bytes() + 8 * (M * d + rows * (1 + R + K + unit_block) + squared + by_root);
}

double CollapsedLikelihood::operator()(const HiddenLayers& layers) {
  if (!output_->condition(layers)) return impossible;
  accumulate_over_rows();
  bool all_squares_suffice = true;
  for (Index k = 0; k < data_.outputs(); ++k) all_squares_suffice &= squares_suffice_for(k);
  if (!all_squares_suffice && !in_data_space()) stack_rows();
  double total = 0;
  for (Index k = 0; k < data_.outputs(); ++k) {
    if (!(squares_suffice_for(k) ? condition(k) : condition_by_root(k))) return impossible;
    total += coordinates(k).log_marginal_likelihood();
  }
  return total;
}

MatrixSpan CollapsedLikelihood::values(const Block& block) {
  return values_.middleRows(in_data_space() ? block.first : 0, block.X.rows());
}

MatrixSpan CollapsedLikelihood::residuals(const Block& block) {
  return residual_.middleRows(in_data_space() ? block.first : 0, block.X.rows());
}

void CollapsedLikelihood::evaluate(const Block& block) {
  MatrixSpan at_rows = values(block), r = residuals(block);
  output_->evaluate(block.X, at_rows);
  r = data_.Y.middleRows(block.first, block.X.rows()).colwise() - at_rows.col(0);
}

void CollapsedLikelihood::accumulate_single_block() {
  const Index R = output_->rank();
  evaluate(blocks_.front());
  gram_.setZero(R, R);
  projected_.setZero(R, data_.outputs());
  accumulate_transposed_gram(gram_, values_.rightCols(R));
  accumulate_transposed_product(projected_, values_.rightCols(R), residual_);
  squares_ = residual_.colwise().squaredNorm().transpose();
}

template <class Sums, class SumsOf>
Sums CollapsedLikelihood::sum_over_blocks(SumsOf&& sums_of) {
  // An evaluation spreads a block over the threads itself, so blocks are read one at a time.
  return sum_over_tiles<Sums>(
      static_cast<Index>(blocks_.size()), ranks_, [](Index index) { return index; },
      [&](Index index, Index) { return sums_of(blocks_[static_cast<std::size_t>(index)]); });
}

template <class Sums>
Sums CollapsedLikelihood::row_sums() {
  return sum_over_blocks<Sums>([&](const Block& block) {
    evaluate(block);
    return Sums::of(values(block).rightCols(output_->rank()), residuals(block));
  });
}

void CollapsedLikelihood::accumulate_over_rows() {
  if (in_data_space()) {
    for (const Block& block : blocks_) evaluate(block);
    gram_.setZero(data_.rows(), data_.rows());
    accumulate_gram(gram_, values_.rightCols(output_->rank()));
  } else if (blocks_.size() == 1) {
    accumulate_single_block();
  } else {
    SquareSums sums = row_sums<SquareSums>();
    gram_ = std::move(sums.gram);
    projected_ = std::move(sums.projected);
    squares_ = sums.squares.row(0).transpose();
  }
}

void CollapsedLikelihood::stack_rows() {
  if (blocks_.size() > 1) {
    root_ = row_sums<RootSums>().T;
    return;
  }
  // The values of a single block are still there.
  rows_.resize(values_.rows(), output_->rank() + data_.outputs());
  rows_ << values_.rightCols(output_->rank()), residual_;
  stack_.start(rows_.cols());
  stack_.append(rows_);
  root_ = stack_.T();
}

bool CollapsedLikelihood::squares_suffice_for(Index k) const {
  const double largest = gram_.diagonal().maxCoeff();
  return squares_suffice(in_data_space() ? largest : std::max(largest, squares_(k)), data_.noise(k));
}

bool CollapsedLikelihood::condition(Index k) {
  LinearGaussianPosterior& posterior = posteriors_[static_cast<std::size_t>(k)];
  const double noise = data_.noise(k);
  return in_data_space()
             ? posterior.condition_on_data(values_.rightCols(output_->rank()), gram_, residual_.col(k), noise)
             : posterior.condition_on_coordinates(gram_, projected_.col(k), squares_(k), data_.rows(), noise);
}

bool CollapsedLikelihood::condition_by_root(Index k) {
  LinearGaussianPosterior& posterior = posteriors_[static_cast<std::size_t>(k)];
  const Index R = output_->rank();
  if (in_data_space())
    return posterior.condition_on_data_by_root(values_.rightCols(R), residual_.col(k), data_.noise(k));
  // Rows of the stack beyond R hold nothing but residuals: of those of output k only the length matters.
  const auto of_output = root_.col(R + k);
  triangle_.setZero(R + 1, R + 1);
  triangle_.topLeftCorner(R, R) = root_.topLeftCorner(R, R);
  triangle_.col(R).head(R) = of_output.head(R);
  triangle_(R, R) = of_output.tail(data_.outputs()).stableNorm();
  return posterior.condition_on_coordinates_by_root(triangle_, data_.rows(), data_.noise(k));
}

double CollapsedLikelihood::gradient_bytes(const LayerPrior& prior, const Data& data, Index row_block) {
  const auto R = static_cast<double>(prior.rank()), M = static_cast<double>(data.rows());
  const double block = std::min(M, static_cast<double>(row_block)), rows = M <= R ? M : block;
  // With several blocks, the partial sums that are held: one for each level of a tree.
  const double sums = std::ceil(std::log2(std::max(1.0, M / block))) + 1;
  return prior.pull_back_bytes(static_cast<Index>(block)) +
         8 * (rows * (2 * R + 2) + sums * static_cast<double>(prior.allocate().parameters()));
}

double CollapsedLikelihood::value_and_gradient(const HiddenLayers& layers) {
  const double value = (*this)(layers);
  if (value == impossible) {
    gradient_ = layers;
    gradient_.set_zero();
    return value;
  }
  gradient_ = layers;
  if (in_data_space() || blocks_.size() == 1) {
    output_->start_pull_back();
    pull_back_rows();
    gradient_ = output_->finish_pull_back();
  } else {
    gradient_.unpack(
        sum_over_blocks<GradientSum>([&](const Block& block) { return slope_of(block); }).slope.col(0));
  }
  return value;
}

void CollapsedLikelihood::set_slopes(Index rows) {
  slopes_.setZero(values_.rows(), values_.cols());
  const auto G = values_.topRows(rows).rightCols(output_->rank());
  for (Index k = 0; k < data_.outputs(); ++k)
    coordinates(k).add_slopes(G, residual_.col(k).head(rows), slopes_.topRows(rows), slope_workspace_);
}

void CollapsedLikelihood::pull_back_rows() {
  set_slopes(data_.rows());
  for (const Block& block : blocks_) {
    // The last evaluation was that of the last block.
    if (blocks_.size() > 1) evaluate(block);
    output_->pull_back(slopes_.middleRows(block.first, block.X.rows()));
  }
}

GradientSum CollapsedLikelihood::slope_of(const Block& block) {
  output_->start_pull_back();
  evaluate(block);
  set_slopes(block.X.rows());
  output_->pull_back(slopes_.topRows(block.X.rows()));
  return {output_->finish_pull_back().packed()};
}

}  // namespace ridgelet
