/// The fitted network: mean and standard deviation from one pass through its layers, without the prior it came from.
///
/// With x = (X - centre) / scale, features phi(x) of the last hidden layer (N) and, for each output,
///   f(x)   = mu(x) + phi(x)^T w
///   v(x)   = |phi(x)^T V|^2 + s^2
/// it predicts N(f, v), carried back by the scaling of the outputs. w (N) are the weights of the posterior mean and V
/// (N x R) is a factor of their covariance: the last layer of an ordinary network, with 1 + R outputs, followed by a
/// sum of squares. Several networks predict by the equal mixture of their distributions,
///   mean = (1/S) sum f_s,     variance = (1/S) sum v_s + variance of the f_s,
/// and where log y was fitted, by the mixture of the log-normal distributions (response_transform.hpp).
///
/// A draw of the posterior is f(x) + phi(x)^T V z with z ~ N(0, I_R).
///
/// Where the outputs are functions that tell classes apart, R draws w_1, ..., w_R of the weights stand for their
/// posterior. Here w is the mean of the draws, and V = [w_1 - w, ..., w_R - w] / sqrt(R). So the formulas above give
/// the mean and variance of the draws, and column r of V, taken for all outputs together, gives one draw back,
///   f_r(x) = f(x) + sqrt(R) phi(x)^T V_r.
/// The probability of a class is the mean, over the draws of all networks, of what the link (class_link.hpp) makes of
/// them; s is 0.
///
/// Cost for each row and network: N (inputs + K (1 + R)) for K outputs. Memory: the network and a block of rows.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/network/class_link.hpp"
#include "ridgelet/network/response_transform.hpp"
#include "ridgelet/network/scaling.hpp"
#include "ridgelet/target/mean/affine.hpp"
#include "ridgelet/target/mean/mean_function.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

/// One network of the mixture.
struct PredictiveComponent {
  HiddenLayers hidden;
  std::vector<Matrix> bridges = {};  ///< of every hidden layer but the last (network.hpp)
  Matrix heads;                      ///< [w_1 ... w_K, V_1, ..., V_K], N x K (1 + R)
};

/// Means and standard deviations at M inputs, a column for each output.
struct PredictiveMoments {
  Matrix mean;
  Matrix sd;
};

struct PredictiveNetwork {
  std::vector<PredictiveComponent> components;
  bool skip = false;  ///< a layer's features are followed by those of all earlier layers
  Activation activation;
  MeanFunction mean = MeanFunction("0");  ///< mu, added to every output
  Scaling inputs;                         ///< from a person's units to the network's
  Scaling outputs;                        ///< likewise: undone at the end
  Vector noise;                           ///< s of each output, in the network's units
  std::vector<ResponseTransform> transforms;
  ClassLink link = ClassLink::none;

  Index input_count() const { return inputs.centre.size(); }
  Index output_count() const { return noise.size(); }
  Index class_count() const { return ridgelet::class_count(link, output_count()); }
  Index rank() const { return components.front().heads.cols() / output_count() - 1; }

  /// Moments at the rows of X, in a person's units: those of new observations if `with_noise`, otherwise those of the
  /// function itself. For classes there is no noise, so both are the same. Throws InvalidArgument about "X".
  PredictiveMoments operator()(const MatrixView& X, bool with_noise = true) const;

  /// The probability of each class at the rows of X, M x classes. Throws InvalidArgument about "X", or "link" where
  /// there are no classes.
  Matrix probabilities(const MatrixView& X) const;

  /// `count` joint draws of one output's noise-free function at the rows of X, one in each row, in a person's units;
  /// the networks take turns. For classes these are the draws that the network holds. Throws InvalidArgument about "X",
  /// "draws" or "output".
  Matrix functions(const MatrixView& X, Index count, std::uint64_t seed, Index output = 0) const;

  /// phi(x)^T heads of one network at the rows of X, M x K (1 + R).
  Matrix heads_at(std::size_t component, const MatrixView& X) const;
};

/// Throws InvalidArgument about the part of the network that does not fit the others.
void validate(const PredictiveNetwork& network);

/// mu as a + s . x. Throws InvalidArgument about "mean", with what to do, if it is no such function.
AffineFunction affine_mean(const PredictiveNetwork& network);

}  // namespace ridgelet
