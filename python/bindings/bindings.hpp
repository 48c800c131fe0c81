/// What the binding files share: one function for each stage, and arrays from Python checked by name.
#pragma once

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "calls.hpp"
#include "instances.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {
struct ModelSettings;
struct TableEncoding;
}  // namespace ridgelet

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
void bind_predictions(py::module_& module);
void bind_fitted(py::module_& module);
void bind_learning(py::module_& module);
void bind_settings(py::module_& module);
void bind_arrays(py::module_& module);

/// A two-dimensional array of finite numbers, else ValueError naming the argument.
Matrix matrix_from(const py::object& array, const std::string& argument);

/// The same, or `otherwise` for None.
Matrix matrix_from(const py::object& array, const std::string& argument, const Matrix& otherwise);

/// A one-dimensional array of finite numbers, else ValueError naming the argument.
Vector vector_from(const py::object& array, const std::string& argument);

/// Rows of a two-dimensional array. An array of float64 is read in place, whether stored by rows or by columns; any
/// other is converted first. Python's lock must be held to make and to destroy this object; block() needs no lock.
class Rows {
 public:
  /// Throws InvalidArgument about `argument` unless it is two-dimensional, of real numbers.
  Rows(const py::object& array, std::string argument);

  Index count() const { return view_.rows(); }
  Index columns() const { return taken_ ? static_cast<Index>(taken_->size()) : view_.cols(); }

  /// Leaves out all other columns.
  void take(std::vector<Index> columns) { taken_ = std::move(columns); }

  /// Throws InvalidArgument unless all are finite.
  Matrix block(Index first, Index rows) const;

 private:
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

  std::string argument_;
  py::array_t<double> array_;
  Eigen::Map<const Matrix, Eigen::Unaligned, Strides> view_;
  std::optional<std::vector<Index>> taken_;  ///< all if there are none
};

/// Outputs: one column may be one-dimensional. Complaints are about "y".
Matrix outputs_from(const py::object& y);

/// What counts were counted over: a positive number for each row.
Vector exposure_from(const py::object& exposure, Index rows);

/// Settings of a model by the names of the program's options, with underscores. Throws TypeError for another name.
ModelSettings settings_from(const py::kwargs& keywords);

/// A text or a pathlib.Path.
std::string path_from(const py::object& path);

/// Names of columns as they were given; if none were, x1, x2, ... for the letter x, or just x for one column.
std::vector<std::string> column_names(const std::optional<std::vector<std::string>>& given, Index count,
                                      const std::string& argument, const std::string& letter);

/// One output is a vector, several are the columns of a matrix.
py::object as_array(const Matrix& values);

/// Any array of numbers, NaN and infinities included, as float64 in C order. Masked entries are refused.
py::array_t<double> numbers_from(const py::object& array, const std::string& argument);

/// The inputs of a fit from a data frame, whose columns are taken by name; anything else is returned unchanged.
py::object frame_inputs(const py::object& X, const TableEncoding& encoding, const std::string& argument);

/// A Kernel, or the text of one.
Kernel kernel_from(const py::object& kernel);

}  // namespace ridgelet::python
