#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "new_table.hpp"
#include "options.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/export_network.hpp"
#include "ridgelet/io/results.hpp"

namespace ridgelet::app {

namespace {

struct Export {
  CommonOptions common;
  std::string model;
  std::string to;
  std::string out;
  bool single = false;
  Index rank = 0;   ///< 0: all
  Index draws = 0;  ///< 0: the default

  void check() const { (void)parse_export_format(to); }
  void run() const;
};

nlohmann::ordered_json as_json(const ShippedNetwork& shipped, const Export& request, std::uintmax_t bytes) {
  nlohmann::ordered_json json{{"out", request.out},
                              {"format", request.to},
                              {"precision", request.single ? "float32" : "float64"},
                              {"bytes", bytes},
                              {"rank", shipped.network.rank()},
                              {"networks", shipped.network.components.size()},
                              {"inputs", shipped.columns.input_names()}};
  if (shipped.loss)
    json[shipped.loss_name()] = {{"largest", shipped.loss->largest},
                                 {"root_mean_square", shipped.loss->root_mean_square}};
  if (shipped.rate_differences) {
    const auto [data, outside] = *shipped.rate_differences;
    json["rate_differences"] = {{"data", {{"mean", data.mean}, {"sd", data.sd}}},
                                {"outside", {{"mean", outside.mean}, {"sd", outside.sd}}}};
  }
  return json;
}

std::string as_text(const ShippedNetwork& shipped, const Export& request, std::uintmax_t bytes) {
  const std::size_t networks = shipped.network.components.size();
  std::string text =
      fmt::format("wrote {} ({}, {})\n  inputs   {}\n", request.out, request.to,
                  readable_bytes(static_cast<double>(bytes)), join(shipped.columns.input_names()));
  text += shipped.of_classes()
              ? fmt::format("  classes  {}\n  draws    {}, whose probabilities are averaged\n",
                            name_list(shipped.columns.outputs.front().levels), shipped.network.rank())
              : fmt::format("  rank     {} of the sd\n", shipped.network.rank());
  if (networks > 1) text += fmt::format("  networks {}, an equal mixture\n", networks);
  if (shipped.loss && shipped.of_classes())
    text += fmt::format("  loss     {:.2g} at most of a probability at the data, {:.2g} root mean square\n",
                        shipped.loss->largest, shipped.loss->root_mean_square);
  else if (shipped.loss)
    text += fmt::format("  sd loss  {:.2g} % at most at the data, {:.2g} % root mean square\n",
                        100 * shipped.loss->largest, 100 * shipped.loss->root_mean_square);
  if (shipped.rate_differences) {
    const auto [data, outside] = *shipped.rate_differences;
    text += fmt::format(
        "  rates    log-normal, where predict --latent averages draws: means differ by {:.2g} % at most at "
        "the data "
        "and sds by {:.2g} %; half as far again from their middle by {:.2g} % and {:.2g} %\n",
        100 * data.mean, 100 * data.sd, 100 * outside.mean, 100 * outside.sd);
  }
  return text;
}

void Export::run() const {
  const ThreadScope threads(common.thread_count());
  require_separate_files({model}, {{"out", out}});
  const ExportFormat format = parse_export_format(to);
  require_name_of({to, {export_ending(format)}}, {"out", out});
  const FittedModel fitted = read_results(model);
  const auto if_given = [](Index number) { return number > 0 ? std::optional<Index>(number) : std::nullopt; };
  const ShippedNetwork shipped = ship_network(fitted, {.draws = if_given(draws), .rank = if_given(rank)});
  const std::uintmax_t bytes =
      export_network(out, shipped, format, single ? Precision::float32 : Precision::float64);
  repeat_warnings(fitted);
  if (common.json)
    fmt::print("{}\n", as_json(shipped, *this, bytes).dump(2));
  else if (!common.quiet)
    fmt::print("{}", as_text(shipped, *this, bytes));
}

}  // namespace

void add_export(CLI::App& program, Job& job) {
  CLI::App* command = program.add_subcommand("export", "The network as ONNX, C, PyTorch or JSON");
  const auto request = std::make_shared<Export>();
  command->add_option("MODEL", request->model, "results file of fit")->required()->type_name("FILE.nc");
  command->add_option("--to", request->to, join(export_format_names()))->required()->type_name("FORMAT");
  command->add_option("--out", request->out, "file to write")->required()->type_name("FILE");
  command->add_flag("--float", request->single, "numbers in single precision");
  add_whole_number<Index>(
      *command, "rank", request->rank, 1,
      "keep so many columns of the sd's factor, or draws of a classifier (default: all); the "
      "loss of accuracy is reported");
  add_whole_number<Index>(
      *command, "draws", request->draws, 1,
      "how many of the drawn networks are mixed, in equal parts (default: all, but 20 if they were "
      "sampled with Gaussian noise); what probabilities lose by fewer is reported");
  request->common.add_to(*command);
  set_job(*command, job, request);
  command->footer(
      "Inputs are in the units of the table; the outputs are mean and sd of new observations, noise "
      "included,\nor of the rate of counts; or the probability of each class with mean and sd of the "
      "functions "
      "that tell them apart.\n"
      "Examples, after an example of fit:\n"
      "  ridgelet export model.nc --to onnx --out model.onnx\n"
      "  ridgelet export model.nc --to c --float --rank 10 --out model.c");
}

}  // namespace ridgelet::app
