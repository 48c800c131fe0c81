/// The network's own sum: values += Phi(X) w.
///
/// Phi_ij = phi(W_j . x_i + b_j); w may have several columns. Cost M N for each column. Work is cut into pieces of
/// fixed size (block_sizes.hpp) that threads take, so the result does not depend on the number of threads:
///   many sites   pieces of sites, each summed over all units by one thread
///   few sites    shares of units, whose sums are added in order, one lap of units after another
/// Memory: a piece of sites x a block of units for each thread, or a lap's shares of M x columns.
#pragma once

#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

class FeatureProduct {
 public:
  explicit FeatureProduct(const BlockSizes& blocks = {}) : blocks_(blocks) {}

  /// `weights` has a row for each unit, or for each of some consecutive units, of which `first` is the first.
  void accumulate(const Activation& activation, const Preactivations& at_sites, const MatrixView& weights,
                  MatrixSpan values, Index first = 0);

 private:
  void accumulate_over_sites(const Activation& activation, const Preactivations& at_sites,
                             const MatrixView& weights, MatrixSpan values, Index first);
  void accumulate_over_units(const Activation& activation, const Preactivations& at_sites,
                             const MatrixView& weights, MatrixSpan values, Index first);

  BlockSizes blocks_;
  std::vector<Matrix> pieces_;  ///< features, one for each thread
  std::vector<Matrix> sums_;    ///< of each share of units
};

}  // namespace ridgelet
