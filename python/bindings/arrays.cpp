#include <new>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::python {

namespace {

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape"));
}

/// An array of NumPy's own type has no mask, unless it holds objects that have one. Asking NumPy itself would take
/// longer than a whole small call.
bool is_plain_array(const py::handle& object) {
  return py::isinstance<py::array>(object) &&
         Py_TYPE(object.ptr()) == py::detail::npy_api::get().PyArray_Type_ &&
         py::reinterpret_borrow<py::array>(object).dtype().kind() != 'O';
}

/// NumPy would drop the mask and take what lies under it, even for masked arrays within lists.
bool has_masked_entries(const py::handle& object) {
  if (PyList_Check(object.ptr()) || PyTuple_Check(object.ptr())) {
    for (const py::handle entry : py::iter(object))
      if (has_masked_entries(entry)) return true;
    return false;
  }
  if (PyFloat_CheckExact(object.ptr()) || PyLong_CheckExact(object.ptr()) ||
      PyUnicode_CheckExact(object.ptr()) || is_plain_array(object))
    return false;
  return py::module_::import("numpy.ma").attr("is_masked")(object).cast<bool>();
}

/// Throws InvalidArgument about `argument` if there are masked entries.
void require_unmasked(const py::object& object, const std::string& argument) {
  if (has_masked_entries(object))
    throw InvalidArgument(argument, "must have no masked entries; fill them or leave their rows out");
}

/// An array of real numbers, in the form in which they are stored.
py::array real_array(const py::object& object, const std::string& argument) {
  require_unmasked(object, argument);
  py::array plain = py::array::ensure(object);
  if (!plain) PyErr_Clear();
  if (!plain || std::string("biuf").find(plain.dtype().kind()) == std::string::npos)
    throw InvalidArgument(argument, "must be an array of real numbers");
  return plain;
}

/// Whether the numbers can be read in place: aligned doubles of this machine's byte order, with strides that are
/// multiples of a double and not negative.
bool is_readable_in_place(const py::array& array) {
  constexpr py::ssize_t size = sizeof(double);
  const auto forward = [&](py::ssize_t axis) {
    return array.strides(axis) >= 0 && array.strides(axis) % size == 0;
  };
  return py::isinstance<py::array_t<double>>(array) && array.ndim() == 2 && forward(0) && forward(1) &&
         (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

/// By one sum, in which 0 x is 0 unless x is infinite or NaN: faster than checking number by number.
bool all_finite(const Matrix& values) {
  return (0.0 * values.array()).sum() == 0;
}

void require_table(const py::array& array, const std::string& argument) {
  if (array.ndim() != 2)
    throw InvalidArgument(
        argument, "must be two-dimensional (a row for each point, a column for each input), got shape " +
                      shape_text(array));
}

}  // namespace

py::array_t<double> numbers_from(const py::object& object, const std::string& argument) {
  return py::array_t<double, py::array::c_style | py::array::forcecast>(real_array(object, argument));
}

Rows::Rows(const py::object& array, std::string argument)
    : argument_(std::move(argument)), view_(nullptr, 0, 0, {1, 1}) {
  const py::array plain = real_array(array, argument_);
  require_table(plain, argument_);
  array_ = is_readable_in_place(plain) ? py::reinterpret_borrow<py::array_t<double>>(plain)
                                       : numbers_from(array, argument_);
  const auto step = [&](py::ssize_t axis) {
    return array_.strides(axis) / static_cast<py::ssize_t>(sizeof(double));
  };
  new (&view_) decltype(view_)(array_.data(), array_.shape(0), array_.shape(1), Strides(step(1), step(0)));
}

Matrix Rows::block(Index first, Index rows) const {
  using Columns = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;
  const auto part = view_.middleRows(first, rows);
  if (taken_) {
    Matrix values = part(Eigen::all, *taken_);
    if (!all_finite(values)) require_finite(Matrix(view_(Eigen::all, *taken_)), argument_);
    return values;
  }
  // Columns without gaps are copied by vector instructions.
  Matrix values = part.innerStride() == 1
                      ? Matrix(Columns(part.data(), rows, part.cols(), {part.outerStride()}))
                      : Matrix(part);
  // The check is repeated on the whole array, so that the complaint counts rows from its first.
  if (!all_finite(values)) require_finite(Matrix(view_), argument_);
  return values;
}

Matrix matrix_from(const py::object& object, const std::string& argument) {
  const py::array_t<double> array = numbers_from(object, argument);
  require_table(array, argument);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix matrix = Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
  require_finite(matrix, argument);
  return matrix;
}

Matrix matrix_from(const py::object& object, const std::string& argument, const Matrix& otherwise) {
  return object.is_none() ? otherwise : matrix_from(object, argument);
}

Vector vector_from(const py::object& object, const std::string& argument) {
  const py::array_t<double> array = numbers_from(object, argument);
  if (array.ndim() != 1)
    throw InvalidArgument(argument, "must be one-dimensional, got shape " + shape_text(array));
  Vector vector = Eigen::Map<const Vector>(array.data(), array.shape(0));
  require_finite(vector, argument);
  return vector;
}

Matrix outputs_from(const py::object& y) {
  const py::array_t<double> array = numbers_from(y, "y");
  return array.ndim() == 1 ? Matrix(vector_from(array, "y")) : matrix_from(array, "y");
}

Vector exposure_from(const py::object& exposure, Index rows) {
  const py::array_t<double> array = numbers_from(exposure, "exposure");
  if (array.ndim() != 1) throw InvalidArgument("exposure", "must be a positive number for each row");
  const Vector given = vector_from(array, "exposure");
  require_rows(given, rows, "exposure");
  if (!(given.array() > 0).all()) throw InvalidArgument("exposure", "must be a positive number for each row");
  return given;
}

void bind_arrays(py::module_& module) {
  module.def("require_unmasked", &require_unmasked, py::arg("array"), py::arg("argument"),
             "Raises ValueError about the argument if any of its entries is masked.");
}

}  // namespace ridgelet::python
