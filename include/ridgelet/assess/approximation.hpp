/// How close a ridgelet prior is to its Gaussian process, without any data.
///
/// Over independent hidden layers (replicates.hpp) and evaluation points x of the domain:
///   mrmse             max_x rmse(x), the paper's measure (Section 6.1): its mean and standard deviation
///   rmse_mean         mean_x rmse(x)
///   kriging_floor     max_x of what no operator on these nodes can go below: if the error is near it, add
///                     nodes; if far above, add units
///   covariance_error  |C - K|_F / |K|_F, C the network's covariance averaged over replicates
///   weight_norm       sqrt(E |w|^2) given the hidden layers, averaged over replicates
///   mmd2_given        MMD^2 between process and network given its hidden layer, in closed form (mmd.hpp)
///   mmd2              between draws of networks (a fresh hidden layer each) and of the process, with the
///                     process-against-process value of the same size beside it
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ridgelet/assess/replicates.hpp"

namespace ridgelet {

struct ApproximationOptions {
  Index replicates = 20;
  Index mmd_draws = 0;  ///< 0: no MMD
  std::uint64_t seed = 0;
  std::function<void(Index done, Index total)> progress = nullptr;  ///< called from one thread at a time
};

/// Throws InvalidArgument about "replicates" or "mmd_draws".
void validate(const ApproximationOptions& options);

struct ApproximationSummary {
  std::string operator_name;
  std::string kernel;
  std::string activation;
  std::string
      assumptions;  ///< which parts of the paper's Assumption 1 the pair meets; empty if no psi is used
  Index units = 0;
  Index layers = 0;
  Index nodes = 0;
  Index rank = 0;

  OverReplicates mrmse;
  double rmse_mean = 0;
  double kriging_floor = 0;
  Matrix covariance;  ///< C at the evaluation points, about the mean of each hidden layer
  double covariance_error = 0;
  double weight_norm = 0;

  OverReplicates mmd2_given;

  struct Mmd {
    double value = 0;
    double null = 0;
    Index draws = 0;
  };
  std::optional<Mmd> mmd2;

  double seconds = 0;

  /// A table for people, in units of the response.
  std::string brief_report() const;
};

/// `points` are where rmse is evaluated, `mmd_points` where draws are compared. Replicates run in parallel;
/// the numbers do not depend on the number of threads.
ApproximationSummary assess_approximation(const RidgeletPrior& prior, const Matrix& points,
                                          const Matrix& mmd_points, const ApproximationOptions& options);

}  // namespace ridgelet
