#include "ridgelet/linalg/rank_revealing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "linalg/blas.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/triangular.hpp"

namespace ridgelet {

namespace {

constexpr double definiteness_tolerance = 1e-8;
constexpr double tie_tolerance = 1e-10;       ///< of the largest unexplained variance
constexpr double rounding_tolerance = 1e-13;  ///< of the largest variance

blasint blas(Index size) {
  return static_cast<blasint>(size);
}

void require_finite_covariance(bool finite, const std::string& argument) {
  if (!finite) throw InvalidArgument(argument, "must be finite at every point, and it is not");
}

/// The columns of K in the order of the pivots, less what the columns of L before `explained()` explain.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  virtual void exchange(Index i, Index j) = 0;
  virtual void read(Index row, const std::vector<Index>& order, double* column) = 0;
  virtual Index explained() const { return 0; }
  virtual void explain(const Matrix&, Index) {}
};

class ColumnsOnDemand final : public ColumnSource {
 public:
  ColumnsOnDemand(const CovarianceColumns& K, const std::string& argument)
      : K_(K), argument_(argument), values_(K.diagonal.size()) {}

  void exchange(Index, Index) override {}

  void read(Index row, const std::vector<Index>& order, double* column) override {
    K_.read_column(order[static_cast<std::size_t>(row)], values_);
    require_finite_covariance(values_.allFinite(), argument_);
    for (Index i = row; i < values_.size(); ++i) column[i] = values_(order[static_cast<std::size_t>(i)]);
  }

 private:
  const CovarianceColumns& K_;
  const std::string& argument_;
  Vector values_;
};

/// K in memory, its lower triangle in the order of the pivots. Every `block` columns of L are subtracted from
/// what is left of it at once, so that the factorisation runs at the speed of matrix products.
class StoredColumns final : public ColumnSource {
 public:
  explicit StoredColumns(Matrix K) : A_(std::move(K)) {}

  void exchange(Index i, Index j) override {
    const Index below = A_.rows() - j - 1, between = j - i - 1;
    std::swap(A_(i, i), A_(j, j));
    A_.col(i).tail(below).swap(A_.col(j).tail(below));
    A_.col(i).segment(i + 1, between).swap(A_.row(j).segment(i + 1, between).transpose());
  }

  void read(Index row, const std::vector<Index>&, double* column) override {
    std::copy(A_.col(row).data() + row, A_.col(row).data() + A_.rows(), column + row);
  }

  Index explained() const override { return explained_; }

  void explain(const Matrix& L, Index rank) override {
    if (rank - explained_ < block || rank == A_.rows()) return;
    const Index left = A_.rows() - rank;
    reduce_by_gram(A_.bottomRightCorner(left, left), L.block(rank, explained_, left, rank - explained_));
    explained_ = rank;
  }

 private:
  static constexpr Index block = 64;
  Matrix A_;
  Index explained_ = 0;
};

/// The algorithm of the header with rows in the order of the pivots: row r is the r-th pivot, and the rows after
/// the last pivot are those not taken yet.
class Pivoting {
 public:
  Pivoting(Vector diagonal, ColumnSource& source, const RankLimit& limit)
      : D_(diagonal.size()),
        most_(std::min(limit.most, D_)),
        stop_(limit.tolerance * diagonal.mean()),
        rounding_(rounding_tolerance * diagonal.maxCoeff()),
        unexplained_(std::move(diagonal)),
        source_(source),
        L_(D_, std::min<Index>(most_, 64)),
        order_(static_cast<std::size_t>(D_)) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  RankRevealingFactor run() {
    while (rank_ < most_ && unexplained_.tail(D_ - rank_).maxCoeff() > stop_) {
      throw_if_cancelled();
      take(next_pivot());
      if (append_column()) source_.explain(L_, ++rank_);
    }
    return in_original_order();
  }

 private:
  Index row(Index position) const { return order_[static_cast<std::size_t>(position)]; }

  Index next_pivot() const {
    const double largest = unexplained_.tail(D_ - rank_).maxCoeff();
    const double tied = largest - tie_tolerance * largest - rounding_;
    Index best = -1;
    for (Index i = rank_; i < D_; ++i)
      if (unexplained_(i) > stop_ && unexplained_(i) >= tied && (best < 0 || row(i) < row(best))) best = i;
    return best;
  }

  /// Exchanges a row with the first that is not taken yet.
  void take(Index position) {
    if (position == rank_) return;
    std::swap(order_[static_cast<std::size_t>(rank_)], order_[static_cast<std::size_t>(position)]);
    std::swap(unexplained_(rank_), unexplained_(position));
    L_.row(rank_).head(rank_).swap(L_.row(position).head(rank_));
    source_.exchange(rank_, position);
  }

  /// The next column of L; false if rounding leaves the pivot nothing to explain after all.
  bool append_column() {
    const Index r = rank_, left = D_ - r, first = source_.explained();
    if (r == L_.cols()) L_.conservativeResize(Eigen::NoChange, std::min(most_, 2 * r));
    auto column = L_.col(r);
    column.head(r).setZero();
    source_.read(r, order_, column.data());
    if (r > first)
      cblas_dgemv(CblasColMajor, CblasNoTrans, blas(left), blas(r - first), -1, &L_(r, first), blas(D_),
                  &L_(r, first), blas(D_), 1, column.data() + r, 1);
    const double variance = column(r);
    if (!(variance > stop_)) {
      unexplained_(r) = stop_;
      return false;
    }
    column.tail(left) /= std::sqrt(variance);
    unexplained_.tail(left).array() -= column.tail(left).array().square();
    return true;
  }

  RankRevealingFactor in_original_order() const {
    RankRevealingFactor factor{.L = Matrix(D_, rank_), .pivots = {order_.begin(), order_.begin() + rank_}};
    for (Index r = 0; r < rank_; ++r)
      for (Index i = 0; i < D_; ++i) factor.L(row(i), r) = L_(i, r);
    return factor;
  }

  Index D_, most_;
  double stop_, rounding_;
  Vector unexplained_;  ///< d of the header
  ColumnSource& source_;
  Matrix L_;
  std::vector<Index> order_;  ///< rows of K by position
  Index rank_ = 0;
};

/// Largest |K - L L^T|, from the lower triangle and in its place.
double largest_error(Matrix& K, const Matrix& L) {
  const Index D = K.rows();
  reduce_by_gram(K, L);
  double error = 0;
  for (Index j = 0; j < D; ++j) error = std::max(error, K.col(j).tail(D - j).cwiseAbs().maxCoeff());
  return error;
}

}  // namespace

Matrix RankRevealingFactor::coordinates(const MatrixView& values_at_pivots) const {
  Matrix C = values_at_pivots;
  solve_triangular(L(pivots, Eigen::all), Triangle::lower, C);
  return C;
}

RankRevealingFactor factorise(Matrix K, const std::string& argument, double tolerance) {
  require_finite_covariance(K.allFinite(), argument);
  if (K.size() == 0) return {};
  const SingleThreadedBlas one_thread;
  StoredColumns columns(K);
  RankRevealingFactor factor = Pivoting(K.diagonal(), columns, {.tolerance = tolerance}).run();
  const double largest = K.cwiseAbs().maxCoeff();
  const double error = largest_error(K, factor.L);
  if (!(error <= definiteness_tolerance * largest))
    throw InvalidArgument(
        argument, "must be positive semi-definite, and at these points it is not (off by " +
                      fmt::format("{:.3g}", error) +
                      "); periodic and cosine depend on a Euclidean distance and are covariances of one "
                      "input only: give each its input with active=[i] and multiply them");
  return factor;
}

RankRevealingFactor factorise(const CovarianceColumns& K, const RankLimit& limit,
                              const std::string& argument) {
  require_finite_covariance(K.diagonal.allFinite(), argument);
  if (K.diagonal.size() == 0) return {};
  const SingleThreadedBlas one_thread;
  ColumnsOnDemand columns(K, argument);
  return Pivoting(K.diagonal, columns, limit).run();
}

}  // namespace ridgelet
