#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::python {

PYBIND11_MODULE(_ridgelet, module) {
  module.doc() = "Gaussian process beliefs as priors of Bayesian neural networks";
  module.attr("__version__") = RIDGELET_VERSION;
  py::register_exception<IoError>(module, "IoError", PyExc_OSError);
  // Whatever a library inside throws must reach Python as an exception of a type that it knows.
  py::register_exception_translator([](std::exception_ptr failure) {
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const InvalidArgument& refusal) {
      PyErr_SetString(PyExc_ValueError, in_words_of_python(refusal.what()).c_str());
    } catch (const std::exception&) {
      throw;
    } catch (...) {
      PyErr_SetString(PyExc_RuntimeError, "a library that ridgelet uses failed without a reason");
    }
  });
  bind_target(module);
  bind_cubature(module);
  bind_activation(module);
  bind_prior(module);
  bind_network(module);
  bind_inference(module);
  bind_assess(module);
  bind_predictive_network(module);
  bind_fitting(module);
  bind_predictions(module);
  bind_fitted(module);
  bind_learning(module);
  bind_settings(module);
  bind_arrays(module);
}

}  // namespace ridgelet::python
