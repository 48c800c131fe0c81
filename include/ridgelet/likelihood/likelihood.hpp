/// How a response comes about, given the values of one or several functions: the seam between functions and data.
///
/// A row of data has a response y and the values f = (f_1, ..., f_K) of K functions at its inputs, and
///   log p(y | f)
/// is what a likelihood says of them. Most have one function; classes have one each, and y is then a row of K numbers,
/// 1 for the class that was observed and 0 for the others.
///
/// Inference looks at the first two derivatives in f, slope and curvature:
///   s_k = d log p / d f_k,     W_kl = - d^2 log p / d f_k d f_l
/// W is positive semi-definite wherever log p is concave. Where it is not (`student`), two things take its place: its
/// positive part max(W, 0), with which the search for a mode takes few steps, and its expectation over responses, which
/// is the curvature of the normal approximation at the mode. Every W here has the form
///   one function       W = d
///   several            W = diag(d) - d d^T / sum(d)
/// so it is given by K numbers d, and K classes cost K + 1 factorisations instead of one of K times the size.
///
/// | name              | y              | p(y | f)                                        | parameters     |
/// |-------------------|----------------|-------------------------------------------------|----------------|
/// | gaussian          | real           | N(y; f, scale^2)                                | scale          |
/// | bernoulli         | 0, 1           | 1 / (1 + e^-f) for y = 1                        |                |
/// | categorical       | one of K       | e^f_k / sum_l e^f_l                             |                |
/// | poisson           | 0, 1, 2, ...   | mean e^f                                        |                |
/// | negative-binomial | 0, 1, 2, ...   | mean mu = e^f, variance mu + mu^2 / shape       | shape          |
/// | student           | real           | t with `degrees` about f, scale `scale`         | scale, degrees |
///
/// Reference: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), Section 3.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ridgelet/core/random.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// What a response may be.
enum class ResponseKind { real, two_classes, classes, count };

/// A positive parameter that can be learned: its value, at which the search starts, and the bounds of the search. The
/// bounds of a scale are in units of the response's standard deviation.
struct LikelihoodParameter {
  std::string name;
  double value = 1;
  double lower = 0, upper = 0;
  bool is_scale = false;
};

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  virtual std::string name() const = 0;
  virtual ResponseKind response() const = 0;

  /// K, the number of functions.
  virtual Index functions() const { return 1; }

  virtual std::vector<LikelihoodParameter> parameters() const { return {}; }

  /// The same likelihood with other parameters, in the order of parameters().
  virtual std::shared_ptr<const Likelihood> with_parameters(const VectorView& values) const = 0;

  // For one row: y, f and what is written have K numbers each.

  virtual double log_density(const double* y, const double* f) const = 0;

  /// s and d.
  virtual void derivatives(const double* y, const double* f, double* slope, double* curvature) const = 0;

  /// d for the normal approximation at a mode.
  virtual void normal_curvature(const double* y, const double* f, double* curvature) const = 0;

  /// sum_kl S_kl dW_kl / d f_a for a = 1 .. K, with the W of normal_curvature() and S symmetric, K x K.
  virtual void contract_curvature_slope(const double* y, const double* f, const double* S,
                                        double* result) const = 0;

  /// E[y | f].
  virtual void mean(const double* f, double* result) const = 0;

  /// var[y_k | f].
  virtual void variance(const double* f, double* result) const = 0;

  /// P(Y <= y | f), for a likelihood of one function.
  virtual double cdf(double y, double f) const = 0;

  /// A draw of y given f, from the uniform number u.
  virtual void draw(const double* f, double u, double* y) const = 0;

  // For M rows: Y and F are M x K.

  /// sum_i log p(y_i | f_i).
  double log_density(const MatrixView& Y, const MatrixView& F) const;

  /// slope and curvature, M x K.
  void derivatives(const MatrixView& Y, const MatrixView& F, MatrixSpan slope, MatrixSpan curvature) const;

  void normal_curvature(const MatrixView& Y, const MatrixView& F, MatrixSpan curvature) const;

  /// "student(scale=0.3, degrees=4)".
  std::string text() const;
};

using LikelihoodPointer = std::shared_ptr<const Likelihood>;

/// Names in the table above.
std::vector<std::string> likelihood_names();

/// Reads a name, or a name with parameters as text() writes them. `classes` is the number of classes, where there are
/// any. Throws InvalidArgument about "likelihood".
LikelihoodPointer parse_likelihood(const std::string& text, Index classes = 2);

}  // namespace ridgelet
