#include "ridgelet/network/network.hpp"

#include "bindings.hpp"

namespace ridgelet::python {

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
          py::arg("X"))
      .def_property_readonly("W", [](const Network& net) { return net.hidden.first().W; })
      .def_property_readonly("b", [](const Network& net) { return net.hidden.first().b; })
      .def_property_readonly("output_weights",
                             [](const Network& net) -> py::object {
                               const Matrix& w = net.output_weights;
                               return w.cols() == 1 ? py::cast(Vector(w)) : py::cast(w);
                             })
      .def_property_readonly("activation", [](const Network& net) { return net.activation.name(); });
  module.attr("Prior").cast<py::class_<RidgeletPrior>>().def(
      "sample",
      [](const RidgeletPrior& prior, std::uint64_t seed) {
        return run([&] { return draw_network(prior, seed); });
      },
      py::arg("seed") = 0, "A network drawn from the prior.");
}

}  // namespace ridgelet::python
