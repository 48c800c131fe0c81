/// The posterior of a network: draws of hidden layers, and for each the exact Gaussian posterior of the rest.
///
/// Predictions average over draws s = 1 .. S of the hidden layer, whose conditional mean and variance at x
/// are mu_s(x) and v_s(x):
///   mean       (1/S) sum mu_s
///   variance   (1/S) sum v_s + variance of the mu_s
///   quantiles  of the mixture (1/S) sum N(mu_s, v_s)
/// with noise^2 added to every v_s where noise is wanted. Several outputs are predicted side by side.
///
/// New inputs are taken a block of rows at a time, so that memory does not grow with their number. A draw is
/// conditioned on the data when it is first used, at the cost of a likelihood evaluation, and what predictions need of
/// it is kept (ConditionedDraw); from then on a block costs a pass over the units at its rows for each draw used
/// (PredictiveOptions::most_draws). Draws for which there is no room are conditioned anew for every block.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ridgelet/inference/collapsed_density.hpp"
#include "ridgelet/inference/conditioned_draws.hpp"
#include "ridgelet/inference/mixture.hpp"
#include "ridgelet/inference/posterior_draws.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

/// Predictive summaries at M* inputs, a column for each output.
struct PredictiveSummary {
  Matrix mean;
  Matrix sd;
  Matrix lower;
  Matrix upper;
};

struct PredictiveOptions {
  bool noise = true;    ///< of new observations; false for the function itself
  double level = 0.95;  ///< of the interval between `lower` and `upper`
  Index row_block = 0;  ///< new inputs taken at a time; 0: as many as take about 256 MB
  /// At most this many draws of the hidden layers are used, evenly spaced: each costs a pass over the units, and with
  /// 400 the Monte Carlo error is a twentieth of the spread between hidden layers.
  Index most_draws = 400;
};

/// Throws InvalidArgument about "level", "row_block" or "most_draws".
void validate(const PredictiveOptions& options);

/// Summaries of the mixtures (1/S) sum_s N(means_s, sds_s^2 + noise^2): draws are rows, inputs of one output after the
/// other are columns, and `noise` has a number for each output.
PredictiveSummary summarise_mixtures(const MatrixView& means, const MatrixView& sds, const VectorView& noise,
                                     double level);

/// Summaries at the rows of Xs, `block` of them at a time; `moments` returns the mixture at a block, without noise.
PredictiveSummary summarise_in_blocks(const Matrix& Xs, Index block, const VectorView& noise, double level,
                                      const std::function<PredictiveMixture(const Matrix& block)>& moments);

class Posterior {
 public:
  /// Memory for conditioned draws, unless told otherwise; never more than a quarter of what is available.
  static constexpr double default_kept_bytes = 512e6;

  /// `offset` is added to every function: the process's mean, where it was subtracted from the data.
  Posterior(std::shared_ptr<const LayerPrior> prior, std::shared_ptr<const Data> data, MeanFunction offset,
            PosteriorDraws draws, double kept_bytes = default_kept_bytes);

  const LayerPrior& prior() const { return *prior_; }
  const Data& data() const { return *data_; }
  const PosteriorDraws& draws() const { return draws_; }

  /// Throws InvalidArgument about "Xs", "level" or "row_block". Draws run in parallel; numbers depend on the
  /// blocks in their last digits only.
  PredictiveSummary predict(const Matrix& Xs, const PredictiveOptions& options = {}) const;

  /// Memory that a prediction at M* inputs takes, in blocks of `row_block` of them.
  double prediction_bytes(Index rows, const PredictiveOptions& options = {}) const;

  /// Mean and sd of at most `most_draws` draws, evenly spaced, at the rows of Xs, noise not included. With
  /// `average_over` = n, those of the function's average over rows 1 .. n, n + 1 .. 2 n and so on.
  PredictiveMixture moments(const Matrix& Xs, Index most_draws = PredictiveOptions{}.most_draws,
                            Index average_over = 1) const;

  /// Joint draws of one output's noise-free function at the rows of Xs, one in each row, in the order of draws(): all
  /// of them, or `count` that are evenly spaced.
  Matrix functions(const Matrix& Xs, Index output = 0) const;
  Matrix functions(const Matrix& Xs, Index count, Index output) const;

  /// Covariance of one output's noise-free function between the rows of Xs: the covariance given the layers, averaged
  /// over at most `most_draws` draws, plus that of their means. Throws InvalidArgument about "Xs" or "output".
  Matrix covariance(const Matrix& Xs, Index output = 0,
                    Index most_draws = PredictiveOptions{}.most_draws) const;

  /// [A m, G] of one draw at the rows of Xs, M* x (1 + R).
  Matrix outputs_at(Index draw, const Matrix& Xs) const;

  /// The hidden layers of one draw.
  HiddenLayers layers(Index draw) const;

  /// The network of one draw, with all outputs and the offset.
  Network network(Index draw) const;

 private:
  std::shared_ptr<const ConditionedDraw> conditioned(Index draw,
                                                     std::optional<CollapsedLikelihood>& workspace) const;
  double conditioned_bytes() const;
  double bytes_per_row(const PredictiveOptions& options) const;
  Index block_size(Index rows, const PredictiveOptions& options) const;
  Matrix functions_of(const std::vector<Index>& chosen, const Matrix& Xs, Index output) const;
  void validate_inputs(const Matrix& Xs) const;

  std::shared_ptr<const LayerPrior> prior_;
  std::shared_ptr<const Data> data_;
  MeanFunction offset_;
  PosteriorDraws draws_;
  double kept_bytes_;
  std::shared_ptr<KeptDraws> kept_;  ///< shared by copies
};

}  // namespace ridgelet
