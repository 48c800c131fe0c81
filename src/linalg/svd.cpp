#include "ridgelet/linalg/svd.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "linalg/blas.hpp"

namespace ridgelet {

namespace {

lapack_int size_of(Index value) {
  return static_cast<lapack_int>(value);
}

/// Calls routine(work, length) twice: with length -1 it says how much it wants, then it works.
template <class Routine>
void with_workspace(Routine&& routine) {
  const SingleThreadedBlas one_thread;
  double wanted = 0;
  routine(&wanted, -1);
  std::vector<double> work(static_cast<std::size_t>(wanted) + 1);
  routine(work.data(), size_of(static_cast<Index>(work.size())));
}

/// `job` as dgesdd has it: 'S' thin, 'A' full, 'N' the values alone.
SingularValueDecomposition decompose(const MatrixView& F, char job) {
  const Index n = F.rows(), R = F.cols(), least = std::min(n, R);
  const Index left = job == 'A' ? n : job == 'S' ? least : 0, right = job == 'A' ? R : job == 'S' ? least : 0;
  if (least == 0) return {.U = Matrix::Identity(n, left), .S = Vector(0), .V = Matrix::Identity(R, right)};
  Matrix copy = F, U(n, left), Vt(right, R);
  Vector S(least);
  std::vector<lapack_int> integers(static_cast<std::size_t>(8 * least));
  const lapack_int rows = size_of(n), columns = size_of(R), right_rows = std::max(size_of(right), 1);
  lapack_int info = 0;
  with_workspace([&](double* work, lapack_int length) {
    LAPACK_dgesdd(&job, &rows, &columns, copy.data(), &rows, S.data(), U.data(), &rows, Vt.data(),
                  &right_rows, work, &length, integers.data(), &info);
  });
  if (info != 0) throw std::runtime_error("a singular value decomposition did not converge");
  return {.U = std::move(U), .S = std::move(S), .V = Vt.transpose()};
}

/// `job` as dsyevd has it: 'N' the values alone, 'V' the vectors too, which take the place of S.
Vector eigenvalues_in_place(Matrix& S, char job) {
  Vector values(S.rows());
  if (S.rows() == 0) return values;
  const char lower = 'L';
  const lapack_int n = size_of(S.rows());
  std::vector<lapack_int> integers(static_cast<std::size_t>(5 * n + 3));
  const lapack_int integer_length = size_of(static_cast<Index>(integers.size()));
  lapack_int info = 0;
  with_workspace([&](double* work, lapack_int length) {
    LAPACK_dsyevd(&job, &lower, &n, S.data(), &n, values.data(), work, &length, integers.data(),
                  &integer_length, &info);
  });
  if (info != 0) throw std::runtime_error("the eigenvalues of a symmetric matrix did not converge");
  return values;
}

}  // namespace

Index SingularValueDecomposition::rank() const {
  if (S.size() == 0) return 0;
  const double rounding = S(0) * static_cast<double>(S.size()) * std::numeric_limits<double>::epsilon();
  return (S.array() > rounding).count();
}

Vector SingularValueDecomposition::solve(const VectorView& b) const {
  const Index r = rank();
  const Vector along = (U.leftCols(r).transpose() * b).array() / S.head(r).array();
  return V.leftCols(r) * along;
}

SingularValueDecomposition thin_svd(const MatrixView& F) {
  return decompose(F, 'S');
}

SingularValueDecomposition full_svd(const MatrixView& F) {
  return decompose(F, 'A');
}

Vector singular_values(const MatrixView& F) {
  return decompose(F, 'N').S;
}

Vector symmetric_eigenvalues(Matrix S) {
  return eigenvalues_in_place(S, 'N');
}

SymmetricEigenDecomposition symmetric_eigen(Matrix S) {
  Vector values = eigenvalues_in_place(S, 'V');
  return {.values = std::move(values), .vectors = std::move(S)};
}

}  // namespace ridgelet
