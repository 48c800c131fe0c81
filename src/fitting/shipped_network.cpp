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

/// Layers and bridges are those of `given`, which has no further use for them.
PredictiveComponent component_of(GivenHidden&& given, const ClosedFormNetwork& posterior) {
  const Index K = posterior.means.cols(), R = given.rank();
  // The heads are B [m, L] times this, a slab of units at a time.
  Matrix Z = Matrix::Zero(1 + R, K * (1 + R));
  Z.row(0).head(K).setOnes();
  Z.bottomLeftCorner(R, K) = posterior.means;
  for (Index k = 0; k < K; ++k)
    Z.bottomRows(R).middleCols(K + k * R, R) = posterior.roots[static_cast<std::size_t>(k)];
  const HiddenPath& path = given.path();
  const BlockSizes& blocks = given.prior().options().blocks;
  const Index units = path.at_nodes().units(), slab = std::min(units, blocks.slab_of(1 + R));
  Matrix heads(units, Z.cols()), weights(slab, 1 + R);
  WeightBlocks weight_blocks(blocks);
  for (Index first = 0; first < units; first += slab) {
    auto rows = weights.topRows(std::min(slab, units - first));
    weight_blocks.fill(path.op(), path.at_nodes(), path.mixed(), rows, first);
    set_product(heads.middleRows(first, rows.rows()), rows, Z);
  }
  heads = path.of_all_units(std::move(heads));
  HiddenPath::Way way = std::move(given).leave();
  return {.hidden = std::move(way.layers), .bridges = std::move(way.bridges), .heads = std::move(heads)};
}

/// The posterior of z given the data and the layers of one draw. By roots, since the sampler's own predictions keep
/// directions that are small at the data.
ClosedFormNetwork posterior_given(GivenHidden& given, const Data& data) {
  return closed_form_network(given.layers(), row_spectrum(given, data, {.by_root = true}), data.noise);
}

void require_memory_for(const RidgeletPrior& prior, Index outputs, Index components, Index rank) {
  const PriorOptions& options = prior.options();
  const auto units = static_cast<double>(options.units), layers = static_cast<double>(options.layers);
  const double seen = units * (options.skip ? (layers + 1) / 2 : 1);
  const double bridges = (layers - 1) * seen * static_cast<double>(1 + prior.rank());
  const double heads =
      (options.skip ? layers : 1) * units * static_cast<double>(outputs) * static_cast<double>(1 + rank);
  const double network = static_cast<double>(prior.parameters()) + bridges + heads;
  // The networks, the memory of the one that is being made, and the networks once more in the format of their file.
  require_memory(8 * 2 * static_cast<double>(components) * network + prior.output_bytes(), "draws",
                 fmt::format("{} networks of rank {}", components, rank));
}

ClassLink link_of(const FittedModel& model) {
  if (!model.latent()) return ClassLink::none;
  const ResponseKind kind = model.likelihood()->response();
  if (kind == ResponseKind::two_classes) return ClassLink::logistic;
  return kind == ResponseKind::classes ? ClassLink::softmax : ClassLink::none;
}

/// Draws of the weights of all functions, as mean and deviations (network/predictive_network.hpp).
PredictiveComponent draws_of(const Network& network, Index functions, Index draws) {
  const Matrix& all = network.output_weights;
  const Index there = all.cols() / functions;
  Matrix heads(all.rows(), functions * (1 + draws));
  for (Index k = 0; k < functions; ++k) {
    auto deviations = heads.middleCols(functions + k * draws, draws);
    for (Index r = 0; r < draws; ++r) deviations.col(r) = all.col(r * there / draws * functions + k);
    heads.col(k) = deviations.rowwise().mean();
    deviations = (deviations.colwise() - heads.col(k)) / std::sqrt(static_cast<double>(draws));
  }
  return {.hidden = network.hidden, .bridges = network.bridges, .heads = std::move(heads)};
}

/// The number of draws of each network, the same for all.
Index draws_of_each(const LatentPosterior& posterior) {
  return posterior.draws() / static_cast<Index>(posterior.networks().size());
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

/// Whether the draws of a network are shipped themselves: for classes, and where there are fewer draws than
/// coordinates, since their mean and deviations are then the same moments in fewer columns.
bool ships_draws(const FittedModel& model) {
  return link_of(model) != ClassLink::none ||
         draws_of_each(model.latent_posterior()) < model.regression().prior().rank();
}

PredictiveComponent latent_component(const FittedModel& model, Index index) {
  const LatentPosterior& posterior = model.latent_posterior();
  if (ships_draws(model))
    return draws_of(posterior.network(index), posterior.functions(), draws_of_each(posterior));
  const LatentNetwork& network = posterior.networks()[static_cast<std::size_t>(index)];
  return component_of(GivenHidden(model.regression().prior(), network.layers), moments_of(network));
}

/// The number of networks in the fit: those of fixed hidden layers, or draws.
Index networks_of(const FittedModel& model) {
  if (model.latent()) return static_cast<Index>(model.latent_posterior().networks().size());
  return model.sampled() ? model.posterior().draws().size() : model.components();
}

/// The number of networks that are shipped.
Index shipped_networks(const FittedModel& model, const std::optional<Index>& draws) {
  const Index there = networks_of(model);
  if (draws) require_at_least(*draws, 1, "draws");
  if (draws && hidden_layers_are(model) == "fixed")
    throw InvalidArgument("draws",
                          fmt::format("are of sampled hidden layers, and those of this fit are fixed: all of "
                                      "its networks ({}) leave; leave it out, got {}",
                                      there, *draws));
  if (draws) return std::min(there, *draws);
  return model.sampled() ? std::min(there, usual_draws) : there;
}

/// `count` of the networks, evenly spaced.
std::vector<PredictiveComponent> components_of(const FittedModel& model, Index count) {
  const RidgeletPrior& prior = model.regression().prior();
  const Data& data = model.regression().data();
  const bool draws = model.latent() && ships_draws(model);
  require_memory_for(prior, model.regression().functions(), count,
                     draws ? draws_of_each(model.latent_posterior()) : prior.rank());
  std::vector<PredictiveComponent> components;
  for (Index i = 0; i < count; ++i) {
    const Index chosen = i * networks_of(model) / count;
    if (model.latent()) {
      components.push_back(latent_component(model, chosen));
    } else if (model.sampled()) {
      GivenHidden given(prior, model.posterior().layers(chosen));
      const ClosedFormNetwork posterior = posterior_given(given, data);
      components.push_back(component_of(std::move(given), posterior));
    } else {
      const ClosedFormNetwork& network = model.closed_form().networks()[static_cast<std::size_t>(chosen)];
      components.push_back(component_of(GivenHidden(prior, network.layers), network));
    }
  }
  return components;
}

/// For other likelihoods: the sd of heavy tails, and 0 where the network predicts a rate or classes.
Vector noise_of(const Regression& regression) {
  if (!regression.likelihood()) return regression.data().noise;
  if (regression.likelihood()->response() != ResponseKind::real) return Vector::Zero(regression.functions());
  constexpr double anywhere = 0;
  double variance = 0;
  regression.likelihood()->variance(&anywhere, &variance);
  return Vector::Constant(1, std::sqrt(variance));
}

std::vector<ResponseTransform> transforms_of(const Regression& regression) {
  if (regression.likelihood()) {
    const bool counts = regression.likelihood()->response() == ResponseKind::count;
    return std::vector(static_cast<std::size_t>(regression.functions()),
                       counts ? ResponseTransform::log : ResponseTransform::none);
  }
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

/// What is said of a network of a response that is not Gaussian.
void describe_response(ShippedNetwork& shipped, const FittedModel& model) {
  const LikelihoodPointer likelihood = model.likelihood();
  shipped.likelihood = likelihood->text();
  shipped.exposure = encoding_of(model.regression().table()).exposure();
  if (shipped.of_classes())
    shipped.quantity = "the functions that tell classes apart";
  else if (likelihood->response() == ResponseKind::count)
    shipped.quantity = fmt::format("the rate of counts{}, without the noise of new counts",
                                   shipped.exposure ? " for one unit of exposure" : "");
}

PredictiveNetwork mixture_of(const FittedModel& model, Index networks) {
  const Regression& regression = model.regression();
  PredictiveNetwork network{.components = components_of(model, networks),
                            .skip = regression.prior().options().skip,
                            .activation = regression.prior().activation(),
                            .mean = regression.offset(),
                            .inputs = regression.input_scaling(),
                            .outputs = regression.output_scaling(),
                            .noise = noise_of(regression),
                            .transforms = transforms_of(regression),
                            .link = link_of(model)};
  validate(network);
  return network;
}

/// At most so many rows of the data, evenly spaced.
Matrix some_inputs(const Matrix& X) {
  constexpr Index most = 500;
  const Index count = std::min(most, X.rows());
  Matrix some(count, X.cols());
  for (Index i = 0; i < count; ++i) some.row(i) = X.row(i * X.rows() / count);
  return some;
}

ShippedNetwork::RateDifference rate_difference(const FittedModel& model, const PredictiveNetwork& network,
                                               const Matrix& X) {
  const PredictiveSummary drawn = model.predict(X, {.noise = false});
  const PredictiveMoments shipped = network(X);
  const auto largest = [](const Matrix& got, const Matrix& expected) {
    return (got - expected).cwiseAbs().cwiseQuotient(expected).maxCoeff();
  };
  return {.mean = largest(shipped.mean, drawn.mean), .sd = largest(shipped.sd, drawn.sd)};
}

bool predicts_rates(const FittedModel& model) {
  return model.latent() && model.likelihood()->response() == ResponseKind::count;
}

ShippedNetwork::RateDifferences rate_differences(const FittedModel& model, const PredictiveNetwork& network) {
  const Matrix X = some_inputs(model.regression().table().X);
  const Eigen::RowVectorXd middle = (X.colwise().maxCoeff() + X.colwise().minCoeff()) / 2;
  const Matrix outside = (1.5 * (X.rowwise() - middle)).rowwise() + middle;
  return {.data = rate_difference(model, network, X), .outside = rate_difference(model, network, outside)};
}

}  // namespace

ShippedNetwork ship_network(const FittedModel& model, const ShippingOptions& options) {
  const Regression& regression = model.regression();
  const Index networks = shipped_networks(model, options.draws);
  ShippedNetwork shipped{.network = mixture_of(model, networks),
                         .columns = shipped_columns(regression),
                         .kernel = regression.settings().model.kernel,
                         .domain = regression.domain_in_table_units(),
                         .certificate = model.report().certificate};
  if (model.latent()) describe_response(shipped, model);
  const bool fewer_of_classes = shipped.of_classes() && networks < networks_of(model);
  if (options.rank || fewer_of_classes) {
    const PredictiveNetwork whole =
        fewer_of_classes ? mixture_of(model, networks_of(model)) : shipped.network;
    const Matrix& X = regression.table().X;
    if (options.rank) shipped.network = cut_rank(std::move(shipped.network), *options.rank, X);
    shipped.loss = cut_loss(whole, shipped.network, X);
  }
  if (predicts_rates(model)) shipped.rate_differences = rate_differences(model, shipped.network);
  return shipped;
}

}  // namespace ridgelet
