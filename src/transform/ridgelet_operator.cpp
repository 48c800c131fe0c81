#include "ridgelet/transform/ridgelet_operator.hpp"

namespace ridgelet {

RidgeletOperator::RidgeletOperator(const ActivationPair& pair, const Nodes& nodes, double total_measure,
                                   Index units)
    : pair_(pair), scale_(total_measure / static_cast<double>(units) * nodes.weights) {}

}  // namespace ridgelet
