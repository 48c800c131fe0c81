/// The marginal likelihood of data given the hidden layers, the output layer integrated out:
///   y = A m + G z + e,   z ~ N(0, I_R),   e ~ N(0, noise^2 I),
/// the quantity that the sampler evaluates, and the exact posterior of z beside it.
///
/// Which of two matrices is factored depends on the sizes alone (linear_gaussian.hpp has the formulas):
///   M <= R:  C = G G^T + noise^2 I, M x M
///   M >  R:  P = I + G^T G / noise^2, R x R; G^T G, G^T r and r^T r are sums over rows, taken over blocks of
///   rows,
///            so memory does not grow with M.
/// Several outputs (columns of y) share the hidden layer and have a noise each; their log likelihoods add.
/// An evaluation after the first allocates nothing.
#pragma once

#include <memory>
#include <vector>

#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/layer_prior.hpp"

namespace ridgelet {

struct Data {
  Matrix X;      ///< M x d
  Matrix Y;      ///< M x outputs
  Vector noise;  ///< standard deviation of each output's noise

  Index rows() const { return X.rows(); }
  Index outputs() const { return Y.cols(); }
};

/// Throws InvalidArgument about "X", "y" or "noise". Noise 0 is refused: the posterior would live on a
/// surface in the space of parameters, where no sampler of densities can go.
void validate(const Data& data, Index dimension);

class CollapsedLikelihood {
 public:
  /// Prior and data outlive this.
  CollapsedLikelihood(const LayerPrior& prior, const Data& data);

  /// Memory that one of these will hold after its first evaluation.
  static double bytes(const LayerPrior& prior, const Data& data);

  /// log p(Y | layers), with its constants; minus infinity where a matrix is singular in double precision.
  double operator()(const HiddenLayers& layers);

  /// After an evaluation: z given the data and that layer, for each output.
  const LinearGaussianPosterior& coordinates(Index output) const {
    return posteriors_[static_cast<std::size_t>(output)];
  }

  /// The network's outputs, conditioned on the layer of the last evaluation.
  ConditionalOutput& output() { return *output_; }

 private:
  bool in_data_space() const { return data_.rows() <= output_->rank(); }
  void accumulate_over_rows();
  bool condition(Index k);

  const Data& data_;
  std::unique_ptr<ConditionalOutput> output_;
  std::vector<Matrix> blocks_;  ///< the rows of X, cut into blocks
  Matrix values_;               ///< [A m, G] at a block of rows; at all rows in data space
  Matrix gram_;                 ///< G G^T or G^T G, lower triangle
  Matrix residual_;             ///< r at a block of rows, a column for each output
  Matrix projected_;            ///< G^T r
  Vector squares_;              ///< r^T r
  std::vector<LinearGaussianPosterior> posteriors_;
};

}  // namespace ridgelet
