#include "ridgelet/prior/given_hidden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

void validate(const RidgeletPrior& prior, const HiddenLayers& layers) {
  if (static_cast<Index>(layers.depth()) != prior.options().layers)
    throw InvalidArgument(
        "layers", fmt::format("must be {} hidden layers, got {}", prior.options().layers, layers.depth()));
  for (std::size_t l = 0; l < layers.depth(); ++l) {
    ridgelet::validate(layers[l]);
    require_columns(layers[l].W, l == 0 ? prior.dimension() : prior.rank(), "W");
  }
}

void require_points(const MatrixView& X, Index dimension, const std::string& argument) {
  require_nonempty(X, argument);
  require_columns(X, dimension, argument);
  require_finite(X, argument);
}

std::size_t depth(const RidgeletPrior& prior) {
  return static_cast<std::size_t>(prior.options().layers);
}

}  // namespace

Vector rmse_of(const Gaussian& network, const RidgeletPrior::Kriging& kriging, const VectorView& mean) {
  const Vector bias = mean - network.mean;
  const Vector spread = (kriging.coordinates.transpose() - network.factor).rowwise().squaredNorm();
  return (kriging.floor.array().square() + spread.array() + bias.array().square()).sqrt();
}

GivenHidden::GivenHidden(const RidgeletPrior& prior)
    : prior_(prior),
      path_(prior),
      walk_(depth(prior), prior.options().blocks),
      product_(prior.options().blocks),
      single_product_(prior.options().blocks),
      adjoint_(prior.options().blocks),
      weight_blocks_(prior.options().blocks) {}

GivenHidden::GivenHidden(const RidgeletPrior& prior, const HiddenLayers& layers) : GivenHidden(prior) {
  validate(prior, layers);
  if (!condition(layers)) throw path_.impossibility();
}

GivenHidden::GivenHidden(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate)
    : GivenHidden(prior) {
  constexpr std::uint32_t attempts = 100;
  for (std::uint32_t attempt = 0; attempt < attempts; ++attempt)
    if (path_.condition(prior.draw_hidden(seed, replicate, attempt))) return;
  throw path_.impossibility();
}

bool GivenHidden::condition(const HiddenLayers& layers) {
  filled_ = false;
  return path_.condition(layers);
}

MatrixView GivenHidden::mean_and_factor() const {
  const std::lock_guard one_at_a_time(filling_);
  // Room for all units, whatever the number of those in reach, so that conditioning again takes no memory.
  if (!filled_) weights_.resize(path_.units(), 1 + rank());
  auto rows = weights_.topRows(path_.at_nodes().units());
  if (!filled_) weight_blocks_.fill(path_.op(), path_.at_nodes(), path_.mixed(), rows);
  filled_ = true;
  return rows;
}

template <class Visit>
void GivenHidden::for_each_slab(Visit&& visit) const {
  const Index units = path_.at_nodes().units(), columns = 1 + rank();
  if (path_.units() * columns <= blocks().kept_weights) return visit(Index{0}, mean_and_factor());
  const std::lock_guard one_at_a_time(filling_);
  const Index slab = std::min(path_.units(), blocks().slab_of(columns));
  weights_.resize(slab, columns);
  for (Index first = 0; first < units; first += slab) {
    auto rows = weights_.topRows(std::min(slab, units - first));
    weight_blocks_.fill(path_.op(), path_.at_nodes(), path_.mixed(), rows, first);
    visit(first, MatrixView(rows));
  }
}

template <class Product>
void GivenHidden::add_outputs(Product& product, const Preactivations& seen, MatrixSpan values) const {
  for_each_slab([&](Index first, const MatrixView& weights) {
    product.accumulate(prior_.activation(), seen, weights, values, first);
  });
}

void GivenHidden::evaluate(const Matrix& X, MatrixSpan values) {
  values.setZero();
  add_outputs(product_, path_.at(X, walk_), values);
}

void GivenHidden::evaluate_mixed(const Matrix& X, MatrixSpan values) {
  values.setZero();
  add_outputs(single_product_, path_.at(X, walk_), values);
}

void GivenHidden::start_pull_back() {
  adjoint_.start(path_, 1 + rank());
}

void GivenHidden::pull_back(const MatrixView& values_bar) {
  adjoint_.start_rows(walk_);
  for_each_slab([&](Index first, const MatrixView& weights) {
    adjoint_.add_outputs(prior_.activation(), weights, first, values_bar);
  });
  adjoint_.finish_rows(prior_.activation(), path_);
}

const HiddenLayers& GivenHidden::finish_pull_back() {
  return adjoint_.finish(prior_.activation(), path_);
}

Gaussian GivenHidden::output(const MatrixView& X, const std::string& argument) const {
  require_points(X, prior_.dimension(), argument);
  HiddenWalk walk(depth(prior_), blocks());
  return output_by(walk, X);
}

Gaussian GivenHidden::output_by(HiddenWalk& walk, const MatrixView& X) const {
  Matrix values = Matrix::Zero(X.rows(), 1 + rank());
  FeatureProduct product(blocks());
  add_outputs(product, path_.at(X, walk), values);
  return {.mean = values.col(0), .factor = values.rightCols(rank())};
}

std::vector<Gaussian> GivenHidden::outputs_by_depth(const MatrixView& X) const {
  require_points(X, prior_.dimension(), "X");
  HiddenWalk walk(depth(prior_), blocks());
  const Gaussian last = output_by(walk, X);
  std::vector<Gaussian> outputs;
  for (std::size_t l = 0; l < bridges().size(); ++l) {
    // A bridge is B [s m, L], where an output has B [m, L].
    const MatrixView values = walk.after(l);
    outputs.push_back({.mean = values.col(0) / prior_.layer_scale(), .factor = values.rightCols(rank())});
  }
  outputs.push_back(last);
  return outputs;
}

Matrix GivenHidden::covariance(const MatrixView& X1, const MatrixView& X2) const {
  return product_transposed(output(X1, "X1").factor, output(X2, "X2").factor);
}

Vector GivenHidden::rmse(const MatrixView& X) const {
  return rmse_of(output(X), prior_.kriging(X), prior_.options().target.mean(X));
}

std::optional<Matrix> GivenHidden::heads() const {
  Matrix heads(path_.at_nodes().units(), 1 + rank());
  for_each_slab([&](Index first, const MatrixView& rows) { heads.middleRows(first, rows.rows()) = rows; });
  return path_.of_all_units(std::move(heads));
}

Gaussian GivenHidden::weights() const {
  const Matrix both = *heads();
  return {.mean = both.col(0), .factor = both.rightCols(rank())};
}

double GivenHidden::weight_norm() const {
  double squares = 0;
  for_each_slab([&](Index, const MatrixView& rows) { squares += rows.squaredNorm(); });
  return std::sqrt(squares);
}

bool GivenHidden::is_filled() const {
  const std::lock_guard one_at_a_time(filling_);
  return filled_;
}

Matrix GivenHidden::weights_at(const MatrixView& Z) const {
  require_rows(Z, rank(), "z");
  const auto at_coordinates = [&](const MatrixView& mean_and_factor) {
    Matrix values = product(mean_and_factor.rightCols(rank()), Z);
    values.colwise() += mean_and_factor.col(0);
    return values;
  };
  if (is_filled()) return path_.of_all_units(at_coordinates(mean_and_factor()));
  return path_.of_all_units(
      output_weights(path_.op(), path_.at_nodes(), at_coordinates(path_.mixed()), blocks()));
}

double GivenHidden::log_density(const VectorView& w) const {
  return log_density_on_support(weights(), w, "w");
}

Matrix GivenHidden::operator_matrix() const {
  const Index D = prior_.options().nodes.size();
  Matrix identity = Matrix::Zero(D, D);
  for (Index j = 0; j < D; ++j) identity(j, path_.node_order()[static_cast<std::size_t>(j)]) = 1;
  return path_.of_all_units(output_weights(path_.op(), path_.at_nodes(), path_.op().mix(identity), blocks()));
}

}  // namespace ridgelet
