#include "stored_posterior.hpp"

#include <utility>

namespace ridgelet {

namespace {

/// "" for the first hidden layer, "2" for the second.
std::string layer_suffix(Index layer) {
  return layer == 0 ? "" : std::to_string(layer + 1);
}

template <class Visit>
void for_each_layer(const HiddenLayers& layers, Visit&& visit) {
  for (std::size_t l = 0; l < layers.depth(); ++l) visit(layers[l], layer_suffix(static_cast<Index>(l)));
}

/// From the numbers of a matrix, one column after the other, those of its transpose.
Vector transposed(const Vector& numbers, Index rows, Index columns) {
  const Matrix other = numbers.reshaped(rows, columns).transpose();
  return other.reshaped();
}

/// The fixed hidden layers of each network.
template <class Networks>
void write_layers(NetcdfWriter& file, const Networks& networks) {
  for (std::size_t l = 0; l < networks[0].layers.depth(); ++l) {
    const std::string suffix = layer_suffix(static_cast<Index>(l));
    file.array("posterior", "W" + suffix, {"network", "unit", l == 0 ? "input" : "coordinate"},
               l == 0 ? "hidden weights" : "hidden weights, on coordinates of the layer before", 1,
               [&, l](Index i, Vector& values) {
                 const Matrix& W = networks[static_cast<std::size_t>(i)].layers[l].W;
                 values = transposed(W.reshaped(), W.rows(), W.cols());
               });
    file.array(
        "posterior", "b" + suffix, {"network", "unit"}, "hidden biases", 1,
        [&, l](Index i, Vector& values) { values = networks[static_cast<std::size_t>(i)].layers[l].b; });
  }
}

/// Networks whose hidden layers are fixed: those layers, and z given the data.
void write_networks(NetcdfWriter& file, const ClosedFormPosterior& posterior) {
  const std::vector<ClosedFormNetwork>& networks = posterior.networks();
  const auto network = [&](Index i) -> const ClosedFormNetwork& {
    return networks[static_cast<std::size_t>(i)];
  };
  write_layers(file, networks);
  file.array("posterior", "z_mean", {"network", "output", "coordinate"},
             "mean of the coordinates of the output weights w = B (m + L z)", 1,
             [&](Index i, Vector& values) { values = network(i).means.reshaped(); });
  const Index K = posterior.outputs();
  file.array("posterior", "z_root", {"network", "output", "direction", "coordinate"},
             "C with covariance C^T C of the coordinates", 2, [&](Index i, Vector& values) {
               values = network(i / K).roots[static_cast<std::size_t>(i % K)].reshaped();
             });
  file.array("posterior", "log_evidence", {"network"}, "of the data", 1,
             [&](Index i, Vector& values) { values = Vector::Constant(1, network(i).log_evidence); });
}

/// The same where the response is not Gaussian given the functions: draws of z.
void write_latent_networks(NetcdfWriter& file, const LatentPosterior& posterior) {
  const std::vector<LatentNetwork>& networks = posterior.networks();
  write_layers(file, networks);
  file.array("posterior", "z", {"network", "function_draw", "function", "coordinate"},
             "coordinates of the output weights w = B (m + L z)", 1, [&](Index i, Vector& values) {
               values = networks[static_cast<std::size_t>(i)].coordinates.reshaped();
             });
  file.array("posterior", "log_evidence", {"network"}, "of the data", 1, [&](Index i, Vector& values) {
    values = Vector::Constant(1, networks[static_cast<std::size_t>(i)].log_evidence);
  });
}

void write_draws(NetcdfWriter& file, const RidgeletPrior& prior, const PosteriorDraws& draws) {
  Index first = 0;
  for_each_layer(prior.allocate(), [&](const HiddenLayer& layer, const std::string& suffix) {
    const bool on_inputs = suffix.empty();
    const Index units = layer.W.rows(), columns = layer.W.cols(), start = first;
    file.array("posterior", "W" + suffix, {"chain", "draw", "unit", on_inputs ? "input" : "coordinate"},
               on_inputs ? "hidden weights" : "hidden weights, on coordinates of the layer before", 2,
               [&](Index draw, Vector& values) {
                 values = transposed(draws.layers.row(draw).segment(start, layer.W.size()), units, columns);
               });
    file.matrix("posterior", "b" + suffix, {"chain", "draw", "unit"}, "hidden biases", 2,
                draws.layers.middleCols(first + layer.W.size(), layer.b.size()));
    first += layer.W.size() + layer.b.size();
  });
  file.matrix("posterior", "z", {"chain", "draw", "output", "coordinate"},
              "coordinates of the output weights w = B (m + L z)", 2, draws.coordinates);
}

void write_steps(NetcdfWriter& file, const PosteriorDraws& draws) {
  const std::string group = "sample_stats";
  file.matrix(group, "log_likelihood", {"chain", "draw"}, "of the data, the output layer integrated out", 2,
              draws.log_likelihood);
  file.matrix(group, "evaluations", {"chain", "draw"}, "likelihood evaluations of the step", 2,
              draws.evaluations);
  file.matrix(group, "diverging", {"chain", "draw"}, "1 where the trajectory diverged, else 0", 2,
              draws.diverging);
}

}  // namespace

void write_posterior(NetcdfWriter& file, const FittedModel& model) {
  if (model.sampled()) {
    const PosteriorDraws& draws = model.posterior().draws();
    file.dimension("chain", draws.chains);
    file.dimension("draw", draws.draws_per_chain());
    write_draws(file, model.regression().prior(), draws);
    write_steps(file, draws);
  } else if (model.latent()) {
    const LatentPosterior& posterior = model.latent_posterior();
    const auto networks = static_cast<Index>(posterior.networks().size());
    file.dimension("chain", 1);
    file.dimension("draw", FitView::prior_draws);
    file.dimension("network", networks);
    file.dimension("function_draw", posterior.draws() / networks);
    write_latent_networks(file, posterior);
  } else {
    file.dimension("chain", 1);
    file.dimension("draw", FitView::prior_draws);
    file.dimension("network", static_cast<Index>(model.closed_form().networks().size()));
    file.dimension("direction", model.regression().prior().rank());
    write_networks(file, model.closed_form());
  }
}

PosteriorDraws read_draws(const NetcdfReader& file, const Regression& regression) {
  const Index layers = regression.prior().options().layers, units = regression.prior().units();
  PosteriorDraws draws{.chains = file.size_of("chain"),
                       .layers = {},
                       .coordinates = file.matrix("posterior", "z", 2),
                       .log_likelihood = file.vector("sample_stats", "log_likelihood"),
                       .evaluations = file.vector("sample_stats", "evaluations"),
                       .diverging = file.vector("sample_stats", "diverging")};
  const Index rows = draws.chains * file.size_of("draw");
  if (draws.coordinates.rows() != rows || draws.log_likelihood.size() != rows ||
      draws.evaluations.size() != rows || draws.diverging.size() != rows)
    file.refuse("has arrays of different numbers of draws");
  for (Index l = 0; l < layers; ++l)
    for (const char* name : {"W", "b"}) {
      Matrix part = file.matrix("posterior", name + layer_suffix(l), 2);
      if (part.rows() != draws.coordinates.rows()) file.refuse("has arrays of different numbers of draws");
      if (*name == 'W') {
        if (part.cols() % units != 0) file.refuse("has hidden weights of another number of units");
        for (Index i = 0; i < part.rows(); ++i)
          part.row(i) = transposed(part.row(i), part.cols() / units, units).transpose();
      }
      draws.layers.conservativeResize(part.rows(), draws.layers.cols() + part.cols());
      draws.layers.rightCols(part.cols()) = part;
    }
  return draws;
}

namespace {

void require_fit(const NetcdfReader& file, bool fits) {
  if (!fits) file.refuse("has networks of another size than its settings say");
}

/// The hidden layers of all networks: every array is read once.
std::vector<HiddenLayers> read_layers(const NetcdfReader& file, Index count, const RidgeletPrior& prior) {
  std::vector<HiddenLayers> networks(static_cast<std::size_t>(count), prior.allocate());
  for (Index l = 0; l < prior.options().layers; ++l) {
    const std::string suffix = layer_suffix(l);
    const Matrix W = file.matrix("posterior", "W" + suffix, 1), b = file.matrix("posterior", "b" + suffix, 1);
    for (Index i = 0; i < count; ++i) {
      HiddenLayer& layer = networks[static_cast<std::size_t>(i)][static_cast<std::size_t>(l)];
      require_fit(file, W.rows() == count && W.cols() == layer.W.size() && b.rows() == count &&
                            b.cols() == layer.b.size());
      layer.W = Vector(W.row(i)).reshaped(layer.W.cols(), layer.W.rows()).transpose();
      layer.b = b.row(i).transpose();
    }
  }
  return networks;
}

}  // namespace

std::vector<ClosedFormNetwork> read_networks(const NetcdfReader& file, const Regression& regression) {
  const Index K = regression.data().outputs(), R = regression.prior().rank();
  const Index count = file.size_of("network");
  const Matrix means = file.matrix("posterior", "z_mean", 1), roots = file.matrix("posterior", "z_root", 2);
  const Vector evidence = file.vector("posterior", "log_evidence");
  const auto expect = [&](bool fits) { require_fit(file, fits); };
  expect(means.rows() == count && means.cols() == K * R && roots.rows() == count * K &&
         roots.cols() == R * R && evidence.size() == count);
  std::vector<HiddenLayers> layers = read_layers(file, count, regression.prior());
  std::vector<ClosedFormNetwork> networks;
  for (Index i = 0; i < count; ++i) {
    ClosedFormNetwork network{.layers = std::move(layers[static_cast<std::size_t>(i)]),
                              .means = Vector(means.row(i)).reshaped(R, K),
                              .roots = {},
                              .log_evidence = evidence(i)};
    for (Index k = 0; k < K; ++k) network.roots.push_back(Vector(roots.row(i * K + k)).reshaped(R, R));
    networks.push_back(std::move(network));
  }
  return networks;
}

std::vector<LatentNetwork> read_latent_networks(const NetcdfReader& file, const Regression& regression) {
  const Index K = regression.functions(), R = regression.prior().rank();
  const Index count = file.size_of("network"), draws = file.size_of("function_draw");
  const Matrix coordinates = file.matrix("posterior", "z", 1);
  const Vector evidence = file.vector("posterior", "log_evidence");
  require_fit(file,
              coordinates.rows() == count && coordinates.cols() == draws * K * R && evidence.size() == count);
  std::vector<HiddenLayers> layers = read_layers(file, count, regression.prior());
  std::vector<LatentNetwork> networks;
  for (Index i = 0; i < count; ++i)
    networks.push_back({.layers = std::move(layers[static_cast<std::size_t>(i)]),
                        .coordinates = Vector(coordinates.row(i)).reshaped(R, K * draws),
                        .log_evidence = evidence(i)});
  return networks;
}

}  // namespace ridgelet
