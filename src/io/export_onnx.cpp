#include "ridgelet/io/export_onnx.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "activation_formula.hpp"
#include "export_facts.hpp"
#include "onnx_graph.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr int ir_version = 7;
constexpr int opset = 13;

/// The fitted network of network/predictive_network.hpp, operator by operator.
class NetworkGraph {
 public:
  NetworkGraph(OnnxGraph& graph, const PredictiveNetwork& network)
      : graph_(graph),
        network_(network),
        phi_(activation_formula(network.activation)),
        mean_(affine_mean(network)) {}

  void write() {
    const Index K = network_.output_count();
    const auto outputs = static_cast<std::size_t>(K);
    const Tensor x =
        graph_.node("Div", {graph_.node("Sub", {"x", graph_.row("input_centre", network_.inputs.centre)}),
                            graph_.row("input_scale", network_.inputs.scale)});
    const Tensor mu = graph_.add(graph_.product(x, graph_.matrix("mean_slope", mean_.slope)),
                                 graph_.row("mean_constant", Vector::Constant(1, mean_.constant)));
    std::vector<std::vector<Tensor>> f(outputs), v(outputs), probabilities;
    for (std::size_t s = 0; s < network_.components.size(); ++s) {
      const Tensor features = features_of(s, x);
      std::vector<Tensor> draws;
      for (std::size_t k = 0; k < outputs; ++k) {
        const auto output = static_cast<Index>(k);
        const Tensor factor = graph_.product(features, factor_of(s, output));
        f[k].push_back(graph_.add(mu, graph_.product(features, weights(s, output))));
        v[k].push_back(variance(output, factor));
        if (network_.link != ClassLink::none) draws.push_back(draws_of(output, f[k].back(), factor));
      }
      if (network_.link != ClassLink::none) probabilities.push_back(probabilities_of(draws));
    }
    std::vector<Tensor> means, sds;
    for (std::size_t k = 0; k < outputs; ++k) add_moments(static_cast<Index>(k), f[k], v[k], means, sds);
    graph_.columns(means, "mean");
    graph_.columns(sds, "sd");
    if (network_.link != ClassLink::none) write_probabilities(probabilities);
  }

 private:
  using Tensor = OnnxGraph::Tensor;

  /// phi(x) of the last hidden layer, with those of earlier ones where connections skip.
  Tensor features_of(std::size_t s, const Tensor& x) {
    const PredictiveComponent& component = network_.components[s];
    Tensor features = layer(s, 0, x, component.hidden.first().W.transpose());
    for (std::size_t l = 1; l < component.hidden.depth(); ++l) {
      const Matrix& W = component.hidden[l].W;
      Matrix one_and_W(1 + W.cols(), W.rows());
      one_and_W << Vector::Ones(W.rows()).transpose(), W.transpose();
      const Tensor bridge = graph_.matrix(fmt::format("bridge_{}_{}", s, l - 1), component.bridges[l - 1]);
      const Tensor own = layer(s, l, graph_.product(features, bridge), one_and_W);
      features = network_.skip ? graph_.columns({own, features}) : own;
    }
    return features;
  }

  /// Each column of W is a unit.
  Tensor layer(std::size_t s, std::size_t l, const Tensor& seen, const MatrixView& W) {
    const Tensor sums = graph_.product(seen, graph_.matrix(fmt::format("W_{}_{}", s, l), W));
    const Vector& b = network_.components[s].hidden[l].b;
    return graph_.apply(phi_, graph_.add(sums, graph_.row(fmt::format("b_{}_{}", s, l), b)));
  }

  Tensor weights(std::size_t s, Index k) {
    return graph_.matrix(fmt::format("w_{}_{}", s, k), network_.components[s].heads.col(k));
  }

  Tensor factor_of(std::size_t s, Index k) {
    const Index K = network_.output_count(), R = network_.rank();
    return graph_.matrix(fmt::format("V_{}_{}", s, k), network_.components[s].heads.middleCols(K + k * R, R));
  }

  Tensor variance(Index k, const Tensor& factor) {
    return graph_.add(graph_.reduce("ReduceSumSquare", factor),
                      graph_.number(network_.noise(k) * network_.noise(k)));
  }

  /// f_1, ..., f_R of one function, side by side.
  Tensor draws_of(Index k, const Tensor& f, const Tensor& factor) {
    const double root = std::sqrt(static_cast<double>(network_.rank()));
    return scaled(graph_.add(f, graph_.multiply(factor, graph_.number(root))), network_.outputs.scale(k),
                  network_.outputs.centre(k));
  }

  /// For each class: what the link makes of every draw, rows x R.
  std::vector<Tensor> linked(const std::vector<Tensor>& draws) {
    if (network_.link == ClassLink::logistic) {
      const Formula logistic = activation_formula("sigmoid");
      const Tensor& f = draws.front();
      return {graph_.apply(logistic, graph_.multiply(f, graph_.number(-1))), graph_.apply(logistic, f)};
    }
    Tensor top = draws.front();
    for (const Tensor& f : draws) top = graph_.node("Max", {top, f});
    std::vector<Tensor> powers;
    for (const Tensor& f : draws) powers.push_back(graph_.node("Exp", {graph_.node("Sub", {f, top})}));
    Tensor sum = powers.front();
    for (std::size_t c = 1; c < powers.size(); ++c) sum = graph_.add(sum, powers[c]);
    for (Tensor& power : powers) power = graph_.node("Div", {power, sum});
    return powers;
  }

  /// The mean over the draws of one network, one column for each class.
  std::vector<Tensor> probabilities_of(const std::vector<Tensor>& draws) {
    std::vector<Tensor> classes = linked(draws);
    for (Tensor& each : classes) each = graph_.reduce("ReduceMean", each);
    return classes;
  }

  /// The mean over the networks.
  void write_probabilities(const std::vector<std::vector<Tensor>>& of_networks) {
    std::vector<Tensor> classes = of_networks.front();
    for (std::size_t c = 0; of_networks.size() > 1 && c < classes.size(); ++c) {
      std::vector<Tensor> each;
      for (const std::vector<Tensor>& network : of_networks) each.push_back(network[c]);
      classes[c] = graph_.reduce("ReduceMean", graph_.columns(each));
    }
    graph_.columns(classes, "probability");
  }

  /// Mean and sd of one output from the moments of its networks: in the network's units and scaled at the end or, for
  /// a logarithm, from those of the log-normal distributions.
  void add_moments(Index k, std::vector<Tensor> f, std::vector<Tensor> v, std::vector<Tensor>& means,
                   std::vector<Tensor>& sds) {
    const double scale = network_.outputs.scale(k), centre = network_.outputs.centre(k);
    const bool logarithm = network_.transforms[static_cast<std::size_t>(k)] == ResponseTransform::log;
    for (std::size_t s = 0; logarithm && s < f.size(); ++s) {
      const Tensor of_log = graph_.multiply(v[s], graph_.number(scale * scale));
      const Tensor half = graph_.multiply(of_log, graph_.number(0.5));
      f[s] = graph_.node("Exp", {graph_.add(scaled(f[s], scale, centre), half)});
      // (e^v + 1) tanh(v / 2) = e^v - 1
      const Tensor expm1 = graph_.multiply(graph_.add(graph_.node("Exp", {of_log}), graph_.number(1)),
                                           graph_.node("Tanh", {half}));
      v[s] = graph_.multiply(graph_.multiply(f[s], f[s]), expm1);
    }
    Tensor mean = f.front(), square = v.front();
    if (f.size() > 1) {
      const Tensor all = graph_.columns(f);
      mean = graph_.reduce("ReduceMean", all);
      const Tensor apart = graph_.node("Sub", {all, mean});
      square = graph_.add(graph_.reduce("ReduceMean", graph_.columns(v)),
                          graph_.reduce("ReduceMean", graph_.multiply(apart, apart)));
    }
    const Tensor sd = graph_.node("Sqrt", {square});
    means.push_back(logarithm ? mean : scaled(mean, scale, centre));
    sds.push_back(logarithm ? sd : graph_.multiply(sd, graph_.number(scale)));
  }

  Tensor scaled(const Tensor& values, double scale, double centre) {
    return graph_.add(graph_.multiply(values, graph_.number(scale)), graph_.number(centre));
  }

  OnnxGraph& graph_;
  const PredictiveNetwork& network_;
  Formula phi_;
  AffineFunction mean_;
};

}  // namespace

void write_onnx(std::ostream& out, const ShippedNetwork& shipped, Precision precision) {
  const PredictiveNetwork& network = shipped.network;
  onnx::ModelProto model;
  model.set_ir_version(ir_version);
  model.set_producer_name("ridgelet");
  model.set_producer_version(RIDGELET_VERSION);
  model.add_opset_import()->set_version(opset);
  const nlohmann::ordered_json facts = export_facts(shipped, precision);
  for (const auto& [key, fact] : facts.items()) {
    onnx::StringStringEntryProto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(fact_text(fact));
  }
  onnx::GraphProto& proto = *model.mutable_graph();
  proto.set_name("ridgelet");
  OnnxGraph graph(proto, precision);
  graph.declare(*proto.add_input(), "x", network.input_count());
  NetworkGraph(graph, network).write();
  for (const char* name : {"mean", "sd"}) graph.declare(*proto.add_output(), name, network.output_count());
  if (network.link != ClassLink::none)
    graph.declare(*proto.add_output(), "probability", network.class_count());
  if (model.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InvalidArgument("rank", "an ONNX file holds 2 GB at most; export with a smaller one");
  if (!model.SerializeToOstream(&out)) out.setstate(std::ios::failbit);
}

}  // namespace ridgelet
