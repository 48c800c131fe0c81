#include "ridgelet/network/predictive_network.hpp"

#include <fmt/format.h>
#include <pybind11/eval.h>

#include <sstream>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/export_network.hpp"
#include "ridgelet/io/export_torch.hpp"
#include "shipped.hpp"

namespace ridgelet::python {

namespace {

/// One output is a vector, several are the columns of a matrix.
py::object of_outputs(const Matrix& values) {
  return values.cols() == 1 ? py::cast(Vector(values)) : py::cast(values);
}

Matrix inputs_from(const Shipped& shipped, const py::object& Xs) {
  Matrix x = matrix_from(frame_inputs(Xs, shipped->columns, "Xs"), "Xs");
  require_nonempty(x, "Xs");
  require_columns(x, shipped->network.input_count(), "Xs");
  return x;
}

py::tuple network_moments(const Shipped& shipped, const py::object& Xs, bool latent) {
  const Matrix x = inputs_from(shipped, Xs);
  const PredictiveNetwork& network = shipped->network;
  const Index units = network.components.front().heads.rows() * static_cast<Index>(network.components.size());
  const auto features = static_cast<double>(x.rows() * units);
  const PredictiveMoments moments = run(features, [&] { return network(x, !latent); });
  return py::make_tuple(of_outputs(moments.mean), of_outputs(moments.sd));
}

Matrix network_functions(const Shipped& shipped, const py::object& Xs, Index draws, std::uint64_t seed,
                         Index output) {
  const Matrix x = inputs_from(shipped, Xs);
  return run([&] { return shipped->network.functions(x, draws, seed, output); });
}

Matrix network_probabilities(const Shipped& shipped, const py::object& Xs) {
  const Matrix x = inputs_from(shipped, Xs);
  return run([&] { return shipped->network.probabilities(x); });
}

Precision parse_precision(const std::string& name) {
  if (name == "float64") return Precision::float64;
  if (name == "float32") return Precision::float32;
  throw InvalidArgument("precision", fmt::format("must be float64 or float32, got '{}'", name));
}

/// Returns what the sd loses by the cut, if there is one.
py::object export_to(const Shipped& shipped, const py::object& path, const std::optional<std::string>& to,
                     const std::string& precision, std::optional<Index> rank, std::optional<Index> draws) {
  const std::string name = path_from(path);
  const ExportFormat format = to ? parse_export_format(*to) : export_format_of(name);
  const Precision width = parse_precision(precision);
  const std::optional<CutLoss> loss = run([&] {
    if (!rank && !draws) {
      export_network(name, *shipped, format, width);
      return std::optional<CutLoss>();
    }
    const ShippedNetwork other =
        ship_network(shipped.source().model(), {.draws = draws ? draws : shipped.draws(), .rank = rank});
    export_network(name, other, format, width);
    return other.loss;
  });
  if (!loss) return py::none();
  return py::dict(py::arg("largest") = loss->largest, py::arg("root_mean_square") = loss->root_mean_square);
}

py::dict component_arrays(const PredictiveNetwork& network, const PredictiveComponent& component) {
  const Index K = network.output_count(), R = network.rank();
  py::list layers, bridges, V;
  for (std::size_t l = 0; l < component.hidden.depth(); ++l)
    layers.append(py::dict(py::arg("W") = component.hidden[l].W, py::arg("b") = component.hidden[l].b));
  for (const Matrix& bridge : component.bridges) bridges.append(bridge);
  for (Index k = 0; k < K; ++k) V.append(Matrix(component.heads.middleCols(K + k * R, R)));
  return py::dict(py::arg("layers") = layers, py::arg("bridges") = bridges,
                  py::arg("w") = Matrix(component.heads.leftCols(K)), py::arg("V") = V);
}

py::dict scaling_arrays(const Scaling& scaling) {
  return py::dict(py::arg("centre") = scaling.centre, py::arg("scale") = scaling.scale);
}

py::dict to_numpy(const Shipped& shipped) {
  const PredictiveNetwork& network = shipped->network;
  const AffineFunction mean = affine_mean(network);
  py::list networks, logarithm;
  for (const PredictiveComponent& each : network.components) networks.append(component_arrays(network, each));
  for (const ResponseTransform transform : network.transforms)
    logarithm.append(transform == ResponseTransform::log);
  return py::dict(
      py::arg("activation") = network.activation.name(), py::arg("skip") = network.skip,
      py::arg("input_scaling") = scaling_arrays(network.inputs),
      py::arg("output_scaling") = scaling_arrays(network.outputs),
      py::arg("mean") = py::dict(py::arg("constant") = mean.constant, py::arg("slope") = mean.slope),
      py::arg("noise") = network.noise, py::arg("logarithm") = logarithm,
      py::arg("link") = name_of(network.link), py::arg("networks") = networks);
}

/// An nn.Module, made from the text of the exported file.
py::object to_torch(const Shipped& shipped, const std::string& precision) {
  try {
    py::module_::import("torch");
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    throw py::import_error(
        "to_torch() needs PyTorch, which is not installed; export('model.py') needs nothing");
  }
  std::ostringstream text;
  write_torch(text, *shipped, parse_precision(precision));
  py::dict scope(py::arg("__name__") = "ridgelet_network");
  py::exec(text.str(), scope);
  return scope["RidgeletNetwork"]();
}

std::string text_of(const Shipped& shipped) {
  const PredictiveNetwork& network = shipped->network;
  const std::size_t count = network.components.size();
  return fmt::format("<ridgelet.PredictiveNetwork: {} input{}, {} output{}, {}{} {} units, rank {}>",
                     network.input_count(), network.input_count() == 1 ? "" : "s", network.output_count(),
                     network.output_count() == 1 ? "" : "s",
                     count == 1 ? "" : fmt::format("{} networks of ", count),
                     network.components.front().heads.rows(), network.activation.name(), network.rank());
}

}  // namespace

void bind_predictive_network(py::module_& module) {
  py::class_<Shipped>(module, "PredictiveNetwork",
                      "A fitted network, which predicts without its prior: mean, sd = network(Xs).")
      .def("__call__", &network_moments, py::arg("Xs"), py::arg("latent") = false,
           "Mean and sd at Xs, the noise of new data included; with latent=True, of the function itself; of "
           "counts, those of the rate. "
           "Both are those of the response itself, even if its logarithm was fitted; for classes, those of "
           "the functions that tell them apart.")
      .def("probability", &network_probabilities, py::arg("Xs"),
           "The probability of each class at the rows of Xs, in the form of predict_proba.")
      .def("functions", &network_functions, py::arg("Xs"), py::arg("draws") = 100, py::arg("seed") = 0,
           py::arg("output") = 0, "Draws of the noise-free function at Xs, one in each row.")
      .def("export", &export_to, py::arg("path"), py::arg("to") = py::none(),
           py::arg("precision") = "float64", py::arg("rank") = py::none(), py::arg("draws") = py::none(),
           "Writes the network as ONNX (.onnx), C (.c), PyTorch (.py) or JSON (.json), by the ending of the "
           "path or as `to` says: onnx, c, torch or json. precision is float64 or float32. rank keeps that "
           "many columns of the sd's factor, or draws of a classifier; the loss at the data is returned, "
           "largest and root_mean_square: relative for the sd, absolute for probabilities. With sampled "
           "hidden layers, draws writes the equal mixture of so many of them.")
      .def("to_numpy", &to_numpy,
           "The weights as arrays, under the keys of the JSON export (docs/export.md).")
      .def("to_torch", &to_torch, py::arg("precision") = "float64",
           "The network as an nn.Module, whose call gives mean and sd.")
      .def_property_readonly(
          "rank", [](const Shipped& shipped) { return shipped->network.rank(); },
          "Columns of the factor that the sd comes from.")
      .def_property_readonly(
          "inputs", [](const Shipped& shipped) { return shipped->columns.input_names(); },
          "Names of the inputs, in order.")
      .def_property_readonly(
          "activation", [](const Shipped& shipped) { return shipped->network.activation.name(); },
          "Name of the activation.")
      .def(py::pickle(
          [](const Shipped& shipped) {
            return py::make_tuple(py::bytes(run([&] { return shipped.source().results(); })),
                                  shipped.draws());
          },
          [](const py::tuple& state) {
            const auto bytes = state[0].cast<std::string>();
            const auto draws = state[1].cast<std::optional<Index>>();
            return run([&] { return Shipped(FittedNetwork::from_results(bytes), draws); });
          }))
      .def("__repr__", &text_of);
}

}  // namespace ridgelet::python
