#include "ridgelet/fitting/learned_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/text.hpp"
#include "ridgelet/network/scaling.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/relevance.hpp"

namespace ridgelet {

namespace {

/// The default, which is not a coefficient to be learned.
const std::string no_mean = "0";

GaussianProcess starting_process(const ModelSettings& model, Index inputs) {
  return {.kernel = model.kernel.empty() ? default_kernel(inputs) : parse_kernel(model.kernel),
          .mean = MeanFunction(model.mean)};
}

bool learns_kernel(const ModelSettings& settings, const LearnSettings& how) {
  return how.learn || settings.kernel.empty() || settings.kernel == best_of_a_list;
}

/// For other likelihoods the noise is their numbers, which are learned unless they are written after the name.
bool learns_noise(const ModelSettings& settings, const LearnSettings& how) {
  if (is_gaussian(settings.likelihood)) return how.learn || !settings.noise;
  const bool given = settings.likelihood.find('(') != std::string::npos;
  return !parse_likelihood(settings.likelihood)->parameters().empty() && (how.learn || !given);
}

/// Rows that a likelihood is learned on: an evaluation costs that of K + 1 processes for each of several steps.
Index affordable_rows(Index wanted, Index functions) {
  constexpr double of_one_function = 500;
  return std::min(wanted, static_cast<Index>(of_one_function / std::cbrt(static_cast<double>(functions))));
}

LearnedTarget learn_latent(const RegressionTable& table, const ModelSettings& model, const Matrix& X,
                           LearningOptions options) {
  const LikelihoodPointer likelihood = likelihood_for(model.likelihood, table);
  const Scaling functions = function_scaling(*likelihood, table, *model.standardise);
  options.rows = affordable_rows(options.rows, likelihood->functions());
  options.starts = likelihood->functions() > 2 ? 2 : 3;
  options.thinned_rows = options.rows / 3;
  return learn_target(starting_process(model, X.cols()), X,
                      LatentResponse{.likelihood = likelihood,
                                     .Y = responses_of(*likelihood, table.Y, functions),
                                     .offset = offsets_of(*likelihood, table.Y, functions)},
                      options);
}

}  // namespace

bool leaves_open(const ModelSettings& settings, const LearnSettings& how) {
  return learns_kernel(settings, how) || learns_noise(settings, how);
}

LearnedSettings learn_settings(const RegressionTable& table, RegressionSettings settings,
                               const LearnSettings& how) {
  ModelSettings& model = settings.model;
  const bool best = model.kernel == best_of_a_list;
  LearnedSettings result{.settings = {},
                         .target = {},
                         .choice = {},
                         .kernel = learns_kernel(model, how),
                         .noise = learns_noise(model, how)};
  if (!model.standardise) model.standardise = model.kernel.empty() || best;
  if (leaves_open(model, how)) {
    const bool standardise = *model.standardise;
    const Scaling inputs = standardise ? table.standardised_inputs() : Scaling::none(table.X.cols()),
                  outputs = standardise && is_gaussian(model.likelihood) ? table.standardised_outputs()
                                                                         : Scaling::none(table.Y.cols());
    const bool gaussian = is_gaussian(model.likelihood);
    const Matrix X = inputs.apply(table.X), Y = gaussian ? outputs.apply(table.Y) : table.Y;
    LearningOptions options{
        .parts = {.kernel = result.kernel, .mean = how.learn && model.mean != no_mean, .noise = result.noise},
        .noise = model.noise,
        .priors = how.priors,
        .rows = how.rows,
        .seed = settings.seed,
        .progress = how.progress,
        .ranks = how.ranks};
    if (!gaussian) {
      if (best) throw InvalidArgument("kernel", "best is for Gaussian noise; name a kernel, or none for se");
      result.target = learn_latent(table, model, X, options);
      model.likelihood =
          likelihood_for(model.likelihood, table)->with_parameters(result.target->noise)->text();
    } else if (best) {
      result.choice =
          choose_kernel(MeanFunction(model.mean), X, Y,
                        {.learning = options,
                         .period = how.period ? std::optional(*how.period / inputs.scale(0)) : std::nullopt});
      result.target = result.choice->learned;
    } else {
      result.target = learn_target(starting_process(model, X.cols()), X, Y, options);
    }
    model.kernel = result.target->process.kernel.text();
    model.mean = result.target->process.mean.text();
    if (gaussian) model.noise = result.target->noise;
    if (result.kernel && gaussian) result.relevance = input_relevance(result.target->process, X, Y);
  }
  result.settings = std::move(settings);
  return result;
}

ModelSettings with_table(const LearnedSettings& learned, const RegressionTable& table) {
  ModelSettings model = learned.settings.model;
  const ColumnRange range = table.input_range();
  model.range = text(Box{.lower = range.low, .upper = range.high});
  if (model.standardise.value_or(false)) model.inputs = table.standardised_inputs();
  return model;
}

namespace {

/// Whether the parameter is a lengthscale of inputs all of which hardly matter.
bool belongs_to_irrelevant_inputs(const std::string& parameter, const LearnedSettings& learned, Index d) {
  const std::vector<Index> irrelevant = irrelevant_inputs(learned.relevance);
  for (const KernelParameter& each : learned.target->process.kernel.parameters())
    if (each.name == parameter && each.kind == "lengthscale")
      return std::ranges::all_of(each.inputs.columns(d), [&](Index k) {
        return std::ranges::find(irrelevant, k) != irrelevant.end();
      });
  return false;
}

}  // namespace

std::vector<std::string> findings(const LearnedSettings& learned, const std::vector<std::string>& inputs) {
  std::vector<std::string> sentences;
  if (!learned.target) return sentences;
  const LearnedTarget& target = *learned.target;
  if (target.disagreement > worth_mentioning) {
    const auto below = std::ranges::count_if(target.starts, [&](const LearningStart& start) {
      return start.process && target.objective - start.objective > worth_mentioning;
    });
    sentences.push_back(
        fmt::format("{} of {} starts ended up to {:.1f} below the best in log evidence: there are several "
                    "explanations of the data",
                    below, target.starts.size(), target.disagreement));
  }
  for (const BoundHit& hit : target.at_bounds) {
    // An input that hardly matters is named below, where that is known.
    if (hit.upper && belongs_to_irrelevant_inputs(hit.parameter, learned, static_cast<Index>(inputs.size())))
      continue;
    sentences.push_back(fmt::format("{} ended at its {} bound, {:.3g}", hit.parameter,
                                    hit.upper ? "upper" : "lower", hit.value));
  }
  std::vector<std::string> names;
  for (const Index k : irrelevant_inputs(learned.relevance))
    names.push_back(inputs[static_cast<std::size_t>(k)]);
  if (!names.empty())
    sentences.push_back(join(names) + (names.size() == 1 ? " hardly matters" : " hardly matter"));
  return sentences;
}

}  // namespace ridgelet
