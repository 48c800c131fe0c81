/// Objects of our classes as arguments, but only if their constructor ran.
///
/// `Prior.__new__(Prior)` makes an object without calling its constructor; pybind11 would hand its uninitialised
/// memory to C++. For every class listed here, passing such an object is a TypeError instead.
#pragma once

#include <pybind11/pybind11.h>

namespace ridgelet {

class Activation;
class ActivationPair;
struct Assumptions;
struct GaussianProcess;
class GivenHidden;
class Kernel;
struct Network;
struct Nodes;
class RidgeletPrior;

namespace python {

class FittedNetwork;
class Shipped;

template <class Class>
inline constexpr bool is_bound = false;
template <>
inline constexpr bool is_bound<Activation> = true;
template <>
inline constexpr bool is_bound<ActivationPair> = true;
template <>
inline constexpr bool is_bound<Assumptions> = true;
template <>
inline constexpr bool is_bound<FittedNetwork> = true;
template <>
inline constexpr bool is_bound<GaussianProcess> = true;
template <>
inline constexpr bool is_bound<GivenHidden> = true;
template <>
inline constexpr bool is_bound<Kernel> = true;
template <>
inline constexpr bool is_bound<Network> = true;
template <>
inline constexpr bool is_bound<Nodes> = true;
template <>
inline constexpr bool is_bound<RidgeletPrior> = true;
template <>
inline constexpr bool is_bound<Shipped> = true;

/// Whether the object is an instance of the class whose constructor ran.
bool is_made(pybind11::handle object, const std::type_info& type);

}  // namespace python
}  // namespace ridgelet

namespace pybind11::detail {

template <class Class>
class type_caster<Class, std::enable_if_t<ridgelet::python::is_bound<Class>>>
    : public type_caster_base<Class> {
 public:
  bool load(handle object, bool convert) {
    return ridgelet::python::is_made(object, typeid(Class)) && type_caster_base<Class>::load(object, convert);
  }
};

}  // namespace pybind11::detail
