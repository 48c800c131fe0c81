#include "fitted_table.hpp"

#include <fmt/format.h>

#include "messages.hpp"
#include "processes.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/table_domain.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet::app {

namespace {

std::vector<std::string> columns(const std::string& list, const std::string& argument) {
  try {
    return split_columns(list);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(argument, error.complaint());
  }
}

}  // namespace

void FittedTable::add_to(CLI::App& command) {
  command
      .add_option("DATA", paths, "table with a header line, or its parts in several files; or .npy, or .nc")
      ->required()
      ->type_name("FILE.csv ...");
  command
      .add_option(
          "--x", x,
          "columns of the inputs, in the order x1, x2, ... (default: every other column); log(A) for the "
          "logarithm of a column")
      ->type_name("A,B,...");
  command.add_option("--y", y, "column of the response, or several; log(Y) for the logarithm of a column")
      ->type_name("Y,...");
  command.add_option("--missing", missing, "rows with a missing value: refuse (default) or drop")
      ->default_str("")
      ->type_name("refuse|drop");
}

void FittedTable::add_exposure_to(CLI::App& command) {
  command
      .add_option(
          "--exposure", exposure,
          "column with the exposure of each count (years, area, ...); predictions are per unit of exposure")
      ->type_name("COLUMN");
}

namespace {

TableRequest::Classes classes_of(const std::string& likelihood) {
  if (likelihood.empty()) return TableRequest::Classes::of_text;
  const ResponseKind kind = parse_likelihood(likelihood)->response();
  return kind == ResponseKind::classes || kind == ResponseKind::two_classes ? TableRequest::Classes::always
                                                                            : TableRequest::Classes::never;
}

void require_counts(const std::string& likelihood) {
  if (!is_of_counts(likelihood))
    throw InvalidArgument("exposure", "is for counts; add --likelihood poisson or negative-binomial");
}

/// "'year', 'month', ... (14 in all)" of a table with many columns.
std::string first_of(const std::vector<std::string>& columns) {
  constexpr std::size_t most = 10;
  std::vector<std::string> names;
  for (const std::string& column : columns)
    if (names.size() < most) names.push_back("'" + shown(column) + "'");
  return join(names) + (columns.size() > most ? fmt::format(", ... ({} in all)", columns.size()) : "");
}

}  // namespace

TableRequest FittedTable::request(const std::string& likelihood) const {
  if (exposure) require_counts(likelihood);
  return {.inputs = x ? columns(*x, "x") : std::vector<std::string>{},
          .outputs = y.empty() ? std::vector<std::string>{} : columns(y, "y"),
          .classes = classes_of(likelihood),
          .counts = is_of_counts(likelihood),
          .exposure = exposure,
          .missing = parse_missing_values(missing)};
}

std::unique_ptr<TableRows> FittedTable::open(bool quiet, const std::string& likelihood,
                                             LeftOut* left_out) const {
  const TableRequest request = this->request(likelihood);
  std::unique_ptr<TableSource> source = open_table_source({paths.begin(), paths.end()}, {}, ranks());
  if (y.empty())
    throw InvalidArgument("y", fmt::format("is required: the response, of the columns {} of '{}'",
                                           first_of(source->columns()), source->name()));
  auto rows = std::make_unique<TableStream>(std::move(source), request, ranks());
  if (!quiet)
    for (const std::string& note : rows->notes()) tell("note: " + note + "\n");
  const Index dropped = rows->rows_dropped(), read = rows->rows() + dropped;
  warn_about_dropped(dropped, read);
  if (left_out) *left_out = {.rows = dropped, .of_rows = read, .columns = rows->columns_left_out()};
  return rows;
}

std::vector<std::string> FittedTable::files_beside(const std::string& other) const {
  std::vector<std::string> files = paths;
  files.push_back(other);
  return files;
}

RegressionTable FittedTable::read(bool quiet, const std::string& likelihood, LeftOut* left_out) const {
  const std::unique_ptr<TableRows> rows = open(quiet, likelihood, left_out);
  RegressionTable table = all_rows(*rows);
  // Whether counts may be the same in every row is for the fit to say.
  validate(table, rows->name(),
           is_of_counts(likelihood) ? ConstantResponses::allowed : ConstantResponses::refused);
  return table;
}

void read_domain(ModelSettings& model, const TableEncoding& encoding) {
  if (model.domain) model.domain = domain_in_numbers(*model.domain, encoding);
}

double read_holdout(const std::string& text) {
  const double part = read_number("holdout", text);
  if (!(part > 0 && part < 1))
    throw InvalidArgument("holdout",
                          "must be a part of the rows between 0 and 1, e.g. 0.1, got '" + text + "'");
  return part;
}

void LearnFlags::add_to(CLI::App& command) {
  add_whole_number<Index>(
      command, "learn-rows", rows_, 2,
      "rows that the process is learned on, at most (default 1000, which up to four times as many, but no "
      "more than 4000, refine; for classes, counts and heavy tails 500, with many classes fewer)",
      20'000);
  command.add_flag("--no-priors", no_priors_, "learn by the evidence alone, without weak priors");
  command
      .add_option("--period", period_,
                  "a known period of the first input; --kernel best then tries periodic terms too")
      ->type_name("P");
}

LearnSettings LearnFlags::settings(const ModelSettings& model) const {
  LearnSettings settings;
  if (rows_ > 0) settings.rows = rows_;
  settings.priors = !no_priors_;
  if (period_.empty()) return settings;
  if (model.kernel != best_of_a_list)
    throw InvalidArgument("period",
                          "belongs to --kernel best; write periodic(period=...) into the kernel instead");
  settings.period = read_number("period", period_);
  require_positive(*settings.period, "period");
  return settings;
}

}  // namespace ridgelet::app
