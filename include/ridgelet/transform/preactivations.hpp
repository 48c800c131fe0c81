/// What hidden units see before the activation: W_i . x + b_i at a set of sites, a block of units at a time.
#pragma once

#include <algorithm>
#include <span>

#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/linalg/single_products.hpp"
#include "ridgelet/transform/block_sizes.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

class Preactivations {
 public:
  /// Keeps references: layer and sites must outlive it.
  Preactivations(const HiddenLayer& layer, const MatrixView& sites)
      : Preactivations(layer, sites, layer.units()) {}

  /// The first `own_units` units of the layer, as if it had no others.
  Preactivations(const HiddenLayer& layer, const MatrixView& sites, Index own_units)
      : layer_(layer), own_units_(own_units), sites_(sites) {}

  /// Adds offset[j] at site j, the same for all units. The layer's own units may be followed by those of another
  /// layer at the same sites (a skip connection).
  Preactivations(const HiddenLayer& layer, const MatrixView& sites, const double* offset,
                 const Preactivations* also)
      : layer_(layer), own_units_(layer.units()), sites_(sites), offset_(offset), also_(also) {}

  Index sites() const { return sites_.rows(); }
  Index own_units() const { return own_units_; }  ///< of the layer itself
  Index units() const { return own_units_ + (also_ ? also_->units() : 0); }

  /// The layer whose units come first, what it sees of the sites, and those that follow it, if any.
  const HiddenLayer& layer() const { return layer_; }
  const MatrixView& inputs() const { return sites_; }
  const Preactivations* also() const { return also_; }

  /// values(j, i) = act(W_{first+i} . x_j + b_{first+i}): sites x count. `act` replaces every number of a span by
  /// a function of it. Threads take pieces of units.
  template <class Act>
  void evaluate(Index first, MatrixSpan values, Act&& act, const BlockSizes& blocks = {}) const {
    // A few values take less time than waking other threads does: then one piece holds all units.
    const bool team = values.size() > blocks.worth_a_team;
    const Index piece = team ? blocks.cached_units : std::max<Index>(1, values.cols());
    parallel_for((values.cols() + piece - 1) / piece, [&](Index p) {
      const Index i = p * piece;
      evaluate_piece(first + i, 0, values.middleCols(i, std::min(piece, values.cols() - i)), act);
    });
  }

  /// The same for as many sites as there are rows, from first_site on, on the calling thread.
  template <class Act>
  void evaluate_piece(Index first, Index first_site, MatrixSpan values, Act&& act) const {
    fill(first, first_site, values);
    const auto run = [&](double* from, Index count) {
      act(std::span<double>(from, static_cast<std::size_t>(count)));
    };
    // One call for all units that follow each other in memory: a short call costs as much as the work it does.
    if (values.outerStride() == values.rows()) return run(values.data(), values.size());
    for (Index i = 0; i < values.cols(); ++i) run(values.col(i).data(), values.rows());
  }

  /// What fill_single() works with; it may be used again and again.
  struct SingleRoom {
    SingleMatrix sites;
    SingleMatrix W;
  };

  /// values(j, i) = W_{first+i} . x_j + b_{first+i} in single precision, for sites from first_site on, on the calling
  /// thread.
  void fill_single(Index first, Index first_site, SingleSpan values, SingleRoom& room) const;

 private:
  /// Own units first, then those of the other layer.
  void fill(Index first, Index first_site, MatrixSpan values) const;
  void fill_own(Index first, Index first_site, MatrixSpan values) const;
  void fill_own_single(Index first, Index first_site, SingleSpan values, SingleRoom& room) const;

  const HiddenLayer& layer_;
  Index own_units_;
  MatrixView sites_;
  const double* offset_ = nullptr;
  const Preactivations* also_ = nullptr;
};

}  // namespace ridgelet
