#include "ridgelet/inference/latent_whitening.hpp"

#include <cmath>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

Cholesky factor_of(const Matrix& block) {
  Cholesky factor;
  if (!factor.compute(block)) throw InvalidArgument("A", "must be positive definite");
  return factor;
}

}  // namespace

LatentWhitening::LatentWhitening(const Matrix& A, Index functions) : R_(A.rows() / functions), K_(functions) {
  Matrix sum = Matrix::Zero(R_, R_);
  for (Index k = 0; k < K_; ++k) {
    own_.push_back(factor_of(A.block(k * R_, k * R_, R_, R_)));
    log_determinant_ -= own_.back().log_determinant() / 2;
    sum += A.block(k * R_, k * R_, R_, R_);
  }
  if (K_ == 1) return;
  common_ = factor_of(sum);
  log_determinant_ += (common_.log_determinant() - static_cast<double>(R_) * std::log(K_)) / 2;
}

Matrix LatentWhitening::at(const VectorView& v) const {
  Matrix z = v.reshaped(R_, K_);
  Vector q = Vector::Zero(R_);
  for (Index k = 0; k < K_; ++k) {
    const Cholesky& C = own_[static_cast<std::size_t>(k)];
    if (K_ > 1) q += C.times(z.col(k));
    C.solve_transposed_in_place(z.col(k));
  }
  if (K_ == 1) return z;
  common_.whiten_in_place(q);
  Vector shift = q;
  common_.solve_transposed_in_place(shift);
  z.colwise() += q / std::sqrt(static_cast<double>(K_)) - shift;
  return z;
}

Vector LatentWhitening::pull_back(const Matrix& slope) const {
  Matrix of_v = slope;
  Vector shift = Vector::Zero(R_);
  if (K_ > 1) {
    const Vector sum = slope.rowwise().sum();
    Vector whitened = sum;
    common_.whiten_in_place(whitened);
    shift = sum / std::sqrt(static_cast<double>(K_)) - whitened;
    common_.solve_transposed_in_place(shift);
  }
  for (Index k = 0; k < K_; ++k) {
    const Cholesky& C = own_[static_cast<std::size_t>(k)];
    C.whiten_in_place(of_v.col(k));
    if (K_ > 1) of_v.col(k) += C.transposed_times(shift);
  }
  return of_v.reshaped();
}

}  // namespace ridgelet
