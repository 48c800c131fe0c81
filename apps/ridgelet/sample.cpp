#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "node_warning.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/sample_paths_figure.hpp"

namespace ridgelet::app {

namespace {

struct Sample {
  CommonOptions common;
  ModelFlags model;
  Index draws = 10;
  Index eval_points = 0;  ///< 0: default_points()
  std::string out;
  std::string plot;

  void check() const;
  void run() const;
  SamplePaths draw_paths(const Model& built) const;
  void write_table(const SamplePaths& sample, OutputFile& file) const;
};

ResponseKind response_of(const std::string& likelihood) {
  return is_gaussian(likelihood) ? ResponseKind::real : parse_likelihood(likelihood)->response();
}

/// What paths of a model of standardised columns are.
std::string units_of_paths(const std::string& likelihood) {
  switch (response_of(likelihood)) {
    case ResponseKind::real:
      break;
    case ResponseKind::two_classes:
    case ResponseKind::classes:
      return "log-odds, from those of the classes' shares of its rows";
    case ResponseKind::count:
      return "logarithms of rates, from that of its mean count";
  }
  return "standard deviations of its response, from its mean";
}

constexpr Index looked_at_points = 200;  ///< where it is checked what the nodes leave unknown

/// In two inputs a grid of 50 x 50, so that maps are smooth.
Index default_points(Index dimension) {
  return dimension == 2 ? 2500 : 200;
}

SamplePaths Sample::draw_paths(const Model& built) const {
  const Index points = eval_points > 0 ? eval_points : default_points(built.domain.dimension());
  const Matrix X = evaluation_points(built.domain, points, common.seed);
  Progress progress("networks", common.quiet);
  const Scaling& inputs = built.settings.inputs;
  return {.X = inputs.undo(X),
          .paths = draw_coupled_paths(built.prior, X, draws, common.seed,
                                      [&](Index done) { progress.update(done, draws); }),
          .operator_name = built.prior.options().op.name,
          .units = built.prior.options().units,
          .standardised =
              inputs.scale.size() > 0 && response_of(built.settings.likelihood) == ResponseKind::real};
}

void Sample::write_table(const SamplePaths& sample, OutputFile& file) const {
  std::vector<std::string> header;
  for (Index k = 1; k <= sample.X.cols(); ++k) header.push_back(fmt::format("x{}", k));
  for (const char* kind : {"network", "gp"})
    for (Index i = 1; i <= draws; ++i) header.push_back(fmt::format("{}_{}", kind, i));
  Matrix table(sample.X.rows(), sample.X.cols() + 2 * draws);
  table << sample.X, sample.paths.networks, sample.paths.process;
  write_csv(file.stream(), header, table);
}

void Sample::check() const {
  model.check();
  if (!plot.empty()) validate_figure_path(plot);
}

void Sample::run() const {
  const ThreadScope threads(common.thread_count());
  require_separate_files({model.file()}, {{"out", out}, {"plot", plot}});
  require_name_of(table_format, {"out", out});
  const Model built = build_model(model.settings());
  if (!plot.empty() && built.domain.dimension() > 2)
    throw InvalidArgument(
        "plot", fmt::format("needs a model of one or two inputs, got {}", built.domain.dimension()));
  OutputFile file(out);
  const SamplePaths sample = draw_paths(built);
  warn_about_nodes(built, evaluation_points(built.domain, looked_at_points, common.seed));
  write_table(sample, file);
  if (!plot.empty()) plot_sample_paths(sample, plot);
  file.commit();

  if (common.json) {
    nlohmann::ordered_json json = {{"operator", sample.operator_name},
                                   {"units", sample.units},
                                   {"draws", draws},
                                   {"points", sample.X.rows()},
                                   {"error", sample.paths.error()},
                                   {"standardised", sample.standardised},
                                   {"out", out},
                                   {"plot", nullptr}};
    if (!plot.empty()) json["plot"] = plot;
    fmt::print("{}\n", json.dump(2));
  } else if (!common.quiet) {
    fmt::print("{} networks and the paths of the process that made them, at {} points: {}\n", draws,
               sample.X.rows(), out);
    if (built.settings.inputs.scale.size() > 0)
      fmt::print("inputs are in the units of the table that the model was learned from, paths in {}\n",
                 units_of_paths(built.settings.likelihood));
    fmt::print("error, network less process: {:.2g} of the process's standard deviation\n",
               sample.paths.error());
    if (!plot.empty()) fmt::print("figure: {}\n", plot);
  }
}

}  // namespace

void add_sample(CLI::App& program, Job& job) {
  CLI::App* command = program.add_subcommand(
      "sample", "Sample paths of the network prior and of its process, network by network");
  const auto sample = std::make_shared<Sample>();
  add_whole_number<Index>(*command, "draws", sample->draws, 1, "paths of network and process (default 10)");
  add_whole_number<Index>(*command, "eval-points", sample->eval_points, 2,
                          "points of the domain (default 200; in two inputs 2500, a grid of 50 x 50)");
  command
      ->add_option(
          "--out", sample->out,
          "CSV: x1, ..., network_1, ..., gp_1, ...; network_i is made of the values of gp_i at the nodes; of "
          "a model that learn wrote, x1, ... are in the units of its table, and paths are standardised")
      ->type_name("FILE")
      ->required();
  command->add_option("--plot", sample->plot, "figure, .svg or .png")->type_name("FILE");
  sample->common.add_to(*command);
  sample->model.add_to(*command);
  set_job(*command, job, sample);
  command->footer(
      "Example:\n"
      "  ridgelet sample --kernel \"se(amplitude=1, lengthscale=1.5)\" --out paths.csv --plot paths.svg");
}

}  // namespace ridgelet::app
