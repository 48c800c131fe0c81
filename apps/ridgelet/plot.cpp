#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/fit_figure.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/results.hpp"

namespace ridgelet::app {

namespace {

struct Plot {
  CommonOptions common;
  std::string model;
  std::string out;
  std::string y;

  void run() const;
};

/// The place of an output by its name; the first without one.
Index place_of_output(const std::vector<std::string>& outputs, const std::string& name) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(outputs, name);
  if (found == outputs.end()) throw InvalidArgument("y", unknown_name_complaint(name, outputs));
  return found - outputs.begin();
}

void Plot::run() const {
  const ThreadScope threads(common.thread_count());
  validate_figure_path(out, "out");
  require_separate_files({model}, {{"out", out}});
  const FittedModel fitted = read_results(model);
  const RegressionTable& table = fitted.regression().table();
  const Index output = place_of_output(table.outputs, y);
  {
    Progress progress("predictions", common.quiet);
    FitPictureOptions options{.output = output};
    options.progress = [&](Index done, Index total) { progress.update(done, total); };
    plot_fit(picture_fit(fitted, options), out);
  }
  const std::string& name = table.outputs[static_cast<std::size_t>(output)];
  if (common.json)
    fmt::print("{}\n",
               nlohmann::ordered_json{{"out", out}, {"output", name}, {"inputs", table.inputs}}.dump(2));
  else if (!common.quiet)
    fmt::print("figure: {} ({} from {})\n", out, name, join(table.inputs));
}

}  // namespace

void add_plot(CLI::App& program) {
  CLI::App* command = program.add_subcommand("plot", "The fit as a picture");
  const auto plot = std::make_shared<Plot>();
  command->add_option("MODEL", plot->model, "results file of fit")->required()->type_name("FILE.nc");
  command->add_option("--out", plot->out, "figure, .svg or .png")->required()->type_name("FILE");
  command->add_option("--y", plot->y, "the output to show (default: the first)")->type_name("NAME");
  plot->common.add_to(*command);
  command->callback([plot] { plot->run(); });
  command->footer(
      "One input: the data, the mean and bands of 50 and 95 % for new observations, the exact process dotted "
      "(up to\n"
      "2,000 rows). Two inputs: maps of mean and standard deviation. More: observed against predicted, the "
      "share of\n"
      "rows inside intervals of each level (grey: what chance allows), and the effect of each input, "
      "averaged over the\n"
      "rows of the data, with the average of the function's 95 % intervals.\n"
      "Example, after an example of fit:\n  ridgelet plot model.nc --out model.svg");
}

}  // namespace ridgelet::app
