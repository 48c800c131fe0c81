#include "bindings.hpp"
#include "ridgelet/assess/error_bound.hpp"
#include "ridgelet/assess/mmd.hpp"

namespace ridgelet::python {

namespace {

py::dict as_dict(const ErrorParts& parts) {
  py::dict dict;
  dict["sigma_w"] = parts.sigma_w;
  dict["sigma_b"] = parts.sigma_b;
  dict["nodes"] = parts.nodes;
  dict["units"] = parts.units;
  return dict;
}

}  // namespace

void bind_assess(py::module_& module) {
  module.def(
      "gaussian_mmd2",
      [](const py::object& S1, const py::object& S2, double inverse_alpha_squared) {
        const Matrix s1 = matrix_from(S1, "S1"), s2 = matrix_from(S2, "S2");
        return run([&] { return gaussian_mmd2(s1, s2, inverse_alpha_squared); });
      },
      py::arg("S1"), py::arg("S2"), py::arg("inverse_alpha_squared"), "MMD^2 between N(0, S1) and N(0, S2).");
  module.def(
      "error_bound",
      [](double sigma_w, double sigma_b, Index nodes, Index units, Index dimension, bool bounded,
         double delta) {
        return as_dict(error_bound({.sigma_w = sigma_w,
                                    .sigma_b = sigma_b,
                                    .nodes = nodes,
                                    .units = units,
                                    .dimension = dimension,
                                    .bounded = bounded,
                                    .delta = delta}));
      },
      py::arg("sigma_w") = 3, py::arg("sigma_b") = 12, py::arg("nodes") = 200, py::arg("units") = 300,
      py::arg("dimension") = 1, py::arg("bounded") = true, py::arg("delta") = 0.05,
      "The four terms of Theorem 1, up to their common constant; bounded=False for ReLU.");
  module.def(
      "error_split",
      [](const RidgeletPrior& prior, const Nodes& finer, const py::object& X, Index replicates,
         std::uint64_t seed) {
        const Matrix x = matrix_from(X, "X");
        const ErrorSplit split =
            run([&] { return split_error(prior, finer, x, {.replicates = replicates, .seed = seed}); });
        py::dict dict = as_dict(split.parts);
        dict["total"] = split.total;
        return dict;
      },
      py::arg("prior"), py::arg("finer"), py::arg("X"), py::arg("replicates") = 20, py::arg("seed") = 0,
      "What sigma_w, sigma_b, nodes and units each add to the error of a ridgelet prior at X; `finer` is the "
      "grid of its nodes with more points.");
}

}  // namespace ridgelet::python
