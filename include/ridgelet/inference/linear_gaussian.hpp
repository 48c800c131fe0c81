/// Data meet a Gaussian in z: y = mean + G z + e, e ~ N(0, noise^2 I), z ~ N(0, I_R).
///
/// With r = y - mean and s2 = noise^2, by whichever of two forms has the smaller matrix:
///   M <= R:  C = G G^T + s2 I (M x M);   log p(y) = -1/2 [ r^T C^{-1} r + log det C + M log 2 pi ]
///   M >  R:  P = I + G^T G / s2 (R x R); log p(y) = -1/2 [ log det P + M log(2 pi s2)
///                                                         + (r^T r - r^T G P^{-1} G^T r / s2) / s2 ]
/// and z | y ~ N(P^{-1} G^T r / s2, P^{-1}). The eigenvalues of C are at least s2 and those of P at least 1: no jitter,
/// no pseudo-inverse. Cost M R min(M, R) + min(M, R)^3 / 3.
///
/// The variance of g . z is |P^{-1/2} g|^2 in the second form. In the first it is not the difference
/// |g|^2 - (G g)^T C^{-1} (G g) but, with u = C^{-1} G g, the same number as a sum of squares,
///   |g - G^T u|^2 + s2 |u|^2,
/// which is never negative and does not feel the error of u in first order.
///
/// Both forms square G. Where |G|^2 / s2 is so large that the noise is lost among the last digits of the
/// squares, the same posterior comes from a QR decomposition (linalg/square_root.hpp), for M <= R in the
/// coordinates of a basis of the rows of G. It costs two to four times as much, and the choice depends on
/// the numbers alone.
///
/// The derivatives of log p(y) in mean and G, with zbar = E[z | y], follow from the posterior alone,
///   d/d mean = (r - G zbar) / s2 = C^{-1} r,    d/d G = C^{-1} r zbar^T - C^{-1} G,   C^{-1} G = G P^{-1} / s2.
/// In the first form r and G zbar may agree in nearly all digits: C^{-1} r is then solved, not subtracted.
///
/// Reference: Rasmussen and Williams (2006), Section 2.1 and the matrix inversion lemma, eq. A.9.
#pragma once

#include "ridgelet/core/random.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/gaussian.hpp"
#include "ridgelet/linalg/square_root.hpp"

namespace ridgelet {

/// Pointwise mean and variance of the noise-free function.
struct Prediction {
  Vector mean;
  Vector variance;
};

/// Whether squares leave enough digits: `largest` is the largest diagonal entry of G G^T or, in the second form, of
/// G^T G and r^T r. At the limit errors are of the order 1e-16 * 1e8: 1e-8 of a variance, and 1e-8 in log p(y) for each
/// coordinate.
inline bool squares_suffice(double largest, double noise) {
  return largest <= 1e8 * noise * noise;
}

/// By how many standard deviations rounding moves a predicted mean. Values of a kernel of variance a^2 are rounded to
/// eps a^2, and such errors move the mean by eps a^2 times entries of C^{-1} r, which equal (y - E[y]) / noise^2. With
/// errors of either sign, and a standard deviation of at least the noise, that is
///   eps a^2 |y - E[y]| / noise^3,
/// with the length of y - E[y] over all rows. At 1 and above the mean is rounding error.
double rounding_of_mean(double variance, double residual, double noise);

/// From here on rounding shows in predictions, as a part of their standard deviation.
inline constexpr double visible_rounding = 0.01;

/// The least noise s for which rounding is not visible, if the data are followed to the noise: |y - E[y]| = s sqrt(M)
/// over M rows gives
///   s = a sqrt(eps sqrt(M) / visible_rounding).
double noise_above_rounding(double variance, Index rows);

/// An object of this type is a workspace too: conditioning it again reuses its memory.
class LinearGaussianPosterior {
 public:
  LinearGaussianPosterior() = default;

  /// `output` is the function at the data inputs, such as GivenHidden::output(X). Throws InvalidArgument
  /// about "y" or "noise" (a standard deviation).
  LinearGaussianPosterior(const Gaussian& output, const VectorView& y, double noise);

  // Four ways to condition; each returns false where a number is not finite or a matrix is singular in double
  // precision.

  /// The first form, given G and the lower triangle of G G^T.
  bool condition_on_data(const MatrixView& G, const MatrixView& GGt, const VectorView& r, double noise);

  /// The second form, given sums over rows: the lower triangle of G^T G, G^T r and r^T r of M rows.
  bool condition_on_coordinates(const MatrixView& GtG, const VectorView& Gtr, double rtr, Index M,
                                double noise);

  /// The first form by QR.
  bool condition_on_data_by_root(const MatrixView& G, const VectorView& r, double noise);

  /// The second form by QR. `triangle` is the triangular factor of the M rows [G, r], (R + 1) x (R + 1); it is
  /// overwritten.
  bool condition_on_coordinates_by_root(MatrixSpan triangle, Index M, double noise);

  /// log p(y), with the constant -M/2 log 2 pi.
  double log_marginal_likelihood() const { return log_marginal_likelihood_; }

  /// E[z | y].
  const Vector& coordinates_mean() const { return z_mean_; }

  /// A draw of z | y from the numbers of `stream` from index `first` on, at most R + M of them. The second form
  /// draws mean + P^{-1/2} n; the first corrects a draw z0 of the prior and e0 of the noise (Matheron's rule):
  /// z0 + G^T C^{-1} (r - G z0 - e0).
  Vector draw_coordinates(const RandomStream& stream, std::uint64_t first = 0) const;

  /// The function at new inputs given y; `output` is the function there before the data, in the same z.
  Prediction predict(const Gaussian& output) const { return predict(output.mean, output.factor); }
  Prediction predict(const VectorView& mean, const MatrixView& G) const;

  /// Scratch memory of add_slopes(), which allocates nothing once this is large enough.
  struct SlopeWorkspace {
    Matrix rows;
    Vector residual;
    StackedFactor factor;  ///< of C, where it was conditioned by QR in the first form
    Vector noise;          ///< the diagonal that it starts from
  };

  /// slopes += d log p(y) / d[mean, G] at some of the rows that this was conditioned on; in the first form they must be
  /// all of them, in their order. G and r are those rows. Cost 2 R min(M, R) for each row.
  void add_slopes(const MatrixView& G, const VectorView& r, MatrixSpan slopes, SlopeWorkspace& work) const;

  /// F with a row for each row of G: F F^T is the joint covariance of G z given y.
  Matrix covariance_root(const MatrixView& G) const;

 private:
  enum class Form { data, coordinates, data_root, coordinates_root };

  bool condition_root(MatrixSpan rows, Index M, double noise, bool triangular);
  Vector variance(const MatrixView& G) const;

  /// rows <- P^{-1} rows, in the coordinates that P is factored in; threads share the columns.
  void solve_precision_in_place(Matrix& rows) const;

  /// Calls use(F, scale) for one or two matrices with a column for each row of G: the covariance is the sum of their
  /// scale F^T F.
  template <class Use>
  void visit_roots(const MatrixView& G, Use&& use) const;

  Form form_ = Form::coordinates;
  double noise_ = 1;
  Matrix G_;                  ///< form `data`
  Cholesky factor_;           ///< of C or of P
  Vector weights_;            ///< C^{-1} r, form `data`
  RowBasis basis_;            ///< form `data_root`
  Matrix rows_;               ///< scratch of form `data_root`
  SquareRootPosterior root_;  ///< of z, or of its coordinates in the basis
  Vector z_mean_;
  double log_marginal_likelihood_ = 0;
};

/// The posterior for outputs whose factor comes from values of a kernel, and so carries their rounding errors. Throws
/// InvalidArgument about "noise" where rounding_of_mean() is 1 or more.
LinearGaussianPosterior posterior_of_process(const Gaussian& output, const VectorView& y, double noise);

}  // namespace ridgelet
