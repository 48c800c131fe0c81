#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options.hpp"
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

/// "mean", or "co2_mean" if there are several outputs.
std::vector<std::string> header(const RegressionTable& table) {
  std::vector<std::string> names = table.inputs;
  for (const std::string& output : table.outputs)
    for (const char* quantity : {"mean", "sd", "lower", "upper"})
      names.push_back(table.outputs.size() == 1 ? quantity : output + "_" + quantity);
  return names;
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
  Results results = read_results(model);
  const Matrix Xs = read_csv(data, results.table.inputs).values;
  require_other_file(out, model);
  require_other_file(out, data);
  OutputFile file(out);
  const Regression regression(std::move(results.settings), std::move(results.table));
  const Posterior posterior = regression.posterior(std::move(results.draws));
  const PredictiveSummary summary = regression.predict(posterior, Xs, {.noise = !latent});
  write_csv(file.stream(), header(regression.table()), beside_inputs(Xs, summary));
  file.commit();
  const Index outside = regression.rows_outside_domain(Xs);
  if (outside > 0 && !common.quiet && !common.json)
    fmt::print(
        stderr,
        "warning: {} of {} rows lie outside of the domain of the fit, where the network need not resemble "
        "its process; fit with a wider --domain\n",
        outside, Xs.rows());
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
