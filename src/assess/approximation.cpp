#include "ridgelet/assess/approximation.hpp"

#include <fmt/format.h>

#include <mutex>

#include "ridgelet/assess/error_bound.hpp"
#include "ridgelet/assess/mmd.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

class Progress {
 public:
  Progress(const ApproximationOptions& options)
      : report_(options.progress), total_(options.replicates + options.mmd_draws) {}

  void step() {
    if (!report_) return;
    const std::lock_guard lock(one_at_a_time_);
    report_(++done_, total_);
  }

 private:
  const std::function<void(Index, Index)>& report_;
  std::mutex one_at_a_time_;
  Index total_;
  Index done_ = 0;
};

/// What a replicate says besides its error.
struct Replicate {
  Matrix factor;
  double weight_norm;
  double mmd2;
};

ApproximationSummary::Mmd compare_draws(const RidgeletPrior& prior, const Matrix& points,
                                        const ApproximationOptions& options, Progress& progress) {
  const Index S = options.mmd_draws;
  Matrix networks(S, points.rows());
  parallel_for(S, [&](Index i) {
    networks.row(i) = draw_network(prior, options.seed, static_cast<std::uint32_t>(i))(points).transpose();
    progress.step();
  });
  const Gaussian process = prior.options().target.prior(points);
  const Matrix one = process.draws(S, {.seed = options.seed, .purpose = Purpose::target_process});
  const Matrix other = process.draws(S, {.seed = options.seed, .purpose = Purpose::comparison_process});
  return {.value = sample_mmd2(networks, one, paper_inverse_alpha_squared),
          .null = sample_mmd2(other, one, paper_inverse_alpha_squared),
          .draws = S};
}

}  // namespace

void validate(const ApproximationOptions& options) {
  require_at_least(options.replicates, 1, "replicates");
  require_at_least(options.mmd_draws, 0, "mmd_draws");
}

ApproximationSummary assess_approximation(const RidgeletPrior& prior, const Matrix& points,
                                          const Matrix& mmd_points, const ApproximationOptions& options) {
  validate(options);
  const Stopwatch watch;
  const Index count = options.replicates;
  const double E = static_cast<double>(points.rows()), R = static_cast<double>(prior.rank());
  require_memory(8 * 2 * E * E, "eval_points", fmt::format("the covariance at {} points", points.rows()));
  require_memory(8 * static_cast<double>(count) * E * (R + 1), "replicates",
                 fmt::format("{} replicates at {} points", count, points.rows()));
  require_memory(8 * 3 * static_cast<double>(options.mmd_draws) * static_cast<double>(mmd_points.rows()),
                 "mmd_draws", fmt::format("{} draws at {} points", options.mmd_draws, mmd_points.rows()));

  Progress progress(options);
  const Gaussian process = prior.options().target.prior(mmd_points);
  std::vector<Replicate> replicates(static_cast<std::size_t>(count));
  const ErrorOverReplicates error = error_over_replicates(
      prior, points, {.replicates = count, .seed = options.seed},
      [&](Index i, const GivenHidden& given, const Gaussian& network) {
        const double mmd2 = gaussian_mmd2(given.output(mmd_points), process, paper_inverse_alpha_squared);
        replicates[static_cast<std::size_t>(i)] = {network.factor, given.weight_norm(), mmd2};
        progress.step();
      });

  ApproximationSummary summary;
  const PriorOptions& model = prior.options();
  summary.operator_name = model.op.name;
  summary.kernel = model.target.kernel.text();
  summary.activation = model.activation.name();
  if (operator_traits(model.op.name).needs_psi) {
    const ActivationPair pair = pair_of(prior);
    summary.assumptions = pair.assumptions().text(pair.integrable_order());
  }
  summary.units = model.units;
  summary.layers = model.layers;
  summary.nodes = model.nodes.size();
  summary.rank = prior.rank();

  Vector mmd2(count);
  summary.covariance = Matrix::Zero(points.rows(), points.rows());
  for (Index i = 0; i < count; ++i) {
    const Replicate& replicate = replicates[static_cast<std::size_t>(i)];
    mmd2(i) = replicate.mmd2;
    summary.weight_norm += replicate.weight_norm / static_cast<double>(count);
    add_product_transposed(summary.covariance, replicate.factor / static_cast<double>(count),
                           replicate.factor);
  }
  summary.mrmse = error.largest();
  summary.rmse_mean = error.mean();
  summary.mmd2_given = OverReplicates::of(mmd2);
  summary.kriging_floor = prior.kriging(points).floor.maxCoeff();
  const Matrix K = model.target.kernel.matrix(points, points);
  summary.covariance_error = (summary.covariance - K).norm() / K.norm();
  if (options.mmd_draws > 0) summary.mmd2 = compare_draws(prior, mmd_points, options, progress);
  summary.seconds = watch.seconds();
  return summary;
}

std::string ApproximationSummary::brief_report() const {
  std::string report = fmt::format("{}: {} with {} units of {}\n", kernel, operator_name, units, activation);
  const auto line = [&](std::string_view name, const std::string& value, std::string_view meaning) {
    report += fmt::format("  {:<20}{:<{}}{}\n", name, value, meaning.empty() ? 0 : 25, meaning);
  };
  line("largest rmse", fmt::format("{:.3g} +- {:.1g}", mrmse.mean, mrmse.standard_error()),
       fmt::format("MRMSE over the domain, in units of f (+- s.e. of {} hidden layers)", mrmse.replicates));
  line("mean rmse", fmt::format("{:.3g}", rmse_mean), "over the domain, in units of f");
  line("kriging floor", fmt::format("{:.1g}", kriging_floor), "no network on these nodes does better");
  line("covariance error", fmt::format("{:.3g} %", 100 * covariance_error), "of the process's covariance");
  line("weights", fmt::format("{:.3g}", weight_norm), "root mean square length of w");
  line("MMD^2 given hidden", fmt::format("{:.2g} +- {:.1g}", mmd2_given.mean, mmd2_given.standard_error()),
       "one hidden layer against the process, in closed form");
  if (mmd2)
    line("MMD^2", fmt::format("{:.2g} (null {:.2g})", mmd2->value, mmd2->null),
         fmt::format("{} draws; null: process against process", mmd2->draws));
  line("nodes, rank", fmt::format("{}, {}", nodes, rank), "where the process is looked at; what that takes");
  if (!assumptions.empty()) line("assumption 1", "", assumptions);
  line("time", fmt::format("{:.2f} s", seconds), "");
  return report;
}

}  // namespace ridgelet
