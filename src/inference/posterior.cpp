#include "ridgelet/inference/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/blocked.hpp"

namespace ridgelet {

namespace {

/// What a block of new inputs takes when nobody says how large it should be.
constexpr double block_bytes = 256e6;

/// Inputs whose quantiles one thread finds at a time.
constexpr Index quantile_share = 64;

/// Draws were possible where they were made, but a file of them may be read on another machine.
void require_possible(bool possible) {
  if (!possible)
    throw InvalidArgument("draws",
                          "hold hidden layers for which the prior has no outputs in double precision");
}

void require_index(Index value, Index size, const std::string& argument) {
  if (value < 0 || value >= size)
    throw InvalidArgument(argument,
                          "must be from 0 to " + std::to_string(size - 1) + ", got " + std::to_string(value));
}

/// At most `most` of the numbers 0 .. count - 1, evenly spaced.
std::vector<Index> evenly_spaced(Index count, Index most) {
  std::vector<Index> chosen;
  const Index used = std::min(count, most);
  for (Index i = 0; i < used; ++i) chosen.push_back(i * count / used);
  return chosen;
}

}  // namespace

PredictiveSummary summarise_mixtures(const MatrixView& means, const MatrixView& sds, const VectorView& noise,
                                     double level) {
  const Index K = noise.size(), M = means.cols() / K;
  const double tail = (1 - level) / 2;
  PredictiveSummary summary{Matrix(M, K), Matrix(M, K), Matrix(M, K), Matrix(M, K)};
  const auto summarise = [&](Index i) {
    const Index row = i % M, k = i / M;
    const Vector mu = means.col(i), sd = (sds.col(i).array().square() + noise(k) * noise(k)).sqrt();
    const double mean = mu.mean();
    summary.mean(row, k) = mean;
    summary.sd(row, k) = std::sqrt(sd.array().square().mean() + (mu.array() - mean).square().mean());
    summary.lower(row, k) = mixture_quantile(mu, sd, tail);
    summary.upper(row, k) = mixture_quantile(mu, sd, 1 - tail);
  };
  parallel_for((M * K + quantile_share - 1) / quantile_share, [&](Index share) {
    const Index end = std::min(M * K, (share + 1) * quantile_share);
    for (Index i = share * quantile_share; i < end; ++i) summarise(i);
  });
  return summary;
}

PredictiveSummary summarise_in_blocks(const Matrix& Xs, Index block, const VectorView& noise, double level,
                                      const std::function<PredictiveMixture(const Matrix& block)>& moments) {
  const Index M = Xs.rows(), K = noise.size();
  PredictiveSummary summary{Matrix(M, K), Matrix(M, K), Matrix(M, K), Matrix(M, K)};
  for (Index first = 0; first < M; first += block) {
    const Index rows = std::min(block, M - first);
    const PredictiveMixture at = moments(Xs.middleRows(first, rows));
    const PredictiveSummary part = summarise_mixtures(at.means, at.sds, noise, level);
    summary.mean.middleRows(first, rows) = part.mean;
    summary.sd.middleRows(first, rows) = part.sd;
    summary.lower.middleRows(first, rows) = part.lower;
    summary.upper.middleRows(first, rows) = part.upper;
  }
  return summary;
}

void validate(const PredictiveOptions& options) {
  if (!(options.level > 0 && options.level < 1))
    throw InvalidArgument("level", "must be between 0 and 1, got " + std::to_string(options.level));
  require_at_least(options.row_block, 0, "row_block");
  require_at_least(options.most_draws, 1, "most_draws");
}

Posterior::Posterior(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data,
                     MeanFunction offset, PosteriorDraws draws, double kept_bytes)
    : prior_(std::move(prior)),
      data_(std::move(data)),
      offset_(std::move(offset)),
      draws_(std::move(draws)),
      kept_bytes_(std::min(kept_bytes, available_memory() / 4)),
      kept_(std::make_shared<KeptDraws>(draws_.size(), kept_bytes_)) {
  require_at_least(draws_.size(), 1, "draws");
}

std::shared_ptr<const ConditionedDraw> Posterior::conditioned(
    Index draw, std::optional<CollapsedLikelihood>& workspace) const {
  if (auto kept = kept_->find(draw)) return kept;
  if (!workspace) workspace.emplace(*prior_, *data_);
  require_possible(std::isfinite((*workspace)(layers(draw))));
  const auto fresh =
      std::make_shared<const ConditionedDraw>(conditioned_draw(*prior_, *workspace, data_->outputs()));
  kept_->keep(draw, fresh, conditioned_bytes());
  return fresh;
}

double Posterior::conditioned_bytes() const {
  const auto R = static_cast<double>(prior_->rank()), M = static_cast<double>(data_->rows());
  const double side = std::min(M, R);
  // Bridges and output weights have 1 + R columns and a row for each unit that they see: with skip connections, those
  // of all layers so far.
  const HiddenLayers hidden = prior_->allocate();
  Index units = 0, rows = 0;
  for (std::size_t l = 0; l < hidden.depth(); ++l) rows += units += hidden[l].units();
  const double heads = std::min(static_cast<double>(rows) * (1 + R), prior_->output_bytes() / 8);
  const double network = static_cast<double>(hidden.parameters()) + heads;
  const double coordinates = 2 * side * side + (M <= R ? 3 * M * R : 0) + 2 * R;
  return 8 * (network + static_cast<double>(data_->outputs()) * coordinates);
}

Matrix Posterior::outputs_at(Index draw, const Matrix& Xs) const {
  require_index(draw, draws_.size(), "draw");
  validate_inputs(Xs);
  std::optional<CollapsedLikelihood> workspace;
  return conditioned(draw, workspace)->before(Xs);
}

HiddenLayers Posterior::layers(Index draw) const {
  HiddenLayers hidden = prior_->allocate();
  hidden.unpack(draws_.layers.row(draw).transpose());
  return hidden;
}

void Posterior::validate_inputs(const Matrix& Xs) const {
  require_nonempty(Xs, "Xs");
  require_columns(Xs, prior_->dimension(), "Xs");
  require_finite(Xs, "Xs");
}

double Posterior::bytes_per_row(const PredictiveOptions& options) const {
  const auto S = static_cast<double>(std::min(draws_.size(), options.most_draws));
  const auto K = static_cast<double>(data_->outputs());
  const auto R = static_cast<double>(prior_->rank()), M = static_cast<double>(data_->rows());
  const double workspaces = std::min(S, static_cast<double>(team_threads()));
  // Each thread holds [A m, G], its transpose, what the posterior makes of it, and a block of features.
  const double of_thread = 3 * (1 + R) + 2 * std::min(M, R) + static_cast<double>(unit_block);
  return 8 * (2 * S * K + workspaces * of_thread);
}

Index Posterior::block_size(Index rows, const PredictiveOptions& options) const {
  if (options.row_block > 0) return std::min(options.row_block, rows);
  return std::clamp<Index>(static_cast<Index>(block_bytes / bytes_per_row(options)), 1, rows);
}

double Posterior::prediction_bytes(Index rows, const PredictiveOptions& options) const {
  const auto M = static_cast<double>(rows), K = static_cast<double>(data_->outputs());
  const auto workspaces = static_cast<double>(std::min<Index>(draws_.size(), team_threads()));
  const auto used = static_cast<double>(std::min(draws_.size(), options.most_draws));
  return 8 * M * (1 + 4 * K) + static_cast<double>(block_size(rows, options)) * bytes_per_row(options) +
         workspaces * (CollapsedLikelihood::bytes(*prior_, *data_) + conditioned_bytes()) +
         std::min(kept_bytes_, used * conditioned_bytes());
}

PredictiveMixture Posterior::moments(const Matrix& Xs, Index most_draws, Index average_over) const {
  validate_inputs(Xs);
  const std::vector<Index> chosen = evenly_spaced(draws_.size(), most_draws);
  const auto S = static_cast<Index>(chosen.size());
  const Index M = Xs.rows() / average_over, K = data_->outputs(), R = prior_->rank();
  PredictiveMixture moments{Matrix(S, M * K), Matrix(S, M * K)};
  const Vector shift = averages_of_rows(offset_(Xs), average_over);
  const auto make = [] { return std::optional<CollapsedLikelihood>(); };
  parallel_for(S, make, [&](std::optional<CollapsedLikelihood>& workspace, Index s) {
    const auto draw = conditioned(chosen[static_cast<std::size_t>(s)], workspace);
    const Matrix values = averages_of_rows(draw->before(Xs), average_over);
    for (Index k = 0; k < K; ++k) {
      const Prediction after =
          draw->coordinates[static_cast<std::size_t>(k)].predict(values.col(0), values.rightCols(R));
      moments.means.row(s).segment(k * M, M) = (after.mean + shift).transpose();
      moments.sds.row(s).segment(k * M, M) = after.variance.cwiseMax(0).cwiseSqrt().transpose();
    }
  });
  return moments;
}

Matrix Posterior::covariance(const Matrix& Xs, Index output, Index most_draws) const {
  require_index(output, data_->outputs(), "output");
  validate_inputs(Xs);
  MixtureCovariance covariance(Xs.rows());
  std::optional<CollapsedLikelihood> workspace;
  for (const Index number : evenly_spaced(draws_.size(), most_draws)) {
    const auto draw = conditioned(number, workspace);
    const Matrix values = draw->before(Xs);
    const LinearGaussianPosterior& z = draw->coordinates[static_cast<std::size_t>(output)];
    const auto G = values.rightCols(prior_->rank());
    covariance.add(values.col(0) + G * z.coordinates_mean(), z.covariance_root(G));
  }
  return std::move(covariance).take();
}

PredictiveSummary Posterior::predict(const Matrix& Xs, const PredictiveOptions& options) const {
  validate_inputs(Xs);
  validate(options);
  const Index M = Xs.rows(), K = data_->outputs(), block = block_size(M, options);
  require_memory(
      prediction_bytes(M, options), "Xs",
      "a prediction of " + std::to_string(draws_.size()) + " draws at " + std::to_string(M) + " inputs");

  const Vector noise = options.noise ? data_->noise : Vector::Zero(K).eval();
  return summarise_in_blocks(Xs, block, noise, options.level,
                             [&](const Matrix& rows) { return moments(rows, options.most_draws); });
}

Matrix Posterior::functions(const Matrix& Xs, Index output) const {
  return functions_of(evenly_spaced(draws_.size(), draws_.size()), Xs, output);
}

Matrix Posterior::functions(const Matrix& Xs, Index count, Index output) const {
  require_at_least(count, 1, "draws");
  return functions_of(evenly_spaced(draws_.size(), count), Xs, output);
}

Matrix Posterior::functions_of(const std::vector<Index>& chosen, const Matrix& Xs, Index output) const {
  require_index(output, data_->outputs(), "output");
  validate_inputs(Xs);
  const auto S = static_cast<Index>(chosen.size());
  const Index M = Xs.rows(), R = prior_->rank();
  const Index block = std::min(M, CollapsedLikelihood::default_row_block);
  require_memory(8 * static_cast<double>(S) * static_cast<double>(M), "Xs",
                 std::to_string(S) + " functions at " + std::to_string(M) + " inputs");
  const Vector shift = offset_(Xs);
  Matrix values(S, M);
  struct Workspace {
    std::unique_ptr<ConditionalOutput> network;
    Matrix values;
  };
  const auto make = [&] { return Workspace{prior_->make_output(), Matrix(block, 1 + R)}; };
  parallel_for(S, make, [&](Workspace& own, Index s) {
    const Index draw = chosen[static_cast<std::size_t>(s)];
    require_possible(own.network->condition(layers(draw)));
    const Vector z = draws_.coordinates.row(draw).segment(output * R, R);
    for (Index first = 0; first < M; first += block) {
      const Index rows = std::min(block, M - first);
      MatrixSpan at_rows = own.values.topRows(rows);
      own.network->evaluate(Xs.middleRows(first, rows), at_rows);
      const Vector f = at_rows.col(0) + at_rows.rightCols(R) * z + shift.segment(first, rows);
      values.row(s).segment(first, rows) = f.transpose();
    }
  });
  return values;
}

Network Posterior::network(Index draw) const {
  require_index(draw, draws_.size(), "draw");
  const std::unique_ptr<ConditionalOutput> workspace = prior_->make_output();
  require_possible(workspace->condition(layers(draw)));
  const Vector coordinates = draws_.coordinates.row(draw);
  Network network =
      network_at(*prior_, *workspace, coordinates.reshaped(workspace->rank(), data_->outputs()));
  network.mean = offset_;
  return network;
}

}  // namespace ridgelet
