#include "ridgelet/inference/chains.hpp"

#include <limits>
#include <utility>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Draws of the prior that a chain may start at, the first that is possible.
constexpr std::uint64_t most_starts = 100;

}  // namespace

Chain::Chain(std::shared_ptr<LogDensity> density, std::uint64_t seed, std::uint32_t index)
    : density_(std::move(density)), seed_(seed), index_(index) {
  const Index n = density_->dimension();
  for (std::uint64_t start = 0; start < most_starts; ++start) {
    resume(stream(Purpose::chain_start).normals(n, 1, start * static_cast<std::uint64_t>(n)), 0);
    if (state_.log_density > -std::numeric_limits<double>::infinity()) return;
  }
}

RandomStream Chain::stream(Purpose purpose) const {
  return {.seed = seed_, .purpose = purpose, .replicate = index_, .iteration = iteration_};
}

void Chain::resume(const VectorView& position, std::uint32_t iteration) {
  state_.position = position;
  state_.log_density = (*density_)(state_.position);
  iteration_ = iteration;
}

int Chain::step() {
  RandomStream ellipse = stream(Purpose::chain_ellipse), slice = stream(Purpose::chain_slice);
  ellipse.iteration = slice.iteration = iteration_ + 1;
  const int evaluations = elliptical_slice(state_, *density_, {.ellipse = ellipse, .slice = slice});
  ++iteration_;
  return evaluations;
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
