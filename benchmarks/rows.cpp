#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "families.hpp"
#include "growth.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/inference/mixed_cost.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::benchmarks {

namespace {

constexpr Index inputs = 10;
constexpr Index row_block = 2048;
constexpr double noise = 0.2;
constexpr double evidence_tolerance = 1e-8;

/// Friedman's first function of inputs on [0, 1]^10 with noise, scaled to about mean 0 and standard deviation 1.
Data friedman(Index rows) {
  const RandomStream stream{.seed = 1, .purpose = Purpose::target_process};
  Data data{.X = Matrix(rows, inputs), .Y = Matrix(rows, 1), .noise = Vector::Constant(1, noise)};
  const Vector errors = stream.normals(rows);
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < inputs; ++k)
      data.X(i, k) = RandomStream{.seed = 1, .purpose = Purpose::node_candidates}.uniform(
          static_cast<std::uint64_t>(i * inputs + k));
  const auto x = [&](Index k) { return data.X.col(k).array(); };
  data.Y = (10 * (std::numbers::pi * x(0) * x(1)).sin() + 20 * (x(2) - 0.5).square() + 10 * x(3) + 5 * x(4) -
            14.4) /
               5 +
           noise * errors.array();
  data.X = std::sqrt(12.0) * (data.X.array() - 0.5);
  return data;
}

/// A network for such rows: D nodes among them, so that R = D, and N = 2 D units.
RidgeletPrior friedman_prior(Index units, Index nodes) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("se(amplitude=1, lengthscale=3)")},
                        .nodes = {.points = friedman(nodes).X, .weights = Vector::Ones(nodes)},
                        .units = units,
                        .hidden = {.sigma_w = 0.3, .sigma_b = 1.5}});
}

RowSpectrum our_fit(const RidgeletPrior& prior, const HiddenLayers& layers, const Data& data,
                    bool mixed = false) {
  GivenHidden output(prior, layers);
  return row_spectrum(output, data, {.row_block = row_block, .mixed = mixed});
}

/// How far the means and sds of a fit in mixed precision are from those in double precision at the rows, in units of
/// the latter sds: the largest of all.
MixedCost difference(GivenHidden& network, const RowSpectrum& in_double, const RowSpectrum& mixed,
                     const Data& rows) {
  Matrix values(rows.rows(), 1 + network.rank());
  network.evaluate(rows.X, values);
  const auto G = values.rightCols(network.rank());
  const auto sds = [&](const RowSpectrum& spectrum) -> Vector {
    return (G * spectrum.root(noise)).rowwise().norm();
  };
  const Vector sd = sds(in_double), means = G * (mixed.mean(0, noise) - in_double.mean(0, noise));
  return {.mean = means.cwiseQuotient(sd).cwiseAbs().maxCoeff(),
          .sd = (sds(mixed).cwiseQuotient(sd).array() - 1).abs().maxCoeff()};
}

/// The same in plain Eigen on all BLAS threads, a block of rows at a time, since 10^5 rows of features take 800 MB:
/// B by Eigen's LLT, features by Eigen's tanh, G^T G by a rank update, and Eigen's own eigendecomposition.
class PlainEigen {
 public:
  explicit PlainEigen(const RidgeletPrior& prior) : prior_(prior) {}

  /// log p(y).
  double fit(const HiddenLayer& layer, const Data& data) const {
    const Matrix weights = output_weights(layer);
    const Index R = weights.cols(), M = data.rows();
    Matrix gram = Matrix::Zero(R, R);
    Vector projected = Vector::Zero(R);
    for (Index first = 0; first < M; first += row_block) {
      const Index rows = std::min(row_block, M - first);
      const Matrix G = features(layer, data.X.middleRows(first, rows)) * weights;
      gram.selfadjointView<Eigen::Lower>().rankUpdate(G.transpose());
      projected += G.transpose() * data.Y.col(0).segment(first, rows);
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
    return log_evidence(eigen.eigenvalues(), eigen.eigenvectors().transpose() * projected, data);
  }

 private:
  static Matrix features(const HiddenLayer& layer, const Matrix& X) {
    return ((X * layer.W.transpose()).rowwise() + layer.b.transpose()).array().tanh();
  }

  /// B L.
  Matrix output_weights(const HiddenLayer& layer) const {
    const Matrix Phi = features(layer, prior_.options().nodes.points);
    Matrix S = Phi * Phi.transpose();
    S.diagonal().array() += prior_.options().op.ridge * S.trace() / static_cast<double>(S.rows());
    return Phi.transpose() * S.llt().solve(prior_.node_factor().L);
  }

  /// The log evidence of row_spectrum.hpp, by squares.
  static double log_evidence(const Vector& squares, const Vector& along, const Data& data) {
    const double s2 = noise * noise, M = static_cast<double>(data.rows()),
                 R = static_cast<double>(squares.size());
    const auto variances = (squares.array().max(0) + s2).eval();
    const double misfit = (data.Y.squaredNorm() - (along.array().square() / variances).sum()) / s2;
    return -0.5 *
           (misfit + variances.log().sum() + (M - R) * std::log(s2) + M * std::log(2 * std::numbers::pi));
  }

  const RidgeletPrior& prior_;
};

/// What a pass computes from its rows: [A m, G] and the lower triangle of G^T G, in blocks of rows.
void pass_over_rows(GivenHidden& output, const Data& data, Matrix& values, Matrix& gram) {
  gram.setZero();
  for (Index first = 0; first < data.rows(); first += row_block) {
    MatrixSpan at_rows = values.topRows(std::min(row_block, data.rows() - first));
    output.evaluate(data.X.middleRows(first, at_rows.rows()), at_rows);
    accumulate_transposed_gram(gram, at_rows.rightCols(output.rank()));
  }
}

/// A whole fit in closed form, from the prior to the spectrum of the rows.
void fit_rows(Index rows) {
  const RidgeletPrior prior = friedman_prior(300, 150);
  our_fit(prior, prior.draw_hidden(1), friedman(rows));
}

}  // namespace

Measurement closed_form_fit() {
  const RidgeletPrior prior = friedman_prior(1000, 500);
  const Data data = friedman(100'000);
  const HiddenLayers layers = prior.draw_hidden(1);
  const PlainEigen plain(prior);
  const double expected = plain.fit(layers.first(), data),
               off = std::abs(our_fit(prior, layers, data).log_evidence(0, noise) / expected - 1);
  require_agreement(off, evidence_tolerance, "log evidences");
  return compare_sides({{"ours", Threads::ours, [&](Index) { our_fit(prior, layers, data); }},
                        {"plain_eigen", Threads::blas, [&](Index) { plain.fit(layers.first(), data); }}},
                       3, off);
}

Measurement gemm_fraction() {
  constexpr Index rows = 16'384, units = 1000, nodes = 500;
  const RidgeletPrior prior = friedman_prior(units, nodes);
  const Data data = friedman(rows);
  GivenHidden output(prior, prior.draw_hidden(1));
  const Index R = output.rank();
  Matrix values(row_block, 1 + R), gram(R, R), product(rows, 1 + R);
  const Matrix features = Matrix::Constant(rows, units, 0.5), weights = Matrix::Constant(units, 1 + R, 0.5);
  const std::vector<double> times = median_milliseconds(
      {{"ours", Threads::ours, [&](Index) { pass_over_rows(output, data, values, gram); }},
       {"dgemm", Threads::blas, [&](Index) { product.noalias() = features * weights; }}},
      7);
  const auto m = static_cast<double>(rows), n = static_cast<double>(units), r = static_cast<double>(R);
  const double of_dgemm = 2 * m * n * (1 + r), of_pass = of_dgemm + m * r * (r + 1);
  const double rate = of_pass / times[0] / 1e6, dgemm_rate = of_dgemm / times[1] / 1e6;
  return {.value = rate / dgemm_rate,
          .detail = {{"gflops", rate}, {"dgemm_gflops", dgemm_rate}, {"rows", m}, {"units", n}, {"rank", r}}};
}

Measurement mixed_pass() {
  const RidgeletPrior prior = friedman_prior(1000, 500);
  const Data data = friedman(100'000), some = friedman(row_block);
  const HiddenLayers layers = prior.draw_hidden(1);
  GivenHidden network(prior, layers);
  const RowSpectrum in_double = our_fit(prior, layers, data), mixed = our_fit(prior, layers, data, true);
  const MixedCost found = difference(network, in_double, mixed, some),
                  stated = mixed_cost(network, closed_form_network(layers, mixed, data.noise), 1, some,
                                      data.noise, data.rows());
  require_agreement(found.mean, MixedCost::negligible_change, "means, in sds");
  require_agreement(found.sd, MixedCost::negligible_change, "sds");
  Measurement measured =
      compare_sides({{"mixed", Threads::ours, [&](Index) { our_fit(prior, layers, data, true); }},
                     {"double", Threads::ours, [&](Index) { our_fit(prior, layers, data); }}},
                    5, found.mean);
  measured.detail.insert(
      measured.detail.end(),
      {{"difference_of_sds", found.sd}, {"stated_of_means", stated.mean}, {"stated_of_sds", stated.sd}});
  return measured;
}

Measurement rows_slope() {
  return time_slope(fit_rows, few, many);
}

Measurement rows_peak_mb() {
  return peak_memory(fit_rows, many);
}

}  // namespace ridgelet::benchmarks
