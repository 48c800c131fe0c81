/// The network's own sum, values += Phi(X) w, with features and products in single precision.
///
/// Each block of units is evaluated, and multiplied by its weights, in single precision; the products of the blocks are
/// added up in double precision. With rounding errors e = 6e-8 a value is off by about
///   e |Phi(x)| |w| + e sum_j |w_j phi'(z_j)| |z_j|,
/// which is small beside the value itself unless the weights cancel (those of least squares with a small ridge do).
/// Cost: half of that of FeatureProduct. Pieces of sites and blocks of units have fixed sizes, so the result does not
/// depend on the number of threads. Memory: the weights once more in single precision, and for each thread a piece of
/// sites x (a block of units + columns).
#pragma once

#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

class SingleFeatureProduct {
 public:
  explicit SingleFeatureProduct(const BlockSizes& blocks = {}) : blocks_(blocks) {}

  /// `weights` has a row for each unit, or for each of some consecutive units, of which `first` is the first.
  void accumulate(const Activation& activation, const Preactivations& at_sites, const MatrixView& weights,
                  MatrixSpan values, Index first = 0);

  /// Bytes that it holds after sums over `units` units of `inputs` inputs with `columns` columns of weights.
  static double bytes(Index units, Index inputs, Index columns, const BlockSizes& blocks);

 private:
  /// What one thread works with.
  struct Room {
    SingleMatrix features;
    SingleMatrix product;
    Preactivations::SingleRoom inputs;
  };

  BlockSizes blocks_;
  SingleMatrix weights_;
  std::vector<Room> rooms_;
};

}  // namespace ridgelet
