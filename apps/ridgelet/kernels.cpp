#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::app {

namespace {

struct Kernels {
  CommonOptions common;

  void run() const {
    if (common.json)
      print_json();
    else if (!common.quiet)
      print_text();
  }

  static void print_json() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const KernelDescription& each : kernel_descriptions())
      list.push_back({{"name", each.name},
                      {"formula", each.formula},
                      {"parameters", each.parameters},
                      {"use", each.use}});
    fmt::print("{}\n", list.dump(2));
  }

  static void print_text() {
    for (const KernelDescription& each : kernel_descriptions())
      fmt::print("{}({})\n  {}\n  {}\n\n", each.name, each.parameters, each.formula, each.use);
    fmt::print(
        "a is the amplitude, a standard deviation; r = |x - x'| divided by the lengthscale, or just |x - x'| "
        "where "
        "there is a period.\nA lengthscale is one number, or one for each input: lengthscale=[1, 2.5]. "
        "active=[1, 3] "
        "restricts a kernel to inputs 1 and 3.\nKernels combine by + and * and parentheses, and a positive "
        "number is "
        "a constant variance: \"2 * se(lengthscale=3) + linear()\".\n");
  }
};

}  // namespace

void add_kernels(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("kernels", "Every kernel with its formula, its parameters and when to use it");
  const auto kernels = std::make_shared<Kernels>();
  kernels->common.add_to(*command);
  set_job(*command, job, kernels);
  command->footer("Example:\n  ridgelet kernels");
}

}  // namespace ridgelet::app
