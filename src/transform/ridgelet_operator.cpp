#include "ridgelet/transform/ridgelet_operator.hpp"

#include <utility>

namespace ridgelet {

RidgeletOperator::RidgeletOperator(ActivationPair pair, const Nodes& nodes, double total_measure, Index units)
    : pair_(std::move(pair)), scale_(total_measure / static_cast<double>(units) * nodes.weights) {}

}  // namespace ridgelet
