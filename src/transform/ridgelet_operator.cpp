#include "ridgelet/transform/ridgelet_operator.hpp"

#include <utility>

#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

RidgeletOperator::RidgeletOperator(ActivationPair pair, const Nodes& nodes, double total_measure, Index units)
    : pair_(std::move(pair)), scale_(total_measure / static_cast<double>(units) * nodes.weights) {}

void RidgeletOperator::start_pull_back(const Preactivations& at_nodes, const MatrixView&, const MatrixView&,
                                       Index most_units) {
  slopes_.make_room(at_nodes.sites() * most_units);
}

void RidgeletOperator::pull_back(int member, Index, const MatrixView& mixed, const MatrixView& weights_bar,
                                 MatrixSpan z) {
  auto slopes = slopes_.of(member, z.rows(), z.cols());
  set_product_transposed(slopes, mixed, weights_bar);
  const std::span<double> numbers(z.data(), static_cast<std::size_t>(z.size()));
  pair_.psi_derivative(numbers, numbers);
  z.array() *= slopes.array();
}

}  // namespace ridgelet
