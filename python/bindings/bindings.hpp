/// What the binding files share: one function a stage, and arrays from Python checked by name.
#pragma once

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "ridgelet/core/threads.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet::python {

namespace py = pybind11;

void bind_target(py::module_& module);
void bind_cubature(py::module_& module);
void bind_activation(py::module_& module);
void bind_prior(py::module_& module);
void bind_network(py::module_& module);
void bind_inference(py::module_& module);
void bind_assess(py::module_& module);

/// A two-dimensional array of finite numbers, else ValueError naming the argument.
Matrix matrix_from(const py::object& array, const std::string& argument);

/// A one-dimensional array of finite numbers, else ValueError naming the argument.
Vector vector_from(const py::object& array, const std::string& argument);

/// Any array of numbers, NaN and infinities included, as float64 in C order.
py::array_t<double> numbers_from(const py::object& array, const std::string& argument);

/// A Kernel, or the text of one.
Kernel kernel_from(const py::object& kernel);

/// Every call works with all threads that OpenMP allows, and leaves NumPy's BLAS as it was.
struct AllThreads : ThreadScope {
  AllThreads() : ThreadScope(available_threads()) {}
};
using Threaded = py::call_guard<AllThreads>;

}  // namespace ridgelet::python
