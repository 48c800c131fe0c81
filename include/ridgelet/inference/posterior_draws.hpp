/// What chains leave behind, and what a density must know to leave it.
///
/// A chain knows places of a density; a draw is what such a place stands for: hidden layers, coordinates z of what is
/// left given them, and the network's functions at inputs that somebody watches. Which z belongs to a place is the
/// density's business: CollapsedDensity draws it from its exact posterior given the hidden layers
/// (collapsed_density.hpp), for LatentDensity it is part of the place (latent_density.hpp).
#pragma once

#include "ridgelet/inference/chains.hpp"
#include "ridgelet/prior/layer_prior.hpp"

namespace ridgelet {

/// Inputs at which every draw is looked at while its chain is there, so that nobody has to come back to it: `paths`
/// for functions of the posterior, `points` for predictions. Either may have no rows.
struct MonitoredInputs {
  Matrix paths = {};
  Matrix points = {};
};

class SampledDensity;

/// A row for each draw, chain after chain.
struct PosteriorDraws {
  Index chains = 0;
  Matrix layers;          ///< a row for each draw: HiddenLayers::packed()
  Matrix coordinates;     ///< (chains draws) x (R outputs): z, one output after the other
  Vector log_likelihood;  ///< (chains draws)
  Vector evaluations;     ///< likelihood evaluations of the step that made each draw
  Vector diverging = {};  ///< 1 where its trajectory diverged (nuts.hpp), else 0
  Matrix functions = {};  ///< (chains draws) x (paths outputs): the function at monitored paths
  Matrix means = {};  ///< (chains draws) x (points outputs): its mean given the layers at monitored points
  Matrix sds = {};    ///< the same: its standard deviation, without noise

  Index size() const { return layers.rows(); }
  Index draws_per_chain() const { return size() / chains; }
  double evaluations_per_step() const { return evaluations.mean(); }
  Index divergences() const { return static_cast<Index>(diverging.sum()); }

  /// Draws whose trajectory had the greatest number of steps (nuts.hpp); elliptical slices need far fewer evaluations.
  Index longest() const { return (evaluations.array() >= NutsOptions{}.most_steps()).count(); }

  /// Memory of `draws` draws in all.
  static double bytes(const LayerPrior& prior, Index outputs, Index draws,
                      const MonitoredInputs& inputs = {});

  /// Room for `draws` draws of each of the chains. Throws InvalidArgument about "draws" if the memory would
  /// not suffice.
  static PosteriorDraws allocate(const LayerPrior& prior, Index outputs, Index chains, Index draws,
                                 const MonitoredInputs& inputs = {});

  /// Keeps the place of the chain as its draw number `draw`, counted from 0. `density` is the one that the chain
  /// moves on.
  void record(const Chain& chain, SampledDensity& density, Index draw, int step_evaluations,
              const MonitoredInputs& inputs = {});

  /// Keeps layers and coordinates z (R x outputs) as row `row`, with the functions A m + G z at the monitored paths;
  /// `at_paths` is [A m, G] there.
  void record_network(Index row, const HiddenLayers& at, const Matrix& z, const Matrix& at_paths);
};

/// A density whose places are networks, or distributions of them.
class SampledDensity : public virtual LogDensity {
 public:
  /// Evaluates at the position, unless the last evaluation was there.
  void move_to(const Vector& position);

  /// Keeps the place of the last evaluation as row `row` of the draws; what the place leaves to chance is drawn with
  /// the stream.
  virtual void record_place(PosteriorDraws& draws, Index row, const RandomStream& stream,
                            const MonitoredInputs& inputs) = 0;

 protected:
  Vector here_;  ///< where the last evaluation was
};

/// [A m, G] at the rows of X, of which there may be none, for a network with R coordinates.
Matrix outputs_at(const Matrix& X, ConditionalOutput& output, Index rank);

}  // namespace ridgelet
