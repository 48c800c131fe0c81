#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"

namespace ridgelet::app {

namespace {

struct Predict {
  CommonOptions common;
  std::string model;
  std::string data;
  std::string out;
  bool latent = false;

  void run() const;
};

std::vector<std::string> prediction_names(const RegressionTable& table, const std::string& prefix,
                                          bool of_output) {
  std::vector<std::string> names;
  for (const std::string& output : table.outputs)
    for (const char* quantity : {"mean", "sd", "lower", "upper"})
      names.push_back(prefix + (of_output ? output + "_" : "") + quantity);
  return names;
}

/// "mean", or "co2_mean" if there are several outputs or an input is called mean; other than every input's name.
std::vector<std::string> prediction_names(const RegressionTable& table) {
  const auto taken = [&](const std::string& name) {
    return std::ranges::find(table.inputs, name) != table.inputs.end();
  };
  std::vector<std::string> names = prediction_names(table, "", table.outputs.size() > 1);
  for (std::string prefix; std::ranges::any_of(names, taken); prefix += "predicted_")
    names = prediction_names(table, prefix, true);
  return names;
}

/// Throws InvalidArgument about the first row whose prediction is not a finite number.
void require_finite_predictions(const Regression& regression, const Matrix& Xs,
                                const PredictiveSummary& summary, const std::string& file) {
  for (Index i = 0; i < Xs.rows(); ++i) {
    const bool finite = summary.mean.row(i).allFinite() && summary.sd.row(i).allFinite() &&
                        summary.lower.row(i).allFinite() && summary.upper.row(i).allFinite();
    if (finite) continue;
    const Matrix x = Xs.row(i);
    const bool has_mean = regression.offset()(regression.input_scaling().apply(x)).allFinite();
    throw InvalidArgument(
        "data", fmt::format("'{}', row {}: has no finite prediction, since {}", file, i + 1,
                            !has_mean ? "the mean '" + regression.offset().text() + "' is not finite there"
                            : regression.rows_outside_domain(x) > 0
                                ? "it lies too far outside of the domain of the fit"
                                : "the numbers leave the range of a double"));
  }
}

Matrix beside_inputs(const Matrix& Xs, const PredictiveSummary& summary) {
  Matrix rows(Xs.rows(), Xs.cols() + 4 * summary.mean.cols());
  rows.leftCols(Xs.cols()) = Xs;
  for (Index k = 0; k < summary.mean.cols(); ++k)
    rows.middleCols(Xs.cols() + 4 * k, 4) << summary.mean.col(k), summary.sd.col(k), summary.lower.col(k),
        summary.upper.col(k);
  return rows;
}

void Predict::run() const {
  const ThreadScope threads(common.thread_count());
  require_separate_files({model, data}, {{"out", out}});
  const FittedModel fitted = read_results(model);
  const Regression& regression = fitted.regression();
  const Matrix Xs = read_csv(data, regression.table().inputs).values;
  OutputFile file(out);
  const PredictiveSummary summary = fitted.predict(Xs, {.noise = !latent});
  require_finite_predictions(regression, Xs, summary, data);
  const std::vector<std::string> names = prediction_names(regression.table());
  std::vector<std::string> header = regression.table().inputs;
  header.insert(header.end(), names.begin(), names.end());
  write_csv(file.stream(), header, beside_inputs(Xs, summary));
  file.commit();
  const Index outside = regression.rows_outside_domain(Xs);
  const bool talk = !common.quiet && !common.json;
  if (talk && regression.table().outputs.size() == 1 && names.front() != "mean")
    tell(fmt::format("note: an input has the name of a prediction, so the predictions are called {}\n",
                     join(names)));
  if (talk && outside > 0)
    tell(fmt::format(
        "warning: {} of {} rows lie outside of the domain of the fit, where the network need not resemble "
        "its process; fit with a wider --domain\n",
        outside, Xs.rows()));
  if (common.json)
    fmt::print("{}\n",
               nlohmann::ordered_json{
                   {"out", out}, {"rows", Xs.rows()}, {"latent", latent}, {"outside_domain", outside}}
                   .dump(2));
  else if (!common.quiet)
    fmt::print("wrote {} ({} rows)\n", out, Xs.rows());
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* command = program.add_subcommand("predict", "Mean, sd and 95 % interval at new inputs");
  const auto predict = std::make_shared<Predict>();
  command->add_option("MODEL", predict->model, "results file of fit")->required()->type_name("FILE.nc");
  command->add_option("DATA", predict->data, "table with the columns of the inputs")
      ->required()
      ->type_name("FILE.csv");
  command->add_option("--out", predict->out, "inputs, mean, sd, lower, upper")
      ->required()
      ->type_name("FILE.csv");
  command->add_flag("--latent", predict->latent, "of the function itself, without the noise of new data");
  predict->common.add_to(*command);
  command->callback([predict] { predict->run(); });
  command->footer("Example, after an example of fit:\n  ridgelet predict model.nc new.csv --out pred.csv");
}

}  // namespace ridgelet::app
