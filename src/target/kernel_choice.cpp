#include "ridgelet/target/kernel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// "matern32(amplitude=1, lengthscale=[2, 2, 2, 2])".
std::string with_each_lengthscale(std::string_view name, Index inputs) {
  const std::vector<double> each(static_cast<std::size_t>(inputs), std::sqrt(static_cast<double>(inputs)));
  return fmt::format("{}(amplitude=1, lengthscale={})", name, parameter_text(Lengthscale(each)));
}

struct Candidate {
  std::string form;
  std::string kernel;
};

std::vector<Candidate> candidates(Index inputs, std::optional<double> period) {
  std::vector<Candidate> list;
  for (const char* name : {"se", "rq", "matern32", "matern52"}) {
    const std::string kernel = with_each_lengthscale(name, inputs);
    list.push_back({name, kernel});
    list.push_back({fmt::format("{} + linear", name), kernel + " + linear(amplitude=0.3)"});
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

Kernel default_kernel(Index inputs) {
  require_at_least(inputs, 1, "X");
  return parse_kernel(with_each_lengthscale("se", inputs));
}

KernelChoice choose_kernel(const MeanFunction& mean, const MatrixView& X, const MatrixView& Y,
                           const KernelChoiceOptions& options) {
  require_nonempty(X, "X");
  require_at_least(options.comparison_rows, 2, "comparison_rows");
  if (options.period) require_positive(*options.period, "period");
  const std::vector<Candidate> list = candidates(X.cols(), options.period);
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
  const auto best = std::ranges::max_element(learned, {}, &KernelCandidate::score);
  const auto place = static_cast<std::size_t>(best - learned.begin());
  const bool more_rows = std::min(X.rows(), learning.rows) > comparison.rows;
  LearnedTarget winner = more_rows ? learn_target(best->learned.process, X, Y, learning) : best->learned;
  report(list.size() + 1);
  return {.candidates = std::move(learned), .best = place, .learned = std::move(winner)};
}

}  // namespace ridgelet
