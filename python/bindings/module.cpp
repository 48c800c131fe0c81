#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::python {

PYBIND11_MODULE(_ridgelet, module) {
  module.doc() = "Gaussian process beliefs as priors of Bayesian neural networks";
  py::register_exception<IoError>(module, "IoError", PyExc_OSError);
  bind_target(module);
  bind_cubature(module);
  bind_activation(module);
  bind_prior(module);
  bind_network(module);
  bind_inference(module);
  bind_assess(module);
}

}  // namespace ridgelet::python
