/// The posterior of a network: draws of hidden layers, and for each the exact Gaussian posterior of the rest.
///
/// Predictions average over draws s = 1 .. S of the hidden layer, whose conditional mean and variance at x
/// are mu_s(x) and v_s(x):
///   mean      (1/S) sum mu_s
///   variance  (1/S) sum v_s + variance of the mu_s
///   quantiles of the mixture (1/S) sum N(mu_s, v_s), to 1e-10 of its spread
/// with noise^2 added to every v_s where noise is wanted. Several outputs are predicted side by side.
/// Cost of a prediction: a likelihood evaluation and N (M* + ...) for each draw.
#pragma once

#include <vector>

#include "ridgelet/inference/chains.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

/// What the chains leave behind: a row for each draw, chain after chain.
struct PosteriorDraws {
  Index chains = 0;
  Matrix layers;          ///< a row for each draw: HiddenLayers::packed()
  Matrix coordinates;     ///< (chains draws) x (R outputs): z, one output after the other
  Vector log_likelihood;  ///< (chains draws)
  Vector evaluations;     ///< likelihood evaluations of the step that made each draw

  Index size() const { return layers.rows(); }
  Index draws_per_chain() const { return size() / chains; }

  /// Memory of `draws` draws in all.
  static double bytes(const LayerPrior& prior, Index outputs, Index draws);

  /// Room for `draws` draws of each of the chains.
  static PosteriorDraws allocate(std::vector<Chain>& chains, Index draws);

  /// Keeps where the chain is as its draw number `draw`, counted from 0.
  void record(Chain& chain, Index draw, int step_evaluations);
};

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
};

class Posterior {
 public:
  /// `offset` is added to every function: the process's mean, where it was subtracted from the data. Prior
  /// and data outlive this.
  Posterior(const LayerPrior& prior, const Data& data, MeanFunction offset, PosteriorDraws draws);

  const PosteriorDraws& draws() const { return draws_; }

  /// Throws InvalidArgument about "Xs" or "level". Draws run in parallel.
  PredictiveSummary predict(const Matrix& Xs, const PredictiveOptions& options = {}) const;

  /// Joint draws of one output's noise-free function at the rows of Xs: one a row, in the order of draws().
  Matrix functions(const Matrix& Xs, Index output = 0) const;

  /// The network of one draw, with all outputs and the offset.
  Network network(Index draw) const;

 private:
  HiddenLayers layers(Index draw) const;

  const LayerPrior& prior_;
  const Data& data_;
  MeanFunction offset_;
  PosteriorDraws draws_;
};

/// The quantile of the mixture (1/S) sum_s N(means_s, sds_s^2).
double mixture_quantile(const VectorView& means, const VectorView& sds, double probability);

}  // namespace ridgelet
