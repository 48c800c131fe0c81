#include "ridgelet/fitting/shipped_network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/linalg/products.hpp"
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

std::vector<PredictiveComponent> components_of(const FittedModel& model, Index most_draws) {
  const RidgeletPrior& prior = model.regression().prior();
  const Data& data = model.regression().data();
  const Index count =
      model.sampled() ? std::min(model.posterior().draws().size(), most_draws) : model.components();
  require_memory_for(prior, data.outputs(), count);
  std::vector<PredictiveComponent> components;
  for (Index i = 0; i < count; ++i) {
    if (model.sampled()) {
      GivenHidden given(prior, model.posterior().layers(i * model.posterior().draws().size() / count));
      components.push_back(component_of(given, posterior_given(given, data)));
    } else {
      const ClosedFormNetwork& network = model.closed_form().networks()[static_cast<std::size_t>(i)];
      components.push_back(component_of(GivenHidden(prior, network.layers), network));
    }
  }
  return components;
}

PredictiveNetwork whole_network(const FittedModel& model, Index draws) {
  const Regression& regression = model.regression();
  PredictiveNetwork network{.components = components_of(model, draws),
                            .skip = regression.prior().options().skip,
                            .activation = regression.prior().activation(),
                            .mean = regression.offset(),
                            .inputs = regression.input_scaling(),
                            .outputs = regression.output_scaling(),
                            .noise = regression.data().noise,
                            .transforms = {}};
  for (const ResponseEncoding& output : encoding_of(regression.table()).outputs)
    network.transforms.push_back(output.transform);
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
  if (model.latent())
    throw InvalidArgument("model",
                          "networks of classes, counts and heavy tails cannot leave yet; those with "
                          "Gaussian noise can");
  const Regression& regression = model.regression();
  ShippedNetwork shipped{.network = whole_network(model, options.draws),
                         .columns = encoding_of(regression.table()),
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
