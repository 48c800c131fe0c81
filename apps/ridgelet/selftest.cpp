#include <fmt/format.h>

#include <cstdio>

#include "commands.hpp"
#include "ladder.hpp"
#include "options.hpp"
#include "outcomes.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/out_of_memory.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/threads.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

/// What a rung found.
struct Finding {
  Rung rung;
  double error = std::numeric_limits<double>::quiet_NaN();
  std::string complaint = "";  ///< of a rung that threw
  double seconds = 0;

  bool passed() const { return error <= rung.tolerance; }
};

struct SelftestCommand {
  CommonOptions common;
  std::string tighten = "1";

  void check() const;
  void run() const;
  Finding climb(const Rung& rung) const;
  bool talks() const { return !common.quiet && !common.json; }
};

Finding SelftestCommand::climb(const Rung& rung) const {
  const Stopwatch watch;
  Finding finding{.rung = rung};
  finding.rung.tolerance /= read_number("tighten", tighten);
  try {
    finding.error = rung.error(common.seed);
  } catch (const Cancelled&) {
    throw;
  } catch (const OutOfMemory&) {
    throw;  // it says nothing about the truth
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(
        fmt::format("memory ran out in '{}'; free some, or raise the limit (ulimit -v)", rung.name));
  } catch (const std::exception& error) {
    finding.complaint = error.what();
  }
  finding.seconds = watch.seconds();
  return finding;
}

std::string line_of(const Finding& finding) {
  return fmt::format("{:<27} {:>9} {:>9}  {:<6}  {}\n", finding.rung.name,
                     fmt::format("{:.2g}", finding.error), fmt::format("{:.2g}", finding.rung.tolerance),
                     finding.passed() ? "holds" : "FAILS",
                     finding.complaint.empty() ? finding.rung.compares : finding.complaint);
}

Json as_json(const Finding& finding) {
  Json json = {{"name", finding.rung.name},
               {"compares", finding.rung.compares},
               {"error", number(finding.error)},
               {"tolerance", finding.rung.tolerance},
               {"unit", finding.rung.statistical ? "standard errors" : "relative"},
               {"passed", finding.passed()},
               {"seconds", finding.seconds}};
  if (!finding.complaint.empty()) json["complaint"] = finding.complaint;
  return json;
}

void SelftestCommand::check() const {
  if (!(read_number("tighten", tighten) > 0))
    throw InvalidArgument("tighten", "must be positive, got '" + tighten + "'");
}

void SelftestCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const Stopwatch watch;
  std::vector<Rung> rungs = arithmetic_rungs();
  for (const auto& more : {model_rungs(), statistical_rungs()})
    rungs.insert(rungs.end(), more.begin(), more.end());
  if (talks()) fmt::print("{:<27} {:>9} {:>9}\n", "", "error", "allowed");
  Json list = Json::array();
  int failed = 0;
  for (const Rung& rung : rungs) {
    const Finding finding = climb(rung);
    failed += !finding.passed();
    list.push_back(as_json(finding));
    if (!talks()) continue;
    fmt::print("{}", line_of(finding));
    std::fflush(stdout);
  }
  if (common.json)
    fmt::print(
        "{}\n",
        Json{{"rungs", list}, {"failed", failed}, {"passed", failed == 0}, {"seconds", watch.seconds()}}.dump(
            2));
  else if (talks())
    fmt::print("{} of {} truths hold on this machine ({:.0f} s)\n", static_cast<int>(rungs.size()) - failed,
               rungs.size(), watch.seconds());
  if (failed > 0) throw SelftestFailed(fmt::format("{} of {} truths do not hold", failed, rungs.size()));
}

}  // namespace

void add_selftest(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("selftest", "Check on this machine that answers agree with what is known");
  const auto selftest = std::make_shared<SelftestCommand>();
  command
      ->add_option("--tighten", selftest->tighten,
                   "divide every tolerance by this, to see how much room there is (default 1)")
      ->default_str("")
      ->type_name("F");
  selftest->common.add_to(*command);
  set_job(*command, job, selftest);
  command->footer(
      "From the processor's arithmetic to calibration; another --seed repeats it with other random numbers.\n"
      "Exit code 1 where a truth does not hold.\n"
      "Example:\n"
      "  ridgelet selftest");
}

}  // namespace ridgelet::app
