/// How figures draw: networks of a prior and paths of its process, one in each column.
///
/// Draw i is a function of (seed, i) alone, so figures with one seed show the same networks. Draws run in parallel;
/// numbers do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "experiments/prior_setting.hpp"
#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet::experiments {

struct DrawOptions {
  Index count = 1;
  std::uint64_t seed = 0;
  Index first = 0;                       ///< number of the first draw
  std::function<void()> step = nullptr;  ///< called after each, by one thread at a time
};

/// Outputs of networks at the rows of X, those of `ridgelet sample` with the same model and seed: M x count.
Matrix network_draws(const RidgeletPrior& prior, const Matrix& X, const DrawOptions& options);

/// The same for the networks that end after 1, 2, ..., L hidden layers of each draw.
std::vector<Matrix> network_draws_by_depth(const RidgeletPrior& prior, const Matrix& X,
                                           const DrawOptions& options);

/// Networks that are compared with the process while they are drawn (assess/replicates.hpp).
struct MeasuredDraws {
  ErrorOverReplicates error;
  Matrix paths;  ///< of the first draws
};

/// Path i has the coordinates z of this purpose. `look` sees the outputs A m + G z of every draw, from several threads.
MeasuredDraws measured_draws(const RidgeletPrior& prior, const Matrix& X, const DrawOptions& options,
                             Index paths, Purpose purpose,
                             const std::function<void(Index i, const Gaussian& network)>& look);

/// Paths of the process, those of `ridgelet sample`: M x count.
Matrix process_draws(const GaussianProcess& process, const Matrix& X, Index count, std::uint64_t seed);

/// Paths of the process whose values at the prior's nodes have the coordinates z of this purpose: what networks with
/// these z should look like. The nodes leave no more than the kriging floor open.
Matrix imitated_draws(const RidgeletPrior& prior, const Matrix& X, Index count, std::uint64_t seed,
                      Purpose purpose);

/// Repeated samples of a process for MMD^2 (assess/mmd.hpp), each with fresh draws.
struct ProcessSamples {
  std::vector<Matrix> samples;  ///< for each repeat, with one draw in each row
  Vector null;                  ///< for each repeat, MMD^2 of another such sample from this one
};

ProcessSamples process_samples(const Gaussian& process, Index draws, Index repeats, std::uint64_t seed);

}  // namespace ridgelet::experiments
