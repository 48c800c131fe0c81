#include "ridgelet/target/kernel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// "matern32(amplitude=1, lengthscale=[2, 2, 2, 2])", or "matern32(amplitude=1, lengthscale=2)".
std::string with_lengthscales(std::string_view name, Index inputs, Lengthscales lengthscales) {
  const std::size_t count = lengthscales == Lengthscales::each ? static_cast<std::size_t>(inputs) : 1;
  const std::vector<double> all(count, std::sqrt(static_cast<double>(inputs)));
  return fmt::format("{}(amplitude=1, lengthscale={})", name, parameter_text(Lengthscale(all)));
}

struct Candidate {
  std::string form;
  std::string kernel;
};

std::vector<Candidate> candidates(Index rows, Index inputs, std::optional<double> period) {
  std::vector<Candidate> list;
  const std::vector<Lengthscales> forms = lengthscales_to_try(rows, inputs);
  for (const char* name : {"se", "rq", "matern32", "matern52"})
    for (const Lengthscales lengthscales : forms) {
      const std::string kernel = with_lengthscales(name, inputs, lengthscales);
      const std::string form = (lengthscales == Lengthscales::shared ? "isotropic " : "") + std::string(name);
      list.push_back({form, kernel});
      list.push_back({form + " + linear", kernel + " + linear(amplitude=0.3)"});
    }
  if (!period) return list;
  const std::size_t without = list.size();
  for (std::size_t i = 0; i < without; ++i)
    list.push_back(
        {list[i].form + " + periodic",
         fmt::format("{} + se(amplitude=0.5, lengthscale=3, active=[1]) * periodic(period={}, active=[1])",
                     list[i].kernel, shortest(*period))});
  return list;
}

}  // namespace

std::vector<Lengthscales> lengthscales_to_try(Index rows, Index inputs) {
  constexpr Index for_each_pair = 3, for_each_input = 30, most_inputs = 250;
  if (inputs == 1 || rows >= std::min(for_each_pair * inputs, for_each_input) * inputs)
    return {Lengthscales::each};
  if (rows <= inputs || inputs > most_inputs) return {Lengthscales::shared};
  return {Lengthscales::each, Lengthscales::shared};
}

Kernel default_kernel(Index inputs, Lengthscales lengthscales) {
  require_at_least(inputs, 1, "X");
  return parse_kernel(with_lengthscales("se", inputs, lengthscales));
}

LearnedDefault learn_default_kernel(Index rows, Index inputs,
                                    const std::function<LearnedTarget(const Kernel& kernel)>& learn) {
  const std::vector<Lengthscales> forms = lengthscales_to_try(rows, inputs);
  LearnedDefault best{.learned = learn(default_kernel(inputs, forms.front())), .lengthscales = forms.front()};
  for (const Lengthscales other : std::span(forms).subspan(1)) {
    LearnedTarget learned = learn(default_kernel(inputs, other));
    best.other_score = std::min(best.learned.score(), learned.score());
    if (learned.score() > best.learned.score()) {
      best.learned = std::move(learned);
      best.lengthscales = other;
    }
  }
  return best;
}

KernelChoice choose_kernel(const MeanFunction& mean, const MatrixView& X, const MatrixView& Y,
                           const KernelChoiceOptions& options) {
  require_nonempty(X, "X");
  require_at_least(options.comparison_rows, 2, "comparison_rows");
  if (options.period) require_positive(*options.period, "period");
  const std::vector<Candidate> list =
      candidates(std::min(X.rows(), options.learning.rows), X.cols(), options.period);
  const Index steps = static_cast<Index>(list.size()) + 1;
  LearningOptions learning = options.learning;
  learning.hold_periods = true;
  learning.progress = {};
  const auto report = [&](std::size_t done) {
    if (options.learning.progress) options.learning.progress(static_cast<Index>(done), steps);
  };

  LearningOptions comparison = learning;
  comparison.rows = std::min(learning.rows, options.comparison_rows);
  std::vector<KernelCandidate> learned;
  for (const Candidate& candidate : list) {
    const GaussianProcess process{.kernel = parse_kernel(candidate.kernel), .mean = mean};
    learned.push_back({candidate.form, learn_target(process, X, Y, comparison)});
    report(learned.size());
  }
  const auto best = std::ranges::max_element(
      learned, {}, [](const KernelCandidate& candidate) { return candidate.learned.score(); });
  const auto place = static_cast<std::size_t>(best - learned.begin());
  const bool more_rows = std::min(X.rows(), learning.rows) > comparison.rows;
  LearnedTarget winner = more_rows ? learn_target(best->learned.process, X, Y, learning) : best->learned;
  report(list.size() + 1);
  return {.candidates = std::move(learned), .best = place, .learned = std::move(winner)};
}

}  // namespace ridgelet
