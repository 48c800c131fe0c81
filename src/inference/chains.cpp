#include "ridgelet/inference/chains.hpp"

#include <limits>
#include <utility>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Draws of the prior that a chain tries: it starts at the first that is possible.
constexpr std::uint64_t most_starts = 100;

}  // namespace

Chain::Chain(std::shared_ptr<LogDensity> density, std::uint64_t seed, std::uint32_t index)
    : density_(std::move(density)), seed_(seed), index_(index) {
  start(density_->dimension());
}

Chain::Chain(std::shared_ptr<DifferentiableLogDensity> density, std::uint64_t seed, std::uint32_t index,
             const NutsOptions& options, std::uint32_t warmup)
    : density_(density), seed_(seed), index_(index), nuts_(std::in_place, density, options), warmup_(warmup) {
  start(density_->dimension());
}

void Chain::start(Index dimension) {
  const auto n = static_cast<std::uint64_t>(dimension);
  for (std::uint64_t first = 0; first < most_starts; ++first) {
    resume(stream(Purpose::chain_start).normals(dimension, 1, first * n), 0);
    if (log_density() > -std::numeric_limits<double>::infinity()) return;
  }
}

RandomStream Chain::stream(Purpose purpose) const {
  return {.seed = seed_, .purpose = purpose, .replicate = index_, .iteration = iteration_};
}

void Chain::resume(const VectorView& position, std::uint32_t iteration, const StepSize& step_size) {
  if (nuts_) {
    nuts_->move_to(position);
  } else {
    state_.position = position;
    state_.log_density = (*density_)(state_.position);
  }
  iteration_ = iteration;
  step_size_ = step_size;
  diverged_ = false;
}

int Chain::step() {
  const int evaluations = nuts_ ? step_by_trajectory() : step_by_slice();
  ++iteration_;
  return evaluations;
}

int Chain::step_by_slice() {
  RandomStream ellipse = stream(Purpose::chain_ellipse), slice = stream(Purpose::chain_slice);
  ellipse.iteration = slice.iteration = iteration_ + 1;
  return elliptical_slice(state_, *density_, {.ellipse = ellipse, .slice = slice});
}

int Chain::step_by_trajectory() {
  if (!step_size_.started()) step_size_.start(nuts_->reasonable_step(stream(Purpose::chain_momentum)));
  RandomStream momentum = stream(Purpose::chain_momentum), tree = stream(Purpose::chain_tree);
  momentum.iteration = tree.iteration = iteration_ + 1;
  const bool learns = iteration_ < warmup_;
  const Trajectory made =
      nuts_->move(learns ? step_size_.current() : step_size_.settled(), {.momentum = momentum, .tree = tree});
  if (learns) step_size_.learn(made.acceptance, nuts_->options());
  diverged_ = made.diverged;
  return made.evaluations;
}

namespace {

void run_chain(Chain& chain, std::uint32_t iterations, const StepHandler& handler,
               const std::function<bool()>& stop) {
  while (chain.iteration() < iterations && !stop()) {
    throw_if_cancelled();
    const int evaluations = chain.step();
    handler(chain, evaluations);
  }
}

}  // namespace

void run_chains(std::vector<Chain>& chains, std::uint32_t iterations, const StepHandler& handler,
                const std::function<bool()>& stop) {
  parallel_for(static_cast<Index>(chains.size()),
               [&](Index i) { run_chain(chains[static_cast<std::size_t>(i)], iterations, handler, stop); });
}

void run_chains_in_turn(std::vector<Chain>& chains, std::uint32_t iterations, const StepHandler& handler,
                        const std::function<bool()>& stop) {
  for (Chain& chain : chains) run_chain(chain, iterations, handler, stop);
}

}  // namespace ridgelet
