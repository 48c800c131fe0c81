#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/fitting/learned_settings.hpp"
#include "ridgelet/fitting/table_domain.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/likelihood/likelihood.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::app {

namespace {

/// Devices and pipes never count as the same file: writing to one does not destroy what is read from it.
bool same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code missing;
  const auto place = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(follow_links(path)), missing);
  };
  if (std::filesystem::exists(one, missing) && !std::filesystem::is_regular_file(one, missing)) return false;
  return std::filesystem::equivalent(one, other, missing) || place(one) == place(other);
}

/// Whether `other` is the file beside the output under whose name the output is written first.
bool is_partial_of(const OutputName& output, const std::string& other) {
  return !output.path.empty() && same_file(partial_name(output.path), other);
}

[[noreturn]] void refuse_partial(const OutputName& output, const std::string& other, const std::string& use) {
  throw InvalidArgument(output.flag, "must not be '" + output.path + "', which is first written as '" +
                                         other + "', and that is " + use + "; choose another name");
}

}  // namespace

void require_separate_files(const std::vector<std::string>& inputs, const std::vector<OutputName>& outputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    for (const std::string& input : inputs) {
      if (same_file(output->path, input))
        throw InvalidArgument(output->flag, "must not be '" + input + "', which is read");
      if (is_partial_of(*output, input)) refuse_partial(*output, input, "read");
    }
    for (auto other = outputs.begin(); other != output; ++other) {
      if (same_file(output->path, other->path))
        throw InvalidArgument(output->flag,
                              "must be another file than --" + other->flag + ", got '" + output->path + "'");
      if (is_partial_of(*output, other->path)) refuse_partial(*output, other->path, "--" + other->flag);
      if (is_partial_of(*other, output->path)) refuse_partial(*other, output->path, "--" + output->flag);
    }
  }
}

void require_name_of(const FileFormat& format, const OutputName& output) {
  constexpr auto known = std::to_array<std::string_view>(
      {".csv", ".tsv", ".npy", ".nc", ".json", ".toml", ".svg", ".png", ".pdf", ".onnx", ".py", ".c"});
  std::filesystem::path path(output.path);
  const std::string ending = path.extension().string();
  if (std::ranges::find(known, ending) == known.end() ||
      std::ranges::find(format.endings, ending) != format.endings.end())
    return;
  throw InvalidArgument(output.flag,
                        fmt::format("must be the name of a {} file, such as '{}', got '{}'", format.name,
                                    path.replace_extension(format.endings.front()).string(), output.path));
}

void CommonOptions::add_to(CLI::App& command) {
  add_whole_number<std::uint64_t>(command, "seed", seed, 0, "seed of all random numbers (default 0)");
  add_whole_number(command, "threads", threads, 1,
                   "threads (default: all cores); results do not depend on it", 1024);
  command.add_flag("--quiet", quiet, "no progress and no report");
  command.add_flag("--json", json, "the report as JSON");
}

int CommonOptions::thread_count() const {
  return threads > 0 ? threads : available_threads();
}

void ModelFlags::add_to(CLI::App& command, ModelOption::Use use) {
  use_ = use;
  command.add_option("--model", file_, "TOML file with any of the options below; flags win")
      ->type_name("FILE")
      ->group("Model");
  for (const ModelOption& option : model_options()) {
    if (option.use != ModelOption::Use::every_model && option.use != use) continue;
    const std::string flag = "--" + option.name;
    CLI::Option* added =
        option.is_flag
            ? command.add_flag(flag, option.help)
                  ->option_text(of_yes_or_no)
                  ->each([this, &option](const std::string& text) {
                    given_.emplace_back(&option, text == "no" ? "no" : "yes");
                  })
            : command
                  .add_option_function<std::string>(
                      flag, [this, &option](const std::string& text) { given_.emplace_back(&option, text); },
                      option.help)
                  ->type_name(option.placeholder);
    added->group("Model");
  }
}

namespace {

/// The process of a model without a table has the inputs of its domain.
void require_process(const ModelSettings& settings) {
  const Index inputs = region_of(settings).domain.dimension();
  require_dimension(settings, inputs);
  validate(settings, inputs);
}

/// The inputs of a model with a table are those of the table, but its texts must be known whatever they are.
void require_known_texts(const ModelSettings& settings) {
  if (!settings.kernel.empty() && settings.kernel != best_of_a_list) (void)parse_kernel(settings.kernel);
  (void)MeanFunction(settings.mean);
  (void)Activation(settings.activation);
  (void)operator_traits(settings.operator_name);
  if (settings.domain) (void)parse_box(domain_in_numbers(*settings.domain), "domain");
  if (!settings.likelihood.empty()) (void)parse_likelihood(settings.likelihood);
  require_noise_of(settings.likelihood, settings.noise);
}

}  // namespace

void ModelFlags::check() const {
  if (!file_.empty()) return;
  if (use_ == ModelOption::Use::table)
    require_known_texts(settings());
  else
    require_process(settings());
}

ModelSettings ModelFlags::settings() const {
  ModelSettings settings;
  if (!file_.empty()) read_model_file(file_, settings);
  for (const auto& [option, text] : given_) option->set(settings, text);
  if (use_ == ModelOption::Use::table) {
    settings.range.reset();
    settings.inputs = {};
  }
  return settings;
}

}  // namespace ridgelet::app
