/// A zoo of log densities over whitened coordinates, N(xi; 0, I) exp(L(xi)), with known answers: a sampler is
/// tested on each of them in a few lines.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "ridgelet/inference/log_density.hpp"

namespace ridgelet::testing {

inline constexpr double impossible = -std::numeric_limits<double>::infinity();

/// Any function of xi.
template <class Function>
class DensityOf final : public LogDensity {
 public:
  DensityOf(Index dimension, Function function) : dimension_(dimension), function_(std::move(function)) {}
  Index dimension() const override { return dimension_; }
  double operator()(const Vector& xi) override { return function_(xi); }

 private:
  Index dimension_;
  Function function_;
};

/// The prior itself: L = 0.
inline auto flat(Index dimension) {
  return DensityOf(dimension, [](const Vector&) { return 0.0; });
}

/// Data y ~ N(H xi, noise^2 I): the conjugate posterior.
struct GaussianData {
  Matrix H;
  Vector y;
  double noise;

  double operator()(const Vector& xi) const { return -0.5 * (y - H * xi).squaredNorm() / (noise * noise); }
  Matrix covariance() const {
    return (Matrix::Identity(H.cols(), H.cols()) + H.transpose() * H / (noise * noise)).inverse();
  }
  Vector mean() const { return covariance() * H.transpose() * y / (noise * noise); }
  auto density() const { return DensityOf(H.cols(), *this); }
};

/// The same with its gradient.
class SmoothGaussianData final : public DifferentiableLogDensity {
 public:
  explicit SmoothGaussianData(GaussianData data) : data_(std::move(data)) {}
  Index dimension() const override { return data_.H.cols(); }
  double operator()(const Vector& xi) override { return data_(xi); }
  double value_and_gradient(const Vector& xi, Vector& gradient) override {
    gradient = data_.H.transpose() * (data_.y - data_.H * xi) / (data_.noise * data_.noise);
    return data_(xi);
  }

 private:
  GaussianData data_;
};

/// Possible only for lower < xi_0 < upper: a truncated normal.
struct Window {
  double lower, upper;

  double operator()(const Vector& xi) const { return xi(0) > lower && xi(0) < upper ? 0.0 : impossible; }
  double mean() const {
    const auto density = [](double at) { return std::exp(-at * at / 2); };
    const double mass =
        std::sqrt(M_PI / 2) * (std::erf(upper / std::sqrt(2.0)) - std::erf(lower / std::sqrt(2.0)));
    return (density(lower) - density(upper)) / mass;
  }
  auto density(Index dimension = 1) const { return DensityOf(dimension, *this); }
};

/// On the heap, as chains want them.
template <class Density>
std::shared_ptr<LogDensity> shared(Density density) {
  return std::make_shared<Density>(std::move(density));
}

}  // namespace ridgelet::testing
