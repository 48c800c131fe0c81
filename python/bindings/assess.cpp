#include "bindings.hpp"
#include "ridgelet/assess/mmd.hpp"

namespace ridgelet::python {

void bind_assess(py::module_& module) {
  module.def(
      "gaussian_mmd2",
      [](const py::object& S1, const py::object& S2, double inverse_alpha_squared) {
        return gaussian_mmd2(matrix_from(S1, "S1"), matrix_from(S2, "S2"), inverse_alpha_squared);
      },
      py::arg("S1"), py::arg("S2"), py::arg("inverse_alpha_squared"), "MMD^2 between N(0, S1) and N(0, S2).",
      Threaded());
}

}  // namespace ridgelet::python
