#include "ridgelet/network/class_link.hpp"

#include "ridgelet/likelihood/bernoulli.hpp"
#include "ridgelet/likelihood/categorical.hpp"

namespace ridgelet {

std::string name_of(ClassLink link) {
  switch (link) {
    case ClassLink::none:
      return "none";
    case ClassLink::logistic:
      return "logistic";
    case ClassLink::softmax:
      return "softmax";
  }
  return "none";
}

Index class_count(ClassLink link, Index functions) {
  if (link == ClassLink::none) return 0;
  return link == ClassLink::logistic ? 2 : functions;
}

Vector class_probabilities(ClassLink link, const VectorView& functions) {
  Vector probabilities(class_count(link, functions.size()));
  if (link == ClassLink::logistic) probabilities << logistic(-functions(0)), logistic(functions(0));
  if (link == ClassLink::softmax)
    Categorical(functions.size()).mean(Vector(functions).data(), probabilities.data());
  return probabilities;
}

}  // namespace ridgelet
