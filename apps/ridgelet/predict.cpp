#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "messages.hpp"
#include "new_table.hpp"
#include "options.hpp"
#include "processes.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/response.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"

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

/// What is predicted of each response at each row, and what its columns are called.
class Predictions {
 public:
  Predictions(const FittedModel& model, Vector levels, Index draws, bool latent,
              const std::vector<std::string>& taken)
      : model_(model),
        levels_(std::move(levels)),
        draws_(draws),
        latent_(latent),
        responses_(encoding_of(table()).outputs) {
    choose_names(taken);
  }

  /// "mean", or "co2_mean" if there are several responses or the table has a column of that name already.
  const std::vector<std::string>& names() const { return names_; }
  bool renamed() const { return names_.front() != "mean" && responses_.size() == 1; }

  /// The column that says yes (1) or no (0): whether a row is outside of the domain.
  Index outside_column() const { return static_cast<Index>(names_.size()) - 1; }

  /// A column for each name. Throws InvalidArgument about the first row that has no finite prediction.
  Matrix at(const EncodedRows& block, const std::string& file) const;

 private:
  const RegressionTable& table() const { return model_.regression().table(); }
  std::vector<std::string> quantities() const;
  std::vector<std::string> names_with(const std::string& prefix, bool of_response) const;
  void choose_names(const std::vector<std::string>& taken);
  Matrix draws_at(const Matrix& X, Index response) const;
  void require_finite(const EncodedRows& block, const Matrix& values, const std::string& file) const;

  const FittedModel& model_;
  Vector levels_;
  Index draws_;
  bool latent_;
  std::vector<ResponseEncoding> responses_;
  std::vector<std::string> names_;
};

std::vector<std::string> Predictions::quantities() const {
  std::vector<std::string> names = {"mean", "sd"};
  for (const double level : levels_) {
    const std::string suffix = levels_.size() == 1 ? "" : fmt::format("_{:.12g}", 100 * level);
    names.insert(names.end(), {"lower" + suffix, "upper" + suffix});
  }
  for (Index i = 1; i <= draws_; ++i) names.push_back(fmt::format("draw_{}", i));
  return names;
}

std::vector<std::string> Predictions::names_with(const std::string& prefix, bool of_response) const {
  std::vector<std::string> names;
  for (const ResponseEncoding& response : responses_)
    for (const std::string& quantity : quantities())
      names.push_back(prefix + (of_response ? response.column + "_" : "") + quantity);
  const bool one_renamed = of_response && responses_.size() == 1;
  for (const char* of_row : {"error", "outside"})
    names.push_back(prefix + (one_renamed ? responses_.front().column + "_" : "") + of_row);
  return names;
}

void Predictions::choose_names(const std::vector<std::string>& taken) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(taken, name) != taken.end();
  };
  names_ = names_with("", responses_.size() > 1);
  for (std::string prefix; std::ranges::any_of(names_, is_taken); prefix += "predicted_")
    names_ = names_with(prefix, true);
}

Matrix Predictions::at(const EncodedRows& block, const std::string& file) const {
  const PredictiveMixture mixture = model_.mixture(block.X, !latent_);
  const Index M = block.X.rows(), L = levels_.size(), width = 2 + 2 * L + draws_;
  Vector probabilities(2 * L);
  for (Index l = 0; l < L; ++l) probabilities.segment(2 * l, 2) << (1 - levels_(l)) / 2, (1 + levels_(l)) / 2;
  Matrix values(M, static_cast<Index>(names_.size()));
  for (Index k = 0; k < static_cast<Index>(responses_.size()); ++k) {
    const ResponseSummary summary =
        summarise_response(mixture.means.middleCols(k * M, M), mixture.sds.middleCols(k * M, M),
                           responses_[static_cast<std::size_t>(k)].transform, probabilities);
    values.middleCols(k * width, 2 + 2 * L) << summary.mean, summary.sd, summary.quantiles;
    if (draws_ > 0) values.middleCols(k * width + 2 + 2 * L, draws_) = draws_at(block.X, k);
  }
  const std::vector<bool> outside = model_.regression().outside_domain(block.X);
  values.col(outside_column() - 1) = model_.relative_error(block.X);
  for (Index i = 0; i < M; ++i) values(i, outside_column()) = outside[static_cast<std::size_t>(i)] ? 1 : 0;
  require_finite(block, values, file);
  return values;
}

/// Functions of the posterior at the rows, in the response's own units: the same functions in every block.
Matrix Predictions::draws_at(const Matrix& X, Index response) const {
  Matrix functions = model_.functions(X, draws_, model_.seed(), response).transpose();
  if (functions.cols() < draws_)
    throw InvalidArgument(
        "draws", fmt::format("must be at most {}, as many as the fit has, got {}", functions.cols(), draws_));
  if (responses_[static_cast<std::size_t>(response)].transform == ResponseTransform::log)
    functions = functions.array().exp();
  return functions;
}

void Predictions::require_finite(const EncodedRows& block, const Matrix& values,
                                 const std::string& file) const {
  const Regression& regression = model_.regression();
  for (Index i = 0; i < values.rows(); ++i) {
    if (values.row(i).allFinite()) continue;
    const Matrix x = block.X.row(i);
    const bool has_mean = regression.offset()(regression.input_scaling().apply(x)).allFinite();
    throw InvalidArgument(
        "data", fmt::format("'{}', row {}: has no finite prediction, since {}", file,
                            block.rows[static_cast<std::size_t>(i)],
                            !has_mean ? "the mean '" + regression.offset().text() + "' is not finite there"
                            : regression.rows_outside_domain(x) > 0
                                ? "it lies too far outside of the domain of the fit"
                                : "the numbers leave the range of a double"));
  }
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
      part_.emplace(part_path(*path, ranks().rank()));
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

  /// The rows of all processes in their order.
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
  std::optional<TemporaryPath> part_;  ///< of any other
  std::ofstream part_stream_;
};

/// The rows as they were written, with the predictions behind them in the table's own dialect.
std::string with_predictions(const EncodedRows& block, const Matrix& values, Index yes_or_no, char separator,
                             bool decimal_commas) {
  std::string text;
  for (Index i = 0; i < values.rows(); ++i) {
    text += block.records[static_cast<std::size_t>(i)];
    for (Index j = 0; j < values.cols(); ++j) {
      std::string cell = j != yes_or_no ? shortest(values(i, j)) : values(i, j) == 1 ? "yes" : "no";
      if (decimal_commas) std::ranges::replace(cell, '.', ',');
      text += separator + cell;
    }
    text += '\n';
  }
  return text;
}

std::string header_with(const TableBlocks& table, const std::vector<std::string>& names) {
  std::string header = table.header();
  for (const std::string& name : names) header += table.separator() + csv_field(name);
  return header + '\n';
}

void Predict::run() const {
  const ThreadScope threads(common.thread_count());
  if (common.json && !out)
    throw InvalidArgument("json", "needs --out, since the predictions take the standard output");
  const Vector levels = read_levels(level);
  require_separate_files({model, table.path}, {{"out", out.value_or("")}});
  const FittedModel fitted = read_results(model);
  TableBlocks rows = table.open(fitted, NewTable::Wanted::records, ranks());
  const Predictions predictions(fitted, levels, draws, latent, rows.columns());
  RowWriter writer(out);
  if (predictions.renamed() && !common.quiet && !common.json)
    tell(fmt::format("note: a column has the name of a prediction, so the predictions are called {}\n",
                     join(predictions.names())));
  // Not before a first row is known to be right, unless others wait to write theirs behind it.
  bool header_due = ranks().first();
  const auto write_header = [&] {
    if (std::exchange(header_due, false)) writer.write(header_with(rows, predictions.names()));
  };
  const RowCounts counts = for_each_block(rows, fitted, table.path, [&](const EncodedRows& block) {
    const Matrix values = predictions.at(block, table.path);
    write_header();
    writer.write(with_predictions(block, values, predictions.outside_column(), rows.separator(),
                                  rows.decimal_commas()));
  });
  write_header();
  writer.commit();
  repeat_warnings(fitted);
  warn_about_rows(counts);
  if (common.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"out", *out},
                                              {"rows", counts.left()},
                                              {"rows_dropped", counts.dropped},
                                              {"rows_with_unknown", counts.unknown},
                                              {"latent", latent},
                                              {"outside_domain", counts.outside}}
                           .dump(2));
  else if (out && !common.quiet)
    fmt::print("wrote {} ({} rows)\n", *out, counts.left());
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", "Mean, sd and intervals at new inputs");
  const auto predict = std::make_shared<Predict>();
  command->add_option("MODEL", predict->model, "results file of fit")->required()->type_name("FILE.nc");
  predict->table.add_to(*command, "DATA", "table with the columns of the inputs");
  command
      ->add_option("--out", predict->out,
                   "the table with columns mean, sd, lower, upper, error (of the network against its "
                   "process, relative) and "
                   "outside (of the domain) behind its own (default: the standard output)")
      ->type_name("FILE.csv");
  command
      ->add_option(
          "--level", predict->level,
          "probability of the intervals (default 0.95), or several: lower_50, upper_50, lower_95, ...")
      ->default_str("")
      ->type_name("P,...");
  add_whole_number<Index>(*command, "draws", predict->draws, 0,
                          "functions of the posterior as further columns draw_1, draw_2, ... (default 0)",
                          10'000);
  command->add_flag("--latent", predict->latent, "of the function itself, without the noise of new data");
  predict->common.add_to(*command);
  command->callback([predict] { predict->run(); });
  command->footer("Example, after an example of fit:\n  ridgelet predict model.nc new.csv --out pred.csv");
}

}  // namespace ridgelet::app
