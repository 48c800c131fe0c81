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

}  // namespace

py::array_t<double> numbers_from(const py::object& object, const std::string& argument) {
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

Vector vector_from(const py::object& object, const std::string& argument) {
  const auto array = array_of_dimension(object, argument, 1, "one-dimensional");
  Vector vector = Eigen::Map<const Vector>(array.data(), array.shape(0));
  require_finite(vector, argument);
  return vector;
}

}  // namespace ridgelet::python
