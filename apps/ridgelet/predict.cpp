#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "commands.hpp"
#include "messages.hpp"
#include "new_table.hpp"
#include "options.hpp"
#include "predicted_columns.hpp"
#include "processes.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

struct Predict {
  CommonOptions common;
  NewTable table;
  std::string model;
  std::optional<std::string> out;  ///< none: the standard output
  std::string level = "0.95";
  Index draws = 0;
  bool latent = false;

  void check() const;
  void run() const;
};

/// The probabilities of central intervals, between 0 and 1 and different.
Vector read_levels(const std::string& text) {
  const Vector levels = read_numbers("level", text);
  for (Index l = 0; l < levels.size(); ++l) {
    if (!(levels(l) > 0 && levels(l) < 1))
      throw InvalidArgument("level", "must be between 0 and 1, e.g. 0.95, got '" + text + "'");
    if ((levels.head(l).array() == levels(l)).any())
      throw InvalidArgument("level", fmt::format("{} is listed twice", shortest(levels(l))));
  }
  return levels;
}

/// Rows to a file, which appears whole or not at all, or to the standard output.
class RowWriter {
 public:
  explicit RowWriter(const std::optional<std::string>& path) {
    if (ranks().size() > 1 && !path)
      throw InvalidArgument("out", "is needed where several processes share a run");
    ranks().on_first([&] {
      if (path) file_.emplace(*path);
    });
    if (!ranks().first()) {
      const std::filesystem::path part = part_path(*path, ranks().rank());
      claim_.emplace(part, *path);
      part_.emplace(part);
      part_stream_.open(part_->path(), std::ios::binary);
    }
    if (path) path_ = *path;
  }

  void write(const std::string& text) {
    if (part_)
      part_stream_ << text;
    else if (file_)
      file_->stream() << text;
    else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
      throw IoError("cannot write to the standard output");
  }

  /// Puts the rows of all processes together, in their order.
  void commit() {
    (void)ranks().shared(
        [&] {
          if (!part_) return std::string();
          part_stream_.close();
          if (!part_stream_) throw IoError(fmt::format("cannot write '{}'", part_->path().string()));
          return std::string();
        },
        [](std::string earlier, std::string) { return earlier; });
    ranks().on_first([&] {
      for (Index rank = 1; rank < ranks().size(); ++rank) append(part_path(path_, rank));
      if (file_) file_->commit();
    });
  }

 private:
  static std::filesystem::path part_path(const std::string& path, Index rank) {
    return path + fmt::format(".part{}", rank);
  }

  void append(const std::filesystem::path& part) {
    std::ifstream rows(part, std::ios::binary);
    if (!rows) throw IoError(fmt::format("cannot read '{}'", part.string()));
    if (rows.peek() != std::ifstream::traits_type::eof()) file_->stream() << rows.rdbuf();
  }

  std::string path_;
  std::optional<OutputFile> file_;     ///< of the first process
  std::optional<FileClaim> claim_;     ///< of any other
  std::optional<TemporaryPath> part_;  ///< likewise
  std::ofstream part_stream_;
};

/// The rows as they were written, followed by the predictions in the table's own dialect.
std::string with_predictions(const EncodedRows& block, const Matrix& values,
                             const std::map<Index, std::vector<std::string>>& words, char separator,
                             bool decimal_commas) {
  const auto number = [&](double value) {
    std::string cell = shortest(value);
    if (decimal_commas) std::ranges::replace(cell, '.', ',');
    return cell;
  };
  std::string text;
  for (Index i = 0; i < values.rows(); ++i) {
    text += block.records[static_cast<std::size_t>(i)];
    for (Index j = 0; j < values.cols(); ++j) {
      const auto word = words.find(j);
      text +=
          separator + (word == words.end() ? number(values(i, j))
                                           : csv_field(word->second[static_cast<std::size_t>(values(i, j))]));
    }
    text += '\n';
  }
  return text;
}

Json error_json(const ErrorOfRows& errors) {
  if (errors.rows == 0) return nullptr;
  return {{"mean", errors.sum / static_cast<double>(errors.rows)}, {"max", errors.largest}};
}

std::string header_with(const TableBlocks& table, const std::vector<std::string>& names) {
  std::string header = table.header();
  for (const std::string& name : names) header += table.separator() + csv_field(name);
  return header + '\n';
}

void Predict::check() const {
  if (common.json && !out)
    throw InvalidArgument("json", "needs --out, since the predictions take the standard output");
  (void)read_levels(level);
  table.check();
}

void Predict::run() const {
  const ThreadScope threads(common.thread_count());
  require_separate_files(table.files_beside(model), {{"out", out.value_or("")}});
  require_name_of(table_format, {"out", out.value_or("")});
  const FittedModel fitted = read_results(model);
  TableBlocks rows = table.open(fitted, NewTable::Wanted::records, ranks());
  const std::unique_ptr<PredictedColumns> predictions = predicted_columns(
      fitted, {.levels = read_levels(level), .draws = draws, .latent = latent}, rows.columns());
  RowWriter writer(out);
  if (predictions->renamed() && !common.quiet && !common.json)
    tell(fmt::format("note: a column has the name of a prediction, so the predictions are called {}\n",
                     join(predictions->names())));
  // The header is not written before a first row is known to be right, or at the end if only other processes have rows.
  bool header_due = ranks().first();
  const auto write_header = [&] {
    if (std::exchange(header_due, false)) writer.write(header_with(rows, predictions->names()));
  };
  const RowCounts counts = for_each_block(rows, fitted, [&](const EncodedRows& block, RowCounts& counted) {
    const Matrix values = predictions->at(block, rows.name());
    counted.errors.add(values.col(predictions->error_column()));
    write_header();
    writer.write(
        with_predictions(block, values, predictions->words(), rows.separator(), rows.decimal_commas()));
  });
  write_header();
  writer.commit();
  repeat_warnings(fitted);
  warn_about_rows(counts);
  if (common.json)
    fmt::print("{}\n", Json{{"out", *out},
                            {"rows", counts.left()},
                            {"rows_dropped", counts.dropped},
                            {"rows_with_unknown", counts.unknown},
                            {"latent", latent},
                            {"error", error_json(counts.errors)},
                            {"outside_domain", counts.outside}}
                           .dump(2));
  else if (out && !common.quiet)
    fmt::print("wrote {} ({} rows)\n", *out, counts.left());
}

}  // namespace

void add_predict(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("predict", "Mean, sd and intervals, or probabilities, at new inputs");
  const auto predict = std::make_shared<Predict>();
  command->add_option("MODEL", predict->model, "results file of fit")->required()->type_name("FILE.nc");
  predict->table.add_to(*command, "DATA",
                        "table with the columns of the inputs, or its parts in several files");
  command
      ->add_option("--out", predict->out,
                   "the table, followed by columns mean, sd, lower, upper (for two classes probability, "
                   "lower, upper; for more p_LEVEL, lower_LEVEL, upper_LEVEL and class), error (of the "
                   "network against its process, relative to the sd of the process: inf where the process "
                   "does not vary and the network does) and outside (of the domain) (default: the standard "
                   "output)")
      ->type_name("FILE.csv");
  command
      ->add_option(
          "--level", predict->level,
          "probability of the intervals (default 0.95), or several: lower_50, upper_50, lower_95, ...")
      ->default_str("")
      ->type_name("P,...");
  add_whole_number<Index>(
      *command, "draws", predict->draws, 0,
      "draws as further columns draw_1, draw_2, ... (default 0): functions of the posterior; of "
      "counts and heavy tails new observations, or with --latent functions; of two "
      "classes probabilities; not for more classes",
      10'000);
  command->add_flag("--latent", predict->latent,
                    "predict the function itself, without the noise of new data; not for classes");
  predict->common.add_to(*command);
  set_job(*command, job, predict);
  command->footer("Example, after an example of fit:\n  ridgelet predict model.nc new.csv --out pred.csv");
}

}  // namespace ridgelet::app
