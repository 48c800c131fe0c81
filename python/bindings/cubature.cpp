#include <fmt/format.h>

#include <optional>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/cubature/mollifier.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"

namespace ridgelet::python {

namespace {

void require_support(double support, double half_width) {
  require_positive(support, "support");
  require_positive(half_width, "half_width");
  if (support > half_width)
    throw InvalidArgument(
        "support", "must be at most the half_width " + shortest(half_width) + ", got " + shortest(support));
}

}  // namespace

void bind_cubature(py::module_& module) {
  py::class_<Nodes>(module, "Nodes", "A cubature rule: points (D, d) and weights (D,).")
      .def(py::init([](const py::object& points, const py::object& weights) {
             Nodes nodes{.points = matrix_from(points, "points"), .weights = vector_from(weights, "weights")};
             validate(nodes);
             return nodes;
           }),
           py::arg("points"), py::arg("weights"))
      .def_property_readonly(
          "points", [](const Nodes& nodes) { return nodes.points; },
          "Where the process is evaluated, (D, d).")
      .def_property_readonly(
          "weights", [](const Nodes& nodes) { return nodes.weights; },
          "The weight of each point in a sum over all of them, (D,).")
      .def("__len__", [](const Nodes& nodes) { return nodes.size(); })
      .def("__repr__",
           [](const Nodes& nodes) {
             return fmt::format("<ridgelet.Nodes: {} points of {} input{}>", nodes.size(), nodes.dimension(),
                                nodes.dimension() == 1 ? "" : "s");
           })
      .def(py::pickle([](const Nodes& nodes) { return py::make_tuple(nodes.points, nodes.weights); },
                      [](const py::tuple& state) {
                        return Nodes{.points = state[0].cast<Matrix>(), .weights = state[1].cast<Vector>()};
                      }));
  module.def(
      "grid",
      [](double half_width, Index points_per_axis, Index dimension, std::optional<double> support) {
        return run(
            [&] { return grid(half_width, points_per_axis, dimension, support.value_or(half_width)); });
      },
      py::arg("half_width"), py::arg("points_per_axis"), py::arg("dimension") = 1,
      py::arg("support") = py::none(),
      "The left-endpoint grid on [-half_width, half_width]^d, mollified to [-support, support]^d.");
  module.def(
      "sobol",
      [](double half_width, Index points, Index dimension, std::optional<double> support,
         std::uint64_t seed) {
        require_support(support.value_or(half_width), half_width);
        require_at_least(dimension, 1, "dimension");
        return run([&] {
          return sobol_nodes(Box::cube(support.value_or(half_width), dimension),
                             Box::cube(half_width, dimension), points, seed);
        });
      },
      py::arg("half_width"), py::arg("points"), py::arg("dimension") = 1, py::arg("support") = py::none(),
      py::arg("seed") = 0,
      "So many scrambled Sobol points in [-half_width, half_width]^d, mollified to [-support, support]^d.");
  module.def(
      "mollifier",
      [](const py::object& X, double support, double half_width) {
        const Matrix x = matrix_from(X, "X");
        require_support(support, half_width);
        return run(static_cast<double>(x.size()), [&] {
          return mollifier(x, Box::cube(support, x.cols()), Box::cube(half_width, x.cols()));
        });
      },
      py::arg("X"), py::arg("support"), py::arg("half_width"),
      "1 on [-support, support]^d, falling smoothly to 0 at the edge of [-half_width, half_width]^d.");
}

}  // namespace ridgelet::python
