#include "ridgelet/inference/row_spectrum.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/tiles.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/linalg/svd.hpp"
#include "ridgelet/target/learning.hpp"
#include "row_sums.hpp"

namespace ridgelet {

namespace {

/// The sums of several networks, one after another.
template <class Sums>
struct EachSums {
  std::vector<Sums> networks;

  void add(const EachSums& later) {
    for (std::size_t i = 0; i < networks.size(); ++i) networks[i].add(later.networks[i]);
  }
  void pack(Packer& packer) const {
    packer.put(networks.size());
    for (const Sums& sums : networks) sums.pack(packer);
  }
  static EachSums unpack(Unpacker& unpacker) {
    EachSums each;
    for (auto left = unpacker.get<std::size_t>(); left > 0; --left)
      each.networks.push_back(Sums::unpack(unpacker));
    return each;
  }
};

/// One pass over the rows.
template <class Sums>
std::vector<Sums> sums_over_rows(const std::vector<ConditionalOutput*>& outputs, const DataTiles& data,
                                 const SpectrumOptions& options) {
  Index done = 0;
  Matrix values;
  const auto of_tile = [&](Index, const DataTile& tile) {
    EachSums<Sums> each;
    for (ConditionalOutput* output : outputs) {
      values.resize(tile.X.rows(), 1 + output->rank());
      options.mixed ? output->evaluate_mixed(tile.X, values) : output->evaluate(tile.X, values);
      each.networks.push_back(
          Sums::of(values.rightCols(output->rank()), Matrix(tile.Y.colwise() - values.col(0))));
    }
    done += tile.X.rows();
    if (options.progress) options.progress(done, data.rows);
    return each;
  };
  return sum_over_tiles<EachSums<Sums>>(data.tiles, data.ranks, data.read, of_tile).networks;
}

/// What a sum of products is off by, relative to the lengths of the two columns that are multiplied.
constexpr double rounding = 1e-16;

/// With the lengths d of the columns of G and D = diag(d), let D^{-1} G^T G D^{-1} = Q diag(e) Q^T. All entries of this
/// matrix are known to rounding, however different the lengths are. So T = diag(sqrt(e)) Q^T D has T^T T = G^T G, and c
/// comes from the singular value decomposition of T as it would from that of G.
RowSpectrum spectrum_of(SquareSums sums, Index rows) {
  const Vector d = sums.gram.diagonal().cwiseSqrt();
  const Vector inverse = (d.array() > 0).select(d.cwiseInverse(), 0);
  SymmetricEigenDecomposition eigen =
      symmetric_eigen(inverse.asDiagonal() * sums.gram * inverse.asDiagonal());
  // Eigenvalues below this are rounding errors. Raised to it they still are, and T^T c = G^T r holds.
  const double least = std::max(10 * rounding * eigen.values.maxCoeff(), std::numeric_limits<double>::min());
  const Vector roots = eigen.values.array().max(least).sqrt();
  const Matrix along = roots.cwiseInverse().asDiagonal() *
                       transposed_product(eigen.vectors, inverse.asDiagonal() * sums.projected);
  SingularValueDecomposition svd = full_svd(roots.asDiagonal() * eigen.vectors.transpose() * d.asDiagonal());
  return {.U = std::move(svd.V),
          .squares = svd.S.array().square(),
          .projected = transposed_product(svd.U, along),
          .rest = (sums.squares - along.colwise().squaredNorm()).row(0).transpose(),
          .rows = rows};
}

RowSpectrum spectrum_of(const RootSums& sums, Index rank, Index rows) {
  const Index K = sums.T.cols() - rank;
  SingularValueDecomposition svd = full_svd(sums.T.topLeftCorner(rank, rank));
  return {.U = std::move(svd.V),
          .squares = svd.S.array().square(),
          .projected = transposed_product(svd.U, sums.T.topRightCorner(rank, K)),
          .rest = sums.T.bottomRightCorner(K, K).colwise().squaredNorm().transpose(),
          .rows = rows,
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
  return std::move(row_spectra({&output}, tiles_of(data, options.row_block), options).front());
}

std::vector<RowSpectrum> row_spectra(const std::vector<ConditionalOutput*>& outputs, const DataTiles& data,
                                     const SpectrumOptions& options) {
  std::vector<RowSpectrum> spectra;
  if (options.by_root) {
    const std::vector<RootSums> sums = sums_over_rows<RootSums>(outputs, data, options);
    for (std::size_t i = 0; i < sums.size(); ++i)
      spectra.push_back(spectrum_of(sums[i], outputs[i]->rank(), data.rows));
  } else {
    for (SquareSums& sums : sums_over_rows<SquareSums>(outputs, data, options))
      spectra.push_back(spectrum_of(std::move(sums), data.rows));
  }
  return spectra;
}

double bytes_of_row_sums(Index rank, Index outputs, Index tiles) {
  const double width = static_cast<double>(rank + outputs),
               levels = 2 + std::log2(static_cast<double>(tiles));
  return 8 * levels * width * width;
}

bool squares_suffice(const RowSpectrum& spectrum, const VectorView& noise) {
  if (spectrum.by_root) return true;
  const Matrix shares = spectrum.U.cwiseAbs2();
  const Vector lengths = (shares * spectrum.squares).cwiseSqrt();
  const double longest = std::sqrt(spectrum.squares.maxCoeff());
  for (Index k = 0; k < spectrum.outputs(); ++k) {
    const double s = noise(k), r = std::sqrt(spectrum.rest(k) + spectrum.projected.col(k).squaredNorm());
    const Vector variances = shares * (spectrum.squares.array() + s * s).inverse().matrix();
    const double q = lengths.cwiseAbs2().dot(variances),
                 mean = std::sqrt(q) * (r + lengths.cwiseProduct(spectrum.mean(k, s)).norm()) / s;
    if (!(rounding * q <= 1e-8 && rounding * mean <= 1e-6 && rounding * r * r <= 1e-6 * s * s &&
          rounding * longest <= 1e-8 * s))
      return false;
  }
  return true;
}

PolishedScales polish_scales(const std::vector<RowSpectrum>& spectra, const VectorView& noise,
                             const PolishOptions& options) {
  const double noise_reach = std::log(100.0), amplitude_reach = std::log(10.0);
  const auto evidence = [&](Index k, double of_noise, double amplitude) {
    double total = 0;
    for (const RowSpectrum& spectrum : spectra) total += spectrum.log_evidence(k, of_noise, amplitude);
    if (options.usual_noise.size() == 0) return total;
    return total +
           static_cast<double>(spectra.size()) * NoisePrior::log_density(of_noise / options.usual_noise(k));
  };
  const auto best_noise = [&](Index k, double amplitude) {
    if (!options.noise) return noise(k);
    double from = std::log(noise(k)) - noise_reach;
    const double to = std::log(noise(k)) + noise_reach;
    if (options.least_noise.size() > 0)
      from = std::clamp(std::log(options.least_noise(k) * std::max(amplitude, 1.0)), from, to);
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
