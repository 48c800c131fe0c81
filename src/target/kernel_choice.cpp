#include "ridgelet/target/kernel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// "matern32(amplitude=1, lengthscale=[2, 2, 2, 2])", or "matern32(amplitude=1, lengthscale=2)".
std::string with_lengthscales(std::string_view name, Index inputs, Lengthscales lengthscales,
                              const Vector& unit) {
  const bool one = lengthscales == Lengthscales::shared;
  std::vector<double> all(one ? 1 : static_cast<std::size_t>(inputs), std::sqrt(static_cast<double>(inputs)));
  if (lengthscales == Lengthscales::common)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] *= unit(static_cast<Index>(k));
  return fmt::format("{}(amplitude=1, lengthscale={})", name, parameter_text(Lengthscale(all)));
}

/// A kernel to begin with or, with a base, what is added to the one that was learned for that candidate: the sum then
/// begins where its evidence is hardly below that of the base.
struct Candidate {
  std::string form;
  std::string kernel;
  bool hold_ratios;
  std::optional<std::size_t> base = std::nullopt;
};

std::string form_prefix(Lengthscales lengthscales) {
  if (lengthscales == Lengthscales::each) return "";
  return lengthscales == Lengthscales::shared ? "isotropic " : "isotropic (own unit) ";
}

std::vector<Candidate> candidates(Index rows, Index inputs, std::optional<double> period,
                                  const Vector& unit) {
  std::vector<Candidate> list;
  for (const char* name : {"se", "rq", "matern32", "matern52"})
    for (const Lengthscales lengthscales : lengthscales_to_try(rows, inputs, unit.size() > 0)) {
      const std::string kernel = with_lengthscales(name, inputs, lengthscales, unit);
      const std::string form = form_prefix(lengthscales) + name;
      const bool hold_ratios = lengthscales == Lengthscales::common;
      list.push_back({form, kernel, hold_ratios});
      list.push_back({form + " + linear", " + linear(amplitude=0.1)", hold_ratios, list.size() - 1});
    }
  if (!period) return list;
  const std::size_t without = list.size();
  for (std::size_t i = 0; i < without; ++i)
    list.push_back(
        {list[i].form + " + periodic",
         fmt::format(" + se(amplitude=0.5, lengthscale=3, active=[1]) * periodic(period={}, active=[1])",
                     shortest(*period)),
         list[i].hold_ratios, i});
  return list;
}

}  // namespace

std::vector<Lengthscales> lengthscales_to_try(Index rows, Index inputs, bool unit_in_common) {
  constexpr Index for_each_pair = 3, for_each_input = 30, most_inputs = 250;
  if (inputs == 1 || rows >= std::min(for_each_pair * inputs, for_each_input) * inputs)
    return {Lengthscales::each};
  if (inputs > most_inputs) return {Lengthscales::shared};
  std::vector<Lengthscales> forms{Lengthscales::shared};
  if (rows > inputs) forms.insert(forms.begin(), Lengthscales::each);
  if (unit_in_common) forms.push_back(Lengthscales::common);
  return forms;
}

Kernel default_kernel(Index inputs, Lengthscales lengthscales, const Vector& unit) {
  require_at_least(inputs, 1, "X");
  return parse_kernel(with_lengthscales("se", inputs, lengthscales, unit));
}

LearnedDefault learn_default_kernel(
    Index rows, Index inputs, const Vector& unit,
    const std::function<LearnedTarget(const Kernel& kernel, bool hold_ratios)>& learn) {
  std::optional<LearnedDefault> best;
  for (const Lengthscales form : lengthscales_to_try(rows, inputs, unit.size() > 0)) {
    LearnedTarget learned = learn(default_kernel(inputs, form, unit), form == Lengthscales::common);
    const double score = learned.score();
    if (best && score <= best->learned.score()) {
      best->other_score = std::max(score, best->other_score.value_or(score));
      continue;
    }
    const std::optional<double> other = best ? std::optional(best->learned.score()) : std::nullopt;
    best = LearnedDefault{.learned = std::move(learned), .lengthscales = form, .other_score = other};
  }
  return *best;
}

KernelChoice choose_kernel(const MeanFunction& mean, const MatrixView& X, const MatrixView& Y,
                           const KernelChoiceOptions& options) {
  require_nonempty(X, "X");
  require_at_least(options.comparison_rows, 2, "comparison_rows");
  if (options.period) require_positive(*options.period, "period");
  const std::vector<Candidate> list =
      candidates(std::min(X.rows(), options.learning.rows), X.cols(), options.period, options.unit);
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
    const std::string base = candidate.base ? learned[*candidate.base].learned.process.kernel.text() : "";
    const GaussianProcess process{.kernel = parse_kernel(base + candidate.kernel), .mean = mean};
    comparison.hold_ratios = candidate.hold_ratios;
    learned.push_back({candidate.form, learn_target(process, X, Y, comparison)});
    report(learned.size());
  }
  const auto best = std::ranges::max_element(
      learned, {}, [](const KernelCandidate& candidate) { return candidate.learned.score(); });
  const auto place = static_cast<std::size_t>(best - learned.begin());
  learning.hold_ratios = list[place].hold_ratios;
  const bool more_rows = std::min(X.rows(), learning.rows) > comparison.rows;
  LearnedTarget winner = more_rows ? learn_target(best->learned.process, X, Y, learning) : best->learned;
  report(list.size() + 1);
  return {.candidates = std::move(learned), .best = place, .learned = std::move(winner)};
}

}  // namespace ridgelet
