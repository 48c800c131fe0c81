#include "ridgelet/target/laplace_evidence.hpp"

#include <cmath>
#include <utility>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// Newton's steps, and how often one is halved, at most.
constexpr int most_steps = 50, most_halvings = 25;

/// A step that promises less than this in log p ends the search.
constexpr double negligible_gain = 1e-13;
constexpr double hidden_gain = 0.01;  ///< of the objective, at most, where rounding ends the search

/// The step of differences in the logarithm of a likelihood's number.
constexpr double difference = 1e-4;

/// W f for rows of functions that are coupled, or d f for one function.
Matrix times_curvature(const Matrix& d, const Matrix& f) {
  Matrix product = d.cwiseProduct(f);
  if (d.cols() == 1) return product;
  const Vector along = product.rowwise().sum().cwiseQuotient(d.rowwise().sum());
  return product - along.asDiagonal() * d;
}

void fill_upper(Matrix& lower) {
  lower.triangularView<Eigen::StrictlyUpper>() = lower.transpose();
}

}  // namespace

LaplaceEvidence::LaplaceEvidence(LikelihoodPointer likelihood, Matrix X, Matrix Y, Matrix offset)
    : likelihood_(std::move(likelihood)), X_(std::move(X)), Y_(std::move(Y)), offset_(std::move(offset)) {
  require_nonempty(X_, "X");
  require_rows(Y_, X_.rows(), "y");
  require_rows(offset_, X_.rows(), "offset");
  require_finite(X_, "X");
  require_finite(Y_, "y");
  require_finite(offset_, "offset");
  const Index K = likelihood_->functions();
  if (Y_.cols() != K || offset_.cols() != K)
    throw InvalidArgument("y", "must have a column for each function of the likelihood");
  B_.resize(static_cast<std::size_t>(K));
  E_.resize(static_cast<std::size_t>(K));
}

std::unique_ptr<ProcessEvidence> LaplaceEvidence::copy() const {
  return std::make_unique<LaplaceEvidence>(*this);
}

std::unique_ptr<ProcessEvidence> LaplaceEvidence::of_rows(const std::vector<Index>& rows) const {
  return std::make_unique<LaplaceEvidence>(likelihood_, X_(rows, Eigen::all), Y_(rows, Eigen::all),
                                           offset_(rows, Eigen::all));
}

double LaplaceEvidence::bytes(Index n, Index functions) {
  const auto rows = static_cast<double>(n);
  return 8 * rows * rows * (2 * static_cast<double>(functions) + 8);
}

/// The factors of B_k, and with several functions E_k and the factor of M.
bool LaplaceEvidence::factorise(const Matrix& curvature) {
  const Index n = C_.rows(), K = curvature.cols();
  Matrix scaled(n, n), sum;
  for (Index k = 0; k < K; ++k) {
    throw_if_cancelled();
    const Vector root = curvature.col(k).cwiseSqrt();
    scaled = root.asDiagonal() * C_ * root.asDiagonal();
    Cholesky& B = B_[static_cast<std::size_t>(k)];
    if (!scaled.allFinite() || !B.compute(scaled, 1, 1)) return false;
    if (K == 1) return true;
    Matrix& E = E_[static_cast<std::size_t>(k)];
    B.inverse_into(E);
    fill_upper(E);
    E = root.asDiagonal() * E * root.asDiagonal();
    sum = k == 0 ? E : Matrix(sum + E);
  }
  return M_.compute(sum);
}

/// Q v for v of n x K, after factorise().
Matrix LaplaceEvidence::apply_Q(const Matrix& v) const {
  const Index K = v.cols();
  Matrix result(v.rows(), K);
  if (K == 1) {
    const Vector root = curvature_.col(0).cwiseSqrt();
    result = root.cwiseProduct(v.col(0));
    B_[0].solve_in_place(result);
    return root.asDiagonal() * result;
  }
  for (Index k = 0; k < K; ++k) result.col(k) = E_[static_cast<std::size_t>(k)] * v.col(k);
  Vector shared = result.rowwise().sum();
  M_.solve_in_place(shared);
  for (Index k = 0; k < K; ++k) result.col(k) -= E_[static_cast<std::size_t>(k)] * shared;
  return result;
}

double LaplaceEvidence::log_determinant() const {
  double sum = 0;
  for (const Cholesky& B : B_) sum += B.log_determinant();
  if (B_.size() > 1) sum += M_.log_determinant() - curvature_.rowwise().sum().array().log().sum();
  return sum;
}

double LaplaceEvidence::objective(const Likelihood& likelihood, const Matrix& a, const Matrix& centred) {
  mode_ = centred.colwise() + mean_;
  return likelihood.log_density(Y_, mode_ + offset_) - 0.5 * a.cwiseProduct(centred).sum();
}

/// Where Newton's step leads in a: (I - Q C) b with b = W (f - mean) + slope. The two terms are nearly the same where counts
/// are large (W C far above 1), and with one function their difference is Q W^{-1} b, in which nothing cancels; where some
/// W is small it is W^{-1} b that would lose digits.
Matrix LaplaceEvidence::newton_point() const {
  constexpr double large = 1;
  if (curvature_.cols() == 1 && curvature_.minCoeff() > large)
    return apply_Q(centred_ + slope_.cwiseQuotient(curvature_));
  const Matrix b = times_curvature(curvature_, centred_) + slope_;
  return b - apply_Q(product(C_, b));
}

bool LaplaceEvidence::find_mode(const Likelihood& likelihood, const Matrix& start) {
  const Index n = X_.rows(), K = likelihood.functions();
  a_ = start;
  centred_ = product(C_, a_);
  slope_.resize(n, K);
  curvature_.resize(n, K);
  double here = objective(likelihood, a_, centred_);
  if (!std::isfinite(here)) return false;
  for (int step = 0; step < most_steps; ++step) {
    likelihood.derivatives(Y_, mode_ + offset_, slope_, curvature_);
    if (!slope_.allFinite() || !factorise(curvature_)) return false;
    const Matrix direction = newton_point() - a_;
    const Matrix moved = product(C_, direction);
    const double promised = (slope_ - a_).cwiseProduct(moved).sum();
    if (!(promised > negligible_gain)) {
      // This near to the mode a whole step doubles the number of right digits, which the slopes need.
      a_ += direction;
      centred_ += moved;
      return std::isfinite(objective(likelihood, a_, centred_));
    }
    double part = 1, there = 0;
    for (int halving = 0; halving < most_halvings; ++halving, part /= 2) {
      there = objective(likelihood, a_ + part * direction, centred_ + part * moved);
      if (there > here) break;
    }
    if (!(there > here)) {
      // Rounding hides what is left to gain, which must not be much.
      objective(likelihood, a_, centred_);
      return promised < hidden_gain;
    }
    here = there;
    a_ += part * direction;
    centred_ += part * moved;
  }
  return false;
}

std::optional<double> LaplaceEvidence::log_evidence(const Likelihood& likelihood, const Matrix& start) {
  if (!find_mode(likelihood, start)) return std::nullopt;
  likelihood.normal_curvature(Y_, mode_ + offset_, curvature_);
  if (!factorise(curvature_)) return std::nullopt;
  const double value = likelihood.log_density(Y_, mode_ + offset_) - 0.5 * a_.cwiseProduct(centred_).sum() -
                       0.5 * log_determinant();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// t, n x K.
Matrix LaplaceEvidence::log_determinant_slope(const Likelihood& likelihood) const {
  const Index n = C_.rows(), K = likelihood.functions();
  // S of row i is diag(C_ii - |V_k column i|^2) + T_i T_i^T with V_k = B_k^{-1/2} D_k^{1/2} C and T_k = C E_k M^{-T/2}.
  Matrix own(n, K);
  std::vector<Matrix> T;
  for (Index k = 0; k < K; ++k) {
    const Matrix V = B_[static_cast<std::size_t>(k)].whiten(curvature_.col(k).cwiseSqrt().asDiagonal() * C_);
    own.col(k) = C_.diagonal() - V.colwise().squaredNorm().transpose();
    if (K > 1) T.push_back(M_.whiten(product(E_[static_cast<std::size_t>(k)], C_)));
  }
  Matrix slope(n, K), S(K, K);
  Vector y(K), f(K), result(K);
  for (Index i = 0; i < n; ++i) {
    S.setZero();
    for (Index k = 0; K > 1 && k < K; ++k)
      for (Index l = 0; l <= k; ++l)
        S(k, l) = S(l, k) = T[static_cast<std::size_t>(k)].col(i).dot(T[static_cast<std::size_t>(l)].col(i));
    S.diagonal() += own.row(i);
    y = Y_.row(i);
    f = (mode_ + offset_).row(i);
    likelihood.contract_curvature_slope(y.data(), f.data(), S.data(), result.data());
    slope.row(i) = -0.5 * result;
  }
  return slope;
}

/// sum over functions of (a a^T - Q + v a^T + a v^T) / 2.
Matrix LaplaceEvidence::covariance_weights(const Matrix& v) {
  const Index n = C_.rows(), K = v.cols();
  Matrix weights = Matrix::Zero(n, n);
  for (Index k = 0; k < K; ++k) {
    Matrix& E = E_[static_cast<std::size_t>(k)];
    if (K == 1) {
      const Vector root = curvature_.col(0).cwiseSqrt();
      B_[0].inverse_into(E);
      fill_upper(E);
      E = root.asDiagonal() * E * root.asDiagonal();
    }
    weights -= 0.5 * E;
    if (K > 1) {
      const Matrix whitened = M_.whiten(E);
      weights += 0.5 * transposed_product(whitened, whitened);
    }
    weights += 0.5 * (a_.col(k) * (a_ + v).col(k).transpose() + v.col(k) * a_.col(k).transpose());
  }
  return weights;
}

/// By central differences, each of which searches for its mode from the present one.
Vector LaplaceEvidence::number_slopes(const VectorView& numbers, bool& found) {
  Vector slopes(numbers.size());
  const Matrix start = a_;
  for (Index p = 0; p < numbers.size() && found; ++p) {
    Vector more = numbers, less = numbers;
    more(p) *= std::exp(difference);
    less(p) *= std::exp(-difference);
    const auto above = log_evidence(*likelihood_->with_parameters(more), start),
               below = log_evidence(*likelihood_->with_parameters(less), start);
    found = above && below;
    if (found) slopes(p) = (*above - *below) / (2 * difference);
  }
  return slopes;
}

std::optional<Evidence> LaplaceEvidence::at(const GaussianProcess& process, const VectorView& numbers,
                                            const LearnedParts& parts) {
  process.validate_dimension(X_.cols());
  mean_ = process.mean(X_);
  if (!mean_.allFinite()) return std::nullopt;
  C_ = process.kernel.matrix(X_, X_);
  const LikelihoodPointer likelihood = likelihood_->with_parameters(numbers);
  const auto value = log_evidence(*likelihood, Matrix::Zero(X_.rows(), likelihood->functions()));
  if (!value) return std::nullopt;
  Evidence evidence{.log_evidence = *value};
  if (parts.kernel || parts.mean) {
    const Matrix t = log_determinant_slope(*likelihood);
    const Matrix v = t - apply_Q(product(C_, t));
    if (parts.kernel) evidence.kernel_slope = process.kernel.contract_derivatives(X_, covariance_weights(v));
    if (parts.mean) evidence.mean_slope = process.mean.derivatives(X_).transpose() * (a_ + v).rowwise().sum();
  }
  if (parts.noise) {
    bool found = true;
    const Matrix mode = mode_;
    evidence.noise_slope = number_slopes(numbers, found);
    mode_ = mode;
    if (!found) return std::nullopt;
  }
  return evidence;
}

}  // namespace ridgelet
