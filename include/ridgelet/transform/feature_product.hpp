/// The network's own sum: values += Phi(X) w.
///
/// Phi_ij = phi(W_j . x_i + b_j); w may have several columns. Cost M N columns. Work is cut into pieces of
/// fixed size over the threads, so the result does not depend on their number: many sites by sites, each
/// thread summing over all units; few sites by units, with sums of pieces added in order. Memory: 256 x 256 a
/// thread, or up to 32 pieces of M x columns.
#pragma once

#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

class FeatureProduct {
 public:
  /// Adds the units first, first + 1, ... whose rows of w are given.
  void accumulate_block(const Activation& activation, const Preactivations& at_sites, Index first,
                        const MatrixView& weights, MatrixSpan values);

  /// Adds all units.
  void accumulate(const Activation& activation, const Preactivations& at_sites, const MatrixView& weights,
                  MatrixSpan values);

 private:
  void accumulate_over_sites(const Activation& activation, const Preactivations& at_sites,
                             const MatrixView& weights, MatrixSpan values);
  void accumulate_over_units(const Activation& activation, const Preactivations& at_sites,
                             const MatrixView& weights, MatrixSpan values);

  Matrix features_;
  std::vector<Matrix> pieces_;  ///< features, a thread's own
  std::vector<Matrix> sums_;    ///< of each piece of units
};

}  // namespace ridgelet
