/// A chain on the collapsed likelihood of one network, with what tests look at.
#pragma once

#include <memory>
#include <vector>

#include "ridgelet/inference/posterior.hpp"

namespace ridgelet::testing {

/// A pointer to something that the test itself keeps alive.
template <class T>
std::shared_ptr<const T> borrowed(const T& object) {
  return {std::shared_ptr<void>(), &object};
}

class NetworkChain {
 public:
  NetworkChain(const LayerPrior& prior, const Data& data, std::uint64_t seed, std::uint32_t index)
      : density_(std::make_shared<CollapsedDensity>(borrowed(prior), borrowed(data))),
        chain_(density_, seed, index) {}

  int step() { return chain_.step(); }
  void resume(const VectorView& position, std::uint32_t iteration) { chain_.resume(position, iteration); }
  const Vector& position() const { return chain_.position(); }
  double log_density() const { return chain_.log_density(); }
  std::uint32_t iteration() const { return chain_.iteration(); }

  const HiddenLayers& layers() {
    density_->move_to(chain_.position());
    return density_->layers();
  }

  Matrix draw_coordinates() {
    density_->move_to(chain_.position());
    return density_->draw_coordinates(chain_.stream(Purpose::chain_coordinates));
  }

  void record(PosteriorDraws& draws, Index draw, int evaluations) {
    draws.record(chain_, *density_, draw, evaluations);
  }

 private:
  std::shared_ptr<CollapsedDensity> density_;
  Chain chain_;
};

/// `draws` draws of each of `count` chains, after `warmup` steps.
inline PosteriorDraws sample_network(const LayerPrior& prior, const Data& data, std::uint32_t count,
                                     Index draws, std::uint64_t seed = 1, Index warmup = 0) {
  PosteriorDraws kept = PosteriorDraws::allocate(prior, data.outputs(), count, draws);
  for (std::uint32_t i = 0; i < count; ++i) {
    NetworkChain chain(prior, data, seed, i);
    for (Index step = 0; step < warmup; ++step) chain.step();
    for (Index draw = 0; draw < draws; ++draw) chain.record(kept, draw, chain.step());
  }
  return kept;
}

}  // namespace ridgelet::testing
