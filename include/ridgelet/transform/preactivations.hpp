/// What hidden units see before the activation: W_i . x + b_i at a set of sites, a block of units at a time.
#pragma once

#include <algorithm>
#include <span>

#include "ridgelet/core/types.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

class Preactivations {
 public:
  /// Keeps references: layer and sites outlive it.
  Preactivations(const HiddenLayer& layer, const Matrix& sites) : layer_(layer), sites_(sites) {}

  Index sites() const { return sites_.rows(); }
  Index units() const { return layer_.units(); }

  /// values(j, i) = act(W_{first+i} . x_j + b_{first+i}): sites x count. `act` takes the span of one unit's
  /// values and overwrites it while they are in the cache; columns are spread over the threads.
  template <class Act>
  void evaluate(Index first, MatrixSpan values, Act&& act) const {
#pragma omp parallel for schedule(static) if (values.size() > worth_a_team)
    for (Index i = 0; i < values.cols(); ++i) {
      fill(first + i, values.col(i).data());
      act(std::span<double>(values.col(i).data(), static_cast<std::size_t>(values.rows())));
    }
  }

 private:
  /// Entries from which on waking other threads takes less time than they save.
  static constexpr Index worth_a_team = 16384;

  void fill(Index unit, double* column) const {
    Eigen::Map<Vector> z(column, sites());
    z.setConstant(layer_.b(unit));
    for (Index k = 0; k < layer_.dimension(); ++k) z += layer_.W(unit, k) * sites_.col(k);
  }

  const HiddenLayer& layer_;
  const Matrix& sites_;
};

}  // namespace ridgelet
