#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "node_warning.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/assess/approximation.hpp"
#include "ridgelet/assess/error_bound.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

constexpr Index mmd_inputs = 50;
/// The bound of Theorem 1 holds with probability 1 - delta.
constexpr double delta = 0.05;

struct Assess {
  CommonOptions common;
  ModelFlags model;
  Index replicates = 20;
  Index eval_points = 200;
  Index mmd_draws = 0;
  bool split = false;

  void check() const { model.check(); }
  void run() const;
};

/// The error of the ridgelet operator, part by part: measured, and the terms of its bound.
struct Parts {
  ErrorSplit measured;
  ErrorParts bound;
};

Parts split_parts(const Model& built, const ModelSettings& settings, const Assess& assess) {
  // The reconstruction kernel is expensive to evaluate for a pair of a point and a node, so the points are few.
  const Matrix points =
      evaluation_points(built.domain, built.prior.dimension() == 1 ? 50 : 25, assess.common.seed);
  const ErrorParts bound = error_bound(built.prior, delta);
  const Nodes finer = build_nodes(settings, region_of(settings), {}, split_refinement(built.prior));
  return {.measured = split_error(built.prior, finer, points,
                                  {.replicates = assess.replicates, .seed = assess.common.seed}),
          .bound = bound};
}

nlohmann::ordered_json as_json(const ErrorParts& parts) {
  return {{"sigma_w", parts.sigma_w},
          {"sigma_b", parts.sigma_b},
          {"nodes", parts.nodes},
          {"units", parts.units},
          {"largest", parts.largest()}};
}

std::string report(const Parts& parts, const RidgeletPrior& prior) {
  const PriorOptions& model = prior.options();
  std::string text = fmt::format(
      "\nWhere the error comes from\n  {:<20}{:<25}{}\n", "setting", "measured, in units of f",
      fmt::format("{}, up to a constant (delta = {})",
                  pair_of(prior).bounded() ? "Theorem 1" : "Theorem 1 for unbounded activations", delta));
  const auto line = [&](const std::string& setting, double measured, double bound) {
    text += fmt::format("  {:<20}{:<25}{:.3g}\n", setting, fmt::format("{:.2g}", measured), bound);
  };
  const ErrorParts &measured = parts.measured.parts, &bound = parts.bound;
  line(fmt::format("sigma-w {}", model.hidden.sigma_w.text()), measured.sigma_w, bound.sigma_w);
  line(fmt::format("sigma-b {}", model.hidden.sigma_b), measured.sigma_b, bound.sigma_b);
  line(fmt::format("nodes {}", model.nodes.size()), measured.nodes, bound.nodes);
  line(fmt::format("units {}", model.units), measured.units, bound.units);
  return text + fmt::format("  {:<20}{:.2g}\n", "all together", parts.measured.total) +
         fmt::format("The largest part is that of {}: {}.\n", measured.largest(), parts.measured.advice());
}

nlohmann::ordered_json as_json(const ApproximationSummary& s) {
  nlohmann::ordered_json json = {
      {"operator", s.operator_name},
      {"kernel", s.kernel},
      {"activation", s.activation},
      {"units", s.units},
      {"layers", s.layers},
      {"nodes", s.nodes},
      {"rank", s.rank},
      {"mrmse", {{"mean", s.mrmse.mean}, {"sd", s.mrmse.sd}, {"replicates", s.mrmse.replicates}}},
      {"rmse_mean", s.rmse_mean},
      {"kriging_floor", s.kriging_floor},
      {"covariance_error", s.covariance_error},
      {"weight_norm", s.weight_norm},
      {"mmd2_given",
       {{"mean", s.mmd2_given.mean}, {"sd", s.mmd2_given.sd}, {"replicates", s.mmd2_given.replicates}}},
      {"mmd2", nullptr},
      {"assumptions", s.assumptions},
      {"seconds", s.seconds},
  };
  if (s.mmd2) json["mmd2"] = {{"value", s.mmd2->value}, {"null", s.mmd2->null}, {"draws", s.mmd2->draws}};
  return json;
}

/// The bandwidths, whether given or chosen.
std::string bandwidths_text(const RidgeletPrior& prior) {
  const PriorOptions& options = prior.options();
  std::string values =
      fmt::format("sigma-w {}, sigma-b {:.4g}", rounded(options.hidden.sigma_w, prior.dimension()),
                  options.hidden.sigma_b);
  if (operator_traits(options.op.name).needs_ridge) values += fmt::format(", ridge {:.0e}", options.op.ridge);
  return fmt::format("  {:<19} {}\n", "bandwidths", values);
}

void Assess::run() const {
  const ThreadScope threads(common.thread_count());
  const ModelSettings settings = model.settings();
  const Model built = build_model(settings);
  const Matrix points = evaluation_points(built.domain, eval_points, common.seed);
  const Matrix mmd_points = evaluation_points(built.domain, mmd_inputs, common.seed);
  std::optional<Parts> parts;
  if (split) parts = split_parts(built, settings, *this);
  ApproximationSummary summary;
  {
    Progress progress("hidden layers", common.quiet);
    summary =
        assess_approximation(built.prior, points, mmd_points,
                             {.replicates = replicates,
                              .mmd_draws = mmd_draws,
                              .seed = common.seed,
                              .progress = [&](Index done, Index total) { progress.update(done, total); }});
  }
  warn_about_nodes(built, points);
  nlohmann::ordered_json json = as_json(summary);
  const Index with_weight = (built.prior.options().nodes.weights.array() > 0).count();
  json["nodes_with_weight"] = with_weight;
  std::string text = summary.brief_report() + bandwidths_text(built.prior);
  if (with_weight < summary.nodes)
    text += fmt::format("  {:<19} {} of {}\n", "nodes with weight", with_weight, summary.nodes);
  json["sigma_w"] = one_or_several(numbers_of(built.prior.options().hidden.sigma_w, built.prior.dimension()));
  json["sigma_b"] = built.prior.options().hidden.sigma_b;
  json["ridge"] = built.prior.options().op.ridge;
  if (parts) {
    json["error_split"] = as_json(parts->measured.parts);
    json["error_split"]["total"] = parts->measured.total;
    json["error_bound"] = as_json(parts->bound);
    json["error_bound"]["delta"] = delta;
    text += report(*parts, built.prior);
  }
  if (common.json)
    fmt::print("{}\n", json.dump(2));
  else if (!common.quiet)
    fmt::print("{}", text);
}

}  // namespace

void add_assess(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("assess", "How close the network prior is to its Gaussian process");
  const auto assess = std::make_shared<Assess>();
  add_whole_number<Index>(*command, "replicates", assess->replicates, 1,
                          "independent hidden layers (default 20)");
  add_whole_number<Index>(*command, "eval-points", assess->eval_points, 2,
                          "points of the domain (default 200)");
  add_whole_number<Index>(*command, "mmd-draws", assess->mmd_draws, 0,
                          "draws of networks and of the process for MMD^2 (default 0: none)");
  command->add_flag("--split", assess->split,
                    "measure what sigma-w, sigma-b, nodes and units each add to the error (ridgelet only)");
  assess->common.add_to(*command);
  assess->model.add_to(*command);
  set_job(*command, job, assess);
  command->footer(
      "Example, the paper's Section 6.1 with its own operator and then with least squares:\n"
      "  ridgelet assess --kernel \"se(amplitude=1, lengthscale=1.5)\" --operator ridgelet --units 1000\n"
      "  ridgelet assess --kernel \"se(amplitude=1, lengthscale=1.5)\" --units 300\n"
      "Which setting to change:\n"
      "  ridgelet assess --kernel \"se(amplitude=1, lengthscale=1.5)\" --operator ridgelet --split");
}

}  // namespace ridgelet::app
