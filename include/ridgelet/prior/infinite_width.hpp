/// The covariance of a network with independent weights, as its one hidden layer grows without bound:
///   k(x, x') = sigma_out^2 E[ phi(u) phi(u') ],   (u, u') normal with mean 0 and
///   q(x, x') = sigma_w^2 x . x' + sigma_b^2       as covariance,
/// for output weights of variance sigma_out^2 / N (Neal, Bayesian Learning for Neural Networks, 1996).
///
/// In closed form, with q = q(x, x'), q1 = q(x, x), q2 = q(x', x') and cos t = q / sqrt(q1 q2):
///   linear  q
///   relu    sqrt(q1 q2) (sin t + (pi - t) cos t) / (2 pi)             Cho and Saul (NIPS 2009)
///   erf     (2 / pi) asin( 2 q / sqrt((1 + 2 q1)(1 + 2 q2)) )         Williams (NIPS 1996)
///   sine    exp(-(q1 + q2)/2) sinh q,   cosine the same with cosh q
///   leaky-relu, of slope a: a q + (1 - a)^2 times that of relu, since E[ u max(0, u') ] = q / 2
/// Every other activation is integrated by the trapezoidal rule in two variables, which converges geometrically for
/// analytic functions under a normal density; its error is about 1e-8 for standard deviations of u up to 30.
#pragma once

#include <functional>
#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct InfiniteWidthCovariance {
  std::string activation = "tanh";  ///< any activation, or "linear"
  double sigma_w = 1;
  double sigma_b = 1;
  double sigma_out = 1;

  /// k at all pairs of rows. Throws InvalidArgument about "activation", a scale or the inputs. Cost of a
  /// pair: constant in closed form, else about (40 sd(u))^2.
  Matrix operator()(const MatrixView& X1, const MatrixView& X2) const;
};

/// E[ phi(u) phi(u') ] for normal (u, u') with mean 0, variances q1, q2 > 0 and covariance q, by the
/// trapezoidal rule.
double expected_product(const std::function<double(double)>& phi, double q1, double q2, double q);

}  // namespace ridgelet
