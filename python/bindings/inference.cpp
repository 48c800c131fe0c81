#include "bindings.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet::python {

namespace {

LinearGaussianPosterior posterior(const GivenHidden& given, const py::object& X, const py::object& y,
                                  double noise) {
  return LinearGaussianPosterior(given.output(matrix_from(X, "X")), vector_from(y, "y"), noise);
}

}  // namespace

void bind_inference(py::module_& module) {
  module.attr("GivenHidden")
      .cast<py::class_<GivenHidden>>()
      .def(
          "log_marginal_likelihood",
          [](const GivenHidden& given, const py::object& X, const py::object& y, double noise) {
            return posterior(given, X, y, noise).log_marginal_likelihood();
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), Threaded())
      .def(
          "predict",
          [](const GivenHidden& given, const py::object& X, const py::object& y, double noise,
             const py::object& Xs) {
            const Prediction prediction =
                posterior(given, X, y, noise).predict(given.output(matrix_from(Xs, "Xs"), "Xs"));
            return py::make_tuple(prediction.mean, prediction.variance);
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), py::arg("Xs"),
          "Mean and variance of f(Xs), without noise.", Threaded());
}

}  // namespace ridgelet::python
