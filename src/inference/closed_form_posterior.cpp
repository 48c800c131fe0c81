#include "ridgelet/inference/closed_form_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

void require_fitting(const ClosedFormNetwork& network, const LayerPrior& prior, Index outputs) {
  const Index R = prior.rank();
  bool fits = network.layers.parameters() == prior.allocate().parameters() && network.means.rows() == R &&
              network.means.cols() == outputs && static_cast<Index>(network.roots.size()) == outputs;
  for (const Matrix& root : network.roots) fits = fits && root.rows() == R && root.cols() == R;
  if (!fits) throw InvalidArgument("networks", "are of another size than the prior's");
}

double workspace_bytes(const LayerPrior& prior, std::size_t networks) {
  const auto R = static_cast<double>(prior.rank());
  return static_cast<double>(networks) * (prior.output_bytes() + 8 * R * R);
}

}  // namespace

ClosedFormNetwork closed_form_network(HiddenLayers layers, const RowSpectrum& spectrum,
                                      const VectorView& noise) {
  ClosedFormNetwork network{
      .layers = std::move(layers), .means = Matrix(spectrum.rank(), spectrum.outputs()), .roots = {}};
  for (Index k = 0; k < spectrum.outputs(); ++k) {
    network.means.col(k) = spectrum.mean(k, noise(k));
    network.roots.push_back(spectrum.root(noise(k)));
    network.log_evidence += spectrum.log_evidence(k, noise(k));
  }
  return network;
}

ClosedFormPosterior::ClosedFormPosterior(std::shared_ptr<const LayerPrior> prior, Vector noise,
                                         MeanFunction offset, std::vector<ClosedFormNetwork> networks)
    : prior_(std::move(prior)),
      noise_(std::move(noise)),
      offset_(std::move(offset)),
      networks_(std::move(networks)) {
  require_at_least(static_cast<Index>(networks_.size()), 1, "networks");
  require_memory(workspace_bytes(*prior_, networks_.size()), "networks",
                 fmt::format("{} networks of rank {}", networks_.size(), prior_->rank()));
  for (const ClosedFormNetwork& network : networks_) {
    require_fitting(network, *prior_, outputs());
    outputs_.push_back(prior_->make_output());
    if (!outputs_.back()->condition(network.layers))
      throw InvalidArgument("networks",
                            "hold hidden layers for which the prior has no outputs in double precision");
  }
}

void ClosedFormPosterior::validate_inputs(const Matrix& Xs) const {
  require_nonempty(Xs, "Xs");
  require_columns(Xs, prior_->dimension(), "Xs");
  require_finite(Xs, "Xs");
}

void ClosedFormPosterior::validate_output(Index output) const {
  if (output < 0 || output >= outputs())
    throw InvalidArgument("output", fmt::format("must be from 0 to {}, got {}", outputs() - 1, output));
}

Matrix ClosedFormPosterior::outputs_at(Index network, const Matrix& Xs) const {
  const std::lock_guard one_at_a_time(evaluating_);
  Matrix values(Xs.rows(), 1 + prior_->rank());
  outputs_[static_cast<std::size_t>(network)]->evaluate(Xs, values);
  return values;
}

PredictiveMixture ClosedFormPosterior::moments(const Matrix& Xs, Index average_over) const {
  const auto S = static_cast<Index>(networks_.size());
  const Index M = Xs.rows() / average_over, K = outputs(), R = prior_->rank();
  PredictiveMixture moments{Matrix(S, M * K), Matrix(S, M * K)};
  const Vector offset = averages_of_rows(offset_(Xs), average_over);
  for (Index s = 0; s < S; ++s) {
    const Matrix values = averages_of_rows(outputs_at(s, Xs), average_over);
    const auto G = values.rightCols(R);
    const ClosedFormNetwork& network = networks_[static_cast<std::size_t>(s)];
    for (Index k = 0; k < K; ++k) {
      Matrix spread = Matrix::Zero(M, R);
      accumulate_product(spread, G, network.roots[static_cast<std::size_t>(k)]);
      moments.means.row(s).segment(k * M, M) =
          (offset + values.col(0) + G * network.means.col(k)).transpose();
      moments.sds.row(s).segment(k * M, M) = spread.rowwise().norm().transpose();
    }
  }
  return moments;
}

PredictiveSummary ClosedFormPosterior::predict(const Matrix& Xs, const PredictiveOptions& options) const {
  validate_inputs(Xs);
  validate(options);
  const Index block = std::min(Xs.rows(), options.row_block > 0 ? options.row_block : default_row_block);
  const Vector noise = options.noise ? noise_ : Vector::Zero(outputs()).eval();
  return summarise_in_blocks(Xs, block, noise, options.level,
                             [this](const Matrix& rows) { return moments(rows); });
}

Matrix ClosedFormPosterior::functions(const Matrix& Xs, Index count, std::uint64_t seed, Index output,
                                      Index row_block) const {
  validate_inputs(Xs);
  require_at_least(count, 1, "draws");
  require_at_least(row_block, 1, "row_block");
  validate_output(output);
  const auto S = static_cast<Index>(networks_.size());
  const Index M = Xs.rows(), R = prior_->rank(), block = std::min(M, row_block);
  require_memory(8 * static_cast<double>(count) * static_cast<double>(M + R), "draws",
                 fmt::format("{} functions at {} inputs", count, M));
  const RandomStream stream{.seed = seed, .purpose = Purpose::chain_coordinates};
  const Matrix normals = stream.normals(count, R);
  const Vector offset = offset_(Xs);
  Matrix functions(count, M);
  for (Index s = 0; s < std::min(S, count); ++s) {
    const ClosedFormNetwork& network = networks_[static_cast<std::size_t>(s)];
    const Matrix& root = network.roots[static_cast<std::size_t>(output)];
    const Index own = (count - s + S - 1) / S;
    Matrix Z(R, own);
    for (Index i = 0; i < own; ++i) Z.col(i) = normals.row(s + i * S).transpose();
    Z = (product(root, Z).colwise() + network.means.col(output)).eval();
    for (Index first = 0; first < M; first += block) {
      const Index rows = std::min(block, M - first);
      const Matrix values = outputs_at(s, Xs.middleRows(first, rows));
      const Matrix at_rows =
          (product(values.rightCols(R), Z).colwise() + values.col(0)).colwise() + offset.segment(first, rows);
      for (Index i = 0; i < own; ++i)
        functions.row(s + i * S).segment(first, rows) = at_rows.col(i).transpose();
    }
  }
  return functions;
}

Matrix ClosedFormPosterior::covariance(const Matrix& Xs, Index output) const {
  validate_inputs(Xs);
  validate_output(output);
  MixtureCovariance covariance(Xs.rows());
  for (std::size_t s = 0; s < networks_.size(); ++s) {
    const Matrix values = outputs_at(static_cast<Index>(s), Xs);
    const auto G = values.rightCols(prior_->rank());
    const Matrix spread = product(G, networks_[s].roots[static_cast<std::size_t>(output)]);
    covariance.add(values.col(0) + G * networks_[s].means.col(output), spread);
  }
  return std::move(covariance).take();
}

Network ClosedFormPosterior::network(Index index) const {
  const auto count = static_cast<Index>(networks_.size());
  if (index < 0 || index >= count)
    throw InvalidArgument("network", fmt::format("must be from 0 to {}, got {}", count - 1, index));
  const auto i = static_cast<std::size_t>(index);
  Network network = network_at(*prior_, *outputs_[i], networks_[i].means);
  network.mean = offset_;
  return network;
}

}  // namespace ridgelet
