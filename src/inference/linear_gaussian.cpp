#include "ridgelet/inference/linear_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// [G, r].
Matrix beside(const Matrix& G, const Vector& r) {
  Matrix both(G.rows(), G.cols() + 1);
  both << G, r;
  return both;
}

/// Squared lengths of columns.
Vector squares(const Matrix& columns) {
  return columns.colwise().squaredNorm();
}

bool condition(LinearGaussianPosterior& posterior, const Matrix& G, const Vector& r, double noise) {
  if (G.rows() <= G.cols()) {
    if (!squares_suffice(G.rowwise().squaredNorm().maxCoeff(), noise))
      return posterior.condition_on_data_by_root(G, r, noise);
    return posterior.condition_on_data(G, product_transposed(G, G), r, noise);
  }
  const double rtr = r.squaredNorm();
  if (!squares_suffice(std::max(rtr, G.colwise().squaredNorm().maxCoeff()), noise)) {
    Matrix rows = beside(G, r);
    StackedFactor factor;
    factor.start(rows.cols());
    factor.append(rows);
    Matrix triangle = factor.T();
    return posterior.condition_on_coordinates_by_root(triangle, G.rows(), noise);
  }
  return posterior.condition_on_coordinates(transposed_product(G, G), G.transpose() * r, rtr, G.rows(),
                                            noise);
}

}  // namespace

double rounding_of_mean(double variance, double residual, double noise) {
  return std::numeric_limits<double>::epsilon() * (variance / (noise * noise)) * (residual / noise);
}

double noise_above_rounding(double variance, Index rows) {
  const double of_unit_noise = rounding_of_mean(variance, std::sqrt(static_cast<double>(rows)), 1);
  return std::sqrt(of_unit_noise / visible_rounding);
}

LinearGaussianPosterior::LinearGaussianPosterior(const Gaussian& output, const VectorView& y, double noise) {
  require_positive(noise, "noise");
  require_rows(y, output.dimension(), "y");
  require_finite(y, "y");
  if (!condition(*this, output.factor, y - output.mean, noise))
    throw InvalidArgument("noise",
                          "must not be so small that the data's covariance is singular in double precision");
}

LinearGaussianPosterior posterior_of_process(const Gaussian& output, const VectorView& y, double noise) {
  LinearGaussianPosterior posterior(output, y, noise);
  const Vector left = y - output.mean - output.factor * posterior.coordinates_mean();
  if (!(rounding_of_mean(output.factor.rowwise().squaredNorm().maxCoeff(), left.norm(), noise) < 1))
    throw InvalidArgument("noise",
                          "must be larger for data that the function cannot follow: rounding hides the mean");
  return posterior;
}

bool LinearGaussianPosterior::condition_on_data(const MatrixView& G, const MatrixView& GGt,
                                                const VectorView& r, double noise) {
  form_ = Form::data;
  noise_ = noise;
  if (!factor_.compute(GGt, 1, noise * noise)) return false;
  G_ = G;
  weights_ = r;
  factor_.solve_in_place(weights_);
  z_mean_.noalias() = G_.transpose() * weights_;
  const double M = static_cast<double>(r.size());
  log_marginal_likelihood_ =
      -0.5 * (r.dot(weights_) + factor_.log_determinant() + M * std::log(2 * std::numbers::pi));
  return std::isfinite(log_marginal_likelihood_);
}

bool LinearGaussianPosterior::condition_on_coordinates(const MatrixView& GtG, const VectorView& Gtr,
                                                       double rtr, Index M, double noise) {
  form_ = Form::coordinates;
  noise_ = noise;
  const double s2 = noise * noise;
  if (!factor_.compute(GtG, 1 / s2, 1)) return false;
  z_mean_ = Gtr / s2;
  factor_.solve_in_place(z_mean_);
  const double misfit = (rtr - Gtr.dot(z_mean_)) / s2;
  log_marginal_likelihood_ = -0.5 * (factor_.log_determinant() +
                                     static_cast<double>(M) * std::log(2 * std::numbers::pi * s2) + misfit);
  return std::isfinite(log_marginal_likelihood_);
}

bool LinearGaussianPosterior::condition_root(MatrixSpan rows, Index M, double noise, bool triangular) {
  noise_ = noise;
  if (!root_.condition(rows, noise, triangular)) return false;
  const double constant = static_cast<double>(M) * (std::log(2 * std::numbers::pi) + 2 * std::log(noise));
  log_marginal_likelihood_ = -0.5 * (root_.log_determinant() + constant + root_.misfit());
  return true;
}

bool LinearGaussianPosterior::condition_on_data_by_root(const MatrixView& G, const VectorView& r,
                                                        double noise) {
  form_ = Form::data_root;
  const Index M = G.rows();
  basis_.compute(G);
  rows_.resize(M, M + 1);
  rows_ << basis_.L(), r;
  if (!condition_root(rows_, M, noise, false)) return false;
  z_mean_.noalias() = basis_.Q() * root_.mean();
  return true;
}

bool LinearGaussianPosterior::condition_on_coordinates_by_root(MatrixSpan triangle, Index M, double noise) {
  form_ = Form::coordinates_root;
  if (!condition_root(triangle, M, noise, true)) return false;
  z_mean_ = root_.mean();
  return true;
}

Vector LinearGaussianPosterior::draw_coordinates(const RandomStream& stream, std::uint64_t first) const {
  const Index R = z_mean_.size();
  const auto normals = [&](Index count) -> Vector { return stream.normals(count, 1, first); };
  if (form_ == Form::coordinates || form_ == Form::coordinates_root) {
    Vector n = normals(R);
    form_ == Form::coordinates ? factor_.solve_transposed_in_place(n) : root_.spread_in_place(n);
    return z_mean_ + n;
  }
  const Index M = form_ == Form::data ? G_.rows() : basis_.L().rows();
  const Vector numbers = normals(R + M);
  const auto z0 = numbers.head(R);
  if (form_ == Form::data) {
    // weights_ = C^{-1} r, so the correction splits into that and C^{-1} (G z0 + e0).
    Vector prior_data = G_ * z0 + noise_ * numbers.tail(M);
    factor_.solve_in_place(prior_data);
    return z0 + G_.transpose() * (weights_ - prior_data);
  }
  // In directions orthogonal to the rows of G the prior stands.
  Vector along = numbers.tail(M);
  root_.spread_in_place(along);
  return z0 + z_mean_ + basis_.Q() * (along - basis_.Q().transpose() * z0);
}

Prediction LinearGaussianPosterior::predict(const VectorView& mean, const MatrixView& G) const {
  return {.mean = mean + G * z_mean_, .variance = variance(G)};
}

template <class Use>
void LinearGaussianPosterior::visit_roots(const MatrixView& G, Use&& use) const {
  Matrix g = G.transpose();
  if (form_ == Form::coordinates || form_ == Form::coordinates_root) {
    form_ == Form::coordinates ? factor_.whiten_in_place(g) : root_.whiten_in_place(g);
    use(g, 1);
  } else if (form_ == Form::data) {
    Matrix minus_u = -product(G_, g);
    factor_.solve_in_place(minus_u);
    add_transposed_product(g, G_, minus_u);
    use(g, 1);
    use(minus_u, noise_ * noise_);
  } else {
    Matrix along = transposed_product(basis_.Q(), g);
    g -= product(basis_.Q(), along);
    root_.whiten_in_place(along);
    use(g, 1);
    use(along, 1);
  }
}

Vector LinearGaussianPosterior::variance(const MatrixView& G) const {
  Vector variance = Vector::Zero(G.rows());
  visit_roots(G, [&](const Matrix& F, double scale) { variance += scale * squares(F); });
  return variance;
}

Matrix LinearGaussianPosterior::covariance_root(const MatrixView& G) const {
  Matrix root(G.rows(), 0);
  visit_roots(G, [&](const Matrix& F, double scale) {
    root.conservativeResize(Eigen::NoChange, root.cols() + F.rows());
    root.rightCols(F.rows()) = std::sqrt(scale) * F.transpose();
  });
  return root;
}

void LinearGaussianPosterior::solve_precision_in_place(Matrix& rows) const {
  constexpr Index piece = 128;
  parallel_for((rows.cols() + piece - 1) / piece, [&](Index p) {
    auto columns = rows.middleCols(p * piece, std::min(piece, rows.cols() - p * piece));
    if (form_ == Form::coordinates) return factor_.solve_in_place(columns);
    root_.whiten_in_place(columns);
    root_.spread_in_place(columns);
  });
}

void LinearGaussianPosterior::add_slopes(const MatrixView& G, const VectorView& r, MatrixSpan slopes,
                                         SlopeWorkspace& work) const {
  auto in_factor = slopes.rightCols(G.cols());
  if (form_ == Form::data) {
    work.residual = weights_;
    work.rows = G;
    factor_.solve_in_place(work.rows);
    in_factor -= work.rows;
  } else if (form_ == Form::data_root) {
    // r equals G zbar but for its last digits, so C^{-1} r is solved: T^T T = s^2 I + L L^T = C.
    work.rows = basis_.L().transpose();
    work.noise.setConstant(r.size(), noise_);
    work.factor.start(work.noise);
    work.factor.append_triangle(work.rows);
    const auto solve_in_place = [&](MatrixSpan F) {
      work.factor.solve_transposed_in_place(F);
      work.factor.solve_in_place(F);
    };
    work.residual = r;
    solve_in_place(work.residual);
    work.rows = basis_.L();
    solve_in_place(work.rows);
    subtract_product_transposed(in_factor, work.rows, basis_.Q());
  } else {
    const double s2 = noise_ * noise_;
    work.residual = r;
    work.residual.noalias() -= G * z_mean_;
    work.residual /= s2;
    work.rows = G.transpose();
    solve_precision_in_place(work.rows);
    work.rows /= -s2;
    in_factor += work.rows.transpose();
  }
  in_factor.noalias() += work.residual * z_mean_.transpose();
  slopes.col(0) += work.residual;
}

}  // namespace ridgelet
