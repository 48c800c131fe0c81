#include "ridgelet/network/network.hpp"

#include "bindings.hpp"

namespace ridgelet::python {

void bind_network(py::module_& module) {
  py::class_<Network>(module, "Network", "A plain network; net(X) are its outputs.")
      .def(
          "__call__",
          [](const Network& net, const py::object& X) {
            const Matrix x = matrix_from(X, "X");
            const Index features = x.rows() * net.output_weights.size();
            return run(static_cast<double>(features), [&] { return net(x); });
          },
          py::arg("X"))
      .def_property_readonly("W", [](const Network& net) { return net.hidden.first().W; })
      .def_property_readonly("b", [](const Network& net) { return net.hidden.first().b; })
      .def_property_readonly("output_weights", [](const Network& net) { return net.output_weights; })
      .def_property_readonly("activation", [](const Network& net) { return net.activation.name(); });
  module.attr("Prior").cast<py::class_<RidgeletPrior>>().def(
      "sample",
      [](const RidgeletPrior& prior, std::uint64_t seed) {
        return run([&] { return draw_network(prior, seed); });
      },
      py::arg("seed") = 0, "A network drawn from the prior.");
}

}  // namespace ridgelet::python
