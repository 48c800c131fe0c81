#include <cmath>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/covariance/constant.hpp"
#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::python {

namespace {

Kernel as_kernel(double variance) {
  require_positive(variance, "kernel: a number");
  return Constant{.amplitude = std::sqrt(variance)};
}

Matrix evaluate_kernel(const Kernel& k, const py::object& X1, const py::object& X2) {
  const Matrix x1 = matrix_from(X1, "X1");
  const Matrix x2 = X2.is_none() ? x1 : matrix_from(X2, "X2");
  require_columns(x2, x1.cols(), "X2");
  k.validate_dimension(x1.cols());
  return k.matrix(x1, x2);
}

GaussianProcessPosterior posterior(const GaussianProcess& gp, const py::object& X, const py::object& y,
                                   double noise) {
  return GaussianProcessPosterior(gp, matrix_from(X, "X"), vector_from(y, "y"), noise);
}

void bind_kernel(py::module_& module) {
  py::class_<Kernel>(module, "Kernel", "A covariance function; k(X1, X2) is its matrix, + and * combine.")
      .def("__call__", &evaluate_kernel, py::arg("X1"), py::arg("X2") = py::none())
      .def("__add__", [](const Kernel& a, const Kernel& b) { return a + b; })
      .def("__mul__", [](const Kernel& a, const Kernel& b) { return a * b; })
      .def("__add__", [](const Kernel& a, double c) { return a + as_kernel(c); })
      .def("__mul__", [](const Kernel& a, double c) { return a * as_kernel(c); })
      // Python's sum() starts from the number 0.
      .def("__radd__", [](const Kernel& a, double c) { return c == 0 ? a : as_kernel(c) + a; })
      .def("__rmul__", [](const Kernel& a, double c) { return as_kernel(c) * a; })
      .def(
          "__eq__", [](const Kernel& a, const Kernel& b) { return a.text() == b.text(); }, py::is_operator())
      .def(py::pickle([](const Kernel& k) { return py::make_tuple(k.text()); },
                      [](const py::tuple& state) { return parse_kernel(state[0].cast<std::string>()); }))
      .def("__hash__", [](const Kernel& k) { return py::hash(py::str(k.text())); })
      .def("__str__", &Kernel::text)
      .def("__repr__", [](const Kernel& k) { return "ridgelet.kernel(\"" + k.text() + "\")"; });
  module.def("kernel", &parse_kernel, py::arg("text"),
             "A kernel from text such as 'se(lengthscale=2) + white()'.");
  module.def("kernel_names", &kernel_names);
}

void bind_gaussian_process(py::module_& module) {
  py::class_<GaussianProcess>(module, "GaussianProcess",
                              "The exact Gaussian process. noise is a standard deviation.")
      .def(py::init([](const py::object& kernel, const std::string& mean) {
             return GaussianProcess{.kernel = kernel_from(kernel), .mean = MeanFunction(mean)};
           }),
           py::arg("kernel"), py::arg("mean") = "0")
      .def_property_readonly("kernel", [](const GaussianProcess& gp) { return gp.kernel; })
      .def_property_readonly("mean", [](const GaussianProcess& gp) { return gp.mean.text(); })
      .def(
          "sample",
          [](const GaussianProcess& gp, const py::object& X, Index draws, std::uint64_t seed) -> Matrix {
            const Gaussian prior = gp.prior(matrix_from(X, "X"));
            const RandomStream stream{.seed = seed, .purpose = Purpose::target_process};
            require_at_least(draws, 1, "draws");
            return (stream.normals(draws, prior.rank()) * prior.factor.transpose()).rowwise() +
                   prior.mean.transpose();
          },
          py::arg("X"), py::arg("draws") = 1, py::arg("seed") = 0, "Draws of f(X) from the prior, one a row.",
          Threaded())
      .def(
          "predict",
          [](const GaussianProcess& gp, const py::object& X, const py::object& y, double noise,
             const py::object& Xs) {
            const auto given_data = posterior(gp, X, y, noise);
            const Matrix xs = matrix_from(Xs, "Xs");
            return py::make_tuple(given_data.mean(xs), given_data.variance(xs));
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), py::arg("Xs"),
          "Mean and variance of f(Xs), without noise.", Threaded())
      .def(
          "posterior_covariance",
          [](const GaussianProcess& gp, const py::object& X, const py::object& y, double noise,
             const py::object& X1, const py::object& X2) {
            return posterior(gp, X, y, noise).covariance(matrix_from(X1, "X1"), matrix_from(X2, "X2"));
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), py::arg("X1"), py::arg("X2"), Threaded())
      .def(
          "log_marginal_likelihood",
          [](const GaussianProcess& gp, const py::object& X, const py::object& y, double noise) {
            return posterior(gp, X, y, noise).log_marginal_likelihood();
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), Threaded());
}

}  // namespace

Kernel kernel_from(const py::object& kernel) {
  if (py::isinstance<py::str>(kernel)) return parse_kernel(kernel.cast<std::string>());
  if (py::isinstance<Kernel>(kernel)) return kernel.cast<Kernel>();
  throw InvalidArgument("kernel", "must be a ridgelet.kernel(...) or its text");
}

void bind_target(py::module_& module) {
  bind_kernel(module);
  bind_gaussian_process(module);
}

}  // namespace ridgelet::python
