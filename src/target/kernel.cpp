#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

namespace {

std::string as_factor(const Kernel& k) {
  return k.is_sum() ? "(" + k.text() + ")" : k.text();
}

}  // namespace

std::string describe(const Sum& k) {
  return k.left.text() + " + " + k.right.text();
}

std::string describe(const Product& k) {
  return as_factor(k.left) + " * " + as_factor(k.right);
}

}  // namespace ridgelet
