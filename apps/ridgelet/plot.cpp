#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "new_table.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/io/fit_figure.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/results.hpp"

namespace ridgelet::app {

namespace {

struct Plot {
  CommonOptions common;
  std::string model;
  std::string out;
  std::string y;
  std::string show = "fit";
  NewTable table;

  void check() const;
  void run() const;
  ObservedRows observed(const FittedModel& fitted) const;
};

/// Evenly spaced rows of a table of any length: all of them or, as soon as there are too many, every second one, every
/// fourth, ...
class SpreadTable {
 public:
  void add(const EncodedRows& block) {
    for (Index i = 0; i < block.X.rows(); ++i, ++rows_)
      if (rows_ % stride_ == 0) keep(block, i);
  }

  ObservedRows rows(const std::string& name, const std::vector<ResponseEncoding>& responses) const {
    ObservedRows result{.name = name, .X = stacked(X_), .Y = stacked(Y_), .rows = rows_};
    for (Index k = 0; k < result.Y.cols(); ++k)
      for (double& y : result.Y.col(k))
        y = to_fitted_scale(y, responses[static_cast<std::size_t>(k)].transform);
    return result;
  }

 private:
  static constexpr std::size_t most = 10000;

  void keep(const EncodedRows& block, Index i) {
    X_.push_back(block.X.row(i));
    Y_.push_back(block.Y.row(i));
    if (X_.size() <= most) return;
    for (auto* rows : {&X_, &Y_}) {
      for (std::size_t j = 0; 2 * j < rows->size(); ++j) (*rows)[j] = (*rows)[2 * j];
      rows->resize((rows->size() + 1) / 2);
    }
    stride_ *= 2;
  }

  static Matrix stacked(const std::vector<Vector>& rows) {
    Matrix all(static_cast<Index>(rows.size()), rows.front().size());
    for (std::size_t i = 0; i < rows.size(); ++i) all.row(static_cast<Index>(i)) = rows[i];
    return all;
  }

  std::vector<Vector> X_, Y_;
  Index rows_ = 0, stride_ = 1;
};

ObservedRows Plot::observed(const FittedModel& fitted) const {
  TableBlocks blocks = table.open(fitted, NewTable::Wanted::responses);
  SpreadTable spread;
  warn_about_rows(
      for_each_block(blocks, fitted, [&](const EncodedRows& block, RowCounts&) { spread.add(block); }));
  return spread.rows(std::filesystem::path(table.paths.front()).filename().string(),
                     encoding_of(fitted.regression().table()).outputs);
}

/// The place of an output by its name; the first output if no name is given.
Index place_of_output(const std::vector<std::string>& outputs, const std::string& name) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(outputs, name);
  if (found == outputs.end()) throw InvalidArgument("y", unknown_name_complaint(name, outputs));
  return found - outputs.begin();
}

std::string columns_of(const RegressionTable& table) {
  std::vector<std::string> names;
  for (const ColumnEncoding& column : encoding_of(table).inputs)
    names.push_back(column.width() == 1 ? column.input_names()[0] : column.name);
  return join(names);
}

void Plot::check() const {
  validate_figure_path(out, "out");
  if (parse_picture(show) == PictureOf::trace && !table.paths.empty())
    throw InvalidArgument("data", "belongs to --show fit or checks; a trace is of the fit alone");
  table.check();
}

void Plot::run() const {
  const ThreadScope threads(common.thread_count());
  require_separate_files(table.files_beside(model), {{"out", out}});
  FitPictureOptions options{.show = parse_picture(show)};
  const FittedModel fitted = read_results(model);
  const RegressionTable& seen = fitted.regression().table();
  const std::vector<std::string> outputs = encoding_of(seen).response_names();
  options.output = place_of_output(outputs, y);
  if (!table.paths.empty()) options.observed = observed(fitted);
  {
    Progress progress("predictions", common.quiet);
    options.progress = [&](Index done, Index total) { progress.update(done, total); };
    plot_fit(picture_fit(fitted, options), out);
  }
  const std::string& name = outputs[static_cast<std::size_t>(options.output)];
  if (common.json)
    fmt::print("{}\n",
               nlohmann::ordered_json{{"out", out}, {"output", name}, {"inputs", seen.inputs}}.dump(2));
  else if (!common.quiet)
    fmt::print("figure: {} ({} from {})\n", out,
               encoding_of(seen).outputs[static_cast<std::size_t>(options.output)].column, columns_of(seen));
}

}  // namespace

void add_plot(CLI::App& program, Job& job) {
  CLI::App* command = program.add_subcommand("plot", "The fit as a picture");
  const auto plot = std::make_shared<Plot>();
  command->add_option("MODEL", plot->model, "results file of fit")->required()->type_name("FILE.nc");
  command->add_option("--out", plot->out, "figure, .svg or .png")->required()->type_name("FILE");
  command->add_option("--y", plot->y, "the output to show (default: the first)")->type_name("NAME");
  command
      ->add_option("--show", plot->show,
                   "the fit (default), checks of it for any number of inputs, or the trace of the ELBO of "
                   "--hidden variational")
      ->default_str("")
      ->type_name("fit|checks|trace");
  plot->table.add_to(*command, "--data", "rows to show and check in place of those of the fit")
      ->required(false)
      ->expected(1)
      ->type_name("FILE.csv");
  plot->common.add_to(*command);
  set_job(*command, job, plot);
  command->footer(
      "One input: the data, the mean and bands of 50 and 95 % for new observations, the exact process dotted "
      "(up to\n"
      "2,000 rows). Two inputs: maps of mean and standard deviation. More, text, or --show checks: observed "
      "against "
      "predicted,\n"
      "the share of rows inside intervals of each level (grey: what chance allows), and the effect of each "
      "input, averaged\n"
      "over the rows of the fit, with a band of 95 %; of text, at each of its levels. A response log(y) is "
      "shown "
      "as y.\n"
      "Classes: the probability of each; the likeliest over two inputs, paler where it is less probable; in "
      "checks who was\n"
      "taken for whom, and the share observed against the probability predicted (grey: what chance allows).\n"
      "Examples, after an example of fit:\n"
      "  ridgelet plot model.nc --out model.svg\n"
      "  ridgelet plot model.nc --show checks --data held-out.csv --out checks.svg");
}

}  // namespace ridgelet::app
