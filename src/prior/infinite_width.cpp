#include "ridgelet/prior/infinite_width.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/activation/leaky_relu.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

using std::numbers::pi;

double relu_product(double q1, double q2, double q) {
  const double scale = std::sqrt(q1 * q2);
  const double cosine = std::clamp(q / scale, -1.0, 1.0), angle = std::acos(cosine);
  return scale * (std::sin(angle) + (pi - angle) * cosine) / (2 * pi);
}

/// For phi(z) = a z + (1 - a) max(0, z).
double leaky_relu_product(double q1, double q2, double q) {
  const double a = LeakyRelu::slope;
  return a * q + (1 - a) * (1 - a) * relu_product(q1, q2, q);
}

/// ( E cos(u - u') - E cos(u + u') ) / 2, in a form that keeps the digits of a small q.
double sine_product(double q1, double q2, double q) {
  const double sign = q < 0 ? -1 : 1, size = std::abs(q);
  return -sign * std::exp(size - (q1 + q2) / 2) * std::expm1(-2 * size) / 2;
}

/// ( E cos(u - u') + E cos(u + u') ) / 2.
double cosine_product(double q1, double q2, double q) {
  return (std::exp(q - (q1 + q2) / 2) + std::exp(-q - (q1 + q2) / 2)) / 2;
}

double erf_product(double q1, double q2, double q) {
  return 2 / pi * std::asin(2 * q / std::sqrt((1 + 2 * q1) * (1 + 2 * q2)));
}

using Product = std::function<double(double q1, double q2, double q)>;

Product product_of(const std::string& activation) {
  if (activation == "linear") return [](double, double, double q) { return q; };
  if (activation == "relu") return relu_product;
  if (activation == "leaky-relu") return leaky_relu_product;
  if (activation == "erf") return erf_product;
  if (activation == "sine") return sine_product;
  if (activation == "cosine") return cosine_product;
  const Activation phi(activation);
  return [phi](double q1, double q2, double q) {
    return expected_product([&](double z) { return phi.phi_scalar(z); }, q1, q2, q);
  };
}

}  // namespace

double expected_product(const std::function<double(double)>& phi, double q1, double q2, double q) {
  constexpr double reach = 8.5;  // beyond, the normal density is below 1e-16
  const double s1 = std::sqrt(q1), s2 = std::sqrt(q2);
  const double correlation = std::clamp(q / (s1 * s2), -1.0, 1.0);
  const double rest = std::sqrt(1 - correlation * correlation);
  // The nearest singularity of an activation such as tanh(s a) is at distance pi / (2 s) from the real line.
  const double step = std::min(0.2, 0.5 / std::max(s1, s2));
  const auto points = static_cast<Index>(reach / step);
  const auto weight = [&](double a) { return step / std::sqrt(2 * pi) * std::exp(-a * a / 2); };
  double sum = 0;
  for (Index i = -points; i <= points; ++i) {
    const double a = static_cast<double>(i) * step;
    double inner = 0;
    if (rest < 1e-8) {
      inner = phi(s2 * correlation * a);
    } else {
      for (Index j = -points; j <= points; ++j) {
        const double c = static_cast<double>(j) * step;
        inner += weight(c) * phi(s2 * (correlation * a + rest * c));
      }
    }
    sum += weight(a) * phi(s1 * a) * inner;
  }
  return sum;
}

Matrix InfiniteWidthCovariance::operator()(const MatrixView& X1, const MatrixView& X2) const {
  require_positive(sigma_w, "sigma_w");
  require_positive(sigma_b, "sigma_b");
  require_positive(sigma_out, "sigma_out");
  require_finite(X1, "X1");
  require_finite(X2, "X2");
  require_columns(X2, X1.cols(), "X2");
  const Product product = product_of(activation);
  const auto q = [&](const auto& x, const auto& y) {
    return sigma_w * sigma_w * x.dot(y) + sigma_b * sigma_b;
  };
  Matrix K(X1.rows(), X2.rows());
  parallel_for(X1.rows(), [&](Index i) {
    for (Index j = 0; j < X2.rows(); ++j) {
      const auto x = X1.row(i), y = X2.row(j);
      K(i, j) = sigma_out * sigma_out * product(q(x, x), q(y, y), q(x, y));
    }
  });
  return K;
}

}  // namespace ridgelet
