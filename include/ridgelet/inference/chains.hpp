/// Markov chains on a log density over whitened coordinates.
///
/// A Chain knows where it is and which density it moves on; a step is one elliptical slice, or one trajectory of the
/// no-U-turn sampler. It stores no draws: a handler is told after each step, and what to keep is its business. Every
/// random number is addressed by (seed, chain, iteration), so a chain that is stopped and started again from its
/// position, iteration and step size goes on as if nothing had happened, and chains do not depend on the number of
/// threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ridgelet/inference/elliptical_slice.hpp"
#include "ridgelet/inference/nuts.hpp"

namespace ridgelet {

class Chain {
 public:
  /// A chain of elliptical slices. Starts at a draw of the prior N(0, I), the first of a hundred that is possible; if
  /// none is, log_density() is minus infinity. Chains may not share a density: it is a workspace.
  Chain(std::shared_ptr<LogDensity> density, std::uint64_t seed, std::uint32_t index);

  /// A chain of trajectories, from the same start. It learns its step size in the first `warmup` steps; if there are
  /// none, it keeps the step size that it begins with.
  Chain(std::shared_ptr<DifferentiableLogDensity> density, std::uint64_t seed, std::uint32_t index,
        const NutsOptions& options, std::uint32_t warmup);

  /// One step; returns the number of evaluations of the density. If one of them throws, the chain stays where it was.
  int step();

  /// Goes on from a position that an earlier chain reached after `iteration` steps, with what it had learned of its
  /// step size by then.
  void resume(const VectorView& position, std::uint32_t iteration, const StepSize& step_size = {});

  std::uint32_t index() const { return index_; }
  std::uint32_t iteration() const { return iteration_; }
  const Vector& position() const { return nuts_ ? nuts_->position() : state_.position; }
  double log_density() const { return nuts_ ? nuts_->log_density() : state_.log_density; }

  /// Of trajectories: what is known of their step size, and whether the last one diverged.
  const StepSize& step_size() const { return step_size_; }
  bool diverged() const { return diverged_; }

  /// Random numbers of this chain at this iteration, for purposes that its steps do not use.
  RandomStream stream(Purpose purpose) const;

 private:
  void start(Index dimension);
  int step_by_slice();
  int step_by_trajectory();

  std::shared_ptr<LogDensity> density_;
  std::uint64_t seed_;
  std::uint32_t index_;
  std::uint32_t iteration_ = 0;
  SliceState state_;

  // Of a chain of trajectories.
  std::optional<Nuts> nuts_;
  std::uint32_t warmup_ = 0;
  StepSize step_size_;
  bool diverged_ = false;
};

/// Called after each step, from the thread of its chain; a handler keeps what it needs under chain.index().
using StepHandler = std::function<void(const Chain& chain, int evaluations)>;

/// Steps every chain until it has made `iterations` steps, or `stop()` returns true: it is asked between
/// steps. Chains run side by side; where there are more threads than chains, each chain has its share of them
/// for its density.
void run_chains(std::vector<Chain>& chains, std::uint32_t iterations, const StepHandler& handler,
                const std::function<bool()>& stop);

/// The same for chains whose density several processes share: one after another, since every process must evaluate it
/// at the same places in the same order. `stop` must answer alike on all of them.
void run_chains_in_turn(std::vector<Chain>& chains, std::uint32_t iterations, const StepHandler& handler,
                        const std::function<bool()>& stop);

}  // namespace ridgelet
