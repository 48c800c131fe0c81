#include <fmt/format.h>

#include "commands.hpp"
#include "fit_output.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/results.hpp"

namespace ridgelet::app {

namespace {

struct Summary {
  CommonOptions common;
  std::string file;

  void run() const {
    const ThreadScope threads(common.thread_count());
    const FittedModel model = read_results(file);
    const FitOutput output(model);
    if (common.json)
      fmt::print("{}\n", output.json());
    else if (!common.quiet)
      fmt::print("{}", output.text());
    tell_warnings(model.report());
  }
};

}  // namespace

void add_summary(CLI::App& program, Job& job) {
  CLI::App* command = program.add_subcommand("summary", "What fit reported, from its results file");
  const auto summary = std::make_shared<Summary>();
  command->add_option("MODEL", summary->file, "results file of fit")->required()->type_name("FILE.nc");
  summary->common.add_to(*command);
  set_job(*command, job, summary);
  command->footer("Example, after an example of fit:\n  ridgelet summary model.nc");
}

}  // namespace ridgelet::app
