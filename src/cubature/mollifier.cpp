#include "ridgelet/cubature/mollifier.hpp"

#include <cmath>

namespace ridgelet {

namespace {

double g(double t) {
  return t > 0 ? std::exp(-1 / t) : 0.0;
}

double h(double t) {
  return g(t) / (g(t) + g(1 - t));
}

}  // namespace

Vector mollifier(const MatrixView& X, const Box& domain, const Box& box) {
  Vector values = Vector::Ones(X.rows());
  for (Index i = 0; i < X.cols(); ++i) {
    const double centre = (box.lower(i) + box.upper(i)) / 2;
    const double a = (domain.upper(i) - domain.lower(i)) / 2;
    const double S = (box.upper(i) - box.lower(i)) / 2;
    if (!(a < S)) continue;
    for (Index j = 0; j < X.rows(); ++j) {
      const double x = X(j, i) - centre;
      values(j) *= 1 - h((x * x - a * a) / (S * S - a * a));
    }
  }
  return values;
}

}  // namespace ridgelet
