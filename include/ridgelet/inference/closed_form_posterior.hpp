/// The posterior of a network whose hidden layers stay as they were drawn: exact, without a sampler.
///
/// Given its hidden layers a network is mu(x) + A m + G z with z ~ N(0, I_R), a linear model. Given the data it has
///   mean      mu(x) + A(x) m + G(x) zbar
///   variance  |G(x) C|^2 + noise^2,     C C^T = cov[z | y]        (row_spectrum.hpp)
/// With the least-squares operator the posterior of the hidden layers is close to their prior, so little is lost.
/// Several networks, each with hidden layers of its own, predict by the equal mixture of their posteriors; how far
/// these lie apart shows the error that is left at this width.
///
/// Cost of a prediction for each network and row: N (1 + R) for the features and R^2 for the variance. Memory: for each
/// network N (1 + R) and R^2, and a block of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "ridgelet/inference/posterior.hpp"
#include "ridgelet/inference/row_spectrum.hpp"

namespace ridgelet {

/// One network given the data.
struct ClosedFormNetwork {
  HiddenLayers layers;
  Matrix means;               ///< zbar, R x outputs
  std::vector<Matrix> roots;  ///< C of each output, R x R
  double log_evidence = 0;    ///< of all outputs
};

/// The network with these hidden layers, given the rows that `spectrum` sums up.
ClosedFormNetwork closed_form_network(HiddenLayers layers, const RowSpectrum& spectrum,
                                      const VectorView& noise);

class ClosedFormPosterior {
 public:
  /// `offset` is added to every function: the process's mean, where it was subtracted from the data. Throws
  /// InvalidArgument about "networks" if they do not fit the prior, or if the prior gives them no outputs in double
  /// precision.
  ClosedFormPosterior(std::shared_ptr<const LayerPrior> prior, Vector noise, MeanFunction offset,
                      std::vector<ClosedFormNetwork> networks);

  const LayerPrior& prior() const { return *prior_; }
  static constexpr Index default_row_block = 2048;

  const Vector& noise() const { return noise_; }
  const std::vector<ClosedFormNetwork>& networks() const { return networks_; }
  Index outputs() const { return noise_.size(); }

  /// Mean and sd of each network at the rows of Xs, noise not included: rows are networks, columns the inputs of one
  /// output after the other. With `average_over` = n, those of the function's average over rows 1 .. n, n + 1 .. 2 n
  /// and so on: the sd is |g C|, where g is the average of the rows of G.
  PredictiveMixture moments(const Matrix& Xs, Index average_over = 1) const;

  /// Throws InvalidArgument about "Xs", "level" or "row_block".
  PredictiveSummary predict(const Matrix& Xs, const PredictiveOptions& options = {}) const;

  /// `count` joint draws of one output's noise-free function at the rows of Xs, one in each row; the networks take
  /// turns. Inputs are evaluated `row_block` at a time.
  Matrix functions(const Matrix& Xs, Index count, std::uint64_t seed, Index output = 0,
                   Index row_block = default_row_block) const;

  /// Covariance of one output's noise-free function between the rows of Xs: the networks' own covariances G C C^T G^T,
  /// averaged, plus that of their means.
  Matrix covariance(const Matrix& Xs, Index output = 0) const;

  /// [A m, G] of one network at the rows of Xs.
  Matrix outputs_at(Index network, const Matrix& Xs) const;

  /// The network of the posterior mean, with all outputs and the offset.
  Network network(Index index) const;

 private:
  void validate_inputs(const Matrix& Xs) const;
  void validate_output(Index output) const;

  std::shared_ptr<const LayerPrior> prior_;
  Vector noise_;
  MeanFunction offset_;
  std::vector<ClosedFormNetwork> networks_;
  mutable std::mutex evaluating_;  ///< the outputs are workspaces
  std::vector<std::unique_ptr<ConditionalOutput>> outputs_;
};

}  // namespace ridgelet
