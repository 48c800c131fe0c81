#include "ridgelet/inference/row_spectrum.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/linalg/svd.hpp"

namespace ridgelet {

namespace {

/// Rows of the data a block at a time: [A m, G] and what is left of y.
template <class Visit>
void for_each_row_block(ConditionalOutput& output, const Data& data, const SpectrumOptions& options,
                        Visit&& visit) {
  const Index M = data.rows(), R = output.rank(), block = std::min(options.row_block, M);
  Matrix values(block, 1 + R);
  for (Index first = 0; first < M; first += block) {
    const Index rows = std::min(block, M - first);
    MatrixSpan at_rows = values.topRows(rows);
    output.evaluate(data.X.middleRows(first, rows), at_rows);
    const Matrix r = data.Y.middleRows(first, rows).colwise() - at_rows.col(0);
    visit(at_rows.rightCols(R), r);
    if (options.progress) options.progress(first + rows, M);
  }
}

RowSpectrum spectrum_of_squares(ConditionalOutput& output, const Data& data, const SpectrumOptions& options) {
  const Index R = output.rank(), K = data.outputs();
  Matrix gram = Matrix::Zero(R, R), projected = Matrix::Zero(R, K);
  Vector squares = Vector::Zero(K);
  for_each_row_block(output, data, options, [&](const MatrixView& G, const Matrix& r) {
    accumulate_transposed_gram(gram, G);
    accumulate_transposed_product(projected, G, r);
    squares += r.colwise().squaredNorm().transpose();
  });
  SymmetricEigenDecomposition eigen = symmetric_eigen(std::move(gram));
  RowSpectrum spectrum{.U = std::move(eigen.vectors),
                       .squares = eigen.values.cwiseMax(0),
                       .projected = {},
                       .rest = {},
                       .rows = data.rows()};
  // Directions that the rows do not know: their eigenvalues, and what y has along them, are rounding.
  const double rounding = 1e-15 * static_cast<double>(R) * spectrum.squares.maxCoeff();
  spectrum.projected = transposed_product(spectrum.U, projected);
  for (Index j = 0; j < R; ++j)
    if (spectrum.squares(j) > rounding)
      spectrum.projected.row(j) /= std::sqrt(spectrum.squares(j));
    else
      spectrum.projected.row(j).setZero();
  spectrum.rest = squares - spectrum.projected.colwise().squaredNorm().transpose();
  return spectrum;
}

RowSpectrum spectrum_of_roots(ConditionalOutput& output, const Data& data, const SpectrumOptions& options) {
  const Index R = output.rank(), K = data.outputs();
  StackedFactor stack;
  stack.start(R + K);
  Matrix rows;
  for_each_row_block(output, data, options, [&](const MatrixView& G, const Matrix& r) {
    rows.resize(G.rows(), R + K);
    rows << G, r;
    stack.append(rows);
  });
  const Matrix& T = stack.T();
  SingularValueDecomposition svd = full_svd(T.topLeftCorner(R, R));
  return {.U = std::move(svd.V),
          .squares = svd.S.array().square(),
          .projected = transposed_product(svd.U, T.topRightCorner(R, K)),
          .rest = T.bottomRightCorner(K, K).colwise().squaredNorm().transpose(),
          .rows = data.rows(),
          .by_root = true};
}

/// The argument between `from` and `to` at which f is least, to half the digits of a double: more cannot be told from
/// values of f. Brent's method; the number of steps is bounded.
template <class Function>
double minimiser(Function&& f, double from, double to) {
  constexpr int bits = 26;
  std::uintmax_t steps = 60;
  return boost::math::tools::brent_find_minima(f, from, to, bits, steps).first;
}

}  // namespace

double RowSpectrum::log_evidence(Index output, double noise, double amplitude) const {
  const double s2 = noise * noise;
  const auto variances = (amplitude * amplitude * squares.array() + s2).eval();
  const double misfit = (projected.col(output).array().square() / variances).sum() + rest(output) / s2;
  const double beyond = static_cast<double>(rows - rank()) * std::log(s2);
  return -0.5 * (misfit + variances.log().sum() + beyond +
                 static_cast<double>(rows) * std::log(2 * std::numbers::pi));
}

Vector RowSpectrum::mean(Index output, double noise) const {
  const auto along =
      projected.col(output).array() * squares.array().sqrt() / (squares.array() + noise * noise);
  return U * along.matrix();
}

Matrix RowSpectrum::root(double noise) const {
  const Vector scale = noise * (squares.array() + noise * noise).rsqrt();
  return U * scale.asDiagonal();
}

RowSpectrum RowSpectrum::scaled(double amplitude) const {
  RowSpectrum other = *this;
  other.squares *= amplitude * amplitude;
  return other;
}

RowSpectrum row_spectrum(ConditionalOutput& output, const Data& data, const SpectrumOptions& options) {
  require_at_least(options.row_block, 1, "row_block");
  return options.by_root ? spectrum_of_roots(output, data, options)
                         : spectrum_of_squares(output, data, options);
}

bool squares_suffice(const RowSpectrum& spectrum, const VectorView& noise) {
  if (spectrum.by_root) return true;
  for (Index k = 0; k < spectrum.outputs(); ++k) {
    const double all = spectrum.rest(k) + spectrum.projected.col(k).squaredNorm();
    if (!squares_suffice(std::max(spectrum.squares.maxCoeff(), all), noise(k))) return false;
  }
  return true;
}

PolishedScales polish_scales(const std::vector<RowSpectrum>& spectra, const VectorView& noise,
                             const PolishOptions& options) {
  const double noise_reach = std::log(100.0), amplitude_reach = std::log(10.0);
  const auto evidence = [&](Index k, double of_noise, double amplitude) {
    double total = 0;
    for (const RowSpectrum& spectrum : spectra) total += spectrum.log_evidence(k, of_noise, amplitude);
    return total;
  };
  const auto best_noise = [&](Index k, double amplitude) {
    if (!options.noise) return noise(k);
    double from = std::log(noise(k)) - noise_reach;
    const double to = std::log(noise(k)) + noise_reach;
    if (options.least_noise.size() > 0) from = std::clamp(std::log(options.least_noise(k)), from, to);
    return std::exp(minimiser([&](double s) { return -evidence(k, std::exp(s), amplitude); }, from, to));
  };
  const auto best_evidence = [&](double amplitude) {
    double total = 0;
    for (Index k = 0; k < noise.size(); ++k) total += evidence(k, best_noise(k, amplitude), amplitude);
    return total;
  };
  PolishedScales scales{.amplitude = 1, .noise = noise};
  if (options.amplitude)
    scales.amplitude = std::exp(
        minimiser([&](double a) { return -best_evidence(std::exp(a)); }, -amplitude_reach, amplitude_reach));
  for (Index k = 0; k < noise.size(); ++k) scales.noise(k) = best_noise(k, scales.amplitude);
  return scales;
}

}  // namespace ridgelet
