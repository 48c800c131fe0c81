/// Where the error of the ridgelet operator comes from: the paper's Theorem 1 as a tool, and the same four
/// parts measured.
///
/// A network of the operator with N units on D nodes differs from the function f in four steps,
///   f                 the function itself
///   R_w f             the ridgelet transform and back at bandwidth sigma_w, with sigma_b infinite
///   R_{w,b} f         the same at bandwidths sigma_w and sigma_b
///   R_{w,b,D} f       the integral over inputs replaced by D nodes
///   R_{w,b,D,N} f     the mean over hidden units replaced by N draws: the network
/// Theorem 1 bounds them, up to one constant that depends on the process and the pair, by
///                     bounded phi                                   unbounded phi (the paper's appendix)
///   sigma_w           1 / sigma_w                                   1 / sigma_w
///   sigma_b           sigma_w^d (sigma_w + 1) / sigma_b             sigma_w^d (sigma_w + 1)^2 / sigma_b
///   nodes             sigma_b sigma_w^d (sigma_w + 1) / D^{1/d}     ... (sigma_b + 1) (sigma_w + 1)^2 /
///   D^{1/d} units             sigma_b sigma_w^d (sigma_w + sqrt(log 1/delta)) / sqrt(N)
///                                                                   sigma_b sigma_w^{d+1} / (delta sqrt(N))
/// with probability 1 - delta. Being bounds, they say how each part scales, not how large it is: smooth
/// processes do far better in `nodes`, and at practical bandwidths in `sigma_b`.
///
/// split_error() measures each step for the process at hand: no bound, no constant, no Monte Carlo but over
/// the N units, for the other limits are known as integrals (transform/reconstruction.hpp). A part is
///   max_x sqrt( E |difference of the two functions at x|^2 ),  f ~ the process,
/// for `units` over hidden layers too; the whole error is at most their sum.
#pragma once

#include <cstdint>
#include <string>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

/// One number for each setting that a user can change.
struct ErrorParts {
  double sigma_w = 0;
  double sigma_b = 0;
  double nodes = 0;
  double units = 0;

  double sum() const { return sigma_w + sigma_b + nodes + units; }

  /// "sigma_w", "sigma_b", "nodes" or "units".
  std::string largest() const;
};

struct BoundSettings {
  double sigma_w = 3;
  double sigma_b = 12;
  Index nodes = 200;
  Index units = 300;
  Index dimension = 1;
  bool bounded = true;  ///< phi is: the bound for unbounded phi holds for ReLU
  double delta = 0.05;
};

/// The four terms, without their common constant. Throws InvalidArgument about the first setting that breaks
/// its rule.
ErrorParts error_bound(const BoundSettings& settings);

/// The same with the settings of a prior.
ErrorParts error_bound(const RidgeletPrior& prior, double delta);

/// The pair (phi, psi) that the ridgelet operator of this prior works with.
ActivationPair pair_of(const RidgeletPrior& prior);

struct SplitOptions {
  Index replicates = 20;
  std::uint64_t seed = 0;
};

struct ErrorSplit {
  double total = 0;  ///< max_x of the root mean square error over replicates
  ErrorParts parts;

  /// What to change first, in words.
  std::string advice() const;
};

/// How many times as many nodes on each axis stand for infinitely many: at least twice as many, and eight
/// within 1 / sigma_w where 5,000 in all allow it. Throws InvalidArgument about "points" if twice as many are
/// more than that.
Index split_refinement(const RidgeletPrior& prior);

/// `finer` are the prior's nodes refined. Throws InvalidArgument about "split" unless the prior is of the
/// ridgelet operator with one hidden layer. Cost: two reconstruction kernels at points x finer nodes, the
/// covariance matrix of nodes, finer nodes and points together, and a pass over the units a replicate.
ErrorSplit split_error(const RidgeletPrior& prior, const Nodes& finer, const Matrix& points,
                       const SplitOptions& options);

}  // namespace ridgelet
