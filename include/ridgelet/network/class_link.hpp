/// How functions become the probabilities of classes.
///   logistic   one function for two classes:   p_2 = 1 / (1 + e^-f),   p_1 = 1 / (1 + e^f)
///   softmax    one function for each class:    p_c = e^f_c / sum_k e^f_k
#pragma once

#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

enum class ClassLink { none, logistic, softmax };

/// "none", "logistic" or "softmax".
std::string name_of(ClassLink link);

/// The number of classes that `functions` functions tell apart; 0 without a link.
Index class_count(ClassLink link, Index functions);

/// Probabilities of all classes at one place. Cost K.
Vector class_probabilities(ClassLink link, const VectorView& functions);

}  // namespace ridgelet
