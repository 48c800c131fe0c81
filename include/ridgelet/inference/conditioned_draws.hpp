/// Draws of the hidden layers, each with what the data say of the rest: what predictions need and no more.
///
/// To condition a draw on the data costs a likelihood evaluation. Once kept, it predicts at the cost of a pass over the
/// units.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "ridgelet/inference/collapsed_likelihood.hpp"

namespace ridgelet {

/// What predictions need of one draw, so that none of them goes back to the data.
struct ConditionedDraw {
  std::function<Matrix(const Matrix& X)> before;     ///< [A m, G] at the rows of X, by any thread
  std::vector<LinearGaussianPosterior> coordinates;  ///< z given the data, for each output
};

/// What `likelihood` knows after an evaluation.
ConditionedDraw conditioned_draw(const LayerPrior& prior, CollapsedLikelihood& likelihood, Index outputs);

/// Conditioned draws, found by their number, as many as fit into `most_bytes`. Threads may ask and add at the same
/// time.
class KeptDraws {
 public:
  KeptDraws(Index draws, double most_bytes);

  /// Null if the draw is not kept.
  std::shared_ptr<const ConditionedDraw> find(Index draw) const;
  void keep(Index draw, std::shared_ptr<const ConditionedDraw> conditioned, double bytes);

 private:
  mutable std::mutex one_at_a_time_;
  std::vector<std::shared_ptr<const ConditionedDraw>> draws_;
  double room_;
};

}  // namespace ridgelet
