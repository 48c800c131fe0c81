#include "bindings.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet::python {

void bind_inference(py::module_& module) {
  module.attr("GivenHidden")
      .cast<py::class_<GivenHidden>>()
      .def(
          "log_marginal_likelihood",
          [](const GivenHidden& given, const py::object& X, const py::object& y, double noise) {
            const Matrix x = matrix_from(X, "X");
            const Vector values = vector_from(y, "y");
            return run([&] {
              return posterior_of_process(given.output(x), values, noise).log_marginal_likelihood();
            });
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), "log p(y) given the hidden layer.")
      .def(
          "predict",
          [](const GivenHidden& given, const py::object& X, const py::object& y, double noise,
             const py::object& Xs) {
            const Matrix x = matrix_from(X, "X"), xs = matrix_from(Xs, "Xs");
            const Vector values = vector_from(y, "y");
            const Prediction prediction = run([&] {
              return posterior_of_process(given.output(x), values, noise).predict(given.output(xs, "Xs"));
            });
            return py::make_tuple(prediction.mean, prediction.variance);
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), py::arg("Xs"),
          "Mean and variance of f(Xs), without noise.");
}

}  // namespace ridgelet::python
