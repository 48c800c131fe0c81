#include "ridgelet/inference/latent_mode.hpp"

#include <cmath>
#include <limits>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

constexpr int most_halvings = 25;

/// A step that promises less than this in log p ends the search.
constexpr double negligible_gain = 1e-12;

/// As a part of log p: a gain that rounding may hide.
constexpr double hidden_gain = 1e-9;

/// G Z at a block of rows.
Matrix times_factor(const MatrixView& values, const Matrix& Z) {
  Matrix product = Matrix::Zero(values.rows(), Z.cols());
  accumulate_product(product, values.rightCols(values.cols() - 1), Z);
  return product;
}

/// f at a block of rows.
Matrix functions_at(const MatrixView& values, const MatrixView& offset, const Matrix& z) {
  Matrix f = times_factor(values, z) + offset;
  f.colwise() += values.col(0);
  return f;
}

/// W_kl of each row: d_k, less d_k d_l / sum(d) where there are several functions.
Vector curvature_of(const Matrix& d, Index k, Index l) {
  Vector own = k == l ? Vector(d.col(k)) : Vector::Zero(d.rows());
  if (d.cols() > 1) own -= d.col(k).cwiseProduct(d.col(l)).cwiseQuotient(d.rowwise().sum());
  return own;
}

/// sum_l W_kl columns_l at each row.
Vector times_curvature(const Matrix& d, Index k, const Matrix& columns) {
  Vector product = Vector::Zero(d.rows());
  for (Index l = 0; l < d.cols(); ++l) product += curvature_of(d, k, l).cwiseProduct(columns.col(l));
  return product;
}

}  // namespace

void validate(const LatentData& data, Index dimension) {
  require_columns(data.X, dimension, "X");
  require_nonempty(data.X, "X");
  require_rows(data.Y, data.X.rows(), "y");
  require_rows(data.offset, data.X.rows(), "offset");
  require_columns(data.Y, data.functions(), "y");
  require_columns(data.offset, data.functions(), "offset");
  require_finite(data.X, "X");
  require_finite(data.Y, "y");
  require_finite(data.offset, "offset");
}

InvalidArgument no_finite_density() {
  return {"likelihood",
          "the data have no finite density under this network; a smaller amplitude of the kernel, or columns "
          "that are standardised, may help"};
}

LatentMode::LatentMode(const LatentData& data, Index rank, const LatentModeOptions& options)
    : data_(data), options_(options), mode_(rank, data.functions()) {
  require_at_least(options.row_block, 1, "row_block");
  for (Index first = 0; first < data.rows(); first += options.row_block)
    X_.push_back(data.X.middleRows(first, std::min(options.row_block, data.rows() - first)));
}

double LatentMode::bytes(Index rows, Index rank, Index functions, const LatentModeOptions& options) {
  const auto R = static_cast<double>(rank), K = static_cast<double>(functions);
  const double G = 8 * static_cast<double>(rows) * (1 + R);
  const double block = 8 * static_cast<double>(std::min(rows, options.row_block)) * (1 + R);
  return std::min(G, options.kept_bytes) + 3 * block + 3 * 8 * (R * K) * (R * K);
}

template <class Visit>
void LatentMode::for_each_block(Visit&& visit) {
  Index first = 0;
  for (std::size_t i = 0; i < X_.size(); ++i) {
    throw_if_cancelled();
    if (kept_.empty()) {
      values_.resize(X_[i].rows(), 1 + mode_.rows());
      output_->evaluate(X_[i], values_);
    }
    visit(first, kept_.empty() ? values_ : kept_[i]);
    first += X_[i].rows();
  }
}

/// log p(y | z) - |z|^2 / 2 for each of the R x K matrices z side by side in Z.
Vector LatentMode::log_joint(const Matrix& Z) {
  const Index K = mode_.cols(), draws = Z.cols() / K;
  Vector sums(draws);
  for (Index s = 0; s < draws; ++s) sums(s) = -0.5 * Z.middleCols(s * K, K).squaredNorm();
  for_each_block([&](Index first, const Matrix& values) {
    const auto block = [&](const Matrix& all) { return all.middleRows(first, values.rows()); };
    const Matrix product = times_factor(values, Z);
    parallel_for(draws, [&](Index s) {
      Matrix f = product.middleCols(s * K, K) + block(data_.offset);
      f.colwise() += values.col(0);
      sums(s) += data_.likelihood->log_density(block(data_.Y), f);
    });
  });
  return sums;
}

void LatentMode::add_curvature(const MatrixView& G, const Matrix& d) {
  const Index R = mode_.rows(), K = mode_.cols();
  if (K == 1) {
    const Matrix scaled = d.col(0).cwiseSqrt().asDiagonal() * G;
    accumulate_transposed_gram(A_, scaled);
    return;
  }
  // G^T diag(W_kl) G is symmetric and W_kl has one sign: half a product for every pair of functions, in parallel.
  parallel_for(K * (K + 1) / 2, [&](Index pair) {
    Index k = 0;
    while ((k + 1) * (k + 2) / 2 <= pair) ++k;
    const Index l = pair - k * (k + 1) / 2;
    const Vector W = curvature_of(d, k, l);
    const Matrix scaled = W.cwiseAbs().cwiseSqrt().asDiagonal() * G;
    Matrix gram = Matrix::Zero(R, R);
    add_transposed_gram(gram, scaled);
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
    A_.block(k * R, l * R, R, R) += k == l ? gram : Matrix(-gram);
  });
}

LatentMode::Derivatives LatentMode::derivatives_at(Index first, const Matrix& values, const Matrix& z,
                                                   Curvature which) const {
  const auto block = [&](const Matrix& all) { return all.middleRows(first, values.rows()); };
  const Matrix f = functions_at(values, block(data_.offset), z);
  Derivatives at{.s = Matrix(f.rows(), f.cols()), .d = Matrix(f.rows(), f.cols())};
  data_.likelihood->derivatives(block(data_.Y), f, at.s, at.d);
  if (which == Curvature::of_normal) data_.likelihood->normal_curvature(block(data_.Y), f, at.d);
  return at;
}

/// The slope and the factor of A at z; false if they are not finite or A is not positive definite.
bool LatentMode::accumulate(const Matrix& z, Curvature which) {
  const Index size = z.size();
  slope_ = -z;
  A_.setZero(size, size);
  A_.diagonal().setOnes();
  for_each_block([&](Index first, const Matrix& values) {
    const auto [s, d] = derivatives_at(first, values, z, which);
    const auto G = values.rightCols(values.cols() - 1);
    accumulate_transposed_product(slope_, G, s);
    add_curvature(G, d);
  });
  return slope_.allFinite() && std::isfinite(A_.diagonal().sum()) && factor_.compute(A_);
}

bool LatentMode::find(ConditionalOutput& output) {
  output_ = &output;
  kept_.clear();
  const double bytes = 8 * static_cast<double>(data_.rows()) * static_cast<double>(1 + mode_.rows());
  if (bytes <= options_.kept_bytes) {
    std::vector<Matrix> all;
    for_each_block([&](Index, const Matrix& values) { all.push_back(values); });
    kept_ = std::move(all);
  }
  converged_ = false;
  mode_.setZero();
  log_joint_ = log_joint(mode_)(0);
  if (!std::isfinite(log_joint_)) return false;
  for (int step = 0; step < options_.most_steps; ++step) {
    if (!accumulate(mode_, Curvature::of_steps)) return false;
    Matrix direction = slope_;
    MatrixSpan as_vector(direction.reshaped(direction.size(), 1));
    factor_.solve_in_place(as_vector);
    const double promised = slope_.cwiseProduct(direction).sum();
    if (!(promised > negligible_gain)) {
      mode_ += direction;  // This near to the mode a whole step doubles the correct digits.
      log_joint_ = log_joint(mode_)(0);
      converged_ = true;
      break;
    }
    double part = 1, there = 0;
    for (int halving = 0; halving < most_halvings; ++halving, part /= 2)
      if ((there = log_joint(mode_ + part * direction)(0)) > log_joint_) break;
    if (!(there > log_joint_)) {
      converged_ = promised <= hidden_gain * std::max(1.0, std::abs(log_joint_));
      break;
    }
    mode_ += part * direction;
    log_joint_ = there;
  }
  if (!accumulate(mode_, Curvature::of_normal)) return false;
  log_determinant_ = factor_.log_determinant();
  return std::isfinite(log_evidence());
}

Matrix LatentMode::at(const MatrixView& U) const {
  Matrix Z = U;
  factor_.solve_transposed_in_place(Z);
  Z.colwise() += mode_.reshaped();
  return Z.reshaped(mode_.rows(), mode_.cols() * U.cols());
}

Vector LatentMode::log_weights(const MatrixView& U) {
  // So many at a time that the functions at a block of rows take about as much memory as G there.
  constexpr Index fewest = 64;
  const Index at_a_time = std::max(fewest, mode_.rows() / mode_.cols());
  Vector weights(U.cols());
  for (Index first = 0; first < U.cols(); first += at_a_time) {
    const auto some = U.middleCols(first, std::min(at_a_time, U.cols() - first));
    weights.segment(first, some.cols()) = log_joint(at(some)).array() +
                                          0.5 * some.colwise().squaredNorm().transpose().array() -
                                          0.5 * log_determinant_;
  }
  for (double& weight : weights)
    if (std::isnan(weight)) weight = -std::numeric_limits<double>::infinity();
  return weights;
}

double LatentMode::log_joint_and_slope(const Matrix& z, Matrix& slope) {
  double sum = -0.5 * z.squaredNorm();
  slope = -z;
  for_each_block([&](Index first, const Matrix& values) {
    const auto block = [&](const Matrix& all) { return all.middleRows(first, values.rows()); };
    const Matrix f = functions_at(values, block(data_.offset), z);
    Matrix s(f.rows(), f.cols()), d(f.rows(), f.cols());
    sum += data_.likelihood->log_density(block(data_.Y), f);
    data_.likelihood->derivatives(block(data_.Y), f, s, d);
    accumulate_transposed_product(slope, values.rightCols(values.cols() - 1), s);
  });
  return sum;
}

/// t of a block of rows.
Matrix LatentMode::determinant_slope(Index first, const Matrix& values, const Matrix& P) const {
  const Index R = mode_.rows(), K = mode_.cols(), rows = values.rows();
  const auto G = values.rightCols(R);
  const Matrix f = functions_at(values, data_.offset.middleRows(first, rows), mode_);
  Matrix S(K * K, rows);  // g P_kl g^T, a column for each row
  for (Index k = 0; k < K; ++k)
    for (Index l = 0; l <= k; ++l) {
      Matrix GP = Matrix::Zero(rows, R);
      accumulate_product(GP, G, P.block(k * R, l * R, R, R));
      S.row(k + l * K) = S.row(l + k * K) = GP.cwiseProduct(G).rowwise().sum().transpose();
    }
  Matrix t(rows, K);
  Vector y(K), at(K), slope(K);
  for (Index i = 0; i < rows; ++i) {
    y = data_.Y.row(first + i);
    at = f.row(i);
    data_.likelihood->contract_curvature_slope(y.data(), at.data(), S.col(i).data(), slope.data());
    t.row(i) = -0.5 * slope;
  }
  return t;
}

/// d / d[A m, G] at a block of rows.
Matrix LatentMode::evidence_slope(Index first, const Matrix& values, const Matrix& P, const Matrix& a) const {
  const Index R = mode_.rows(), K = mode_.cols();
  const auto G = values.rightCols(R);
  const auto [s, d] = derivatives_at(first, values, mode_, Curvature::of_normal);
  const Matrix t = determinant_slope(first, values, P), Ga = times_factor(values, a);
  Matrix slope = Matrix::Zero(values.rows(), 1 + R);
  for (Index k = 0; k < K; ++k) {
    const Vector of_functions = s.col(k) + t.col(k) - times_curvature(d, k, Ga);
    slope.col(0) += of_functions;
    slope.rightCols(R) += of_functions * mode_.col(k).transpose() + s.col(k) * a.col(k).transpose();
    for (Index l = 0; l < K; ++l) {
      const Matrix scaled = (-curvature_of(d, k, l)).asDiagonal() * G;
      accumulate_product(slope.rightCols(R), scaled, P.block(l * R, k * R, R, R));
    }
  }
  return slope;
}

void LatentMode::pull_back_log_evidence() {
  Matrix P;
  factor_.inverse_into(P);
  P.triangularView<Eigen::StrictlyUpper>() = P.transpose();
  Matrix a = Matrix::Zero(mode_.rows(), mode_.cols());
  for_each_block([&](Index first, const Matrix& values) {
    accumulate_transposed_product(a, values.rightCols(mode_.rows()), determinant_slope(first, values, P));
  });
  // Where the curvature of the normal distribution is not that of the mode (`student`), it is constant, and a is 0.
  MatrixSpan as_vector(a.reshaped(a.size(), 1));
  factor_.solve_in_place(as_vector);
  output_->start_pull_back();
  Index first = 0;
  for (std::size_t i = 0; i < X_.size(); ++i) {
    throw_if_cancelled();
    if (X_.size() > 1) {  // The last evaluation was that of the last block.
      values_.resize(X_[i].rows(), 1 + mode_.rows());
      output_->evaluate(X_[i], values_);
    }
    const Matrix& values = keeps_values() ? kept_[i] : values_;
    output_->pull_back(evidence_slope(first, values, P, a));
    first += X_[i].rows();
  }
}

}  // namespace ridgelet
