/// The marginal likelihood of data given the hidden layers, the output layer integrated out:
///   y = A m + G z + e,   z ~ N(0, I_R),   e ~ N(0, noise^2 I),
/// the quantity that the sampler evaluates, and the exact posterior of z beside it.
///
/// Which of two matrices is factored depends on the sizes alone (linear_gaussian.hpp has the formulas):
///   M <= R:  C = G G^T + noise^2 I, M x M
///   M >  R:  P = I + G^T G / noise^2, R x R; G^T G, G^T r and r^T r are sums over rows, taken over blocks of
///            rows, so memory does not grow with M; ranks may share the blocks (core/ranks.hpp)
/// Where the squares would lose the noise (squares_suffice), both are replaced by QR decompositions, which for
/// M > R and several blocks take a second pass over the rows.
///
/// Its gradient in the layers comes from the derivatives in [A m, G] (linear_gaussian.hpp), row by row, which are
/// pulled back through the prior (ConditionalOutput). It costs about two further evaluations. Where there are several
/// blocks, each is evaluated once more and pulled back by itself, so that their gradients add up in one order,
/// whichever rank adds them.
///
/// Several outputs (columns of y) share the hidden layer and have a noise each; their log likelihoods add.
/// With one block of rows an evaluation or gradient after the first allocates nothing. With several, every block takes
/// memory for its sums anew: R (R + outputs) numbers for the value, and as many as the layers have for the gradient.
#pragma once

#include <memory>
#include <vector>

#include "ridgelet/core/ranks.hpp"
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

struct GradientSum;

class CollapsedLikelihood {
 public:
  /// Rows evaluated at a time, unless told otherwise.
  static constexpr Index default_row_block = 2048;

  /// Prior, data and ranks must outlive this. The log likelihood depends on `row_block` in its last digits only, and
  /// not at all on the number of ranks, which must all evaluate it at the same layers.
  CollapsedLikelihood(const LayerPrior& prior, const Data& data, Index row_block = default_row_block,
                      const Ranks& ranks = alone());

  /// Memory that one of these will hold after its first evaluation.
  static double bytes(const LayerPrior& prior, const Data& data, Index row_block = default_row_block);

  /// log p(Y | layers), with its constants; minus infinity where it cannot be computed in double precision.
  double operator()(const HiddenLayers& layers);

  /// The same, and the gradient of it.
  double value_and_gradient(const HiddenLayers& layers);

  /// d log p / d layers, after value_and_gradient(); zero where the layers are impossible.
  const HiddenLayers& gradient() const { return gradient_; }

  /// Memory that a gradient takes in addition.
  static double gradient_bytes(const LayerPrior& prior, const Data& data,
                               Index row_block = default_row_block);

  /// After an evaluation: z given the data and that layer, for each output.
  const LinearGaussianPosterior& coordinates(Index output) const {
    return posteriors_[static_cast<std::size_t>(output)];
  }

  /// The network's outputs, conditioned on the layer of the last evaluation.
  ConditionalOutput& output() { return *output_; }

 private:
  /// Consecutive rows of X, copied, and the number of the first.
  struct Block {
    Matrix X;
    Index first;
  };

  bool in_data_space() const { return data_.rows() <= output_->rank(); }
  MatrixSpan values(const Block& block);
  MatrixSpan residuals(const Block& block);
  void evaluate(const Block& block);
  void accumulate_single_block();
  template <class Sums, class SumsOf>
  Sums sum_over_blocks(SumsOf&& sums_of);
  template <class Sums>
  Sums row_sums();
  void accumulate_over_rows();
  void stack_rows();
  bool squares_suffice_for(Index k) const;
  bool condition(Index k);
  bool condition_by_root(Index k);
  void set_slopes(Index rows);
  void pull_back_rows();
  GradientSum slope_of(const Block& block);

  const Data& data_;
  const Ranks& ranks_;
  std::unique_ptr<ConditionalOutput> output_;
  std::vector<Block> blocks_;
  Matrix values_;     ///< [A m, G] at a block of rows; at all rows in data space
  Matrix residual_;   ///< r at the same rows, a column for each output
  Matrix gram_;       ///< G G^T or G^T G, lower triangle
  Matrix projected_;  ///< G^T r
  Vector squares_;    ///< r^T r
  std::vector<LinearGaussianPosterior> posteriors_;

  // Allocated when squares do not suffice.
  StackedFactor stack_;  ///< makes root_ of a single block
  Matrix root_;          ///< the triangular factor of [G, r of all outputs]
  Matrix rows_;          ///< [G, r] at a block of rows
  Matrix triangle_;      ///< the triangular factor of [G, r] of one output

  // Allocated by the first gradient.
  Matrix slopes_;  ///< d log p / d[A m, G] at the rows held
  LinearGaussianPosterior::SlopeWorkspace slope_workspace_;
  HiddenLayers gradient_;
};

}  // namespace ridgelet
