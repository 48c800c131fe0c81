#include "ridgelet/linalg/square_root.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/linalg/triangular.hpp"

namespace ridgelet {

namespace {

/// Columns that are reduced at a time.
constexpr Index panel = 32;

lapack_int size_of(Index value) {
  return static_cast<lapack_int>(value);
}

/// Room for at least `size` numbers, kept for the next time.
void reserve(Vector& work, Index size) {
  if (work.size() < size) work.resize(size);
}

}  // namespace

void StackedFactor::start(Index n) {
  T_.setZero(n, n);
}

void StackedFactor::start(const VectorView& diagonal) {
  start(diagonal.size());
  T_.diagonal() = diagonal;
}

void StackedFactor::append(MatrixSpan rows) {
  append_pentagon(rows, 0);
}

void StackedFactor::append_triangle(MatrixSpan rows) {
  append_pentagon(rows, std::min(rows.rows(), rows.cols()));
}

void StackedFactor::append_pentagon(MatrixSpan rows, Index triangle) {
  const Index n = T_.rows();
  if (n == 0 || rows.rows() == 0) return;
  const Index width = std::min(panel, n);
  reflectors_.resize(width, n);
  reserve(work_, width * n);
  for (Index first = 0; first < n; first += width) {
    throw_if_cancelled();
    reduce_panel(rows, triangle, first, std::min(width, n - first));
  }
}

void StackedFactor::reduce_panel(MatrixSpan rows, Index triangle, Index first, Index width) {
  // How many rows the columns of this panel reach, and how many of the last of these form a triangle in them.
  const Index n = T_.rows(), M = rows.rows(), reach = std::min(M - triangle + first + width, M);
  const lapack_int m = size_of(reach), k = size_of(width), right = size_of(n - first - width),
                   l = first + 1 >= triangle ? 0 : size_of(reach - M + triangle - first),
                   stride = size_of(rows.outerStride()), own_stride = size_of(n),
                   block = size_of(reflectors_.rows());
  double* const V = rows.data() + first * rows.outerStride();
  double* const scales = reflectors_.data() + first * reflectors_.rows();
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dtpqrt2(&m, &k, &l, &T_(first, first), &own_stride, V, &stride, scales, &block, &info);
  if (right == 0) return;
  const char left_side = 'L', transposed = 'T', forward = 'F', by_columns = 'C';
  LAPACK_dtprfb(&left_side, &transposed, &forward, &by_columns, &m, &right, &k, &l, V, &stride, scales,
                &block, &T_(first, first + width), &own_stride, V + width * rows.outerStride(), &stride,
                work_.data(), &k);
}

void StackedFactor::solve_in_place(MatrixSpan F) const {
  solve_triangular(T_.topLeftCorner(F.rows(), F.rows()), Triangle::upper, F);
}

void StackedFactor::solve_transposed_in_place(MatrixSpan F) const {
  solve_transposed_triangular(T_.topLeftCorner(F.rows(), F.rows()), Triangle::upper, F);
}

double StackedFactor::log_determinant(Index n) const {
  return T_.diagonal().head(n).array().abs().log().sum();
}

void RowBasis::compute(const MatrixView& G) {
  Q_ = G.transpose();
  const lapack_int R = size_of(Q_.rows()), M = size_of(Q_.cols());
  const lapack_int length = std::max<lapack_int>(1, panel * M);
  reserve(reflector_scales_, M);
  reserve(work_, length);
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dgeqrf(&R, &M, Q_.data(), &R, reflector_scales_.data(), work_.data(), &length, &info);
  L_.setZero(M, M);
  for (Index j = 0; j < M; ++j) L_.row(j).head(j + 1) = Q_.col(j).head(j + 1).transpose();
  LAPACK_dorgqr(&R, &M, &M, Q_.data(), &R, reflector_scales_.data(), work_.data(), &length, &info);
}

bool SquareRootPosterior::condition(MatrixSpan rows, double noise, bool triangular) {
  const Index R = rows.cols() - 1;
  noise_ = noise;
  // The last column is r, which the rows s I of the stack do not reach.
  prior_.setConstant(R + 1, noise);
  prior_(R) = 0;
  factor_.start(prior_);
  triangular ? factor_.append_triangle(rows) : factor_.append(rows);
  mean_ = factor_.T().col(R).head(R);
  factor_.solve_in_place(mean_);
  const double left = factor_.T()(R, R) / noise;
  misfit_ = left * left;
  log_determinant_ = 2 * (factor_.log_determinant(R) - static_cast<double>(R) * std::log(noise));
  return std::isfinite(misfit_) && std::isfinite(log_determinant_) && mean_.allFinite();
}

void SquareRootPosterior::whiten_in_place(MatrixSpan F) const {
  factor_.solve_transposed_in_place(F);
  F *= noise_;
}

void SquareRootPosterior::spread_in_place(MatrixSpan n) const {
  factor_.solve_in_place(n);
  n *= noise_;
}

}  // namespace ridgelet
