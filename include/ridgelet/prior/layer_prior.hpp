/// What inference needs of a prior: a hidden layer to move, and outputs that are Gaussian once it is fixed.
///
/// The ridgelet prior and the i.i.d. prior both offer it; the sampler and the posterior know nothing else.
#pragma once

#include <memory>
#include <string>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

/// The outputs of one network prior given a hidden layer: [A m, G] at any inputs, in coordinates z ~ N(0,
/// I_R). An object of this type is a workspace: after the first call of each method with the largest sizes,
/// it allocates nothing.
class ConditionalOutput {
 public:
  virtual ~ConditionalOutput() = default;

  virtual Index rank() const = 0;

  /// Fixes the hidden layer; `layer` must stay alive and unchanged until the next call.
  virtual void condition(const HiddenLayer& layer) = 0;

  /// values = [A m, G] at the rows of X: M x (1 + R).
  virtual void evaluate(const Matrix& X, MatrixSpan values) = 0;

  /// The output weights w = B (m + L z) at coordinates z.
  virtual Vector weights(const VectorView& z) = 0;
};

class LayerPrior {
 public:
  virtual ~LayerPrior() = default;

  virtual Index units() const = 0;
  virtual Index dimension() const = 0;
  virtual const HiddenDistribution& hidden() const = 0;
  virtual const ActivationPair& pair() const = 0;

  /// "ridgelet", "least-squares" or "iid".
  virtual std::string name() const = 0;

  /// R, the number of coordinates z that the outputs have given a hidden layer.
  virtual Index rank() const = 0;

  /// Memory that a workspace of make_output() holds.
  virtual double output_bytes() const = 0;

  /// A workspace for outputs given hidden layers of this prior, which must outlive it.
  virtual std::unique_ptr<ConditionalOutput> make_output() const = 0;
};

}  // namespace ridgelet
