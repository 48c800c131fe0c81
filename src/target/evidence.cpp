#include "ridgelet/target/evidence.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

EvidenceFunction::EvidenceFunction(Matrix X, Matrix Y) : X_(std::move(X)), Y_(std::move(Y)) {
  require_nonempty(X_, "X");
  require_nonempty(Y_, "y");
  require_rows(Y_, X_.rows(), "y");
  require_finite(X_, "X");
  require_finite(Y_, "y");
}

std::unique_ptr<ProcessEvidence> EvidenceFunction::copy() const {
  return std::make_unique<EvidenceFunction>(*this);
}

std::unique_ptr<ProcessEvidence> EvidenceFunction::of_rows(const std::vector<Index>& rows) const {
  return std::make_unique<EvidenceFunction>(X_(rows, Eigen::all), Y_(rows, Eigen::all));
}

double EvidenceFunction::bytes(Index n) {
  // K, C, its inverse, W, and while kernels are evaluated two matrices for each of a few levels of nesting.
  constexpr double matrices = 10;
  return matrices * sizeof(double) * static_cast<double>(n) * static_cast<double>(n);
}

std::optional<Evidence> EvidenceFunction::at(const GaussianProcess& process, const VectorView& noise,
                                             const LearnedParts& parts) {
  process.validate_dimension(X_.cols());
  require_rows(noise, Y_.cols(), "noise");
  for (const double each : noise) require_positive(each, "noise");
  mean_ = process.mean(X_);
  if (!mean_.allFinite()) return std::nullopt;
  K_ = process.kernel.matrix(X_, X_);
  Evidence evidence;
  if (parts.noise) evidence.noise_slope = Vector::Zero(Y_.cols());
  if (parts.kernel) W_.setZero(K_.rows(), K_.cols());
  alphas_.setZero(K_.rows());
  for (Index j = 0; j < Y_.cols(); ++j)
    if (!add_output(j, noise(j), parts, evidence)) return std::nullopt;
  if (parts.kernel) evidence.kernel_slope = process.kernel.contract_derivatives(X_, W_);
  if (parts.mean) evidence.mean_slope = process.mean.derivatives(X_).transpose() * alphas_;
  return evidence;
}

bool EvidenceFunction::add_output(Index j, double noise, const LearnedParts& parts, Evidence& evidence) {
  const Index n = X_.rows();
  if (!C_.compute(K_, 1, noise * noise)) return false;
  const Vector residual = Y_.col(j) - mean_;
  alpha_ = residual;
  C_.solve_in_place(alpha_);
  evidence.log_evidence -= 0.5 * (residual.dot(alpha_) + C_.log_determinant() +
                                  static_cast<double>(n) * std::log(2 * std::numbers::pi));
  alphas_ += alpha_;
  if (!std::isfinite(evidence.log_evidence)) return false;
  if (!parts.kernel && !parts.noise) return true;
  C_.inverse_into(inverse_);
  if (parts.noise)
    evidence.noise_slope(j) = noise * noise * (alpha_.squaredNorm() - inverse_.diagonal().sum());
  if (parts.kernel)
    for (Index b = 0; b < n; ++b)
      W_.col(b).tail(n - b) += 0.5 * (alpha_(b) * alpha_.tail(n - b) - inverse_.col(b).tail(n - b));
  return true;
}

}  // namespace ridgelet
