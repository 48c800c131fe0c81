#include "instances.hpp"

namespace ridgelet::python {

bool is_made(pybind11::handle object, const std::type_info& type) {
  using namespace pybind11::detail;
  const type_info* const known = get_type_info(type);
  if (!known || !PyObject_TypeCheck(object.ptr(), known->type)) return false;
  return reinterpret_cast<instance*>(object.ptr())->get_value_and_holder(known).holder_constructed();
}

}  // namespace ridgelet::python
