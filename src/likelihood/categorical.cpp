#include "ridgelet/likelihood/categorical.hpp"

#include <cmath>
#include <stdexcept>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

using Row = Eigen::Map<const Vector>;
using RowSpan = Eigen::Map<Vector>;

}  // namespace

Categorical::Categorical(Index classes) : classes_(classes) {
  if (classes < 2)
    throw InvalidArgument("likelihood", "categorical needs a response of at least two classes");
}

LikelihoodPointer Categorical::with_parameters(const VectorView&) const {
  return std::make_shared<const Categorical>(classes_);
}

double Categorical::log_density(const double* y, const double* f) const {
  const Row values(f, classes_), observed(y, classes_);
  const double top = values.maxCoeff();
  return observed.dot(values) - top - std::log((values.array() - top).exp().sum());
}

void Categorical::mean(const double* f, double* result) const {
  const Row values(f, classes_);
  RowSpan p(result, classes_);
  p = (values.array() - values.maxCoeff()).exp();
  p /= p.sum();
}

void Categorical::derivatives(const double* y, const double* f, double* slope, double* curvature) const {
  mean(f, curvature);
  RowSpan(slope, classes_) = Row(y, classes_) - Row(curvature, classes_);
}

void Categorical::contract_curvature_slope(const double*, const double* f, const double* S,
                                           double* result) const {
  const Eigen::Map<const Matrix> weights(S, classes_, classes_);
  RowSpan p(result, classes_);
  mean(f, result);
  const Vector product = weights * p;
  const double level = weights.diagonal().dot(p) - 2 * p.dot(product);
  p = (p.array() * (weights.diagonal().array() - 2 * product.array() - level)).eval();
}

void Categorical::variance(const double* f, double* result) const {
  mean(f, result);
  RowSpan p(result, classes_);
  p = (p.array() * (1 - p.array())).eval();
}

double Categorical::cdf(double, double) const {
  throw std::logic_error("classes have no order");
}

void Categorical::draw(const double* f, double u, double* y) const {
  RowSpan p(y, classes_);
  mean(f, y);
  Index chosen = 0;
  double below = p(0);
  while (chosen + 1 < classes_ && u >= below) below += p(++chosen);
  p.setZero();
  p(chosen) = 1;
}

}  // namespace ridgelet
