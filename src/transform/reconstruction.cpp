#include "ridgelet/transform/reconstruction.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Beyond this many standard deviations a normal density is below 1e-17 of its peak.
constexpr double normal_reach = 9;
/// Up to here activations bend at the scale of 1; further out they are all but straight.
constexpr double bends = 20;

/// The integral over [-reach, reach] of a function that varies at the scale of 1 near 0 and at `scale`
/// further out.
template <class Function>
double integrate(Function&& f, double reach, double scale) {
  using Rule = boost::math::quadrature::gauss<double, 10>;
  double sum = 0;
  for (double from = 0; from < reach;) {
    const double to = std::min(reach, from + (from < bends ? 1 : std::max(1.0, scale)));
    sum += Rule::integrate(f, from, to) + Rule::integrate(f, -to, -from);
    from = to;
  }
  return sum;
}

}  // namespace

ReconstructionKernel::ReconstructionKernel(ActivationPair pair, HiddenDistribution hidden)
    : pair_(std::move(pair)), hidden_(std::move(hidden)) {
  hidden_.sigma_w.validate(pair_.dimension());
  if (!std::isinf(hidden_.sigma_b)) require_positive(hidden_.sigma_b, "sigma_b");
  if (hidden_.density != Density::gaussian)
    throw InvalidArgument("density", "must be gaussian: the limit of many units is known for it only");
}

Matrix ReconstructionKernel::operator()(const MatrixView& X, const MatrixView& nodes) const {
  require_columns(X, pair_.dimension(), "X");
  require_columns(nodes, pair_.dimension(), "nodes");
  require_finite(X, "X");
  require_finite(nodes, "nodes");
  const Matrix x = hidden_.sigma_w.scale(X), q = hidden_.sigma_w.scale(nodes);
  Matrix values(x.rows(), q.rows());
  parallel_for(values.cols(), [&](Index j) {
    for (Index i = 0; i < values.rows(); ++i) values(i, j) = at(x.row(i), q.row(j));
  });
  return values;
}

double ReconstructionKernel::at(const Vector& x, const Vector& node) const {
  const AssociatedFunction& psi = pair_.associated_function();
  const Vector difference = node - x;
  const double square = x.squaredNorm(), distance_square = difference.squaredNorm();
  if (std::isinf(hidden_.sigma_b)) {
    const double variance = distance_square, spread = std::sqrt(1 + variance);
    const auto integrand = [&](double p) { return pair_.phi_scalar(p) * psi.smoothed(p, variance); };
    return hidden_.sigma_w.product(pair_.dimension()) *
           integrate(integrand, psi.cutoff() * spread, spread / 3);
  }
  const double b2 = hidden_.sigma_b * hidden_.sigma_b;
  const double s2 = square + b2, along = x.dot(difference), slope = 1 + along / s2;
  // s'^2 - c^2 / s^2 as a sum of squares, in which nothing cancels far from 0 or where sigma_b is large: with the part
  // of x' - x that is across x, s^2 Var t = |x|^2 |across|^2 + sigma_b^2 |x' - x|^2.
  const Vector across = difference - (square > 0 ? along / square : 0) * x;
  const double variance = (square * across.squaredNorm() + b2 * distance_square) / s2;
  const double s = std::sqrt(s2), spread = std::sqrt(1 + variance) / std::max(std::abs(slope), 1e-12);
  const auto integrand = [&](double p) {
    return pair_.phi_scalar(p) * std::exp(-p * p / (2 * s2)) * psi.smoothed(slope * p, variance);
  };
  return hidden_.total_measure(pair_.dimension()) / (std::sqrt(2 * std::numbers::pi) * s) *
         integrate(integrand, std::min(psi.cutoff() * spread, normal_reach * s), std::min(spread, s) / 3);
}

}  // namespace ridgelet
