#include "ridgelet/prior/sparsity.hpp"

#include <fmt/format.h>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/svd.hpp"
#include "ridgelet/prior/hidden_path.hpp"

namespace ridgelet {

namespace {

/// w - C^+ (C w + c).
Vector conditioned(const Vector& w, const Matrix& bridge, const std::vector<Index>& zeros) {
  for (const Index unit : zeros)
    if (unit < 0 || unit >= bridge.rows())
      throw InvalidArgument("zeros",
                            fmt::format("must be units from 0 to {}, got {}", bridge.rows() - 1, unit));
  if (zeros.empty()) return w;
  const Matrix C = bridge.rightCols(w.size())(zeros, Eigen::all);
  const Vector c = bridge.col(0)(zeros);
  const SingularValueDecomposition svd = thin_svd(C);
  if (svd.rank() >= w.size())
    throw InvalidArgument("zeros",
                          fmt::format("must be fewer than the {} coordinates of a unit, got {}: no freedom "
                                      "would be left",
                                      w.size(), zeros.size()));
  return w - svd.solve(C * w + c);
}

}  // namespace

HiddenLayers condition_on_zeros(const RidgeletPrior& prior, HiddenLayers layers, const ZeroPattern& zeros) {
  HiddenPath path(prior);
  for (std::size_t l = 1; l < layers.depth(); ++l) {
    // The bridge into a layer depends on the layers before it, which have their zeros already.
    if (!path.condition(layers)) throw path.impossibility();
    const Matrix& bridge = path.bridges()[l - 1];
    for (Index i = 0; i < layers[l].units(); ++i)
      layers[l].W.row(i) =
          conditioned(layers[l].W.row(i).transpose(), bridge, zeros(static_cast<Index>(l), i)).transpose();
  }
  return layers;
}

Matrix dense_weights(const Matrix& bridge, const HiddenLayer& next) {
  return (next.W * bridge.rightCols(next.dimension()).transpose()).rowwise() + bridge.col(0).transpose();
}

}  // namespace ridgelet
