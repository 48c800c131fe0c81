/// Markov chains over the hidden layers, with the output layer integrated out.
///
/// A Chain owns its state and its likelihood; a step is one elliptical slice. Draws are pushed to a handler,
/// and the chain stores none. Every random number is addressed by (seed, chain, iteration), so a chain that
/// is stopped and started again from its position and iteration goes on as if nothing had happened, and
/// chains do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/inference/elliptical_slice.hpp"

namespace ridgelet {

class Chain {
 public:
  /// Starts at a draw of the prior. Prior and data outlive the chain.
  Chain(const LayerPrior& prior, const Data& data, std::uint64_t seed, std::uint32_t index);

  /// One elliptical slice step; returns the number of likelihood evaluations.
  int step();

  /// Goes on from a position that an earlier chain reached after `iteration` steps.
  void resume(const VectorView& position, std::uint32_t iteration);

  std::uint32_t index() const { return index_; }
  std::uint32_t iteration() const { return iteration_; }
  const Vector& position() const { return state_.position; }
  double log_likelihood() const { return state_.log_likelihood; }
  const HiddenLayers& layers() const { return layers_; }
  Index outputs() const { return outputs_; }

  /// z given the data and the layers where the chain is: a draw for each output, R x outputs.
  Matrix draw_coordinates() const;

  CollapsedLikelihood& likelihood() { return likelihood_; }

 private:
  double evaluate(const Vector& position);
  RandomStream stream(Purpose purpose) const;

  const LayerPrior& prior_;
  CollapsedLikelihood likelihood_;
  Index outputs_;
  std::uint64_t seed_;
  std::uint32_t index_;
  std::uint32_t iteration_ = 0;
  SliceState state_;
  HiddenLayers layers_;
};

/// Called after each step, from the thread of its chain; a handler keeps what it needs under chain.index().
using StepHandler = std::function<void(Chain& chain, int evaluations)>;

/// Steps every chain until it has made `iterations` steps, or `stop()` returns true: it is asked between
/// steps. Chains run side by side, each with its share of the threads inside its likelihood.
void run_chains(std::vector<Chain>& chains, std::uint32_t iterations, const StepHandler& handler,
                const std::function<bool()>& stop);

}  // namespace ridgelet
