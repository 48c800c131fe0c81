#include "textbook.hpp"

#include <lapack.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "cores.hpp"
#include "ridgelet/activation/activation_pair.hpp"

namespace ridgelet::benchmarks {

namespace {

/// Eigenvalues below this part of the largest count as zero. At most two dozen of Sigma's are above it; a lower
/// cut lets in directions that are rounding error and whose precision would be as large as 1e15.
constexpr double prior_cutoff = 1e-10;

/// The precision's eigenvalues on the support span a factor of about 1e10; those off it are rounding error.
constexpr double precision_cutoff = 1e-13;

/// What is added to the diagonal before a square root, as a part of its mean.
constexpr double jitter = 1e-10;

struct Eigendecomposition {
  Matrix U;
  Vector values;  ///< ascending
};

/// LAPACK's divide and conquer for symmetric matrices: a third of the time of a singular value decomposition.
Eigendecomposition eigendecomposition(Matrix A) {
  const char vectors = 'V', lower = 'L';
  const auto n = static_cast<lapack_int>(A.rows());
  lapack_int size = -1, integers = -1, least_integers = 0, info = 0;
  double least_size = 0;
  Vector values(n);
  LAPACK_dsyevd(&vectors, &lower, &n, A.data(), &n, values.data(), &least_size, &size, &least_integers,
                &integers, &info);
  size = static_cast<lapack_int>(least_size);
  integers = least_integers;
  Vector work(size);
  std::vector<lapack_int> integer_work(static_cast<std::size_t>(integers));
  LAPACK_dsyevd(&vectors, &lower, &n, A.data(), &n, values.data(), work.data(), &size, integer_work.data(),
                &integers, &info);
  if (info != 0) throw std::runtime_error("dsyevd did not converge");
  return {.U = std::move(A), .values = std::move(values)};
}

/// A factor F of the pseudo-inverse A^+ = F F^T, N x rank, from the eigenvalues above the cutoff.
struct PseudoInverse {
  Matrix U;       ///< eigenvectors of the range
  Matrix factor;  ///< the same, each divided by the root of its eigenvalue

  PseudoInverse(const Matrix& A, double cutoff) {
    const auto [vectors, values] = eigendecomposition(A);
    const Index rank = (values.array() > cutoff * values.tail(1).value()).count();
    U = vectors.rightCols(rank);
    factor = U * values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  }

  Matrix matrix() const { return factor * factor.transpose(); }
};

}  // namespace

Textbook::Textbook(const RidgeletPrior& prior, const Data& data)
    : prior_(prior),
      data_(data),
      scale_(prior.options().hidden.total_measure(prior.dimension()) / static_cast<double>(prior.units()) *
             prior.options().nodes.weights),
      K_(prior.options().target.kernel.matrix(prior.options().nodes.points, prior.options().nodes.points)),
      Psi_(K_.rows(), prior.units()),
      Phi_(data.rows(), prior.units()) {}

void Textbook::evaluate_features(const HiddenLayers& layers) {
  const ActivationPair pair(prior_.activation(), static_cast<int>(prior_.dimension()),
                            prior_.options().op.order);
  const Preactivations at_nodes(layers.first(), prior_.options().nodes.points),
      at_data(layers.first(), data_.X);
  at_nodes.evaluate(0, Psi_, [&](std::span<double> z) { pair.psi(z, z); });
  Psi_.array().colwise() *= scale_.array();
  at_data.evaluate(0, Phi_, [&](std::span<double> z) { pair.phi(z, z); });
}

void Textbook::form_prior_covariance() {
  K_Psi_.noalias() = K_ * Psi_;
  Sigma_.noalias() = Psi_.transpose() * K_Psi_;
}

void Textbook::form_marginal_covariance() {
  Phi_Sigma_.noalias() = Phi_ * Sigma_;
  S_.noalias() = Phi_Sigma_ * Phi_.transpose();
  const double noise = data_.noise(0);
  if (!S_factor_.compute(S_, 1, noise * noise)) throw std::runtime_error("S is not positive definite");
}

double Textbook::log_likelihood(const HiddenLayers& layers) {
  evaluate_features(layers);
  form_prior_covariance();
  form_marginal_covariance();
  const Vector whitened = S_factor_.whiten(data_.Y.col(0));
  return -0.5 * (S_factor_.log_determinant() + whitened.squaredNorm() +
                 static_cast<double>(data_.rows()) * std::log(2 * std::numbers::pi));
}

Vector Textbook::draw_weights(const HiddenLayers& layers, const RandomStream& stream) {
  const double s2 = data_.noise(0) * data_.noise(0);
  evaluate_features(layers);
  form_prior_covariance();
  const PseudoInverse inverse_Sigma(Sigma_, prior_cutoff);
  const Matrix projected = inverse_Sigma.U * (inverse_Sigma.U.transpose() * Phi_.transpose());
  const Matrix precision = inverse_Sigma.matrix() + projected * projected.transpose() / s2;
  V_ = PseudoInverse(precision, precision_cutoff).matrix();
  m_ = V_ * (Phi_.transpose() * data_.Y.col(0)) / s2;
  return draw(stream);
}

Vector Textbook::draw_weights_by_conditioning(const HiddenLayers& layers, const RandomStream& stream) {
  evaluate_features(layers);
  form_prior_covariance();
  form_marginal_covariance();
  const Matrix whitened = S_factor_.whiten(Phi_Sigma_);
  V_ = Sigma_;
  V_.noalias() -= whitened.transpose() * whitened;
  m_ = whitened.transpose() * S_factor_.whiten(data_.Y.col(0));
  return draw(stream);
}

Vector Textbook::draw(const RandomStream& stream) const {
  Matrix root = V_;
  root.diagonal().array() += jitter * V_.diagonal().mean();
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(root.rows());
  lapack_int info = 0;
  LAPACK_dpotrf(&lower, &n, root.data(), &n, &info);
  if (info != 0) throw std::runtime_error("the weights' covariance needs more on its diagonal");
  return m_ + root.triangularView<Eigen::Lower>() * stream.normals(m_.size());
}

Prediction Textbook::outputs() const {
  const Matrix Phi_V = Phi_ * V_;
  return {.mean = Phi_ * m_, .variance = Phi_V.cwiseProduct(Phi_).rowwise().sum()};
}

}  // namespace ridgelet::benchmarks
