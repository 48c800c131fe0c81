// Ours against the paper's formulas, against plain Eigen and against what the machine can do: runs the comparisons of
// the registry, all or those named, and prints a table or JSON. Nothing is printed unless all answers agree.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cores.hpp"
#include "families.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet::benchmarks {

namespace {

/// The registry: one line for each key of the report.
constexpr std::array registry = {
    Comparison{"co2_likelihood", "log p(y | hidden layer), 43 data, 500 units", Aim::at_least, 8,
               co2_likelihood},
    Comparison{"inpainting_likelihood", "log p(y | hidden layer), 1924 data, 2000 units", Aim::at_least, 3.4,
               inpainting_likelihood},
    Comparison{"weight_draw_500", "output weights given 43 data, 500 units", Aim::at_least, 100,
               weight_draw_500},
    Comparison{"weight_draw_2000", "output weights given 43 data, 2000 units", Aim::at_least, 1000,
               weight_draw_2000},
    Comparison{"deep_sample", "a network of 3 layers of 10,000 units at 50 inputs", Aim::at_least, 50,
               deep_sample},
    Comparison{"chosen_nodes_co2", "likelihood on the grid / on chosen nodes, least squares", Aim::at_least,
               5, chosen_nodes_co2},
    Comparison{"chosen_nodes_inpainting", "likelihood on the grid / on chosen nodes, least squares",
               Aim::at_least, 2, chosen_nodes_inpainting},
    Comparison{"closed_form_fit", "plain Eigen / ours, 100,000 rows, 1000 units, rank 500", Aim::at_least, 2,
               closed_form_fit},
    Comparison{"gemm_fraction", "rate of the pass over rows / that of dgemm, same shape", Aim::at_least, 0.6,
               gemm_fraction},
    Comparison{"mixed_pass",
               "a pass over rows in double / in mixed precision, 100,000 rows, 1000 units, rank 500",
               Aim::at_least, 1.3, mixed_pass},
    Comparison{"rows_slope", "log-log slope of time against rows, 10^3 to 10^6", Aim::at_most, 1.05,
               rows_slope},
    Comparison{"rows_peak_mb", "most memory at 10^6 rows", Aim::at_most, 600, rows_peak_mb},
    Comparison{"units_slope", "log-log slope of time against units, 10^3 to 10^6", Aim::at_most, 1.05,
               units_slope},
    Comparison{"units_peak_mb", "most memory at 10^6 units, two hidden layers", Aim::at_most, 600,
               units_peak_mb},
};

struct Outcome {
  Comparison comparison;
  Measurement measurement;
};

std::vector<std::string> keys() {
  std::vector<std::string> names;
  for (const Comparison& each : registry) names.emplace_back(each.key);
  return names;
}

struct Report {
  std::vector<Outcome> outcomes;
  double other_cores = 0;
};

Report run_comparisons(const std::vector<std::string>& chosen) {
  const OtherProcesses others;
  Report report;
  for (const Comparison& each : registry) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), each.key) == chosen.end()) continue;
    try {
      report.outcomes.push_back({each, each.measure()});
    } catch (const Disagreement& error) {
      throw Disagreement(fmt::format("{}: {}", each.key, error.what()));
    }
  }
  report.other_cores = others.cores();
  return report;
}

nlohmann::ordered_json as_json(const Report& report) {
  nlohmann::ordered_json values, detail;
  for (const auto& [comparison, measurement] : report.outcomes) {
    values[comparison.key] = measurement.value;
    for (const auto& [name, value] : measurement.detail) detail[comparison.key][name] = value;
    detail[comparison.key]["aim"] = comparison.aim;
  }
  values["threads"] = available_threads();
  values["other_processes_cores"] = report.other_cores;
  values["detail"] = detail;
  return values;
}

std::string as_table(const Report& report) {
  std::string table = fmt::format("Ours beside the plain way, with {} threads\n", available_threads());
  for (const auto& [comparison, measurement] : report.outcomes) {
    table +=
        fmt::format("\n{:<24}{:>9.4g}   aim {} {:<6g} {}\n", comparison.key, measurement.value,
                    comparison.direction == Aim::at_least ? ">=" : "<=", comparison.aim, comparison.what);
    for (const auto& [name, value] : measurement.detail)
      table += fmt::format("  {:<22}{:>9.3g}\n", name, value);
  }
  return table;
}

/// Warns because two sides that share the cores with other processes are not slowed alike.
void warn_if_disturbed(const Report& report) {
  if (report.other_cores > 0.1)
    fmt::print(
        stderr,
        "benchmarks/compare: other processes kept {:.2g} cores busy; run it again on a quiet machine\n",
        report.other_cores);
}

int run(int argc, char** argv) {
  CLI::App program("The library against the paper's formulas, on this machine", "benchmarks/compare");
  bool json = false;
  std::vector<std::string> chosen;
  program.add_flag("--json", json,
                   "print JSON: the value of each key, and under \"detail\" what is behind it");
  program.add_option("KEY", chosen, "comparisons to run (all): " + join(keys()))
      ->check(CLI::IsMember(keys()));
  try {
    program.parse(argc, argv);
    const Report report = run_comparisons(chosen);
    warn_if_disturbed(report);
    fmt::print("{}", json ? as_json(report).dump(2) + "\n" : as_table(report));
    return 0;
  } catch (const CLI::ParseError& error) {
    return program.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "benchmarks/compare: {}\n", error.what());
    return 1;
  }
}

}  // namespace

}  // namespace ridgelet::benchmarks

int main(int argc, char** argv) {
  ridgelet::benchmarks::release_blas_threads_soon(argv);
  return ridgelet::benchmarks::run(argc, argv);
}
