#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
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
  const Matrix x1 = matrix_from(X1, "X1"), x2 = matrix_from(X2, "X2", x1);
  require_columns(x2, x1.cols(), "X2");
  k.validate_dimension(x1.cols());
  const double entries = static_cast<double>(x1.rows()) * static_cast<double>(x2.rows());
  require_memory(8 * entries, "X1", fmt::format("a matrix of {} x {}", x1.rows(), x2.rows()));
  return run(entries, [&] { return k.matrix(x1, x2); });
}

/// Rows of data, converted while Python's lock is held.
struct Observations {
  Matrix X;
  Vector y;

  Observations(const py::object& inputs, const py::object& values)
      : X(matrix_from(inputs, "X")), y(vector_from(values, "y")) {}

  /// Needs memory for the covariance of the data and, twice, for that between the data and `new_points` new points.
  GaussianProcessPosterior posterior(const GaussianProcess& gp, double noise, Index new_points) const {
    const double M = static_cast<double>(X.rows());
    require_memory(8 * M * (M + 2 * static_cast<double>(new_points)), "X",
                   fmt::format("the exact process of {} rows at {} new points", X.rows(), new_points));
    return GaussianProcessPosterior(gp, X, y, noise);
  }
};

void bind_kernel(py::module_& module) {
  py::class_<Kernel>(module, "Kernel", "A covariance function; k(X1, X2) is its matrix, + and * combine.")
      .def("__call__", &evaluate_kernel, py::arg("X1"), py::arg("X2") = py::none(),
           "The matrix k(X1, X2); X2 is X1 if not given.")
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
      .def("__str__", [](const Kernel& k) { return k.text(); })
      .def("__repr__", [](const Kernel& k) { return "ridgelet.kernel(\"" + k.text() + "\")"; });
  module.def("kernel", &parse_kernel, py::arg("text"),
             "A kernel from text such as 'se(lengthscale=2) + white()'.");
  module.def("kernel_names", &kernel_names, "The kernels that kernel() knows.");
}

void bind_gaussian_process(py::module_& module) {
  py::class_<GaussianProcess>(module, "GaussianProcess",
                              "The exact Gaussian process. noise is a standard deviation.")
      .def(py::init([](const py::object& kernel, const std::string& mean) {
             return GaussianProcess{.kernel = kernel_from(kernel), .mean = MeanFunction(mean)};
           }),
           py::arg("kernel"), py::arg("mean") = "0")
      .def("__repr__",
           [](const GaussianProcess& gp) {
             return fmt::format("ridgelet.GaussianProcess(\"{}\", mean=\"{}\")", gp.kernel.text(),
                                gp.mean.text());
           })
      .def(py::pickle([](const GaussianProcess& gp) { return py::make_tuple(gp.kernel, gp.mean.text()); },
                      [](const py::tuple& state) {
                        return GaussianProcess{.kernel = state[0].cast<Kernel>(),
                                               .mean = MeanFunction(state[1].cast<std::string>())};
                      }))
      .def_property_readonly(
          "kernel", [](const GaussianProcess& gp) { return gp.kernel; }, "Its kernel.")
      .def_property_readonly(
          "mean", [](const GaussianProcess& gp) { return gp.mean.text(); },
          "Its mean, an expression in x1, x2, ...")
      .def(
          "sample",
          [](const GaussianProcess& gp, const py::object& X, Index draws, std::uint64_t seed) -> Matrix {
            const Matrix x = matrix_from(X, "X");
            require_at_least(draws, 1, "draws");
            require_memory(2 * 8.0 * static_cast<double>(draws) * static_cast<double>(x.rows()), "draws",
                           fmt::format("{} draws at {} points", draws, x.rows()));
            // The covariance, its factor and the check of one against the other.
            require_memory(3 * 8.0 * static_cast<double>(x.rows()) * static_cast<double>(x.rows()), "X",
                           fmt::format("the process at {} points", x.rows()));
            const RandomStream stream{.seed = seed, .purpose = Purpose::target_process};
            return run([&] { return gp.prior(x).draws(draws, stream); });
          },
          py::arg("X"), py::arg("draws") = 1, py::arg("seed") = 0, "Prior draws of f(X), one in each row.")
      .def(
          "prior",
          [](const GaussianProcess& gp, const py::object& X) {
            const Matrix x = matrix_from(X, "X");
            gp.validate_dimension(x.cols());
            auto moments = run(static_cast<double>(x.size()),
                               [&] { return std::pair(gp.finite_mean(x), gp.kernel.diagonal(x)); });
            if (!moments.second.allFinite())
              throw InvalidArgument("kernel",
                                    "must be finite at every point, and '" + gp.kernel.text() + "' is not");
            return moments;
          },
          py::arg("X"), "Mean and variance of f(X) before any data.")
      .def(
          "predict",
          [](const GaussianProcess& gp, const py::object& X, const py::object& y, double noise,
             const py::object& Xs) {
            const Observations data(X, y);
            const Matrix xs = matrix_from(Xs, "Xs");
            const auto [mean, variance] = run([&] {
              const auto posterior = data.posterior(gp, noise, xs.rows());
              return std::pair(posterior.mean(xs), posterior.variance(xs));
            });
            return py::make_tuple(mean, variance);
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), py::arg("Xs"),
          "Mean and variance of f(Xs), without noise.")
      .def(
          "posterior_covariance",
          [](const GaussianProcess& gp, const py::object& X, const py::object& y, double noise,
             const py::object& X1, const py::object& X2) {
            const Observations data(X, y);
            const Matrix x1 = matrix_from(X1, "X1"), x2 = matrix_from(X2, "X2");
            return run([&] { return data.posterior(gp, noise, x1.rows() + x2.rows()).covariance(x1, x2); });
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), py::arg("X1"), py::arg("X2"),
          "Covariance of f(X1) and f(X2) given the data.")
      .def(
          "log_marginal_likelihood",
          [](const GaussianProcess& gp, const py::object& X, const py::object& y, double noise) {
            const Observations data(X, y);
            return run([&] { return data.posterior(gp, noise, 0).log_marginal_likelihood(); });
          },
          py::arg("X"), py::arg("y"), py::arg("noise"), "log p(y), the log evidence.");
}

}  // namespace

Kernel kernel_from(const py::object& kernel) {
  if (py::isinstance<py::str>(kernel)) return parse_kernel(kernel.cast<std::string>());
  if (is_made(kernel, typeid(Kernel))) return kernel.cast<Kernel>();
  throw InvalidArgument("kernel", "must be a ridgelet.kernel(...) or its text");
}

void bind_target(py::module_& module) {
  bind_kernel(module);
  bind_gaussian_process(module);
}

}  // namespace ridgelet::python
