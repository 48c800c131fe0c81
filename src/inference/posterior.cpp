#include "ridgelet/inference/posterior.hpp"

#include <cmath>
#include <exception>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"

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

PosteriorDraws PosteriorDraws::allocate(std::vector<Chain>& chains, Index draws) {
  const HiddenLayer& layer = chains.front().layer();
  const Index rows = static_cast<Index>(chains.size()) * draws;
  const Index parameters = layer.units() * (layer.dimension() + 1);
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
  const HiddenLayer& layer = chain.layer();
  layers.row(row) << layer.W.reshaped().transpose(), layer.b.transpose();
  coordinates.row(row) = chain.draw_coordinates().reshaped().transpose();
  log_likelihood(row) = chain.log_likelihood();
  evaluations(row) = step_evaluations;
}

Posterior::Posterior(const LayerPrior& prior, const Data& data, MeanFunction offset, PosteriorDraws draws)
    : prior_(prior), data_(data), offset_(std::move(offset)), draws_(std::move(draws)) {
  require_at_least(draws_.size(), 1, "draws");
}

HiddenLayer Posterior::layer(Index draw) const {
  const Index N = prior_.units(), d = prior_.dimension();
  const Vector flat = draws_.layers.row(draw);
  return {.W = Eigen::Map<const Matrix>(flat.data(), N, d), .b = flat.tail(N)};
}

PredictiveSummary Posterior::predict(const Matrix& Xs, const PredictiveOptions& options) const {
  require_columns(Xs, prior_.dimension(), "Xs");
  require_finite(Xs, "Xs");
  if (!(options.level > 0 && options.level < 1))
    throw InvalidArgument("level", "must be between 0 and 1, got " + std::to_string(options.level));
  const Index S = draws_.size(), M = Xs.rows(), K = data_.outputs();
  require_memory(32.0 * static_cast<double>(S) * static_cast<double>(M * K), "Xs",
                 "a prediction of " + std::to_string(S) + " draws at " + std::to_string(M) + " inputs");

  // One draw a column, so that threads write apart: column s holds draw s at all inputs of all outputs.
  Matrix means(M * K, S), sds(M * K, S);
  std::exception_ptr failure;
#pragma omp parallel
  {
    CollapsedLikelihood likelihood(prior_, data_);
    Matrix values(M, 1 + likelihood.output().rank());
#pragma omp for schedule(dynamic)
    for (Index s = 0; s < S; ++s) {
      try {
        const HiddenLayer hidden = layer(s);
        likelihood(hidden);
        likelihood.output().evaluate(Xs, values);
        const Gaussian before{.mean = values.col(0), .factor = values.rightCols(values.cols() - 1)};
        for (Index k = 0; k < K; ++k) {
          const Prediction after = likelihood.coordinates(k).predict(before);
          const double noise = options.noise ? data_.noise(k) : 0;
          means.col(s).segment(k * M, M) = after.mean;
          sds.col(s).segment(k * M, M) = (after.variance.array().max(0) + noise * noise).sqrt();
        }
      } catch (...) {
#pragma omp critical(ridgelet_prediction_failure)
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);

  const Vector shift = offset_(Xs);
  const double tail = (1 - options.level) / 2;
  PredictiveSummary summary{Matrix(M, K), Matrix(M, K), Matrix(M, K), Matrix(M, K)};
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < M * K; ++i) {
    const Index row = i % M, k = i / M;
    const Vector mu = means.row(i), sd = sds.row(i);
    const double mean = mu.mean();
    summary.mean(row, k) = mean + shift(row);
    summary.sd(row, k) = std::sqrt(sd.array().square().mean() + (mu.array() - mean).square().mean());
    summary.lower(row, k) = mixture_quantile(mu, sd, tail) + shift(row);
    summary.upper(row, k) = mixture_quantile(mu, sd, 1 - tail) + shift(row);
  }
  return summary;
}

Matrix Posterior::functions(const Matrix& Xs, Index output) const {
  require_columns(Xs, prior_.dimension(), "Xs");
  require_finite(Xs, "Xs");
  const Vector shift = offset_(Xs);
  Matrix values_of_draws(draws_.size(), Xs.rows());
#pragma omp parallel
  {
    const std::unique_ptr<ConditionalOutput> network = prior_.make_output();
    const Index R = network->rank();
    Matrix values(Xs.rows(), 1 + R);
#pragma omp for schedule(static)
    for (Index s = 0; s < draws_.size(); ++s) {
      const HiddenLayer hidden = layer(s);
      network->condition(hidden);
      network->evaluate(Xs, values);
      const Vector z = draws_.coordinates.row(s).segment(output * R, R);
      values_of_draws.row(s) = (values.col(0) + values.rightCols(R) * z + shift).transpose();
    }
  }
  return values_of_draws;
}

Posterior::Weights Posterior::network(Index draw, Index output) const {
  require_at_least(draws_.size() - 1, draw, "draw");
  const std::unique_ptr<ConditionalOutput> workspace = prior_.make_output();
  const Index R = workspace->rank();
  HiddenLayer hidden = layer(draw);
  workspace->condition(hidden);
  const Vector z = draws_.coordinates.row(draw).segment(output * R, R);
  return {.hidden = hidden, .output = workspace->weights(z)};
}

}  // namespace ridgelet
