#include "experiments/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/prior/iid_prior.hpp"

namespace ridgelet::experiments {

namespace {

constexpr double normal_975 = 1.959963984540054;  ///< Phi^{-1}(0.975)

/// The networks imitate the process less its mean.
RidgeletPrior imitation(const Contest& contest, const Contender& contender) {
  const bool integrates = operator_traits(contender.prior).integrates;
  return RidgeletPrior({.target = {.kernel = contest.process.kernel, .mean = MeanFunction("0")},
                        .nodes = integrates ? contest.nodes : contest.few_nodes,
                        .activation = "tanh",
                        .units = contender.units,
                        .hidden = contest.hidden,
                        .op = {.name = contender.prior, .ridge = contest.few_ridge}});
}

IidPrior independent_weights(const Contest& contest, const Contender& contender) {
  return IidPrior({.activation = "tanh",
                   .units = contender.units,
                   .dimension = contest.data.X.cols(),
                   .hidden = contest.hidden,
                   .sigma_out = 0.1 / std::sqrt(static_cast<double>(contender.units))});
}

double root_mean_square(const VectorView& values) {
  return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
}

Scores score(const Contest& contest, const PredictiveSummary& predicted, const PredictiveSummary& process) {
  const auto held_out = [&](const Matrix& values) -> Vector { return values(contest.held_out, 0); };
  const Vector lower = held_out(predicted.lower), upper = held_out(predicted.upper), &y = contest.truth;
  Vector differences(2 * y.size());
  differences << held_out(predicted.mean) - held_out(process.mean),
      held_out(predicted.sd) - held_out(process.sd);
  return {.rmse = root_mean_square(held_out(predicted.mean) - y),
          .coverage = ((lower.array() <= y.array()) && (y.array() <= upper.array())).cast<double>().mean(),
          .width = (upper - lower).mean(),
          .gp_distance = root_mean_square(differences)};
}

Answer exact_answer(const Contest& contest) {
  const Stopwatch watch;
  const double noise = contest.data.noise(0);
  const Vector y = contest.data.Y.col(0) + contest.process.mean(contest.data.X);
  const GaussianProcessPosterior posterior(contest.process, contest.data.X, y, noise);
  const Vector mean = posterior.mean(contest.asked);
  const Vector sd = (posterior.variance(contest.asked).array().max(0) + noise * noise).sqrt();
  Answer answer{
      .key = "gp",
      .name = "gp",
      .predicted = {
          .mean = mean, .sd = sd, .lower = mean - normal_975 * sd, .upper = mean + normal_975 * sd}};
  answer.scores = score(contest, answer.predicted, answer.predicted);
  answer.seconds = watch.seconds();
  return answer;
}

FitReport::PriorError prior_error(const RidgeletPrior& prior, const Contest& contest) {
  return measure_prior_error(prior, contest.domain_points,
                             {.replicates = contest.options.fast ? 5 : 20, .seed = contest.options.seed});
}

/// R-hat and sample sizes of the functions: weights are not identified, functions are.
WorstDiagnostics diagnose_functions(const Posterior& posterior, const Matrix& X) {
  const Matrix f = posterior.functions(X);
  const PosteriorDraws& draws = posterior.draws();
  return worst_diagnostics(
      X.rows(), [&](Index i) { return Matrix(f.col(i).reshaped(draws.draws_per_chain(), draws.chains)); });
}

/// One line, or an empty text if the chains have mixed.
std::string mixing_warning(const WorstDiagnostics& worst, const Contest& contest) {
  const double wanted = effective_samples_per_chain * static_cast<double>(worst.chains);
  const double size = std::min(worst.bulk.value, worst.tail.value);
  const bool disagree = !(worst.rhat.value <= rhat_threshold);
  if (!disagree && size >= wanted) return "";
  return fmt::format(
      "the chains have {}: R-hat is {:.3f} {} (wanted: at most {}) and the draws are worth {:.0f} "
      "independent ones (wanted: {:.0f}), so {}",
      disagree ? "not mixed" : "mixed slowly", worst.rhat.value, contest.place(worst.rhat.quantity),
      rhat_threshold, std::floor(size), wanted,
      disagree ? "the prediction depends on where they started" : "the numbers are imprecise");
}

/// What the chains of this prior leave behind.
PosteriorDraws sample(const std::shared_ptr<const LayerPrior>& prior, const std::shared_ptr<const Data>& data,
                      const Contender& contender, const Contest& contest) {
  const std::string stage = fmt::format("steps of {} with {} units", contender.prior, contender.units);
  Sampling sampling(prior, data, contender.sampling);
  sampling.run([] { return false; },
               [&](Index done, Index total) {
                 if (contest.options.progress) contest.options.progress(stage, done, total);
               });
  return sampling.take_draws();
}

Answer sampled_answer(const Contender& contender, const std::shared_ptr<const LayerPrior>& prior,
                      const Contest& contest, const PredictiveSummary& process) {
  const auto data = std::make_shared<const Data>(contest.data);
  const Posterior posterior(prior, data, contest.process.mean, sample(prior, data, contender, contest));
  Answer answer{.key = contender.key, .name = contender.prior, .predicted = posterior.predict(contest.asked)};
  answer.scores = score(contest, answer.predicted, process);
  answer.units = contender.units;
  answer.sampling = contender.sampling;
  answer.diagnostics = diagnose_functions(posterior, contest.asked.topRows(contest.monitored));
  return answer;
}

Answer network_answer(const Contender& contender, const Contest& contest, const PredictiveSummary& process) {
  const Stopwatch watch;
  Answer answer;
  if (contender.prior == "iid") {
    answer =
        sampled_answer(contender, std::make_shared<const IidPrior>(independent_weights(contest, contender)),
                       contest, process);
  } else {
    const auto prior = std::make_shared<const RidgeletPrior>(imitation(contest, contender));
    answer = sampled_answer(contender, prior, contest, process);
    answer.prior_error = prior_error(*prior, contest);
    answer.warnings.push_back(prior_error_finding(*answer.prior_error));
  }
  answer.warnings.push_back(mixing_warning(*answer.diagnostics, contest));
  std::erase(answer.warnings, "");
  answer.seconds = watch.seconds();
  return answer;
}

}  // namespace

std::vector<Answer> run_contest(const Contest& contest, const std::vector<Contender>& contenders) {
  const Answer exact = exact_answer(contest);
  std::vector<Answer> answers;
  for (const Contender& contender : contenders)
    if (contender.key != contest.options.without)
      answers.push_back(network_answer(contender, contest, exact.predicted));
  answers.push_back(exact);
  return answers;
}

const Answer& find_answer(const std::vector<Answer>& answers, const std::string& key) {
  return *std::ranges::find(answers, key, &Answer::key);
}

PredictiveSummary rows(const PredictiveSummary& all, Index first, Index count) {
  return {.mean = all.mean.middleRows(first, count),
          .sd = all.sd.middleRows(first, count),
          .lower = all.lower.middleRows(first, count),
          .upper = all.upper.middleRows(first, count)};
}

std::string_view colour_of(const Answer& answer) {
  if (answer.key == "gp") return colour::gaussian_process;
  if (answer.key == "iid") return colour::iid;
  return colour_of_operator(answer.name);
}

}  // namespace ridgelet::experiments
