#include "ridgelet/fitting/learned_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/common_unit.hpp"
#include "ridgelet/fitting/skewed_columns.hpp"
#include "ridgelet/fitting/wild_values.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/network/scaling.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/refinement.hpp"
#include "ridgelet/target/relevance.hpp"

namespace ridgelet {

namespace {

/// The default, which is not a coefficient to be learned.
const std::string no_mean = "0";

/// For other likelihoods the noise is their numbers, which are learned unless they are written after the name.
bool learns_noise(const ModelSettings& settings, const LearnSettings& how) {
  if (is_gaussian(settings.likelihood)) return how.learn || !settings.noise;
  const bool given = settings.likelihood.find('(') != std::string::npos;
  return !parse_likelihood(settings.likelihood)->parameters().empty() && (how.learn || !given);
}

/// Rows that a likelihood is learned on: an evaluation costs that of K + 1 processes for each of several steps.
Index affordable_rows(Index functions) {
  constexpr double of_one_function = 500;
  return static_cast<Index>(of_one_function / std::cbrt(static_cast<double>(functions)));
}

/// Rows that refine what is learned on `rows` of them.
Index refining_rows(Index rows) {
  constexpr Index times = 4;
  return std::min(times * rows, RefinementOptions{}.rows);
}

/// What is learned from: a process to start from goes in, and what was learned comes out.
struct Learning {
  LearningOptions options;
  std::function<LearnedTarget(const GaussianProcess& start, const LearningOptions& options)> run;
};

Learning latent_learning(const RegressionTable& table, const ModelSettings& model, const Matrix& X,
                         const LearnSettings& how, LearningOptions options) {
  const LikelihoodPointer likelihood = likelihood_for(model.likelihood, table);
  const Scaling functions = function_scaling(*likelihood, table, *model.standardise);
  options.rows = how.rows.value_or(affordable_rows(likelihood->functions()));
  options.starts = likelihood->functions() > 2 ? 2 : 3;
  options.thinned_rows = options.rows / 3;
  const LatentResponse response{.likelihood = likelihood,
                                .Y = responses_of(*likelihood, table.Y, functions),
                                .offset = offsets_of(*likelihood, table.Y, functions)};
  return {options, [&X, response](const GaussianProcess& start, const LearningOptions& from) {
            return learn_target(start, X, response, from);
          }};
}

Learning gaussian_learning(const Matrix& X, const Matrix& Y, const LearningOptions& options) {
  return {options, [&X, &Y](const GaussianProcess& start, const LearningOptions& how) {
            return learn_target(start, X, Y, how);
          }};
}

/// By how much log evidence negative binomial counts are ahead of Poisson's, each learned from one start on a few rows.
/// Nothing if one of them cannot be learned.
double overdispersion(const RegressionTable& table, const ModelSettings& model, const Matrix& X,
                      const LearningOptions& options) {
  constexpr Index few_rows = 200;
  const GaussianProcess start{.kernel = parse_kernel(model.kernel.empty() ? "se()" : model.kernel),
                              .mean = MeanFunction(model.mean)};
  const auto evidence = [&](const std::string& likelihood) {
    ModelSettings of_counts = model;
    of_counts.likelihood = likelihood;
    Learning learning = latent_learning(table, of_counts, X, {.rows = few_rows}, options);
    learning.options.parts.noise = true;
    learning.options.starts = 1;
    learning.options.progress = nullptr;
    return learning.run(start, learning.options).log_evidence;
  };
  try {
    return evidence("negative-binomial") - evidence("poisson");
  } catch (const InvalidArgument&) {
    return 0;
  }
}

/// Learns from the kernel given, or from the default. `unit` is that of the columns of X, as in common_unit.
void learn_kernel(LearnedSettings& result, const ModelSettings& model, const Learning& learning,
                  const Matrix& X, const Vector& unit) {
  const auto learn = [&](const Kernel& kernel, bool hold_ratios) {
    LearningOptions options = learning.options;
    options.hold_ratios = hold_ratios;
    return learning.run({.kernel = kernel, .mean = MeanFunction(model.mean)}, options);
  };
  if (!model.kernel.empty()) {
    result.target = learn(parse_kernel(model.kernel), false);
    return;
  }
  result.by_default = learn_default_kernel(std::min(X.rows(), learning.options.rows), X.cols(), unit, learn);
  result.target = result.by_default->learned;
}

/// Whether the inputs explain less than 2 % of the variance of every response.
bool is_nearly_all_noise(const LearnedSettings& learned) {
  constexpr double nearly_all = 0.99;
  return learned.noise_share.size() > 0 && learned.noise_share.minCoeff() > nearly_all;
}

bool shares_lengthscale(const LearnedSettings& learned) {
  return learned.by_default && learned.by_default->lengthscales != Lengthscales::each;
}

/// A learned noise that rounding would show through is raised. Returns whether one was.
bool raise_above_rounding(LearnedTarget& target, const Matrix& X) {
  const double variance = target.process.kernel.diagonal(X(target.rows, Eigen::all)).mean();
  const double least = noise_above_rounding(variance, X.rows());
  if (target.noise.minCoeff() >= least) return false;
  target.noise = target.noise.cwiseMax(least);
  return true;
}

/// The effects of inputs are judged at the rows that were learned from.
void judge_inputs(LearnedSettings& learned, const Matrix& X, const Matrix& Y) {
  const LearnedTarget& target = *learned.target;
  learned.relevance = input_relevance(target.process, X, Y);
  learned.irrelevant = irrelevant_inputs(target.process, target.noise, X(target.rows, Eigen::all),
                                         Y(target.rows, Eigen::all), learned.relevance);
}

/// The same for functions that are not seen themselves, by what a row tells of them.
void judge_latent_inputs(LearnedSettings& learned, const Matrix& X, double noise) {
  const LearnedTarget& target = *learned.target;
  const Matrix rows = X(target.rows, Eigen::all);
  const double variance = target.process.kernel.diagonal(rows).mean();
  learned.relevance = input_relevance(target.process, rows, variance);
  for (Index k = 0; k < learned.relevance.size(); ++k)
    if (learned.relevance(k) < hardly_relevant &&
        learned.relevance(k) * variance < hardly_above_noise * noise * noise)
      learned.irrelevant.push_back(k);
}

/// "30 rows are too few to tell 40 lengthscales apart, so all inputs share one".
std::string shared_lengthscale_finding(const LearnedSettings& learned, Index inputs) {
  const LearnedDefault& learned_default = *learned.by_default;
  std::string finding = fmt::format(
      "{} rows are too few to tell {} lengthscales apart, so all inputs share one, in {}",
      learned_default.learned.rows.size(), inputs,
      learned_default.lengthscales == Lengthscales::common ? "the unit that the columns have in common"
                                                           : "standard deviations of each");
  if (learned_default.other_score)
    finding +=
        fmt::format(" (log evidence less log(rows) / 2 for each number learned: {:.1f}, against {:.1f})",
                    learned_default.learned.score(), *learned_default.other_score);
  return finding;
}

}  // namespace

bool learns_kernel(const ModelSettings& settings, const LearnSettings& how) {
  return how.learn || settings.kernel.empty() || settings.kernel == best_of_a_list;
}

bool leaves_open(const ModelSettings& settings, const LearnSettings& how) {
  return learns_kernel(settings, how) || learns_noise(settings, how);
}

LearnedSettings learn_settings(const RegressionTable& table, RegressionSettings settings,
                               const LearnSettings& how) {
  if (how.period) require_positive(*how.period, "period");
  ModelSettings& model = settings.model;
  const bool best = model.kernel == best_of_a_list, noise = learns_noise(model, how);
  LearnedSettings result{
      .settings = {}, .target = {}, .choice = {}, .kernel = learns_kernel(model, how), .noise = noise};
  if (!model.standardise) model.standardise = model.kernel.empty() || best;
  if (leaves_open(model, how)) {
    const bool standardise = *model.standardise;
    const Scaling inputs = standardise ? table.standardised_inputs() : Scaling::none(table.X.cols()),
                  outputs = standardise && is_gaussian(model.likelihood) ? table.standardised_outputs()
                                                                         : Scaling::none(table.Y.cols());
    const bool gaussian = is_gaussian(model.likelihood);
    const Vector unit = standardise ? common_unit(table) : Vector();
    const Matrix X = inputs.apply(table.X), Y = gaussian ? outputs.apply(table.Y) : table.Y;
    LearningOptions options{
        .parts = {.kernel = result.kernel, .mean = how.learn && model.mean != no_mean, .noise = result.noise},
        .noise = model.noise,
        .priors = how.priors,
        .rows = how.most_rows(),
        .seed = settings.seed,
        .progress = how.progress,
        .ranks = how.ranks};
    if (!gaussian) {
      if (best) throw InvalidArgument("kernel", "best is for Gaussian noise; name a kernel, or none for se");
      learn_kernel(result, model, latent_learning(table, model, X, how, options), X, unit);
      if (result.kernel && model.likelihood == "poisson")
        result.overdispersion = overdispersion(table, model, X, options);
      model.likelihood =
          likelihood_for(model.likelihood, table)->with_parameters(result.target->noise)->text();
    } else if (best) {
      result.choice =
          choose_kernel(MeanFunction(model.mean), X, Y,
                        {.learning = options,
                         .period = how.period ? std::optional(*how.period / inputs.scale(0)) : std::nullopt,
                         .unit = unit});
      result.target = result.choice->learned;
    } else {
      learn_kernel(result, model, gaussian_learning(X, Y, options), X, unit);
    }
    if (gaussian)
      result.target =
          refine_target(*std::move(result.target), X, Y, options, {.rows = refining_rows(how.most_rows())});
    if (gaussian && result.noise) result.noise_raised = raise_above_rounding(*result.target, X);
    model.kernel = result.target->process.kernel.text();
    model.mean = result.target->process.mean.text();
    if (gaussian) model.noise = result.target->noise;
    if (gaussian && result.noise)
      result.noise_share = result.target->noise.cwiseQuotient(Scaling::standardising(Y).scale);
    // A lengthscale that all inputs share says nothing of any one of them.
    const bool tells_inputs_apart = result.kernel && !shares_lengthscale(result);
    if (tells_inputs_apart && gaussian) judge_inputs(result, X, Y);
    if (tells_inputs_apart && !gaussian)
      judge_latent_inputs(result, X, noise_of_a_row(*likelihood_for(model.likelihood, table), table));
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

bool is_irrelevant(const LearnedSettings& learned, Index input) {
  return std::ranges::find(learned.irrelevant, input) != learned.irrelevant.end();
}

/// A number of a likelihood that has no unit, and what is the case where it is as large as can be.
struct LikelihoodLimit {
  std::string parameter;
  std::string at_upper_bound;
};

const std::vector<LikelihoodLimit> limits_of_likelihoods = {
    {.parameter = "shape", .at_upper_bound = ": the counts hardly vary more than poisson has them"},
    {.parameter = "degrees", .at_upper_bound = ": the noise is hardly other than gaussian"}};

/// Whether the parameter is a lengthscale of inputs all of which hardly matter.
bool belongs_to_irrelevant_inputs(const std::string& parameter, const LearnedSettings& learned, Index d) {
  for (const KernelParameter& each : learned.target->process.kernel.parameters())
    if (each.name == parameter && each.kind == "lengthscale")
      return std::ranges::all_of(each.inputs.columns(d), [&](Index k) { return is_irrelevant(learned, k); });
  return false;
}

}  // namespace

Scaling response_units(const LearnedSettings& learned, const RegressionTable& table) {
  const ModelSettings& model = learned.settings.model;
  const bool standardised = model.standardise.value_or(false);
  if (is_gaussian(model.likelihood))
    return standardised ? table.standardised_outputs() : Scaling::none(table.Y.cols());
  const LikelihoodPointer likelihood = likelihood_for(model.likelihood, table);
  return likelihood->response() == ResponseKind::real ? function_scaling(*likelihood, table, standardised)
                                                      : Scaling{};
}

std::vector<std::string> irrelevant_columns(const LearnedSettings& learned, const TableEncoding& encoding) {
  std::vector<std::string> names;
  Index first = 0;
  for (const ColumnEncoding& column : encoding.inputs) {
    const auto inputs = std::views::iota(first, first + column.width());
    if (std::ranges::all_of(inputs, [&](Index k) { return is_irrelevant(learned, k); }))
      names.push_back(column.name);
    first += column.width();
  }
  return names;
}

namespace {

/// Of starts that failed nothing is said. One that ended far below the best explains nothing: what it found is e^-10
/// times as likely. One of them is usual, since one start takes all of the response for noise.
std::vector<std::string> findings_of_starts(const LearnedTarget& target) {
  constexpr double far_below = 10;
  Index near = 0, far = 0;
  double lowest = 0;
  for (const LearningStart& start : target.starts) {
    const double below = target.starts[target.best].objective - start.objective;
    if (!start.process || below <= worth_mentioning) continue;
    if (below > far_below) {
      ++far;
    } else {
      ++near;
      lowest = std::max(lowest, below);
    }
  }
  std::vector<std::string> sentences;
  if (near > 0)
    sentences.push_back(
        fmt::format("{} of {} starts ended up to {:.1f} below the best in log evidence: there are several "
                    "explanations of the data",
                    near, target.starts.size(), lowest));
  if (far > 1)
    sentences.push_back(
        fmt::format("{} of {} starts ended more than {} below the best in log evidence; the best is taken",
                    far, target.starts.size(), far_below));
  return sentences;
}

}  // namespace

std::vector<std::string> findings(const LearnedSettings& learned, const RegressionTable& table) {
  std::vector<std::string> sentences;
  if (!learned.target) return sentences;
  const LearnedTarget& target = *learned.target;
  if (shares_lengthscale(learned)) sentences.push_back(shared_lengthscale_finding(learned, table.X.cols()));
  for (std::string& sentence : findings_of_starts(target)) sentences.push_back(std::move(sentence));
  const std::string units = learned.settings.model.standardise.value_or(false) ? "in standardised columns"
                                                                               : "in the units of the table";
  for (const BoundHit& hit : target.at_bounds) {
    // An input that hardly matters is named below, where that is known.
    if (hit.upper && belongs_to_irrelevant_inputs(hit.parameter, learned, table.X.cols())) continue;
    const auto unitless =
        std::ranges::find(limits_of_likelihoods, hit.parameter, &LikelihoodLimit::parameter);
    sentences.push_back(fmt::format("learning ended with {} at its {} bound, {:.3g}{}", hit.parameter,
                                    hit.upper ? "upper" : "lower", hit.value,
                                    unitless == limits_of_likelihoods.end() ? " " + units
                                    : hit.upper                             ? unitless->at_upper_bound
                                                                            : ""));
  }
  constexpr double decisive = 6;
  if (learned.overdispersion > decisive)
    sentences.push_back(fmt::format(
        "counts vary more than poisson allows: --likelihood negative-binomial is {:.0f} ahead in log "
        "evidence on a few rows",
        learned.overdispersion));
  if (learned.noise_raised)
    sentences.push_back(
        fmt::format("the noise is raised to {:.3g} {}: below, rounding would show in predictions",
                    target.noise.minCoeff(), units));
  if (is_nearly_all_noise(learned))
    sentences.push_back("the inputs explain hardly anything of the response: nearly all of it is noise");
  for (const WildValue& wild : wild_values(table)) sentences.push_back(wild_value_advice(wild));
  if (is_gaussian(learned.settings.model.likelihood))
    for (const WildValue& wild : wild_responses(table))
      sentences.push_back(wild_response_advice(wild, table));
  const std::vector<std::string> names = irrelevant_columns(learned, encoding_of(table));
  if (!names.empty())
    sentences.push_back(join(names) + (names.size() == 1 ? " hardly matters" : " hardly matter"));
  if (const auto skewed = skewed_columns(table); !skewed.empty())
    sentences.push_back(logarithm_advice(skewed));
  return sentences;
}

}  // namespace ridgelet
