/// Options that commands share. We read every value from its text ourselves, so that every complaint has the same
/// form.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/model_file.hpp"

namespace ridgelet::app {

/// --name with a whole number from `least` to `most`.
template <class Whole>
CLI::Option* add_whole_number(CLI::App& command, const std::string& name, Whole& target, Whole least,
                              const std::string& help, Whole most = std::numeric_limits<Whole>::max()) {
  return command
      .add_option_function<std::string>(
          "--" + name,
          [name, &target, least, most](const std::string& text) {
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, target);
            if (error == std::errc{} && stop == end && target >= least && target <= most) return;
            const std::string bound =
                most == std::numeric_limits<Whole>::max() ? "" : " and at most " + std::to_string(most);
            throw InvalidArgument(name, "must be a whole number of at least " + std::to_string(least) +
                                            bound + ", got '" + text + "'");
          },
          help)
      ->type_name("N");
}

/// What the help shows behind a flag that means yes, and takes back by `=no` what a model file says.
inline constexpr const char* of_yes_or_no = "[=yes|no]";

/// A file that a command writes, and the flag that names it.
struct OutputName {
  std::string flag;
  std::string path;
};

/// Throws InvalidArgument about an output's flag if the output is a file that the command reads, or one that an earlier
/// output writes, even if by another name or through links; or if the name under which it is first written is one of
/// these. An empty name stands for a file that was not given.
void require_separate_files(const std::vector<std::string>& inputs, const std::vector<OutputName>& outputs);

/// The format of a file that a command writes: what a person calls it, and how names of such files end.
struct FileFormat {
  std::string name;
  std::vector<std::string> endings;
};

inline const FileFormat results_format{"NetCDF", {".nc"}}, model_format{"TOML", {".toml"}},
    table_format{"CSV", {".csv", ".tsv"}};

/// Throws InvalidArgument about an output's flag if its name ends like that of a file of another format, which is more
/// likely to be wanted as it is than to be replaced: results as x.csv. Other endings, and none, are anybody's own.
void require_name_of(const FileFormat& format, const OutputName& output);

/// --seed, --threads, --quiet and --json.
struct CommonOptions {
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores
  bool quiet = false;
  bool json = false;

  void add_to(CLI::App& command);

  int thread_count() const;
};

/// The model's flags (the table of io/model_file.hpp) and --model FILE; flags win over the file.
class ModelFlags {
 public:
  /// `use` says whether the command has a table, with options of its own.
  void add_to(CLI::App& command, ModelOption::Use use = ModelOption::Use::every_model);

  /// Throws InvalidArgument about the first flag that is wrong, as far as that can be known without a table. Where
  /// there is a file, its options take part, and nothing is known before settings() reads it.
  void check() const;

  /// Reads the file, then the flags. A command with a table takes range and scaling from that table, not from the one
  /// that the file was learned from.
  ModelSettings settings() const;

  /// The name of the file, which must not be overwritten; empty if there is none.
  const std::string& file() const { return file_; }

 private:
  ModelOption::Use use_ = ModelOption::Use::every_model;
  std::string file_;
  std::vector<std::pair<const ModelOption*, std::string>> given_;
};

}  // namespace ridgelet::app
