/// Weights between hidden layers that are zero, as in a convolution: the ridgelet prior conditioned on them being zero.
///
/// The weights into unit i of a deeper layer are v_i = bridge [1, w_i] (transform/hidden_walk.hpp), normal in
/// w_i. Conditioning on entries S of v_i being zero, c + C w_i = 0 with [c, C] the rows S of the bridge,
/// moves a draw of the prior to a draw of the conditional distribution,
///   w_i - C^+ (C w_i + c),
/// which differs from setting v_i to zero at S: the other weights change too, by what they know of those.
/// A pattern may ask for fewer than R zeros for each unit: with R or more, no freedom is left.
///
/// Example: a convolution of width 7 on a ring of 12 units, where unit i sees the units within 3 of it,
///   const ZeroPattern band = [](Index, Index unit) {
///     std::vector<Index> zeros;
///     for (Index j = 4; j < 9; ++j) zeros.push_back((unit + j) % 12);
///     return zeros;
///   };
///   const HiddenLayers layers = condition_on_zeros(prior, prior.draw_hidden(seed), band);
///   const Gaussian output = prior.given(layers).output(X);
///
/// Reference: the remark on convolutional networks after Definition 1 of the paper. For output weights,
/// condition_on_entries (linalg/gaussian.hpp) does the same.
#pragma once

#include <functional>
#include <vector>

#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

/// The units of the layer before whose weights into `unit` of hidden layer `layer` (1, 2, ...) are zero.
using ZeroPattern = std::function<std::vector<Index>(Index layer, Index unit)>;

/// Turns a draw of the prior's hidden layers into one given the pattern. Throws InvalidArgument about
/// "zeros". Cost of a unit with s zeros: s R min(s, R), beside that of HiddenPath.
HiddenLayers condition_on_zeros(const RidgeletPrior& prior, HiddenLayers layers, const ZeroPattern& zeros);

/// The weights from hidden layer l to l + 1 written out, N x N: for inspection of small networks.
Matrix dense_weights(const Matrix& bridge, const HiddenLayer& next);

}  // namespace ridgelet
