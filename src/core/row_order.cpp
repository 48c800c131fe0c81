#include "ridgelet/core/row_order.hpp"

#include <algorithm>
#include <numeric>

namespace ridgelet {

std::vector<Index> order_by_contents(const Matrix& rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index i, Index j) {
    for (Index k = 0; k < rows.cols(); ++k)
      if (rows(i, k) != rows(j, k)) return rows(i, k) < rows(j, k);
    return false;
  });
  return order;
}

}  // namespace ridgelet
