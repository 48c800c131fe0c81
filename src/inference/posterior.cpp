#include "ridgelet/inference/posterior.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double mixture_cdf(const VectorView& means, const VectorView& sds, double x) {
  double sum = 0;
  for (Index s = 0; s < means.size(); ++s) sum += normal_cdf((x - means(s)) / sds(s));
  return sum / static_cast<double>(means.size());
}

/// The outputs at the rows of X, given the layer that `network` is conditioned on.
Gaussian output_at(const Matrix& X, ConditionalOutput& network) {
  Matrix values(X.rows(), 1 + network.rank());
  network.evaluate(X, values);
  return {.mean = values.col(0), .factor = values.rightCols(network.rank())};
}

/// Draws were possible where they were made; a file may be read on another machine.
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

}  // namespace

double mixture_quantile(const VectorView& means, const VectorView& sds, double probability) {
  // Eight standard deviations beyond every component leave less than 1e-15 outside.
  double low = (means - 8 * sds).minCoeff(), high = (means + 8 * sds).maxCoeff();
  const double precision = 1e-10 * (high - low);
  while (high - low > precision) {
    const double middle = 0.5 * (low + high);
    (mixture_cdf(means, sds, middle) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double PosteriorDraws::bytes(const LayerPrior& prior, Index outputs, Index draws) {
  const auto numbers = static_cast<double>(prior.allocate().parameters() + prior.rank() * outputs + 2);
  return 8 * numbers * static_cast<double>(draws);
}

PosteriorDraws PosteriorDraws::allocate(std::vector<Chain>& chains, Index draws) {
  const Index rows = static_cast<Index>(chains.size()) * draws;
  const Index parameters = chains.front().layers().parameters();
  const Index coordinates = chains.front().likelihood().output().rank() * chains.front().outputs();
  require_memory(8.0 * static_cast<double>(rows) * static_cast<double>(parameters + coordinates + 2), "draws",
                 std::to_string(rows) + " draws of " + std::to_string(parameters + coordinates) + " numbers");
  return {.chains = static_cast<Index>(chains.size()),
          .layers = Matrix::Zero(rows, parameters),
          .coordinates = Matrix::Zero(rows, coordinates),
          .log_likelihood = Vector::Zero(rows),
          .evaluations = Vector::Zero(rows)};
}

void PosteriorDraws::record(Chain& chain, Index draw, int step_evaluations) {
  const Index row = static_cast<Index>(chain.index()) * draws_per_chain() + draw;
  layers.row(row) = chain.layers().packed().transpose();
  coordinates.row(row) = chain.draw_coordinates().reshaped().transpose();
  log_likelihood(row) = chain.log_likelihood();
  evaluations(row) = step_evaluations;
}

Posterior::Posterior(const LayerPrior& prior, const Data& data, MeanFunction offset, PosteriorDraws draws)
    : prior_(prior), data_(data), offset_(std::move(offset)), draws_(std::move(draws)) {
  require_at_least(draws_.size(), 1, "draws");
}

HiddenLayers Posterior::layers(Index draw) const {
  HiddenLayers hidden = prior_.allocate();
  hidden.unpack(draws_.layers.row(draw).transpose());
  return hidden;
}

PredictiveSummary Posterior::predict(const Matrix& Xs, const PredictiveOptions& options) const {
  require_nonempty(Xs, "Xs");
  require_columns(Xs, prior_.dimension(), "Xs");
  require_finite(Xs, "Xs");
  if (!(options.level > 0 && options.level < 1))
    throw InvalidArgument("level", "must be between 0 and 1, got " + std::to_string(options.level));
  const Index S = draws_.size(), M = Xs.rows(), K = data_.outputs();
  require_memory(32.0 * static_cast<double>(S) * static_cast<double>(M * K), "Xs",
                 "a prediction of " + std::to_string(S) + " draws at " + std::to_string(M) + " inputs");

  // One draw a column, so that threads write apart: column s holds draw s at all inputs of all outputs.
  Matrix means(M * K, S), sds(M * K, S);
  const auto workspace = [&] { return CollapsedLikelihood(prior_, data_); };
  parallel_for(S, workspace, [&](CollapsedLikelihood& likelihood, Index s) {
    const HiddenLayers hidden = layers(s);
    likelihood(hidden);
    const Gaussian before = output_at(Xs, likelihood.output());
    for (Index k = 0; k < K; ++k) {
      const Prediction after = likelihood.coordinates(k).predict(before);
      const double noise = options.noise ? data_.noise(k) : 0;
      means.col(s).segment(k * M, M) = after.mean;
      sds.col(s).segment(k * M, M) = (after.variance.array().max(0) + noise * noise).sqrt();
    }
  });

  const Vector shift = offset_(Xs);
  const double tail = (1 - options.level) / 2;
  PredictiveSummary summary{Matrix(M, K), Matrix(M, K), Matrix(M, K), Matrix(M, K)};
  parallel_for(M * K, [&](Index i) {
    const Index row = i % M, k = i / M;
    const Vector mu = means.row(i), sd = sds.row(i);
    const double mean = mu.mean();
    summary.mean(row, k) = mean + shift(row);
    summary.sd(row, k) = std::sqrt(sd.array().square().mean() + (mu.array() - mean).square().mean());
    summary.lower(row, k) = mixture_quantile(mu, sd, tail) + shift(row);
    summary.upper(row, k) = mixture_quantile(mu, sd, 1 - tail) + shift(row);
  });
  return summary;
}

Matrix Posterior::functions(const Matrix& Xs, Index output) const {
  require_index(output, data_.outputs(), "output");
  require_nonempty(Xs, "Xs");
  require_columns(Xs, prior_.dimension(), "Xs");
  require_finite(Xs, "Xs");
  const Vector shift = offset_(Xs);
  Matrix values(draws_.size(), Xs.rows());
  const auto workspace = [&] { return prior_.make_output(); };
  parallel_for(draws_.size(), workspace, [&](std::unique_ptr<ConditionalOutput>& network, Index s) {
    const HiddenLayers hidden = layers(s);
    require_possible(network->condition(hidden));
    const Vector z = draws_.coordinates.row(s).segment(output * network->rank(), network->rank());
    values.row(s) = (output_at(Xs, *network).at(z) + shift).transpose();
  });
  return values;
}

Posterior::Weights Posterior::network(Index draw, Index output) const {
  require_index(draw, draws_.size(), "draw");
  require_index(output, data_.outputs(), "output");
  const std::unique_ptr<ConditionalOutput> workspace = prior_.make_output();
  const Index R = workspace->rank();
  HiddenLayers hidden = layers(draw);
  require_possible(workspace->condition(hidden));
  const Vector z = draws_.coordinates.row(draw).segment(output * R, R);
  return {.hidden = hidden, .output = workspace->weights(z)};
}

}  // namespace ridgelet
