#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/assess/approximation.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet::app {

namespace {

constexpr Index mmd_inputs = 50;

struct Assess {
  CommonOptions common;
  ModelFlags model;
  Index replicates = 20;
  Index eval_points = 200;
  Index mmd_draws = 0;

  void run() const;
};

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
      {"mmd2", nullptr},
      {"assumptions", s.assumptions},
      {"seconds", s.seconds},
  };
  if (s.mmd2) json["mmd2"] = {{"value", s.mmd2->value}, {"null", s.mmd2->null}, {"draws", s.mmd2->draws}};
  return json;
}

void Assess::run() const {
  const ThreadScope threads(common.thread_count());
  const Model built = build_model(model.settings());
  const Matrix points = evaluation_points(built.domain, eval_points, common.seed);
  const Matrix mmd_points = evaluation_points(built.domain, mmd_inputs, common.seed);
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
  if (common.json)
    fmt::print("{}\n", as_json(summary).dump(2));
  else if (!common.quiet)
    fmt::print("{}", summary.brief_report());
}

}  // namespace

void add_assess(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("assess", "How close the network prior is to its Gaussian process");
  const auto assess = std::make_shared<Assess>();
  add_whole_number<Index>(*command, "replicates", assess->replicates, 1,
                          "independent hidden layers (default 20)");
  add_whole_number<Index>(*command, "eval-points", assess->eval_points, 2,
                          "points of the domain (default 200)");
  add_whole_number<Index>(*command, "mmd-draws", assess->mmd_draws, 0,
                          "draws of networks and of the process for MMD^2 (default 0: none)");
  assess->common.add_to(*command);
  assess->model.add_to(*command);
  command->callback([assess] { assess->run(); });
  command->footer(
      "Example, the paper's Section 6.1 with its own operator and then with least squares:\n"
      "  ridgelet assess --kernel \"se(amplitude=1, lengthscale=1.5)\" --operator ridgelet --units 1000\n"
      "  ridgelet assess --kernel \"se(amplitude=1, lengthscale=1.5)\" --units 300");
}

}  // namespace ridgelet::app
