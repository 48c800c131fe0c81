/// Where the error of the ridgelet operator comes from: the paper's Theorem 1 as a tool, and the four parts of
/// the error that it bounds, measured.
///
/// Four steps lead from a function f to a network of this operator with N units on D nodes:
///   f                 the function itself
///   R_w f             the ridgelet transform and back at bandwidth sigma_w, with sigma_b infinite
///   R_{w,b} f         the same at bandwidths sigma_w and sigma_b
///   R_{w,b,D} f       the integral over inputs replaced by D nodes
///   R_{w,b,D,N} f     the mean over hidden units replaced by N draws: the network
/// Theorem 1 bounds them, up to one constant that depends on the process and the pair, with c = sigma_w^d, by
///             bounded phi                                        unbounded phi (the paper's appendix)
///   sigma_w   1 / sigma_w                                        1 / sigma_w
///   sigma_b   c (sigma_w + 1) / sigma_b                          c (sigma_w + 1)^2 / sigma_b
///   nodes     c sigma_b (sigma_w + 1) / D^{1/d}                  c sigma_b (sigma_b + 1) (sigma_w + 1)^2 / D^{1/d}
///   units     c sigma_b (sigma_w + sqrt(log 1/delta)) / sqrt(N)  c sigma_b sigma_w / (delta sqrt(N))
/// with probability 1 - delta. Where sigma_w differs from input to input, c is the product, 1 / sigma_w that of the
/// smallest, and sigma_w elsewhere the largest. Being bounds, they say how each part scales, not how large it is: for
/// smooth processes `nodes` is far smaller, and so is `sigma_b` at practical bandwidths.
///
/// split_error() measures each step for the process at hand, without bounds or unknown constants. Only the step to
/// N units is averaged over draws; the other limits are known as integrals (transform/reconstruction.hpp). A part is
///   max_x sqrt( E |difference of the two functions at x|^2 ),  f ~ the process,
/// where the mean for `units` is over hidden layers too. The whole error is at most the sum of the parts.
#pragma once

#include <string>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/cubature/nodes.hpp"

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
  Bandwidth sigma_w = 3;
  double sigma_b = 12;
  Index nodes = 200;
  Index units = 300;
  Index dimension = 1;
  bool bounded = true;  ///< whether phi is bounded; ReLU is not
  double delta = 0.05;
};

/// The four terms, without their common constant. Throws InvalidArgument about the first setting that breaks
/// its rule.
ErrorParts error_bound(const BoundSettings& settings);

/// The same with the settings of a prior.
ErrorParts error_bound(const RidgeletPrior& prior, double delta);

/// The pair (phi, psi) that the ridgelet operator of this prior works with.
ActivationPair pair_of(const RidgeletPrior& prior);

struct ErrorSplit {
  double total = 0;  ///< max_x of the root mean square error over replicates
  ErrorParts parts;

  /// What to change first, in words.
  std::string advice() const;
};

/// The split needs a grid so fine that its sums stand for integrals. This is the factor by which to refine the
/// prior's grid along each axis: to eight nodes within a distance of 1 / sigma_w, but at least to twice as many as the
/// prior has on each axis, and to at most 5,000 in all. Throws InvalidArgument about "points" if twice as many exceed
/// that.
Index split_refinement(const RidgeletPrior& prior);

/// `finer` are the prior's nodes, refined. Throws InvalidArgument about "split" unless the prior has the ridgelet
/// operator and one hidden layer, and about "finer" or "X" (the points) if they have another number of inputs. Cost:
/// two reconstruction kernels at points x finer nodes, the covariance matrix of nodes, finer nodes and points together,
/// and a pass over the units for each replicate.
ErrorSplit split_error(const RidgeletPrior& prior, const Nodes& finer, const Matrix& points,
                       const ReplicateOptions& options);

}  // namespace ridgelet
