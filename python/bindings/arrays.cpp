#include <fmt/format.h>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::python {

namespace {

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape"));
}

py::array_t<double> array_of_dimension(const py::object& object, const std::string& argument, int dimensions,
                                       const std::string& rule) {
  const py::array_t<double> array = numbers_from(object, argument);
  if (array.ndim() != dimensions)
    throw InvalidArgument(argument, fmt::format("must be {}, got shape {}", rule, shape_text(array)));
  return array;
}

/// An array of NumPy's own type has no mask unless it holds objects, which may; asking NumPy takes longer than a small
/// call does in all.
bool is_plain_array(const py::handle& object) {
  return py::isinstance<py::array>(object) &&
         Py_TYPE(object.ptr()) == py::detail::npy_api::get().PyArray_Type_ &&
         py::reinterpret_borrow<py::array>(object).dtype().kind() != 'O';
}

/// NumPy would drop the mask and take what lies under it, also of masked arrays within lists.
bool has_masked_entries(const py::handle& object) {
  if (PyList_Check(object.ptr()) || PyTuple_Check(object.ptr())) {
    for (const py::handle entry : py::iter(object))
      if (has_masked_entries(entry)) return true;
    return false;
  }
  if (PyFloat_CheckExact(object.ptr()) || PyLong_CheckExact(object.ptr()) || is_plain_array(object))
    return false;
  return py::module_::import("numpy.ma").attr("is_masked")(object).cast<bool>();
}

}  // namespace

py::array_t<double> numbers_from(const py::object& object, const std::string& argument) {
  if (has_masked_entries(object))
    throw InvalidArgument(argument, "must have no masked entries; fill them or leave their rows out");
  py::array plain = py::array::ensure(object);
  if (!plain) PyErr_Clear();
  if (!plain || std::string("biuf").find(plain.dtype().kind()) == std::string::npos)
    throw InvalidArgument(argument, "must be an array of real numbers");
  return py::array_t<double, py::array::c_style | py::array::forcecast>(plain);
}

Matrix matrix_from(const py::object& object, const std::string& argument) {
  const auto array = array_of_dimension(object, argument, 2,
                                        "two-dimensional (a row for each point, a column for each input)");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix matrix = Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
  require_finite(matrix, argument);
  return matrix;
}

Matrix matrix_from(const py::object& object, const std::string& argument, const Matrix& otherwise) {
  return object.is_none() ? otherwise : matrix_from(object, argument);
}

Vector vector_from(const py::object& object, const std::string& argument) {
  const auto array = array_of_dimension(object, argument, 1, "one-dimensional");
  Vector vector = Eigen::Map<const Vector>(array.data(), array.shape(0));
  require_finite(vector, argument);
  return vector;
}

Matrix outputs_from(const py::object& y) {
  return numbers_from(y, "y").ndim() == 1 ? Matrix(vector_from(y, "y")) : matrix_from(y, "y");
}

}  // namespace ridgelet::python
