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
  Preactivations(const HiddenLayer& layer, const MatrixView& sites) : layer_(layer), sites_(sites) {}

  /// With something added at each site that is the same for all units, and after the layer's own units those
  /// of another layer at the same sites (a skip connection), or none.
  Preactivations(const HiddenLayer& layer, const MatrixView& sites, const double* offset,
                 const Preactivations* also)
      : layer_(layer), sites_(sites), offset_(offset), also_(also) {}

  Index sites() const { return sites_.rows(); }
  Index units() const { return layer_.units() + (also_ ? also_->units() : 0); }

  /// values(j, i) = act(W_{first+i} . x_j + b_{first+i}): sites x count. `act` takes the span of one unit's
  /// values and overwrites it while they are in the cache; columns are spread over the threads.
  template <class Act>
  void evaluate(Index first, MatrixSpan values, Act&& act) const {
#pragma omp parallel for schedule(static) if (values.size() > worth_a_team)
    for (Index i = 0; i < values.cols(); ++i) evaluate_piece(first + i, 0, values.middleCols(i, 1), act);
  }

  /// The same for as many sites as there are rows, from first_site on, on the calling thread.
  template <class Act>
  void evaluate_piece(Index first, Index first_site, MatrixSpan values, Act&& act) const {
    for (Index i = 0; i < values.cols(); ++i) {
      const std::span<double> column(values.col(i).data(), static_cast<std::size_t>(values.rows()));
      fill(first + i, first_site, column);
      act(column);
    }
  }

 private:
  /// Entries from which on waking other threads takes less time than they save.
  static constexpr Index worth_a_team = 16384;

  void fill(Index unit, Index first_site, std::span<double> column) const {
    if (unit >= layer_.units()) return also_->fill(unit - layer_.units(), first_site, column);
    const auto count = static_cast<Index>(column.size());
    Eigen::Map<Vector> z(column.data(), count);
    z.setConstant(layer_.b(unit));
    if (offset_) z += Eigen::Map<const Vector>(offset_ + first_site, count);
    for (Index k = 0; k < layer_.dimension(); ++k)
      z += layer_.W(unit, k) * sites_.col(k).segment(first_site, count);
  }

  const HiddenLayer& layer_;
  MatrixView sites_;
  const double* offset_ = nullptr;
  const Preactivations* also_ = nullptr;
};

}  // namespace ridgelet
