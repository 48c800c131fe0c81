#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/sample_paths_figure.hpp"
#include "ridgelet/network/network.hpp"

namespace ridgelet::app {

namespace {

struct Sample {
  CommonOptions common;
  ModelFlags model;
  Index draws = 10;
  Index eval_points = 200;
  std::string out;
  std::string plot;

  void run() const;
  SamplePaths draw_paths(const Model& built) const;
  void write_table(const SamplePaths& paths, OutputFile& file) const;
};

SamplePaths Sample::draw_paths(const Model& built) const {
  const Matrix X = evaluation_points(built.domain, eval_points, common.seed);
  require_memory(16.0 * static_cast<double>(X.rows()) * static_cast<double>(draws), "draws",
                 fmt::format("{} paths at {} points", draws, X.rows()));
  // The process's covariance, its factor and the check of one against the other.
  const double points = static_cast<double>(X.rows());
  require_memory(3 * 8 * points * points, "eval_points", fmt::format("the process at {} points", X.rows()));
  SamplePaths paths{.X = X,
                    .networks = Matrix(X.rows(), draws),
                    .process = Matrix(X.rows(), draws),
                    .operator_name = built.prior.options().op.name,
                    .units = built.prior.options().units};
  const Gaussian process = built.prior.options().target.prior(X);
  Progress progress("networks", common.quiet);
  for (Index i = 0; i < draws; ++i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const RandomStream stream{
        .seed = common.seed, .purpose = Purpose::target_process, .replicate = replicate};
    paths.networks.col(i) = draw_network(built.prior, common.seed, replicate)(X);
    paths.process.col(i) = process.at(stream.normals(process.rank()));
    progress.update(i + 1, draws);
  }
  return paths;
}

void Sample::write_table(const SamplePaths& paths, OutputFile& file) const {
  std::vector<std::string> header;
  for (Index k = 1; k <= paths.X.cols(); ++k) header.push_back(fmt::format("x{}", k));
  for (const char* kind : {"network", "gp"})
    for (Index i = 1; i <= draws; ++i) header.push_back(fmt::format("{}_{}", kind, i));
  Matrix table(paths.X.rows(), paths.X.cols() + 2 * draws);
  table << paths.X, paths.networks, paths.process;
  write_csv(file.stream(), header, table);
}

void Sample::run() const {
  const ThreadScope threads(common.thread_count());
  require_separate_files({model.file()}, {{"out", out}, {"plot", plot}});
  const Model built = build_model(model.settings());
  if (!plot.empty()) {
    validate_figure_path(plot);
    if (built.domain.dimension() > 2)
      throw InvalidArgument(
          "plot", fmt::format("needs a model of one or two inputs, got {}", built.domain.dimension()));
  }
  OutputFile file(out);
  const SamplePaths paths = draw_paths(built);
  write_table(paths, file);
  if (!plot.empty()) plot_sample_paths(paths, plot);
  file.commit();

  if (common.json) {
    nlohmann::ordered_json json = {
        {"operator", paths.operator_name}, {"units", paths.units}, {"draws", draws},
        {"points", paths.X.rows()},        {"out", out},           {"plot", nullptr}};
    if (!plot.empty()) json["plot"] = plot;
    fmt::print("{}\n", json.dump(2));
  } else if (!common.quiet) {
    fmt::print("{} paths of the network and {} of the process at {} points: {}\n", draws, draws,
               paths.X.rows(), out);
    if (!plot.empty()) fmt::print("figure: {}\n", plot);
  }
}

}  // namespace

void add_sample(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("sample", "Sample paths of the network prior and of its process");
  const auto sample = std::make_shared<Sample>();
  add_whole_number<Index>(*command, "draws", sample->draws, 1, "paths of each (default 10)");
  add_whole_number<Index>(*command, "eval-points", sample->eval_points, 2,
                          "points of the domain (default 200)");
  command->add_option("--out", sample->out, "CSV: x1, ..., network_1, ..., gp_1, ...")
      ->type_name("FILE")
      ->required();
  command->add_option("--plot", sample->plot, "figure, .svg or .png")->type_name("FILE");
  sample->common.add_to(*command);
  sample->model.add_to(*command);
  command->callback([sample] { sample->run(); });
  command->footer(
      "Example:\n"
      "  ridgelet sample --kernel \"se(amplitude=1, lengthscale=1.5)\" --out paths.csv --plot paths.svg");
}

}  // namespace ridgelet::app
