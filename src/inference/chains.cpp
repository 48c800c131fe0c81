#include "ridgelet/inference/chains.hpp"

#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

Chain::Chain(const LayerPrior& prior, const Data& data, std::uint64_t seed, std::uint32_t index)
    : prior_(prior),
      likelihood_(prior, data),
      outputs_(data.outputs()),
      seed_(seed),
      index_(index),
      layers_(prior.allocate()) {
  resume(stream(Purpose::chain_start).normals(layers_.parameters()), 0);
}

RandomStream Chain::stream(Purpose purpose) const {
  return {.seed = seed_, .purpose = purpose, .replicate = index_, .iteration = iteration_};
}

double Chain::evaluate(const Vector& position) {
  prior_.at(position, layers_);
  return likelihood_(layers_);
}

void Chain::resume(const VectorView& position, std::uint32_t iteration) {
  state_.position = position;
  state_.log_likelihood = evaluate(state_.position);
  iteration_ = iteration;
}

int Chain::step() {
  ++iteration_;
  return elliptical_slice(state_, [this](const Vector& proposal) { return evaluate(proposal); },
                          {.ellipse = stream(Purpose::chain_ellipse), .slice = stream(Purpose::chain_slice)});
}

Matrix Chain::draw_coordinates() const {
  const RandomStream all = stream(Purpose::chain_coordinates);
  Matrix z;
  for (Index k = 0; k < outputs_; ++k) {
    // Outputs are told apart by the seed: their streams share every other part of the address.
    RandomStream own = all;
    own.seed += static_cast<std::uint64_t>(k) << 48;
    const Vector drawn = likelihood_.coordinates(k).draw_coordinates(own);
    z.resize(drawn.size(), outputs_);
    z.col(k) = drawn;
  }
  return z;
}

namespace {

void run_chain(Chain& chain, std::uint32_t iterations, const StepHandler& handler,
               const std::function<bool()>& stop) {
  while (chain.iteration() < iterations && !stop()) {
    const int evaluations = chain.step();
    handler(chain, evaluations);
  }
}

}  // namespace

void run_chains(std::vector<Chain>& chains, std::uint32_t iterations, const StepHandler& handler,
                const std::function<bool()>& stop) {
  const auto count = static_cast<Index>(chains.size());
  const auto run = [&](Index i) {
    run_chain(chains[static_cast<std::size_t>(i)], iterations, handler, stop);
  };
  parallel_for(count, run);
}

}  // namespace ridgelet
