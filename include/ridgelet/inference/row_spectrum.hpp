/// All that the evidence of y = G z + e needs to know of many rows, in a few numbers for each coordinate.
///
/// With the singular value decomposition G = Q diag(g) U^T (M x R) and r = y - mean,
///   c = Q^T r,   rest = |r|^2 - |c|^2,
/// the log evidence for noise s, and for any factor a by which G might be multiplied, is
///   -2 log p = sum_j c_j^2 / (s^2 + a^2 g_j^2) + rest / s^2
///              + sum_j log(s^2 + a^2 g_j^2) + (M - R) log s^2 + M log 2 pi
/// and z given y has, for the function a G z,
///   mean        U diag( a g_j / (s^2 + a^2 g_j^2) ) c
///   covariance  U diag( s^2   / (s^2 + a^2 g_j^2) ) U^T.
/// So noise and amplitude are found on all rows by a search over two numbers, each trial at a cost of R.
///
/// The decomposition comes from sums over tiles of rows, so memory does not grow with M: from G^T G with its columns
/// scaled to one length, at a cost of M R^2, or, where squares leave too few digits (squares_suffice), from the
/// triangular factor of [G, r] (linalg/square_root.hpp), at twice that. The tiles are added in one order, whatever the
/// number of threads and ranks (core/pairwise.hpp).
#pragma once

#include <functional>
#include <vector>

#include "ridgelet/inference/data_tiles.hpp"

namespace ridgelet {

struct RowSpectrum {
  Matrix U;              ///< R x R
  Vector squares;        ///< g_j^2
  Matrix projected;      ///< c, R x outputs
  Vector rest;           ///< of each output
  Index rows = 0;        ///< M
  bool by_root = false;  ///< whether it came from the triangular factor

  Index rank() const { return U.rows(); }
  Index outputs() const { return projected.cols(); }

  /// log p(y) of one output, by the formula above.
  double log_evidence(Index output, double noise, double amplitude = 1) const;

  /// z given y: its mean, and a root C with C C^T its covariance (R x R).
  Vector mean(Index output, double noise) const;
  Matrix root(double noise) const;

  /// The same with G multiplied by a factor.
  RowSpectrum scaled(double amplitude) const;
};

struct SpectrumOptions {
  Index row_block = CollapsedLikelihood::default_row_block;  ///< of data in memory: rows of a tile
  bool by_root = false;
  bool mixed = false;  ///< G in mixed precision (ConditionalOutput::evaluate_mixed); its sums are not
  /// Called after each tile, with the number of rows done so far.
  std::function<void(Index done, Index total)> progress = nullptr;
};

/// One pass over the rows of the data with the network that `output` is conditioned on.
RowSpectrum row_spectrum(ConditionalOutput& output, const Data& data, const SpectrumOptions& options = {});

/// The same for several networks, in one pass over the tiles.
std::vector<RowSpectrum> row_spectra(const std::vector<ConditionalOutput*>& outputs, const DataTiles& data,
                                     const SpectrumOptions& options = {});

/// Bytes that the sums of one network take during the pass.
double bytes_of_row_sums(Index rank, Index outputs, Index tiles);

/// Whether squares of these rows leave enough digits for such noise s. Sums of squares are off by e = 1e-16 of
/// |g_i| |g_j| and |g_j| |r|, where g_j are the columns of G. Let D = diag(|g_j|) and
///   q = trace(D cov[z | y] D) / s^2,
/// which is R for orthogonal columns that are longer than the noise, and grows as columns become parallel, not as they
/// become longer. Then, in first order,
///   a variance is off by        e q of itself,                                 at most 1e-8;
///   a mean by                   e sqrt(q) (|r| + |D E[z | y]|) / s of its sd,  at most 1e-6;
///   the log evidence by         e |r|^2 / s^2,                                 at most 1e-6;
///   any g_j by                  e |G| / s of the noise,                        at most 1e-8.
/// A limit on |G|^2 / s^2 alone would reject squares that are good enough: with 10^6 rows |G|^2 is large, but the
/// columns are no more parallel than those of 10^3 rows. Cost R^2.
bool squares_suffice(const RowSpectrum& spectrum, const VectorView& noise);

/// Noise and amplitude with the greatest evidence: that of one network, or the product over several.
struct PolishedScales {
  double amplitude = 1;  ///< a factor on the function
  Vector noise;
};

/// Which numbers may be changed; the others stay. Amplitudes are searched within a factor of 10 either way, and noise
/// within a factor of 100 and above `least_noise`, times the amplitude where that is more than 1.
struct PolishOptions {
  bool noise = true;
  bool amplitude = true;
  Vector least_noise = {};  ///< of each output; no bound if empty
  /// Medians of the log-normal prior that the noise was learned with (target/learning.hpp), one for each output. Few
  /// rows leave the noise open, which the prior then decides. No prior if empty.
  Vector usual_noise = {};
};

PolishedScales polish_scales(const std::vector<RowSpectrum>& spectra, const VectorView& noise,
                             const PolishOptions& options);

}  // namespace ridgelet
