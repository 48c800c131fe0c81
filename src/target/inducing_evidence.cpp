#include "ridgelet/target/inducing_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// Added to K_ZZ, of its mean diagonal.
constexpr double jitter = 1e-10;

void mirror_lower(Matrix& A) {
  A.triangularView<Eigen::StrictlyUpper>() = A.transpose();
}

}  // namespace

InducingEvidence::InducingEvidence(Matrix X, Matrix Y, Matrix Z)
    : X_(std::move(X)), Y_(std::move(Y)), Z_(std::move(Z)) {
  require_nonempty(X_, "X");
  require_nonempty(Y_, "y");
  require_nonempty(Z_, "Z");
  require_rows(Y_, X_.rows(), "y");
  require_columns(Z_, X_.cols(), "Z");
  require_finite(X_, "X");
  require_finite(Y_, "y");
  require_finite(Z_, "Z");
}

std::unique_ptr<ProcessEvidence> InducingEvidence::copy() const {
  return std::make_unique<InducingEvidence>(*this);
}

std::unique_ptr<ProcessEvidence> InducingEvidence::of_rows(const std::vector<Index>& rows) const {
  return std::make_unique<InducingEvidence>(X_(rows, Eigen::all), Y_(rows, Eigen::all), Z_);
}

double InducingEvidence::bytes(Index n, Index D) {
  // V, the weights of K_ZX and two derivatives of it; K_ZZ, its factor, S, B, its inverse, T and their products.
  constexpr double tall = 4, square = 9;
  const double points = static_cast<double>(D);
  return sizeof(double) * points * (tall * static_cast<double>(n) + square * points);
}

std::optional<Evidence> InducingEvidence::at(const GaussianProcess& process, const VectorView& noise,
                                             const LearnedParts& parts) {
  process.validate_dimension(X_.cols());
  require_rows(noise, Y_.cols(), "noise");
  for (const double each : noise) require_positive(each, "noise");
  const Index n = X_.rows(), D = Z_.rows();
  mean_ = process.mean(X_);
  if (!mean_.allFinite()) return std::nullopt;
  const Matrix K_ZZ = process.kernel.matrix(Z_, Z_);
  if (!L_.compute(K_ZZ, 1, jitter * K_ZZ.trace() / static_cast<double>(D))) return std::nullopt;
  V_ = process.kernel.matrix(Z_, X_);
  L_.whiten_in_place(V_);
  S_.setZero(D, D);
  accumulate_gram(S_, V_);
  mirror_lower(S_);
  // What rounding leaves of a difference that should be 0 is 1e-16 of the variance, and the noise is 1e-4 or more of it.
  unexplained_ = std::max(0.0, process.kernel.diagonal(X_).sum() - S_.trace());
  precision_ = 0;
  alphas_.resize(n, Y_.cols());
  Evidence evidence;
  if (parts.noise) evidence.noise_slope = Vector::Zero(Y_.cols());
  if (parts.kernel) T_.setZero(D, D);
  for (Index j = 0; j < Y_.cols(); ++j)
    if (!add_output(j, noise(j), parts, evidence)) return std::nullopt;
  if (parts.kernel) evidence.kernel_slope = kernel_slope(process.kernel);
  if (parts.mean) evidence.mean_slope = process.mean.derivatives(X_).transpose() * alphas_.rowwise().sum();
  return evidence;
}

bool InducingEvidence::add_output(Index j, double noise, const LearnedParts& parts, Evidence& evidence) {
  const double n = static_cast<double>(X_.rows()), D = static_cast<double>(Z_.rows());
  const double s2 = noise * noise;
  if (!B_.compute(S_, 1 / s2, 1)) return false;
  const Vector r = Y_.col(j) - mean_;
  Vector c = product(V_, r) / s2;
  B_.solve_in_place(c);
  const Vector rest = r - transposed_product(V_, c);
  alphas_.col(j) = rest / s2;
  evidence.log_evidence -= 0.5 * (rest.squaredNorm() / s2 + c.squaredNorm() + B_.log_determinant() +
                                  n * std::log(2 * std::numbers::pi * s2) + unexplained_ / s2);
  if (!std::isfinite(evidence.log_evidence)) return false;
  precision_ += 1 / s2;
  if (!parts.kernel && !parts.noise) return true;
  B_.inverse_into(inverse_);
  // trace (Q + s^2 I)^{-1} = (n - D + trace B^{-1}) / s^2.
  if (parts.noise)
    evidence.noise_slope(j) =
        rest.squaredNorm() / s2 - (n - D + inverse_.diagonal().sum()) + unexplained_ / s2;
  if (parts.kernel) {
    T_ -= inverse_ / (2 * s2);
    T_.diagonal().array() += 1 / (2 * s2);
  }
  return true;
}

Vector InducingEvidence::kernel_slope(const Kernel& kernel) const {
  const double D = static_cast<double>(Z_.rows());
  Matrix T = T_;
  mirror_lower(T);
  const Matrix P = product(V_, alphas_);  // V alpha_j
  // U dF/dQ = L^{-T} (T V + 1/2 sum_j (V alpha_j) alpha_j^T).
  Matrix weights = 0.5 * product_transposed(P, alphas_);
  accumulate_product(weights, T, V_);
  L_.solve_transposed_in_place(weights);
  // U dF/dQ U^T = L^{-T} (T S + 1/2 P P^T) L^{-1}.
  Matrix square = product(T, S_) + 0.5 * product_transposed(P, P);
  L_.solve_transposed_in_place(square);
  square = square.transpose().eval();
  L_.solve_transposed_in_place(square);
  square.diagonal().array() += jitter / D * square.trace();
  const Vector ones = Vector::Ones(X_.rows());
  return 2 * kernel.contract_derivatives(Z_, X_, weights) - kernel.contract_derivatives(Z_, square) -
         0.5 * precision_ * kernel.contract_diagonal_derivatives(X_, ones);
}

}  // namespace ridgelet
