#include "ridgelet/network/network.hpp"

#include <fmt/format.h>

#include "bindings.hpp"

namespace ridgelet::python {

namespace {

py::tuple state_of(const Network& net) {
  py::list layers;
  for (std::size_t l = 0; l < net.hidden.depth(); ++l)
    layers.append(py::make_tuple(net.hidden[l].W, net.hidden[l].b));
  return py::make_tuple(layers, net.bridges, net.skip, net.activation.name(), net.output_weights,
                        net.mean.text(), net.inputs.centre, net.inputs.scale, net.outputs.centre,
                        net.outputs.scale);
}

Network network_from(const py::tuple& state) {
  HiddenLayers hidden;
  for (const py::handle layer : state[0]) {
    const auto parts = py::reinterpret_borrow<py::tuple>(layer);
    hidden.add({.W = parts[0].cast<Matrix>(), .b = parts[1].cast<Vector>()});
  }
  Network net{.hidden = std::move(hidden),
              .bridges = state[1].cast<std::vector<Matrix>>(),
              .skip = state[2].cast<bool>(),
              .activation = Activation(state[3].cast<std::string>()),
              .output_weights = state[4].cast<Matrix>(),
              .mean = MeanFunction(state[5].cast<std::string>()),
              .inputs = {state[6].cast<Vector>(), state[7].cast<Vector>()},
              .outputs = {state[8].cast<Vector>(), state[9].cast<Vector>()}};
  validate(net);
  return net;
}

std::string shown_network(const Network& net) {
  return fmt::format("<ridgelet.Network: {} input{}, {} hidden layer{} of {} {} units, {} output{}>",
                     net.hidden.first().dimension(), net.hidden.first().dimension() == 1 ? "" : "s",
                     net.hidden.depth(), net.hidden.depth() == 1 ? "" : "s", net.hidden.first().units(),
                     net.activation.name(), net.output_weights.cols(),
                     net.output_weights.cols() == 1 ? "" : "s");
}

}  // namespace

void bind_network(py::module_& module) {
  py::class_<Network>(module, "Network", "A plain network; net(X) are its outputs.")
      .def(
          "__call__",
          [](const Network& net, const py::object& X) -> py::object {
            const Matrix x = matrix_from(X, "X");
            const Index features = x.rows() * net.output_weights.size();
            const Matrix values = run(static_cast<double>(features), [&] { return net(x); });
            return values.cols() == 1 ? py::cast(Vector(values)) : py::cast(values);
          },
          py::arg("X"), "Outputs at the rows of X.")
      .def_property_readonly(
          "W", [](const Network& net) { return net.hidden.first().W; },
          "Weights of the first hidden layer, (N, d).")
      .def_property_readonly(
          "b", [](const Network& net) { return net.hidden.first().b; },
          "Biases of the first hidden layer, (N,).")
      .def_property_readonly(
          "output_weights",
          [](const Network& net) -> py::object {
            const Matrix& w = net.output_weights;
            return w.cols() == 1 ? py::cast(Vector(w)) : py::cast(w);
          },
          "Weights of the output: (N,), or one column for each of several outputs.")
      .def("__repr__", &shown_network)
      .def(py::pickle(&state_of, &network_from))
      .def_property_readonly(
          "activation", [](const Network& net) { return net.activation.name(); }, "Name of the activation.");
  module.attr("Prior").cast<py::class_<RidgeletPrior>>().def(
      "sample",
      [](const RidgeletPrior& prior, std::uint64_t seed) {
        return run([&] { return draw_network(prior, seed); });
      },
      py::arg("seed") = 0, "A network drawn from the prior.");
}

}  // namespace ridgelet::python
