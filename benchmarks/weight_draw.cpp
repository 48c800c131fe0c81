#include <algorithm>

#include "families.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "settings.hpp"
#include "textbook.hpp"

namespace ridgelet::benchmarks {

namespace {

/// For the posterior means and variances of the outputs at the data, relative to the larger of the two norms:
/// the pseudo-inverse leaves out that part of the prior which is below 1e-10 of its largest variance.
constexpr double posterior_tolerance = 1e-4;

double relative_difference(const Vector& a, const Vector& b) {
  return (a - b).norm() / std::max(a.norm(), b.norm());
}

double difference(const Prediction& a, const Prediction& b) {
  return std::max(relative_difference(a.mean, b.mean), relative_difference(a.variance, b.variance));
}

RandomStream numbers(Index i) {
  return {.seed = 1, .purpose = Purpose::chain_coordinates, .iteration = static_cast<std::uint32_t>(i)};
}

/// z given the data, then w = B (m + L z).
Vector draw_ours(CollapsedLikelihood& likelihood, const HiddenLayers& layer, const RandomStream& stream) {
  likelihood(layer);
  return likelihood.output().weights_at(likelihood.coordinates(0).draw_coordinates(stream));
}

/// The largest difference between the posteriors of the outputs at the data, by z and by w, after a draw at this layer.
double largest_difference(const Setting& setting, const HiddenLayers& layer) {
  CollapsedLikelihood ours(setting.prior, setting.data);
  Textbook textbook(setting.prior, setting.data);
  draw_ours(ours, layer, numbers(0));
  const Gaussian prior_outputs = setting.prior.given(layer).output(setting.data.X);
  const Prediction expected = ours.coordinates(0).predict(prior_outputs);
  textbook.draw_weights(layer, numbers(0));
  const double by_inverses = difference(textbook.outputs(), expected);
  textbook.draw_weights_by_conditioning(layer, numbers(0));
  return std::max(by_inverses, difference(textbook.outputs(), expected));
}

/// One draw of w, with all the work that a new hidden layer takes.
Measurement compare_weight_draws(const Setting& setting, std::uint32_t layer_count, int turns) {
  const std::vector<HiddenLayers> layers = hidden_layers(setting, layer_count);
  const auto layer = [&](Index i) -> const HiddenLayers& {
    return layers[static_cast<std::size_t>(i) % layers.size()];
  };
  const double off = largest_difference(setting, layer(0));
  require_agreement(off, posterior_tolerance, "posterior outputs at the data");
  CollapsedLikelihood ours(setting.prior, setting.data);
  Textbook textbook(setting.prior, setting.data);
  return compare_sides(
      {{"ours", Threads::ours, [&](Index i) { draw_ours(ours, layer(i), numbers(i)); }},
       {"textbook", Threads::blas, [&](Index i) { textbook.draw_weights(layer(i), numbers(i)); }},
       {"conditioning", Threads::blas,
        [&](Index i) { textbook.draw_weights_by_conditioning(layer(i), numbers(i)); }}},
      turns, off);
}

}  // namespace

Measurement weight_draw_500() {
  return compare_weight_draws(co2(500), 64, 11);
}

Measurement weight_draw_2000() {
  return compare_weight_draws(co2(2000), 16, 3);
}

}  // namespace ridgelet::benchmarks
