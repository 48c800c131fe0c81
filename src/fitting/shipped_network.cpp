#include "ridgelet/fitting/shipped_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

PredictiveComponent component_of(const GivenHidden& given, const ClosedFormNetwork& posterior) {
  const Gaussian weights = given.weights();
  const Index K = posterior.means.cols(), R = given.rank();
  Matrix heads(weights.factor.rows(), K * (1 + R));
  heads.leftCols(K) = product(weights.factor, posterior.means).colwise() + weights.mean;
  for (Index k = 0; k < K; ++k)
    heads.middleCols(K + k * R, R) = product(weights.factor, posterior.roots[static_cast<std::size_t>(k)]);
  return {.hidden = given.layers(), .bridges = given.bridges(), .heads = std::move(heads)};
}

/// The posterior of z given the data and the layers of one draw. By roots, as the sampler's own predictions keep
/// directions that are small at the data.
ClosedFormNetwork posterior_given(GivenHidden& given, const Data& data) {
  return closed_form_network(given.layers(), row_spectrum(given, data, {.by_root = true}), data.noise);
}

void require_memory_for(const RidgeletPrior& prior, Index outputs, Index components) {
  const auto columns = static_cast<double>(outputs * (1 + prior.rank()));
  const auto units = static_cast<double>(prior.options().units);
  require_memory(8 * 2 * static_cast<double>(components) * units * columns, "draws",
                 fmt::format("{} networks of rank {}", components, prior.rank()));
}

/// z of the draws as a normal distribution: their mean, and a root of their covariance.
ClosedFormNetwork moments_of(const LatentNetwork& network) {
  const Index R = network.coordinates.rows();
  const Vector mean = network.coordinates.rowwise().mean();
  const Matrix centred = network.coordinates.colwise() - mean;
  const RankRevealingFactor factor = factorise(
      product_transposed(centred, centred) / static_cast<double>(centred.cols()), "covariance of the draws");
  Matrix root = Matrix::Zero(R, R);
  root.leftCols(factor.rank()) = factor.L;
  return {.layers = network.layers, .means = mean, .roots = {std::move(root)}};
}

std::vector<PredictiveComponent> components_of(const FittedModel& model, Index most_draws) {
  const RidgeletPrior& prior = model.regression().prior();
  const Data& data = model.regression().data();
  const Index count =
      model.latent()    ? std::min(static_cast<Index>(model.latent_posterior().networks().size()), most_draws)
      : model.sampled() ? std::min(model.posterior().draws().size(), most_draws)
                        : model.components();
  require_memory_for(prior, model.regression().functions(), count);
  std::vector<PredictiveComponent> components;
  for (Index i = 0; i < count; ++i) {
    if (model.latent()) {
      const std::vector<LatentNetwork>& networks = model.latent_posterior().networks();
      const auto chosen = static_cast<std::size_t>(i * static_cast<Index>(networks.size()) / count);
      components.push_back(
          component_of(GivenHidden(prior, networks[chosen].layers), moments_of(networks[chosen])));
    } else if (model.sampled()) {
      GivenHidden given(prior, model.posterior().layers(i * model.posterior().draws().size() / count));
      components.push_back(component_of(given, posterior_given(given, data)));
    } else {
      const ClosedFormNetwork& network = model.closed_form().networks()[static_cast<std::size_t>(i)];
      components.push_back(component_of(GivenHidden(prior, network.layers), network));
    }
  }
  return components;
}

/// Of a likelihood: the sd of heavy tails, and none where what leaves is a rate.
Vector noise_of(const Regression& regression) {
  if (!regression.likelihood()) return regression.data().noise;
  if (regression.likelihood()->response() != ResponseKind::real) return Vector::Zero(1);
  constexpr double anywhere = 0;
  double variance = 0;
  regression.likelihood()->variance(&anywhere, &variance);
  return Vector::Constant(1, std::sqrt(variance));
}

std::vector<ResponseTransform> transforms_of(const Regression& regression) {
  if (regression.likelihood())
    return {regression.likelihood()->response() == ResponseKind::count ? ResponseTransform::log
                                                                       : ResponseTransform::none};
  std::vector<ResponseTransform> transforms;
  for (const ResponseEncoding& output : encoding_of(regression.table()).outputs)
    transforms.push_back(output.transform);
  return transforms;
}

/// What a network's inputs and outputs are called; an exposure is neither.
TableEncoding shipped_columns(const Regression& regression) {
  TableEncoding columns = encoding_of(regression.table());
  if (!regression.likelihood()) return columns;
  columns.outputs.resize(1);
  columns.outputs.front().transform = transforms_of(regression).front();
  return columns;
}

void require_shippable(const FittedModel& model) {
  if (!model.latent()) return;
  const ResponseKind kind = model.likelihood()->response();
  if (kind == ResponseKind::classes || kind == ResponseKind::two_classes)
    throw InvalidArgument("model", "networks of classes cannot leave yet; those of numbers and counts can");
}

PredictiveNetwork whole_network(const FittedModel& model, Index draws) {
  const Regression& regression = model.regression();
  PredictiveNetwork network{.components = components_of(model, draws),
                            .skip = regression.prior().options().skip,
                            .activation = regression.prior().activation(),
                            .mean = regression.offset(),
                            .inputs = regression.input_scaling(),
                            .outputs = regression.output_scaling(),
                            .noise = noise_of(regression),
                            .transforms = transforms_of(regression)};
  validate(network);
  return network;
}

Box domain_of(const Regression& regression) {
  const Scaling& scaling = regression.input_scaling();
  return {.lower = scaling.undo(regression.domain().lower.transpose()).transpose(),
          .upper = scaling.undo(regression.domain().upper.transpose()).transpose()};
}

}  // namespace

ShippedNetwork ship_network(const FittedModel& model, const ShippingOptions& options) {
  require_at_least(options.draws, 1, "draws");
  require_shippable(model);
  const Regression& regression = model.regression();
  ShippedNetwork shipped{.network = whole_network(model, options.draws),
                         .columns = shipped_columns(regression),
                         .kernel = regression.settings().model.kernel,
                         .domain = domain_of(regression),
                         .certificate = model.report().certificate};
  if (!options.rank) return shipped;
  PredictiveNetwork cut = cut_rank(shipped.network, *options.rank, regression.table().X);
  shipped.loss = sd_loss(shipped.network, cut, regression.table().X);
  shipped.network = std::move(cut);
  return shipped;
}

}  // namespace ridgelet
