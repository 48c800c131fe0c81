#include "ridgelet/inference/conditioned_draws.hpp"

#include <optional>
#include <utility>

#include "ridgelet/network/network.hpp"

namespace ridgelet {

namespace {

/// [A m, G] given the layers that `given` is conditioned on: as a network or, where `given` has no heads, by an output
/// of its own.
std::function<Matrix(const Matrix&)> before_the_data(const LayerPrior& prior,
                                                     const ConditionalOutput& given) {
  if (std::optional<Matrix> heads = given.heads())
    return Network{.hidden = given.layers(),
                   .bridges = given.bridges(),
                   .skip = given.skip(),
                   .activation = prior.activation(),
                   .output_weights = std::move(*heads)};
  struct Own {
    std::unique_ptr<ConditionalOutput> output;
    std::mutex evaluating;  // an output is a workspace
  };
  const auto own = std::make_shared<Own>();
  own->output = prior.make_output();
  (void)own->output->condition(given.layers());  // possible, as it was for `given`
  return [own](const Matrix& X) {
    const std::lock_guard one_at_a_time(own->evaluating);
    Matrix values(X.rows(), 1 + own->output->rank());
    own->output->evaluate(X, values);
    return values;
  };
}

}  // namespace

ConditionedDraw conditioned_draw(const LayerPrior& prior, CollapsedLikelihood& likelihood, Index outputs) {
  ConditionedDraw draw{.before = before_the_data(prior, likelihood.output()), .coordinates = {}};
  for (Index k = 0; k < outputs; ++k) draw.coordinates.push_back(likelihood.coordinates(k));
  return draw;
}

KeptDraws::KeptDraws(Index draws, double most_bytes)
    : draws_(static_cast<std::size_t>(draws)), room_(most_bytes) {}

std::shared_ptr<const ConditionedDraw> KeptDraws::find(Index draw) const {
  const std::lock_guard lock(one_at_a_time_);
  return draws_[static_cast<std::size_t>(draw)];
}

void KeptDraws::keep(Index draw, std::shared_ptr<const ConditionedDraw> conditioned, double bytes) {
  const std::lock_guard lock(one_at_a_time_);
  auto& place = draws_[static_cast<std::size_t>(draw)];
  if (place || bytes > room_) return;
  room_ -= bytes;
  place = std::move(conditioned);
}

}  // namespace ridgelet
