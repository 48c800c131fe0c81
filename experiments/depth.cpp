#include "experiments/depth.hpp"

#include <fmt/format.h>

#include <cmath>

#include "experiments/draws.hpp"
#include "experiments/paragraph.hpp"
#include "ridgelet/assess/mmd.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index nodes = 50;
constexpr Index depths = 5;
constexpr Index inputs = 50;
constexpr Index paths_shown = 8;

struct Contender {
  std::string op;
  Index units;
};

std::vector<Contender> contenders(bool fast) {
  if (fast) return {{"ridgelet", 1000}, {"ridgelet", 200}, {"least-squares", 200}};
  return {{"ridgelet", 10000}, {"ridgelet", 1000}, {"least-squares", 1000}};
}

RidgeletPrior deep_prior(const Contender& contender) {
  return make_prior({.model = contender.op, .units = contender.units, .layers = depths, .nodes = nodes});
}

/// What all contenders share.
struct Comparison {
  const ExperimentOptions& options;
  Matrix X;
  ProcessSamples process;
};

DepthSeries run_series(const Contender& contender, const Comparison& comparison, const Matrix& x) {
  const Stopwatch watch;
  const RidgeletPrior prior = deep_prior(contender);
  const Index repeats = comparison.process.null.size(), draws = comparison.process.samples.front().rows();
  const std::uint64_t seed = comparison.options.seed;
  const std::string stage = fmt::format("networks of {} with {} units", contender.op, contender.units);
  Index done = 0;
  const auto step = [&] {
    if (++done; comparison.options.progress) comparison.options.progress(stage, done, repeats * draws);
  };
  DepthSeries series{.op = contender.op,
                     .units = contender.units,
                     .mmd2 = Matrix(repeats, depths),
                     .sd = Vector::Zero(depths),
                     .paths = network_draws_by_depth(prior, x, {.count = paths_shown, .seed = seed})};
  for (Index r = 0; r < repeats; ++r) {
    const std::vector<Matrix> sample = network_draws_by_depth(
        prior, comparison.X, {.count = draws, .seed = seed, .first = r * draws, .step = step});
    const Matrix& process = comparison.process.samples[static_cast<std::size_t>(r)];
    for (Index l = 0; l < depths; ++l) {
      const Matrix networks = sample[static_cast<std::size_t>(l)].transpose();
      series.mmd2(r, l) = sample_mmd2(networks, process, paper_inverse_alpha_squared);
      series.sd(l) += networks.squaredNorm() / static_cast<double>(networks.size() * repeats);
    }
  }
  series.sd = series.sd.cwiseSqrt();
  series.seconds = watch.seconds();
  return series;
}

DepthStudy run_study(const ExperimentOptions& options) {
  const Box domain = Box::cube(5, 1);
  DepthStudy study{.draws = options.fast ? 200 : 1000,
                   .repeats = options.fast ? 2 : 10,
                   .inputs = inputs,
                   .null = {},
                   .x = evaluation_points(domain, options.fast ? 101 : 201, 0),
                   .process = {},
                   .series = {}};
  const RidgeletPrior shallow = make_prior({.nodes = nodes});
  study.process = imitated_draws(shallow, study.x, paths_shown, options.seed, Purpose::output_weights);
  const Matrix X = evaluation_points(domain, inputs, 0);
  const Comparison comparison{.options = options,
                              .X = X,
                              .process = process_samples(shallow.options().target.prior(X), study.draws,
                                                         study.repeats, options.seed)};
  study.null = comparison.process.null;
  for (const Contender& contender : contenders(options.fast))
    study.series.push_back(run_series(contender, comparison, study.x));
  return study;
}

/// A list with an entry for each kind of network and depth.
Json study_json(const DepthStudy& study, const ExperimentOptions& options) {
  const Estimate null = Estimate::of(study.null);
  Json list = Json::array();
  for (const DepthSeries& series : study.series)
    for (Index l = 0; l < study.depths(); ++l) {
      const Estimate mmd2 = Estimate::of(series.mmd2.col(l));
      list.push_back({{"operator", series.op},
                      {"layers", l + 1},
                      {"units", series.units},
                      {"mmd2", mmd2.mean},
                      {"null", null.mean},
                      {"mmd2_standard_error", mmd2.standard_error()},
                      {"null_standard_error", null.standard_error()},
                      {"sd", series.sd(l)},
                      {"draws", study.draws},
                      {"repeats", study.repeats},
                      {"inputs", study.inputs},
                      {"nodes", nodes},
                      {"seconds_of_all_layers", series.seconds},
                      {"fast", options.fast},
                      {"seed", options.seed}});
    }
  return list;
}

void append_paths(LongTable& table, const std::string& op, const Cell& layers, const Cell& units,
                  const Matrix& x, const Matrix& paths) {
  for (Index i = 0; i < paths.cols(); ++i)
    for (Index j = 0; j < x.rows(); ++j)
      table.rows.push_back({"path", op, layers, units, static_cast<double>(i + 1), x(j), paths(j, i)});
}

/// A row for each MMD^2 of one repeat, and for each point of a path.
LongTable study_table(const DepthStudy& study) {
  LongTable table{.header = {"part", "model", "layers", "units", "replicate", "x", "value"}, .rows = {}};
  const auto number = [](Index value) { return Cell(static_cast<double>(value)); };
  for (const DepthSeries& series : study.series)
    for (Index l = 0; l < study.depths(); ++l) {
      for (Index r = 0; r < study.repeats; ++r)
        table.rows.push_back(
            {"mmd2", series.op, number(l + 1), number(series.units), number(r + 1), "", series.mmd2(r, l)});
      append_paths(table, series.op, number(l + 1), number(series.units), study.x,
                   series.paths[static_cast<std::size_t>(l)]);
    }
  for (Index r = 0; r < study.repeats; ++r)
    table.rows.push_back({"mmd2", "gp", "", "", number(r + 1), "", study.null(r)});
  append_paths(table, "gp", "", "", study.x, study.process);
  return table;
}

std::string report(const DepthStudy& study) {
  const Estimate null = Estimate::of(study.null);
  std::string text = paragraph(fmt::format(
      "MMD^2 between networks of L hidden layers and their process: mean of {} repeats of {} draws at {} "
      "inputs (+- s.e.). The process against itself: {:.2g} +- {:.1g}.",
      study.repeats, study.draws, study.inputs, null.mean, null.standard_error()));
  text += fmt::format("  {:<15}{:>7}", "operator", "units");
  for (Index l = 1; l <= study.depths(); ++l) text += fmt::format("{:>18}", fmt::format("L = {}", l));
  text += fmt::format("{:>9}\n", "seconds");
  for (const DepthSeries& series : study.series) {
    text += fmt::format("  {:<15}{:>7}", series.op, series.units);
    for (Index l = 0; l < study.depths(); ++l) {
      const Estimate mmd2 = Estimate::of(series.mmd2.col(l));
      text += fmt::format("{:>18}", fmt::format("{:.2g} +- {:.1g}", mmd2.mean, mmd2.standard_error()));
    }
    text += fmt::format("{:>9.1f}\n", series.seconds);
  }
  return text;
}

}  // namespace

Experiment depth() {
  return {.name = "depth",
          .description = "Section 6.3: sample paths and MMD^2 as the network grows from 1 to 5 hidden layers",
          .run = [](const ExperimentOptions& options) -> ExperimentResult {
            const DepthStudy study = run_study(options);
            return {.table = study_table(study),
                    .json = study_json(study, options),
                    .figure = depth_figure(study),
                    .report = report(study)};
          }};
}

}  // namespace ridgelet::experiments
