// What holds for every prior and every table, given the hidden layers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "any_model.hpp"
#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/inference/closed_form_posterior.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "thread_ranks.hpp"

namespace ridgelet {
namespace {

using testing::any_data;
using testing::any_inputs;
using testing::any_prior;
using testing::any_scale;
using testing::any_seed;
using testing::relative_error;

/// How far the same numbers, added in two ways, may differ: rounding, relative to the largest, times the condition of
/// the system that was solved.
constexpr double rounding = 1e-7;

Prediction prediction(const GivenHidden& given, const Data& data, const Matrix& Xs) {
  return LinearGaussianPosterior(given.output(data.X), data.Y.col(0), data.noise(0))
      .predict(given.output(Xs));
}

/// Mean and sd of new rows, a column each, by one pass over the tiles of the data, which ranks share.
Matrix predicted_by_tiles(const PriorOptions& options, const HiddenLayers& layers, const Data& data,
                          const Matrix& Xs, Index tile_rows, const Ranks& ranks = alone()) {
  const auto prior = std::make_shared<const RidgeletPrior>(options);
  const auto output = prior->make_output();
  output->condition(layers);
  const DataTiles all = tiles_of(data, tile_rows);
  const DataTiles shared{
      .tiles = all.tiles, .rows = all.rows, .outputs = all.outputs, .read = all.read, .ranks = ranks};
  const RowSpectrum spectrum = row_spectra({output.get()}, shared).front();
  const ClosedFormPosterior posterior(prior, data.noise, MeanFunction("0"),
                                      {closed_form_network(layers, spectrum, data.noise)});
  const PredictiveSummary summary = posterior.predict(Xs);
  Matrix both(Xs.rows(), 2);
  both << summary.mean, summary.sd;
  return both;
}

double difference(const Prediction& a, const Prediction& b) {
  return std::max((a.mean - b.mean).cwiseAbs().maxCoeff() / (1 + b.mean.cwiseAbs().maxCoeff()),
                  (a.variance - b.variance).cwiseAbs().maxCoeff() / b.variance.maxCoeff());
}

RC_GTEST_PROP(AnyOperator, IsLinear, ()) {
  PriorOptions options = any_prior();
  options.layers = 1;
  const RidgeletPrior prior(options);
  const GivenHidden given(prior, any_seed(), 0);
  const Preactivations at_nodes(given.layers()[0], options.nodes.points);
  const auto op = make_operator(options.op, options.activation, options.nodes, options.hidden, at_nodes);
  const auto weights_of = [&](const Matrix& f) { return output_weights(*op, at_nodes, op->mix(f)); };
  const Matrix f = any_inputs(options.nodes.points.rows(), 1), g = any_inputs(options.nodes.points.rows(), 1);
  const double a = any_scale(0.1, 10), b = -any_scale(0.1, 10);
  const Matrix apart = a * weights_of(f) + b * weights_of(g), together = weights_of(a * f + b * g);
  const double scale =
      std::max(a * weights_of(f).cwiseAbs().maxCoeff(), -b * weights_of(g).cwiseAbs().maxCoeff());
  RC_ASSERT((together - apart).cwiseAbs().maxCoeff() <= 1e-10 * scale);
  RC_ASSERT(relative_error(weights_of(f), given.operator_matrix() * f) < 1e-9);
}

RC_GTEST_PROP(AnyPrior, IsNoNearerToItsProcessThanItsNodesAllow, ()) {
  const RidgeletPrior prior(any_prior());
  const Matrix X = any_inputs(12, prior.dimension());
  const Vector floor = prior.kriging(X).floor, error = GivenHidden(prior, any_seed(), 0).rmse(X);
  RC_ASSERT((error - floor).minCoeff() >= -1e-12 * error.maxCoeff());
}

RC_GTEST_PROP(AnyPosterior, HasAVarianceBetweenZeroAndThePriors, ()) {
  const RidgeletPrior prior(any_prior());
  const GivenHidden given(prior, any_seed(), 0);
  const Matrix Xs = any_inputs(6, prior.dimension());
  const Data data = any_data(prior.dimension(), *rc::gen::inRange<Index>(1, 30));
  const Vector before = given.output(Xs).variance(), after = prediction(given, data, Xs).variance;
  RC_ASSERT(after.minCoeff() >= 0);
  RC_ASSERT((before - after).minCoeff() >= -rounding * before.maxCoeff());
}

RC_GTEST_PROP(AnyPosterior, IsNoLessCertainAfterAnotherRow, ()) {
  const RidgeletPrior prior(any_prior());
  const GivenHidden given(prior, any_seed(), 0);
  const Matrix Xs = any_inputs(6, prior.dimension());
  const Data more = any_data(prior.dimension(), *rc::gen::inRange<Index>(2, 30));
  const Index fewer = more.rows() - 1;
  const Data less{.X = more.X.topRows(fewer), .Y = more.Y.topRows(fewer), .noise = more.noise};
  const Vector before = prediction(given, less, Xs).variance, after = prediction(given, more, Xs).variance;
  RC_ASSERT((before - after).minCoeff() >= -rounding * before.maxCoeff());
}

RC_GTEST_PROP(AnyPosterior, DoesNotDependOnTheOrderOfRows, ()) {
  const RidgeletPrior prior(any_prior());
  const GivenHidden given(prior, any_seed(), 0);
  const Matrix Xs = any_inputs(6, prior.dimension());
  const Data data = any_data(prior.dimension(), *rc::gen::inRange<Index>(2, 30));
  std::vector<Index> order(static_cast<std::size_t>(data.rows()));
  std::iota(order.begin(), order.end(), 0);
  const RandomStream stream{.seed = any_seed()};
  std::ranges::sort(order, {}, [&](Index i) { return stream.uniform(static_cast<std::uint64_t>(i)); });
  const Data other{.X = data.X(order, Eigen::all), .Y = data.Y(order, Eigen::all), .noise = data.noise};
  RC_ASSERT(difference(prediction(given, other, Xs), prediction(given, data, Xs)) < rounding);
}

RC_GTEST_PROP(AnyPosterior, ScalesWithTheResponseAndItsNoise, ()) {
  PriorOptions options = any_prior();
  options.target.mean = MeanFunction("0");
  const double scale = any_scale(1e-6, 1e6);
  const Data data = any_data(options.nodes.dimension(), 20);
  const Matrix Xs = any_inputs(6, options.nodes.dimension());
  const GivenHidden given(RidgeletPrior(options), any_seed(), 0);
  const Gaussian at_data = given.output(data.X), at_new = given.output(Xs);
  const auto scaled = [](const Gaussian& g, double by) { return Gaussian{by * g.mean, by * g.factor}; };
  const Prediction once = prediction(given, data, Xs);
  const LinearGaussianPosterior posterior(scaled(at_data, scale), scale * data.Y.col(0),
                                          scale * data.noise(0));
  Prediction found = posterior.predict(scaled(at_new, scale));
  found.mean /= scale;
  found.variance /= scale * scale;
  RC_ASSERT(difference(found, once) < rounding);
}

RC_GTEST_PROP(AnySum, DoesNotDependOnBlocksOfRowsAndUnits, ()) {
  const PriorOptions options = any_prior();
  PriorOptions cut = options;
  const auto size = [] { return *rc::gen::inRange<Index>(1, 12); };
  cut.blocks = {.units = size(),
                .share = size(),
                .lap = size(),
                .sites = size(),
                .cached_units = size(),
                .worth_a_team = size()};
  const RidgeletPrior whole(options), pieces(cut);
  const Data data = any_data(whole.dimension(), *rc::gen::inRange<Index>(1, 40));
  const HiddenLayers layers = GivenHidden(whole, any_seed(), 0).layers();
  CollapsedLikelihood expected(whole, data), found(pieces, data, size());
  const double log_likelihood = expected(layers);
  RC_ASSERT(std::abs(found(layers) - log_likelihood) <= rounding * (1 + std::abs(log_likelihood)));
  const Matrix Xs = any_inputs(6, whole.dimension());
  const Matrix at_once = predicted_by_tiles(options, layers, data, Xs, data.rows());
  RC_ASSERT(relative_error(predicted_by_tiles(cut, layers, data, Xs, size()), at_once) < rounding);
}

RC_GTEST_PROP(AnySum, HasTheSameBitsOnAnyNumberOfThreadsAndRanks, ()) {
  const PriorOptions options = any_prior({.share = 3, .sites = 5, .worth_a_team = 1});
  const RidgeletPrior prior(options);
  const Data data = any_data(prior.dimension(), *rc::gen::inRange<Index>(1, 40));
  const HiddenLayers layers = GivenHidden(prior, any_seed(), 0).layers();
  const auto log_likelihood = [&](int threads) {
    const ThreadScope scope(threads);
    return CollapsedLikelihood(prior, data, 7)(layers);
  };
  const double alone = log_likelihood(1);
  RC_ASSERT(log_likelihood(2) == alone);
  RC_ASSERT(log_likelihood(5) == alone);

  const Matrix Xs = any_inputs(6, prior.dimension());
  const auto predictions = [&](int threads, const Ranks& ranks) {
    const ThreadScope scope(threads);
    return predicted_by_tiles(options, layers, data, Xs, 7, ranks);
  };
  const Matrix one = predictions(1, ridgelet::alone());
  RC_ASSERT(predictions(5, ridgelet::alone()) == one);
  std::vector<Matrix> of_ranks(3);
  testing::on_ranks(3, [&](const Ranks& ranks) {
    of_ranks[static_cast<std::size_t>(ranks.rank())] = predictions(2, ranks);
  });
  for (const Matrix& each : of_ranks) RC_ASSERT(each == one);
}

}  // namespace
}  // namespace ridgelet
