/// Gaussian conditioning in quadruple precision (113 bits): the answer that double precision is measured by.
///
///   r = G z + e,  z ~ N(0, I),  e ~ N(0, noise^2 I),  C = G G^T + noise^2 I = L D L^T
/// Textbook formulas, with every covariance written out: terms may cancel, for there are digits enough.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet::testing {

using Quad = __float128;
using QuadVector = std::vector<Quad>;
using QuadMatrix = std::vector<QuadVector>;  ///< rows

/// Conditions on data with covariance C (M x M, noise included) and values r.
class QuadrupleCondition {
 public:
  QuadrupleCondition(QuadMatrix C, QuadVector r) : L_(std::move(C)), w_(std::move(r)) {
    for (std::size_t j = 0; j < L_.size(); ++j)
      for (std::size_t i = j; i < L_.size(); ++i) {
        Quad sum = L_[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= L_[i][k] * L_[j][k] * L_[k][k];
        L_[i][j] = i == j ? sum : sum / L_[j][j];
      }
    w_ = whiten(w_);
  }

  double log_marginal_likelihood() const {
    Quad misfit = 0;
    double log_determinant = 0;
    for (std::size_t i = 0; i < L_.size(); ++i) {
      misfit += w_[i] * w_[i] / L_[i][i];
      log_determinant += std::log(static_cast<double>(L_[i][i]));
    }
    return -0.5 * (static_cast<double>(misfit) + log_determinant +
                   static_cast<double>(L_.size()) * std::log(2 * std::numbers::pi));
  }

  /// The mean of a quantity that has this covariance with the data.
  double mean(const QuadVector& cross) const {
    const QuadVector c = whiten(cross);
    Quad sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i) sum += c[i] * w_[i] / L_[i][i];
    return static_cast<double>(sum);
  }

  double variance(Quad before, const QuadVector& cross) const {
    const QuadVector c = whiten(cross);
    for (std::size_t i = 0; i < c.size(); ++i) before -= c[i] * c[i] / L_[i][i];
    return static_cast<double>(before);
  }

 private:
  QuadVector whiten(QuadVector v) const {
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) v[i] -= L_[i][k] * v[k];
    return v;
  }

  QuadMatrix L_;  ///< unit lower triangular, with D on its diagonal
  QuadVector w_;  ///< L^{-1} r
};

inline Quad quad_dot(const MatrixView& A, Index i, const MatrixView& B, Index j) {
  Quad sum = 0;
  for (Index k = 0; k < A.cols(); ++k) sum += static_cast<Quad>(A(i, k)) * static_cast<Quad>(B(j, k));
  return sum;
}

/// Everything about y = G z + e at once, and about the functions Gs z.
struct QuadrupleLinearGaussian {
  double log_marginal_likelihood = 0;
  Vector mean, variance;

  QuadrupleLinearGaussian(const Matrix& G, const Vector& r, double noise, const Matrix& Gs)
      : mean(Gs.rows()), variance(Gs.rows()) {
    const auto M = static_cast<std::size_t>(G.rows());
    QuadMatrix C(M, QuadVector(M));
    QuadVector values(M);
    for (std::size_t i = 0; i < M; ++i) {
      const auto row = static_cast<Index>(i);
      for (std::size_t j = 0; j < M; ++j) C[i][j] = quad_dot(G, row, G, static_cast<Index>(j));
      C[i][i] += static_cast<Quad>(noise) * static_cast<Quad>(noise);
      values[i] = static_cast<Quad>(r(row));
    }
    const QuadrupleCondition exact(std::move(C), std::move(values));
    log_marginal_likelihood = exact.log_marginal_likelihood();
    for (Index j = 0; j < Gs.rows(); ++j) {
      QuadVector cross(M);
      for (std::size_t i = 0; i < M; ++i) cross[i] = quad_dot(G, static_cast<Index>(i), Gs, j);
      mean(j) = exact.mean(cross);
      variance(j) = exact.variance(quad_dot(Gs, j, Gs, j), cross);
    }
  }
};

}  // namespace ridgelet::testing
