#include <algorithm>
#include <cmath>

#include "families.hpp"
#include "settings.hpp"
#include "textbook.hpp"

namespace ridgelet::benchmarks {

namespace {

constexpr double likelihood_tolerance = 1e-6;

/// One evaluation of log p(y | layer), each time at another hidden layer.
Measurement compare_likelihoods(const Setting& setting, std::uint32_t layer_count, int turns) {
  const std::vector<HiddenLayers> layers = hidden_layers(setting, layer_count);
  const auto layer = [&](Index i) -> const HiddenLayers& {
    return layers[static_cast<std::size_t>(i) % layers.size()];
  };
  CollapsedLikelihood ours(setting.prior, setting.data);
  Textbook textbook(setting.prior, setting.data);
  double difference = 0;
  for (Index i = 0; i < 2; ++i) {
    const double expected = textbook.log_likelihood(layer(i));
    difference = std::max(difference, std::abs(ours(layer(i)) - expected) / std::abs(expected));
    require_agreement(difference, likelihood_tolerance, "log likelihoods");
  }
  return compare_sides({{"ours", Threads::ours, [&](Index i) { ours(layer(i)); }},
                        {"textbook", Threads::blas, [&](Index i) { textbook.log_likelihood(layer(i)); }}},
                       turns, difference);
}

}  // namespace

Measurement co2_likelihood() {
  return compare_likelihoods(co2(500), 64, 15);
}

Measurement inpainting_likelihood() {
  return compare_likelihoods(inpainting(), 8, 9);
}

}  // namespace ridgelet::benchmarks
