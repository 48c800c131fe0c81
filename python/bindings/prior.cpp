#include <fmt/format.h>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet::python {

namespace {

RidgeletPrior make_prior(const py::object& kernel, const std::string& mean, const Nodes& nodes,
                         const std::string& activation, Index units, Index layers, const std::string& op,
                         const std::variant<double, std::vector<double>>& sigma_w, double sigma_b,
                         double ridge, std::optional<int> order, const std::string& density,
                         std::optional<double> layer_scale, std::optional<double> layer_bias, bool skip,
                         const std::string& units_from) {
  PriorOptions options{
      .target = {.kernel = kernel_from(kernel), .mean = MeanFunction(mean)},
      .nodes = nodes,
      .activation = activation,
      .units = units,
      .layers = layers,
      .hidden = {.sigma_w = std::visit([](const auto& given) { return Bandwidth(given); }, sigma_w),
                 .sigma_b = sigma_b,
                 .density = parse_density(density),
                 .units_from = parse_units_from(units_from)},
      .op = {.name = op, .ridge = ridge, .order = order},
      .layer_scale = layer_scale,
      .layer_bias = layer_bias,
      .skip = skip,
  };
  return run([&] { return RidgeletPrior(std::move(options)); });
}

py::object bandwidths_of(const Bandwidth& sigma_w, Index dimension) {
  if (sigma_w == Bandwidth(sigma_w[0])) return py::float_(sigma_w[0]);
  std::vector<double> each;
  for (Index k = 0; k < dimension; ++k) each.push_back(sigma_w[k]);
  return py::cast(each);
}

/// What a prior was made from, by the keywords of its constructor.
py::dict settings_of(const RidgeletPrior& prior) {
  const PriorOptions& options = prior.options();
  py::dict dict;
  dict["kernel"] = options.target.kernel;
  dict["mean"] = options.target.mean.text();
  dict["nodes"] = options.nodes;
  dict["activation"] = options.activation.name();
  dict["units"] = options.units;
  dict["layers"] = options.layers;
  dict["operator"] = options.op.name;
  dict["sigma_w"] = bandwidths_of(options.hidden.sigma_w, prior.dimension());
  dict["sigma_b"] = options.hidden.sigma_b;
  dict["ridge"] = options.op.ridge;
  dict["order"] = options.op.order;
  dict["density"] = density_name(options.hidden.density);
  dict["layer_scale"] = options.layer_scale;
  dict["layer_bias"] = options.layer_bias;
  dict["skip"] = options.skip;
  dict["units_from"] = units_from_name(options.hidden.units_from);
  return dict;
}

/// Every keyword as a property.
void bind_settings_of_prior(py::class_<RidgeletPrior>& prior) {
  for (const char* name :
       {"kernel", "mean", "nodes", "activation", "units", "layers", "operator", "sigma_w", "sigma_b", "ridge",
        "order", "density", "layer_scale", "layer_bias", "skip", "units_from"})
    prior.def_property_readonly(
        name, [name](const RidgeletPrior& made) -> py::object { return settings_of(made)[name]; },
        "As it was given to the constructor.");
}

std::string shown_prior(const RidgeletPrior& prior) {
  const PriorOptions& options = prior.options();
  return fmt::format(
      "<ridgelet.Prior: {} layer{} of {} {} units by the {} operator on {} nodes, kernel {}, mean {}>",
      options.layers, options.layers == 1 ? "" : "s", options.units, options.activation.name(),
      options.op.name, options.nodes.size(), options.target.kernel.text(), options.target.mean.text());
}

py::tuple as_tuple(const HiddenLayers& layers) {
  py::tuple parts(2 * layers.depth());
  for (std::size_t l = 0; l < layers.depth(); ++l) {
    parts[2 * l] = layers[l].W;
    parts[2 * l + 1] = layers[l].b;
  }
  return parts;
}

HiddenLayers layers_from(const py::object& W, const py::object& b, const py::args& deeper) {
  HiddenLayers layers = HiddenLayer{.W = matrix_from(W, "W"), .b = vector_from(b, "b")};
  if (deeper.size() % 2 == 1) throw InvalidArgument("b", "is missing for the last hidden layer");
  for (std::size_t i = 0; i < deeper.size(); i += 2)
    layers.add({.W = matrix_from(deeper[i], "W"), .b = vector_from(deeper[i + 1], "b")});
  return layers;
}

std::unique_ptr<GivenHidden> given_hidden(const RidgeletPrior& prior, const HiddenLayers& layers) {
  return run([&] { return std::make_unique<GivenHidden>(prior, layers); });
}

void bind_given(py::module_& module) {
  py::class_<GivenHidden>(module, "GivenHidden", "The prior given a hidden layer: everything is Gaussian.")
      .def_property_readonly(
          "W", [](const GivenHidden& given) { return given.path().layers().first().W; },
          "Weights of the first hidden layer, (N, d).")
      .def_property_readonly(
          "b", [](const GivenHidden& given) { return given.path().layers().first().b; },
          "Biases of the first hidden layer, (N,).")
      .def(
          "operator", [](const GivenHidden& given) { return run([&] { return given.operator_matrix(); }); },
          "The matrix B (N, D), which maps function values at the nodes to output weights.")
      .def(
          "mean",
          [](const GivenHidden& given, const py::object& X) {
            const Matrix x = matrix_from(X, "X");
            return run([&] { return given.mean(x); });
          },
          py::arg("X"), "Mean of f(X).")
      .def(
          "covariance",
          [](const GivenHidden& given, const py::object& X1, const py::object& X2) {
            const Matrix x1 = matrix_from(X1, "X1"), x2 = matrix_from(X2, "X2", x1);
            require_memory(8.0 * static_cast<double>(x1.rows()) * static_cast<double>(x2.rows()), "X1",
                           fmt::format("a matrix of {} x {}", x1.rows(), x2.rows()));
            return run([&] { return given.covariance(x1, x2); });
          },
          py::arg("X1"), py::arg("X2") = py::none(), "Covariance of f(X1) and f(X2); X2 is X1 if not given.")
      .def(
          "rmse",
          [](const GivenHidden& given, const py::object& X) {
            const Matrix x = matrix_from(X, "X");
            return run([&] { return given.rmse(x); });
          },
          py::arg("X"), "Pointwise root mean square error against the Gaussian process.")
      .def(
          "weights",
          [](const GivenHidden& given) {
            const Gaussian w = run([&] { return given.weights(); });
            return py::make_tuple(w.mean, w.factor);
          },
          "Mean (N,) and factor (N, R) of the output weights: mean + factor z.")
      .def(
          "draw_weights",
          [](const GivenHidden& given, std::uint64_t seed) {
            return run([&] {
              const Gaussian w = given.weights();
              return w.at(RandomStream{.seed = seed, .purpose = Purpose::output_weights}.normals(w.rank()));
            });
          },
          py::arg("seed"), "A draw of the output weights.")
      .def(
          "log_density",
          [](const GivenHidden& given, const py::object& w) {
            const Vector weights = vector_from(w, "w");
            return run([&] { return given.log_density(weights); });
          },
          py::arg("w"), "Log density of output weights on their support.")
      .def_property_readonly(
          "prior", [](const GivenHidden& given) { return given.prior(); }, "The prior that it was made from.")
      .def("__repr__",
           [](const GivenHidden& given) {
             return fmt::format("<ridgelet.GivenHidden: {} hidden units given, of {}>",
                                given.layers().first().units(), shown_prior(given.prior()));
           })
      .def(py::pickle(
          [](const GivenHidden& given) { return py::make_tuple(given.prior(), as_tuple(given.layers())); },
          [](const py::tuple& state) {
            const auto parts = state[1].cast<py::tuple>();
            return given_hidden(state[0].cast<RidgeletPrior>(),
                                layers_from(parts[0], parts[1], py::tuple(parts[py::slice(2, {}, {})])));
          }));
}

}  // namespace

void bind_prior(py::module_& module) {
  py::class_<RidgeletPrior> prior_class(module, "Prior",
                                        "A network prior that resembles a Gaussian process.");
  bind_settings_of_prior(prior_class);
  prior_class.def("__repr__", &shown_prior)
      .def(py::pickle(&settings_of,
                      [](const py::dict& settings) {
                        return py::type::of<RidgeletPrior>()(**settings).cast<RidgeletPrior>();
                      }))
      .def(py::init(&make_prior), py::arg("kernel"), py::kw_only(), py::arg("mean") = "0", py::arg("nodes"),
           py::arg("activation") = "tanh", py::arg("units") = 300, py::arg("layers") = 1,
           py::arg("operator") = "least-squares", py::arg("sigma_w") = 3.0, py::arg("sigma_b") = 12.0,
           py::arg("ridge") = 1e-6, py::arg("order") = py::none(), py::arg("density") = "gaussian",
           py::arg("layer_scale") = py::none(), py::arg("layer_bias") = py::none(), py::arg("skip") = false,
           py::arg("units_from") = "independent")
      .def_property_readonly(
          "rank", [](const RidgeletPrior& prior) { return prior.rank(); },
          "Rank R of the process at the nodes: how many numbers are random given the hidden layer.")
      .def(
          "draw_hidden",
          [](const RidgeletPrior& prior, std::uint64_t seed) {
            const HiddenLayers layers = run([&] { return prior.draw_hidden(seed); });
            return as_tuple(layers);
          },
          py::arg("seed"),
          "W (N, d) and b (N,) of the hidden layer with this seed; for a deeper network, W and b of every "
          "layer.")
      .def(
          "given",
          [](const RidgeletPrior& prior, const py::object& W, const py::object& b, const py::args& deeper) {
            return given_hidden(prior, layers_from(W, b, deeper));
          },
          py::arg("W"), py::arg("b"),
          "The prior once its hidden layer is fixed, or all of its hidden layers: given(W, b, W2, b2).");
  bind_given(module);
}

}  // namespace ridgelet::python
