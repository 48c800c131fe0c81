/// How functions become the probabilities of classes.
///   logistic   of one function:   p_2 = 1 / (1 + e^-f),   p_1 = 1 / (1 + e^f)
///   softmax    of one a class:    p_c = e^f_c / sum_k e^f_k
#pragma once

#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

enum class ClassLink { none, logistic, softmax };

/// "none", "logistic" or "softmax".
std::string name_of(ClassLink link);

/// Classes that `functions` functions tell apart; 0 without a link.
Index class_count(ClassLink link, Index functions);

/// Probabilities of all classes at one place. Cost K.
Vector class_probabilities(ClassLink link, const VectorView& functions);

}  // namespace ridgelet
