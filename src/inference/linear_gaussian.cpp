#include "ridgelet/inference/linear_gaussian.hpp"

#include <cmath>
#include <numbers>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

LinearGaussianPosterior::LinearGaussianPosterior(const Gaussian& output, const VectorView& y, double noise) {
  require_positive(noise, "noise");
  require_rows(y, output.dimension(), "y");
  require_finite(y, "y");
  const Matrix& G = output.factor;
  const Vector r = y - output.mean;
  const bool definite = G.rows() <= G.cols() ? condition_on_data(G, G * G.transpose(), r, noise)
                                             : condition_on_coordinates(G.transpose() * G, G.transpose() * r,
                                                                        r.squaredNorm(), G.rows(), noise);
  if (!definite)
    throw InvalidArgument("noise",
                          "must not be so small that the data's covariance is singular in double precision");
}

bool LinearGaussianPosterior::condition_on_data(const MatrixView& G, const MatrixView& GGt,
                                                const VectorView& r, double noise) {
  in_data_space_ = true;
  noise_ = noise;
  if (!factor_.compute(GGt, 1, noise * noise)) return false;
  G_ = G;
  weights_ = r;
  factor_.solve_in_place(weights_);
  z_mean_.noalias() = G_.transpose() * weights_;
  const double M = static_cast<double>(r.size());
  log_marginal_likelihood_ =
      -0.5 * (r.dot(weights_) + factor_.log_determinant() + M * std::log(2 * std::numbers::pi));
  return true;
}

bool LinearGaussianPosterior::condition_on_coordinates(const MatrixView& GtG, const VectorView& Gtr,
                                                       double rtr, Index M, double noise) {
  in_data_space_ = false;
  noise_ = noise;
  const double s2 = noise * noise;
  if (!factor_.compute(GtG, 1 / s2, 1)) return false;
  z_mean_ = Gtr / s2;
  factor_.solve_in_place(z_mean_);
  const double misfit = (rtr - Gtr.dot(z_mean_)) / s2;
  log_marginal_likelihood_ = -0.5 * (factor_.log_determinant() +
                                     static_cast<double>(M) * std::log(2 * std::numbers::pi * s2) + misfit);
  return true;
}

Vector LinearGaussianPosterior::draw_coordinates(const RandomStream& stream) const {
  const Index R = z_mean_.size();
  if (!in_data_space_) {
    Vector n = stream.normals(R);
    factor_.solve_transposed_in_place(n);
    return z_mean_ + n;
  }
  const Index M = G_.rows();
  const Vector numbers = stream.normals(R + M);
  const auto z0 = numbers.head(R);
  // weights_ = C^{-1} r, so the correction splits into that and C^{-1} (G z0 + e0).
  Vector prior_data = G_ * z0 + noise_ * numbers.tail(M);
  factor_.solve_in_place(prior_data);
  return z0 + G_.transpose() * (weights_ - prior_data);
}

Prediction LinearGaussianPosterior::predict(const Gaussian& output) const {
  const Matrix& G = output.factor;
  Prediction prediction{.mean = output.at(z_mean_), .variance = Vector()};
  if (in_data_space_) {
    const Matrix explained = factor_.whiten(G_ * G.transpose());
    // A difference of nearly equal numbers where the data pin the function down.
    prediction.variance = (output.variance() - explained.colwise().squaredNorm().transpose()).cwiseMax(0);
  } else {
    prediction.variance = factor_.whiten(G.transpose()).colwise().squaredNorm();
  }
  return prediction;
}

}  // namespace ridgelet
