#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "messages.hpp"
#include "new_table.hpp"
#include "options.hpp"
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
  Predictions(const FittedModel& model, Vector levels, bool latent, const std::vector<std::string>& taken)
      : model_(model), levels_(std::move(levels)), latent_(latent), responses_(encoding_of(table()).outputs) {
    choose_names(taken);
  }

  /// "mean", or "co2_mean" if there are several responses or the table has a column of that name already.
  const std::vector<std::string>& names() const { return names_; }
  bool renamed() const { return names_.front() != "mean" && responses_.size() == 1; }

  /// A column for each name. Throws InvalidArgument about the first row that has no finite prediction.
  Matrix at(const TableBlock& block, const std::string& file) const;

 private:
  const RegressionTable& table() const { return model_.regression().table(); }
  std::vector<std::string> quantities() const;
  std::vector<std::string> names_with(const std::string& prefix, bool of_response) const;
  void choose_names(const std::vector<std::string>& taken);
  void require_finite(const TableBlock& block, const Matrix& values, const std::string& file) const;

  const FittedModel& model_;
  Vector levels_;
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
  return names;
}

std::vector<std::string> Predictions::names_with(const std::string& prefix, bool of_response) const {
  std::vector<std::string> names;
  for (const ResponseEncoding& response : responses_)
    for (const std::string& quantity : quantities())
      names.push_back(prefix + (of_response ? response.column + "_" : "") + quantity);
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

Matrix Predictions::at(const TableBlock& block, const std::string& file) const {
  const PredictiveMixture mixture = model_.mixture(block.X, !latent_);
  const Index M = block.X.rows(), L = levels_.size(), width = 2 + 2 * L;
  Vector probabilities(2 * L);
  for (Index l = 0; l < L; ++l) probabilities.segment(2 * l, 2) << (1 - levels_(l)) / 2, (1 + levels_(l)) / 2;
  Matrix values(M, static_cast<Index>(names_.size()));
  for (Index k = 0; k < static_cast<Index>(responses_.size()); ++k) {
    const ResponseSummary summary =
        summarise_response(mixture.means.middleCols(k * M, M), mixture.sds.middleCols(k * M, M),
                           responses_[static_cast<std::size_t>(k)].transform, probabilities);
    values.middleCols(k * width, width) << summary.mean, summary.sd, summary.quantiles;
  }
  require_finite(block, values, file);
  return values;
}

void Predictions::require_finite(const TableBlock& block, const Matrix& values,
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
    if (path) file_.emplace(*path);
  }

  void write(const std::string& text) {
    if (file_)
      file_->stream() << text;
    else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
      throw IoError("cannot write to the standard output");
  }

  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<OutputFile> file_;
};

/// The rows as they were written, with the predictions behind them in the table's own dialect.
std::string with_predictions(const TableBlock& block, const Matrix& values, char separator,
                             bool decimal_commas) {
  std::string text;
  for (Index i = 0; i < values.rows(); ++i) {
    text += block.records[static_cast<std::size_t>(i)];
    for (Index j = 0; j < values.cols(); ++j) {
      std::string number = shortest(values(i, j));
      if (decimal_commas) std::ranges::replace(number, '.', ',');
      text += separator + number;
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
  TableBlocks rows = table.open(fitted);
  const Predictions predictions(fitted, levels, latent, rows.columns());
  RowWriter writer(out);
  if (predictions.renamed() && !common.quiet && !common.json)
    tell(fmt::format("note: a column has the name of a prediction, so the predictions are called {}\n",
                     join(predictions.names())));
  Index written = 0, outside = 0;
  const Index most = rows_per_block(fitted);
  for (TableBlock block = rows.next(most); block.X.rows() > 0; block = rows.next(most)) {
    const Matrix values = predictions.at(block, table.path);
    if (written == 0) writer.write(header_with(rows, predictions.names()));
    writer.write(with_predictions(block, values, rows.separator(), rows.decimal_commas()));
    written += values.rows();
    outside += fitted.regression().rows_outside_domain(block.X);
  }
  require_rows_left(rows, table.path);
  writer.commit();
  repeat_warnings(fitted);
  warn_about_rows(rows, outside);
  if (common.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"out", *out},
                                              {"rows", written},
                                              {"rows_dropped", rows.rows_dropped()},
                                              {"rows_with_unknown", rows.rows_with_unknown()},
                                              {"latent", latent},
                                              {"outside_domain", outside}}
                           .dump(2));
  else if (out && !common.quiet)
    fmt::print("wrote {} ({} rows)\n", *out, written);
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", "Mean, sd and intervals at new inputs");
  const auto predict = std::make_shared<Predict>();
  command->add_option("MODEL", predict->model, "results file of fit")->required()->type_name("FILE.nc");
  predict->table.add_to(*command, "DATA", "table with the columns of the inputs");
  command
      ->add_option(
          "--out", predict->out,
          "the table with columns mean, sd, lower, upper behind its own (default: the standard output)")
      ->type_name("FILE.csv");
  command
      ->add_option(
          "--level", predict->level,
          "probability of the intervals (default 0.95), or several: lower_50, upper_50, lower_95, ...")
      ->default_str("")
      ->type_name("P,...");
  command->add_flag("--latent", predict->latent, "of the function itself, without the noise of new data");
  predict->common.add_to(*command);
  command->callback([predict] { predict->run(); });
  command->footer("Example, after an example of fit:\n  ridgelet predict model.nc new.csv --out pred.csv");
}

}  // namespace ridgelet::app
