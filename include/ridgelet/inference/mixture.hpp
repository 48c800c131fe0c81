/// Mixtures of normal distributions (1/S) sum_s N(means_s, sds_s^2): what a prediction is.
///
/// A component with sd 0 is a point.
#pragma once

#include <functional>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// A mixture at each of several places: a row for each component, a column for each place. Several outputs follow one
/// another, each with all its places.
struct PredictiveMixture {
  Matrix means;
  Matrix sds;
};

/// A row for every `count` rows of `values`, one after the other: their average. With count = 1, the values themselves.
Matrix averages_of_rows(Matrix values, Index count);

/// Probability of values up to x. Cost S.
double mixture_cdf(const VectorView& means, const VectorView& sds, double x);

/// log of the density at x, also where the density itself is too small for a double. No component may be a point.
double mixture_log_density(const VectorView& means, const VectorView& sds, double x);

/// The x of [low, high] at which a distribution function reaches `probability`, to 1e-14 of the interval's length; one
/// of its ends if x lies beyond that end. By Alefeld, Potra and Shi's search (Algorithm 748, ACM TOMS 21, 1995). Cost
/// about 10 evaluations, at most 100.
double quantile_between(double low, double high, const std::function<double(double)>& cdf,
                        double probability);

/// The x below which the mixture has `probability`. Where that falls on a point (sd 0), it is the point itself. For one
/// component it has a closed form. For several it comes from quantile_between(), in the interval that reaches eight sds
/// beyond every component; values are taken relative to the mean of the means, so that a spread that is small beside
/// them is resolved. Cost about 10 S, at most 100 S. NaN where the components are not finite.
double mixture_quantile(const VectorView& means, const VectorView& sds, double probability);

/// The covariance between places of a mixture of joint normal distributions, whose components come one after the other:
/// their covariances, averaged, plus that of their means.
class MixtureCovariance {
 public:
  /// Throws InvalidArgument about "Xs" if the memory would not suffice.
  explicit MixtureCovariance(Index places);

  /// Adds a component with covariance root root^T. Cost M^2 columns, in parallel.
  void add(const Vector& mean, const Matrix& root);

  /// The covariance of all components so far, of which there must be at least one.
  Matrix take() &&;

 private:
  Index count_ = 0;
  Vector mean_;
  Matrix sum_;  ///< of covariances, and of squares of means about their mean
};

}  // namespace ridgelet
