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

void bind_given(py::module_& module) {
  py::class_<GivenHidden>(module, "GivenHidden", "The prior given a hidden layer: everything is Gaussian.")
      .def_property_readonly("W", [](const GivenHidden& given) { return given.path().layers().first().W; })
      .def_property_readonly("b", [](const GivenHidden& given) { return given.path().layers().first().b; })
      .def(
          "operator", [](const GivenHidden& given) { return run([&] { return given.operator_matrix(); }); },
          "B (N, D): function values at the nodes to output weights.")
      .def(
          "mean",
          [](const GivenHidden& given, const py::object& X) {
            const Matrix x = matrix_from(X, "X");
            return run([&] { return given.mean(x); });
          },
          py::arg("X"))
      .def(
          "covariance",
          [](const GivenHidden& given, const py::object& X1, const py::object& X2) {
            const Matrix x1 = matrix_from(X1, "X1"), x2 = matrix_from(X2, "X2", x1);
            require_memory(8.0 * static_cast<double>(x1.rows()) * static_cast<double>(x2.rows()), "X1",
                           fmt::format("a matrix of {} x {}", x1.rows(), x2.rows()));
            return run([&] { return given.covariance(x1, x2); });
          },
          py::arg("X1"), py::arg("X2") = py::none())
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
          py::arg("seed"))
      .def(
          "log_density",
          [](const GivenHidden& given, const py::object& w) {
            const Vector weights = vector_from(w, "w");
            return run([&] { return given.log_density(weights); });
          },
          py::arg("w"), "Log density of output weights on their support.");
}

}  // namespace

void bind_prior(py::module_& module) {
  py::class_<RidgeletPrior>(module, "Prior", "A network prior that resembles a Gaussian process.")
      .def(py::init(&make_prior), py::arg("kernel"), py::kw_only(), py::arg("mean") = "0", py::arg("nodes"),
           py::arg("activation") = "tanh", py::arg("units") = 300, py::arg("layers") = 1,
           py::arg("operator") = "least-squares", py::arg("sigma_w") = 3.0, py::arg("sigma_b") = 12.0,
           py::arg("ridge") = 1e-6, py::arg("order") = py::none(), py::arg("density") = "gaussian",
           py::arg("layer_scale") = py::none(), py::arg("layer_bias") = py::none(), py::arg("skip") = false,
           py::arg("units_from") = "independent")
      .def_property_readonly("rank", [](const RidgeletPrior& prior) { return prior.rank(); })
      .def_property_readonly("units", [](const RidgeletPrior& prior) { return prior.options().units; })
      .def(
          "draw_hidden",
          [](const RidgeletPrior& prior, std::uint64_t seed) {
            const HiddenLayers layers = run([&] { return prior.draw_hidden(seed); });
            py::tuple parts(2 * layers.depth());
            for (std::size_t l = 0; l < layers.depth(); ++l) {
              parts[2 * l] = layers[l].W;
              parts[2 * l + 1] = layers[l].b;
            }
            return parts;
          },
          py::arg("seed"),
          "W (N, d) and b (N,) of the hidden layer with this seed; of a deeper network, W and b of every "
          "layer.")
      .def(
          "given",
          [](const RidgeletPrior& prior, const py::object& W, const py::object& b, const py::args& deeper) {
            HiddenLayers layers = HiddenLayer{.W = matrix_from(W, "W"), .b = vector_from(b, "b")};
            if (deeper.size() % 2 == 1) throw InvalidArgument("b", "is missing for the last hidden layer");
            for (std::size_t i = 0; i < deeper.size(); i += 2)
              layers.add({.W = matrix_from(deeper[i], "W"), .b = vector_from(deeper[i + 1], "b")});
            return run([&] { return std::make_unique<GivenHidden>(prior, layers); });
          },
          py::arg("W"), py::arg("b"),
          "The prior once the hidden layer is fixed, or all of them: given(W, b, W2, b2).");
  bind_given(module);
}

}  // namespace ridgelet::python
