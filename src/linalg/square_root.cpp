#include "ridgelet/linalg/square_root.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace ridgelet {

namespace {

/// Columns that dtpqrt reduces at a time.
constexpr Index panel = 32;

lapack_int size_of(Index value) {
  return static_cast<lapack_int>(value);
}

/// F <- op(T11)^{-1} F by dtrtrs, op the identity ('N') or the transpose ('T').
void triangular_solve(const Matrix& T, char transposed, MatrixSpan F) {
  if (F.size() == 0) return;
  const char upper = 'U', not_unit = 'N';
  const lapack_int n = size_of(F.rows()), columns = size_of(F.cols());
  const lapack_int stride = size_of(T.rows()), own_stride = size_of(F.outerStride());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dtrtrs(&upper, &transposed, &not_unit, &n, &columns, T.data(), &stride, F.data(), &own_stride,
                &info);
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
  const lapack_int m = size_of(rows.rows()), columns = size_of(n), l = size_of(triangle),
                   block = size_of(width), stride = size_of(rows.outerStride());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dtpqrt(&m, &columns, &l, &block, T_.data(), &columns, rows.data(), &stride, reflectors_.data(),
                &block, work_.data(), &info);
}

void StackedFactor::solve_in_place(MatrixSpan F) const {
  triangular_solve(T_, 'N', F);
}

void StackedFactor::solve_transposed_in_place(MatrixSpan F) const {
  triangular_solve(T_, 'T', F);
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
