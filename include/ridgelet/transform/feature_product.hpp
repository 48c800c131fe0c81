/// The network's own sum: values += Phi(X) w, block of units by block of units.
///
/// Phi_ij = phi(W_j . x_i + b_j); w may have several columns. Cost M N columns, memory M x block.
#pragma once

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

class FeatureProduct {
 public:
  /// Adds the units first, first + 1, ... whose rows of w are given.
  void accumulate_block(const ActivationPair& pair, const Preactivations& at_sites, Index first,
                        const MatrixView& weights, MatrixSpan values);

  /// Adds all units.
  void accumulate(const ActivationPair& pair, const Preactivations& at_sites, const MatrixView& weights,
                  MatrixSpan values);

 private:
  Matrix features_;
};

}  // namespace ridgelet
