#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/smallest_model.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/width_search_figure.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

struct TuneCommand {
  CommonOptions common;
  ModelFlags model;
  std::string error = "0.05";
  Index most_units = 2000;
  std::string out;
  std::string plot;

  void check() const;
  void run() const;
  double wanted_error() const;
  SmallestModel search(const ModelSettings& settings) const;
  std::string shortfall(const SmallestNetwork& found, bool width_given) const;
  Json as_json(const SmallestModel& tuned) const;
  bool talks() const { return !common.quiet && !common.json; }
};

double TuneCommand::wanted_error() const {
  return read_number("error", error);
}

std::string table_row(const std::string& units, const std::string& sigma_w, const std::string& sigma_b,
                      const std::string& ridge, const std::string& error) {
  return fmt::format("{:>7}  {:>12}  {:>9}  {:>7}  {:>9}\n", units, sigma_w, sigma_b, ridge, error);
}

std::string table_row(const TriedWidth& width, Index inputs) {
  return table_row(std::to_string(width.units), rounded(width.hidden.sigma_w, inputs),
                   fmt::format("{:.4g}", width.hidden.sigma_b), fmt::format("{:.0e}", width.ridge),
                   fmt::format("{:.4g}", width.error));
}

/// The table grows as widths are tried, so that a long search is not silent.
SmallestModel TuneCommand::search(const ModelSettings& settings) const {
  const Region region = region_of(settings);
  const Index inputs = region.domain.dimension();
  validate(settings, inputs);
  require_dimension(settings, inputs);
  WidthSearch search{.error = wanted_error(), .points = {}, .most_units = most_units};
  bool first = true;
  if (talks())
    search.tried = [&](const TriedWidth& width) {
      if (first) fmt::print("{}", table_row("units", "sigma-w", "sigma-b", "ridge", "error"));
      first = false;
      fmt::print("{}", table_row(width, inputs));
      std::fflush(stdout);
    };
  return smallest_model(settings, region, std::move(search), common.seed);
}

/// Why the error was not reached, and what to do about it.
std::string TuneCommand::shortfall(const SmallestNetwork& found, bool width_given) const {
  const std::string best = fmt::format(
      "the least error with {} is {:.3g}, and {} was wanted",
      width_given ? fmt::format("{} units", found.chosen.units) : fmt::format("up to {} units", most_units),
      found.chosen.error, error);
  return best +
         (width_given ? "; leave --units out to have it chosen"
          : found.floor > 0.5 * wanted_error()
              ? fmt::format("; the nodes alone leave {:.2g}: add nodes with --points, or raise --most-units",
                            found.floor)
              : "; raise --most-units");
}

Json values_of(const TriedWidth& width, Index inputs) {
  return {{"units", width.units},
          {"sigma_w", one_or_several(numbers_of(width.hidden.sigma_w, inputs))},
          {"sigma_b", width.hidden.sigma_b},
          {"ridge", width.ridge},
          {"mrmse", number(width.error)}};
}

Json TuneCommand::as_json(const SmallestModel& tuned) const {
  const Index inputs = region_of(tuned.settings).domain.dimension();
  Json json = values_of(tuned.search.chosen, inputs);
  json["error"] = wanted_error();
  json["reached"] = tuned.search.reached;
  json["floor"] = tuned.search.floor;
  json["process_sd"] = tuned.search.process_sd;
  json["operator"] = tuned.settings.operator_name;
  json["nodes"] = tuned.nodes;
  json["path"] = Json::array();
  for (const TriedWidth& width : tuned.search.path) json["path"].push_back(values_of(width, inputs));
  return json;
}

void TuneCommand::check() const {
  model.check();
  (void)wanted_error();
  if (!plot.empty()) validate_figure_path(plot);
}

void TuneCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const Stopwatch watch;
  require_separate_files({model.file()}, {{"out", out}, {"plot", plot}});
  require_name_of(model_format, {"out", out});
  const ModelSettings settings = model.settings();
  std::optional<OutputFile> file;
  if (!out.empty()) file.emplace(out);
  const SmallestModel tuned = search(settings);
  const SmallestNetwork& found = tuned.search;
  if (!plot.empty()) plot_width_search(found, wanted_error(), settings.operator_name, plot);
  if (file) {
    file->stream() << model_file_text(tuned.settings);
    file->commit();
  }

  if (common.json) {
    Json json = as_json(tuned);
    json["seconds"] = watch.seconds();
    fmt::print("{}\n", json.dump(2));
  } else if (talks()) {
    fmt::print("{} unit{} on {} nodes: error {:.3g} of the process's sd, {} (the nodes alone leave {:.2g})\n",
               found.chosen.units, found.chosen.units == 1 ? "" : "s", tuned.nodes, found.chosen.error,
               found.reached ? "as wanted" : "more than wanted", found.floor);
    if (!out.empty()) fmt::print("wrote {}\n", out);
    if (!plot.empty()) fmt::print("figure: {}\n", plot);
  }
  if (!found.reached) warn(shortfall(found, settings.units.has_value()));
}

}  // namespace

void add_tune(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("tune", "The smallest network that is close enough to its process");
  const auto tune = std::make_shared<TuneCommand>();
  command
      ->add_option("--error", tune->error,
                   "greatest error over the domain, as a fraction of the process's sd (default 0.05)")
      ->default_str("")
      ->type_name("E");
  add_whole_number<Index>(*command, "most-units", tune->most_units, 1, "widest network to try (default 2000)",
                          1'000'000);
  command->add_option("--out", tune->out, "model file, TOML, that assess, sample and fit read")
      ->type_name("FILE.toml");
  command->add_option("--plot", tune->plot, "error against units as a figure, .svg or .png")
      ->type_name("FILE");
  tune->common.add_to(*command);
  tune->model.add_to(*command);
  set_job(*command, job, tune);
  command->footer(
      "Bandwidths and ridge are chosen for each width; a number given by hand stays.\n"
      "Example:\n"
      "  ridgelet tune --kernel \"se(amplitude=1, lengthscale=1.5)\" --error 0.05 --out model.toml --plot "
      "path.svg\n"
      "  ridgelet assess --model model.toml");
}

}  // namespace ridgelet::app
