/// What the binding files share: one function a stage, and arrays from Python checked by name.
#pragma once

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "calls.hpp"
#include "instances.hpp"
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
void bind_predictive_network(py::module_& module);
void bind_fitting(py::module_& module);

/// A two-dimensional array of finite numbers, else ValueError naming the argument.
Matrix matrix_from(const py::object& array, const std::string& argument);

/// The same, or `otherwise` for None.
Matrix matrix_from(const py::object& array, const std::string& argument, const Matrix& otherwise);

/// A one-dimensional array of finite numbers, else ValueError naming the argument.
Vector vector_from(const py::object& array, const std::string& argument);

/// Any array of numbers, NaN and infinities included, as float64 in C order. A masked array has no masked entries.
py::array_t<double> numbers_from(const py::object& array, const std::string& argument);

/// A Kernel, or the text of one.
Kernel kernel_from(const py::object& kernel);

}  // namespace ridgelet::python
