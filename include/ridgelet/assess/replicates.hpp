/// The error of a prior against its process, over independent hidden layers (replicates).
///
/// Replicate i has the hidden layers GivenHidden(prior, seed, i), so all measures that are taken with one seed
/// are of the same networks. Replicates run in parallel; numbers do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>

#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

/// A number measured on every replicate.
struct OverReplicates {
  double mean = 0;
  double sd = 0;  ///< 0 with one replicate
  Index replicates = 0;

  double standard_error() const;

  static OverReplicates of(const VectorView& values);
};

struct ReplicateOptions {
  Index replicates = 20;
  std::uint64_t seed = 0;
  /// Networks of more bytes are taken one after the other, each on all threads, instead of one on each thread.
  double side_by_side_bytes = 1e8;
};

/// What to do with replicate i; called from several threads at a time.
using ReplicateVisitor = std::function<void(Index i, const GivenHidden& given)>;

/// Throws InvalidArgument about "replicates".
void for_each_replicate(const RidgeletPrior& prior, const ReplicateOptions& options,
                        const ReplicateVisitor& visit);

struct ErrorOverReplicates {
  Matrix rmse;   ///< rmse(x) (given_hidden.hpp): points x replicates
  Vector floor;  ///< what no network on these nodes can go below, at each point

  /// max_x rmse(x), the paper's MRMSE.
  OverReplicates largest() const;

  /// Mean over points and replicates.
  double mean() const { return rmse.mean(); }

  /// At each point, the root of the mean square over replicates.
  Vector root_mean_square() const;
};

/// What else to do with replicate i, whose outputs at the points are `network`.
using NetworkVisitor = std::function<void(Index i, const GivenHidden& given, const Gaussian& network)>;

/// The error at the rows of `points`; `also` may measure more on the same replicates.
ErrorOverReplicates error_over_replicates(const RidgeletPrior& prior, const Matrix& points,
                                          const ReplicateOptions& options,
                                          const NetworkVisitor& also = nullptr);

/// The standard deviation of that part of the process which varies, root mean square over the points, to compare errors
/// with: terms of the kernel that are constant over the points do not count, unless there are no others. An error of 1
/// is large for constant(amplitude=1e6) + se(), whatever the constant.
double process_sd(const RidgeletPrior& prior, const Matrix& points);

}  // namespace ridgelet
