#include <fmt/format.h>

#include <optional>
#include <span>

#include "bindings.hpp"
#include "ridgelet/activation/activation_pair.hpp"

namespace ridgelet::python {

namespace {

template <class T>
using Elementwise = void (T::*)(std::span<const double>, std::span<double>) const;

/// An elementwise function of an array of any shape, like NumPy's own: NaN gives NaN.
template <class T, Elementwise<T> function>
py::array_t<double> elementwise(const T& activation, const py::object& z) {
  const py::array_t<double> in = numbers_from(z, "z");
  py::array_t<double> out(std::vector<py::ssize_t>(in.shape(), in.shape() + in.ndim()));
  const std::span<const double> from(in.data(), static_cast<std::size_t>(in.size()));
  const std::span<double> to(out.mutable_data(), from.size());
  run(static_cast<double>(from.size()), [&] { (activation.*function)(from, to); });
  return out;
}

}  // namespace

void bind_activation(py::module_& module) {
  py::class_<Activation>(module, "Activation", "An activation phi and its derivative.")
      .def(py::init<const std::string&>(), py::arg("name"))
      .def("phi", &elementwise<Activation, &Activation::phi>, py::arg("z"), "phi of every number.")
      .def("derivative", &elementwise<Activation, &Activation::derivative>, py::arg("z"),
           "Its slope at every number.")
      .def("__repr__",
           [](const Activation& activation) {
             return fmt::format("ridgelet.Activation(\"{}\")", activation.name());
           })
      .def(py::pickle([](const Activation& activation) { return py::make_tuple(activation.name()); },
                      [](const py::tuple& state) { return Activation(state[0].cast<std::string>()); }))
      .def_property_readonly(
          "name", [](const Activation& activation) { return activation.name(); },
          "Its name, one of activation_names().");
  py::class_<Assumptions>(module, "Assumptions", "Which parts of the paper's Assumption 1 a pair meets.")
      .def_readonly("bounded", &Assumptions::bounded, "Whether phi is bounded.")
      .def_readonly("schwartz", &Assumptions::schwartz, "Whether psi is a Schwartz function.")
      .def_readonly("admissible", &Assumptions::admissible,
                    "Whether the admissibility integral is 1, numerically within 1e-8.")
      .def_readonly("integrable", &Assumptions::integrable,
                    "Whether |xi|^(-d-2) times the transforms of psi and phi is integrable.")
      .def("__repr__",
           [](const Assumptions& met) {
             return fmt::format(
                 "<ridgelet.Assumptions: bounded {}, schwartz {}, admissible {}, integrable {}>", met.bounded,
                 met.schwartz, met.admissible, met.integrable);
           })
      .def(py::pickle(
          [](const Assumptions& met) {
            return py::make_tuple(met.bounded, met.schwartz, met.admissible, met.integrable);
          },
          [](const py::tuple& state) {
            return Assumptions{state[0].cast<bool>(), state[1].cast<bool>(), state[2].cast<bool>(),
                               state[3].cast<bool>()};
          }));
  py::class_<ActivationPair>(module, "ActivationPair", "An activation phi and its associated function psi.")
      .def(py::init<const std::string&, int, std::optional<int>>(), py::arg("name"), py::arg("dimension") = 1,
           py::arg("order") = py::none())
      .def("phi", &elementwise<ActivationPair, &ActivationPair::phi>, py::arg("z"), "phi of every number.")
      .def("psi", &elementwise<ActivationPair, &ActivationPair::psi>, py::arg("z"), "psi of every number.")
      .def("__repr__",
           [](const ActivationPair& pair) {
             return fmt::format("ridgelet.ActivationPair(\"{}\", dimension={}, order={})", pair.name(),
                                pair.dimension(), pair.order());
           })
      .def(py::pickle(
          [](const ActivationPair& pair) {
            return py::make_tuple(pair.name(), pair.dimension(), pair.order());
          },
          [](const py::tuple& state) {
            return ActivationPair(state[0].cast<std::string>(), state[1].cast<int>(), state[2].cast<int>());
          }))
      .def_property_readonly(
          "name", [](const ActivationPair& pair) { return pair.name(); }, "Name of the activation phi.")
      .def_property_readonly(
          "dimension", [](const ActivationPair& pair) { return pair.dimension(); }, "Number of inputs d.")
      .def_property_readonly(
          "order", [](const ActivationPair& pair) { return pair.order(); }, "Order n of psi.")
      .def_property_readonly(
          "constant", [](const ActivationPair& pair) { return pair.constant(); },
          "Factor of psi that makes the admissibility integral 1.")
      .def_property_readonly(
          "admissibility",
          [](const ActivationPair& pair) { return run([&] { return pair.admissibility(); }); },
          "The admissibility integral of phi and psi, evaluated numerically: 1.")
      .def_property_readonly(
          "assumptions", [](const ActivationPair& pair) { return pair.assumptions(); },
          "Which parts of the paper's Assumption 1 the pair meets.");
  module.def("activation_names", &activation_names, "Activations that the least-squares operator takes.");
  module.def("ridgelet_activation_names", &ridgelet_activation_names,
             "Activations that have an associated function psi, which the ridgelet operator needs.");
}

}  // namespace ridgelet::python
