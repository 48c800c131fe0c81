#include "ridgelet/io/results.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/model_file.hpp"
#include "ridgelet/io/netcdf.hpp"
#include "stored_posterior.hpp"
#include "stored_report.hpp"

namespace ridgelet {

namespace {

constexpr double format_version = 8;
constexpr const char* results_format = "ridgelet results";

double number(Index value) {
  return static_cast<double>(value);
}

void write_run(NetcdfWriter& file, const FittedModel& model) {
  const RegressionSettings& settings = model.regression().settings();
  file.attribute("", "format", results_format);
  file.attribute("", "format_version", format_version);
  file.attribute("", "ridgelet_version", RIDGELET_VERSION);
  file.attribute("", "model", model_file_text(settings.model));
  file.attribute("", "hidden", hidden_layers_are(model));
  file.attribute("", "standardise", settings.model.standardise.value_or(false));
  file.attribute("", "network_mean", settings.network_mean);
  file.attribute("", "sampler", sampler_name(model.sampling().sampler));
  file.attribute("", "warmup", number(model.sampling().warmup));
  file.attribute("", "seed", std::to_string(model.seed()));
}

Vector as_numbers(const std::vector<Index>& values) {
  return Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(values.data(),
                                                                   static_cast<Index>(values.size()))
      .cast<double>();
}

/// What is known of all rows where only some are kept.
void write_whole(NetcdfWriter& file, const WholeTable& whole) {
  const auto write = [&](const std::string& dimension, const Scaling& scaling, const ColumnRange& range) {
    const auto vector = [&](const std::string& what, const std::string& description, const Vector& values) {
      file.vector("constant_data", dimension + "_" + what, dimension,
                  description + " over all rows, in the table's units", values);
    };
    vector("mean", "mean", scaling.centre);
    vector("sd", "standard deviation", scaling.scale);
    vector("low", "least value", range.low);
    vector("high", "greatest value", range.high);
  };
  write("input", whole.inputs, whole.input_range);
  write("output", whole.outputs, whole.output_range);
}

/// The numbers as indices from 0 to `most`. Refuses any others; `what` names them in the message.
std::vector<Index> as_indices(const NetcdfReader& file, const Vector& numbers, double most,
                              const std::string& what) {
  std::vector<Index> values;
  for (const double each : numbers) {
    if (!(each >= 0 && each <= most) || each != std::floor(each))
      file.refuse(fmt::format("has {} that is damaged", what));
    values.push_back(static_cast<Index>(each));
  }
  return values;
}

/// Nothing if all rows are kept.
std::optional<WholeTable> read_whole(const NetcdfReader& file, Index kept) {
  const double rows = file.number("constant_data", "rows");
  if (rows == number(kept)) return std::nullopt;
  if (!(rows > number(kept) && rows < 1e15) || rows != std::floor(rows))
    file.refuse("has a number of rows that is damaged");
  const auto scaling = [&](const std::string& of) {
    return Scaling{.centre = file.vector("constant_data", of + "_mean"),
                   .scale = file.vector("constant_data", of + "_sd")};
  };
  const auto range = [&](const std::string& of) {
    return ColumnRange{.low = file.vector("constant_data", of + "_low"),
                       .high = file.vector("constant_data", of + "_high")};
  };
  return WholeTable{.rows = static_cast<Index>(rows),
                    .inputs = scaling("input"),
                    .outputs = scaling("output"),
                    .input_range = range("input"),
                    .output_range = range("output")};
}

/// None if all rows of the table are there.
std::vector<Index> read_row_numbers(const NetcdfReader& file, Index rows) {
  if (!file.has_array("constant_data", "row")) return {};
  std::vector<Index> numbers = as_indices(file, file.vector("constant_data", "row"), 1e15, "a row");
  if (static_cast<Index>(numbers.size()) != rows) file.refuse("has rows without a number");
  return numbers;
}

/// The dimension of a network's functions: the outputs, unless the likelihood has functions of its own.
std::string function_dimension(const Regression& regression) {
  return regression.likelihood() ? "function" : "output";
}

void write_data(NetcdfWriter& file, const Regression& regression, const FitView& view) {
  const RegressionTable& table = regression.table();
  const std::string group = "constant_data";
  file.matrix(group, "x", {"row", "input"}, "inputs of the rows that are kept, in the table's units", 1,
              table.X);
  file.matrix(group, "y", {"row", "output"}, "outputs of the rows that are kept, in the table's units", 1,
              table.Y);
  file.attribute(group, "rows", number(table.row_count()));
  if (table.whole) write_whole(file, *table.whole);
  if (!table.numbers.empty())
    file.vector(group, "row", "row", "number in the table that was read, from 0", as_numbers(table.numbers));
  file.attribute(group, "encoding", to_text(encoding_of(table)));
  if (!regression.likelihood())
    file.vector(group, "noise", "output", "standard deviation of the noise, in the model's units",
                regression.data().noise);
  file.vector(group, "input_centre", "input", "the model sees (x - centre) / scale",
              regression.input_scaling().centre);
  file.vector(group, "input_scale", "input", "the model sees (x - centre) / scale",
              regression.input_scaling().scale);
  file.vector(group, "output_centre", function_dimension(regression), "the model sees (y - centre) / scale",
              regression.output_scaling().centre);
  file.vector(group, "output_scale", function_dimension(regression), "the model sees (y - centre) / scale",
              regression.output_scaling().scale);
  file.matrix(group, "x_observed", {"observation", "input"}, "inputs of the group observed_data", 1,
              view.watched);
  file.matrix(group, "x_domain", {"point", "input"}, "inputs of the group predictions", 1, view.domain);
  file.matrix("observed_data", "y", {"observation", "output"}, "outputs, in the table's units", 1,
              view.observed);
}

/// Coordinates z stand for functions L z. L and the nodes are stored because another processor would round L
/// differently and might choose other nodes.
void write_nodes(NetcdfWriter& file, const Nodes& nodes, const FactorAtPoints& factor) {
  const std::string group = "constant_data";
  file.matrix(group, "nodes", {"node", "input"}, "where the process is looked at, in the model's units", 1,
              nodes.points);
  file.vector(group, "node_weights", "node", "weights of the nodes", nodes.weights);
  file.matrix(group, "L", {"node", "coordinate"}, "factor of the process at the nodes, L L^T = k(q, q)", 1,
              factor.L);
  file.vector(group, "pivots", "coordinate", "node of each column of L", as_numbers(factor.pivots));
  file.vector(group, "group_starts", "group", "first column of each group of terms of the kernel",
              as_numbers(factor.group_starts));
}

StoredNodes read_nodes(const NetcdfReader& file) {
  const std::string group = "constant_data";
  FactorAtPoints factor{.L = file.matrix(group, "L", 1), .pivots = {}, .group_starts = {}};
  factor.pivots = as_indices(file, file.vector(group, "pivots"), number(factor.L.rows() - 1), "a pivot");
  factor.group_starts =
      as_indices(file, file.vector(group, "group_starts"), number(factor.rank()), "a group of terms");
  return {.nodes = {.points = file.matrix(group, "nodes", 1), .weights = file.vector(group, "node_weights")},
          .factor = std::move(factor)};
}

/// Values of draws at places. `values` has a row for each draw and output; the file has them in the order of ArviZ:
/// `of_draws`, then the observations, then the outputs, as in observed_data.
void write_at_observations(NetcdfWriter& file, const std::string& group, const std::string& name,
                           DimensionNames of_draws, const std::string& output, Index outputs,
                           const std::string& description, const Matrix& values) {
  const std::size_t row_dimensions = of_draws.size();
  of_draws.insert(of_draws.end(), {"observation", output});
  file.array(group, name, of_draws, description, row_dimensions,
             [&](Index draw, Vector& slab) { slab = values.middleRows(draw * outputs, outputs).reshaped(); });
}

void write_paths(NetcdfWriter& file, const FitView& view, const Regression& regression) {
  const std::string function = function_dimension(regression);
  // One response has one observation, however many functions it depends on.
  const std::string output = regression.likelihood() ? "response" : "output";
  const Index functions = regression.functions(), outputs = regression.likelihood() ? 1 : functions;
  const DimensionNames posterior = {"chain", "draw"}, prior = {"prior_draw"};
  write_at_observations(file, "posterior", "f", posterior, function, functions,
                        "the function at x_observed, in the table's units", view.posterior.functions);
  write_at_observations(file, "posterior_predictive", "y", posterior, output, outputs,
                        "new observations at x_observed, in the table's units", view.posterior.observations);
  write_at_observations(file, "log_likelihood", "y", posterior, output, outputs,
                        "of each observation given f, in the table's units", view.log_likelihood);
  write_at_observations(file, "prior", "f", prior, function, functions,
                        "functions of the prior at x_observed, in the table's units", view.prior.functions);
  write_at_observations(file, "prior_predictive", "y", prior, output, outputs,
                        "observations of the prior, in the table's units", view.prior.observations);
}

/// The names of the places along each dimension, in every group that has it: xarray and ArviZ select by them.
void write_coordinates(NetcdfWriter& file, const Regression& regression, const FitView& view, Index chains) {
  const RegressionTable& table = regression.table();
  const Index draws = view.posterior.functions.rows() / (regression.functions() * chains);
  std::vector<Index> numbers = view.rows;
  for (Index& row : numbers) row = table.number_of(row);
  const Vector rows = as_numbers(numbers);
  for (const char* group : {"constant_data", "posterior"})
    file.names(group, "input", "input", "columns of the inputs", table.inputs);
  for (const char* group : {"posterior", "posterior_predictive", "log_likelihood"}) {
    file.vector(group, "chain", "chain", "from 0", Vector::LinSpaced(chains, 0, number(chains - 1)));
    file.vector(group, "draw", "draw", "of a chain, from 0", Vector::LinSpaced(draws, 0, number(draws - 1)));
  }
  for (const char* group : {"constant_data", "observed_data", "posterior", "posterior_predictive",
                            "log_likelihood", "prior", "prior_predictive", "target_gp"}) {
    file.names(group, "output", "output", "columns of the outputs", table.outputs);
    file.vector(group, "observation", "observation", "row of the table that was read, from 0", rows);
  }
  file.names("predictions", "output", "output", "columns of the outputs", table.outputs);
  const std::vector<std::string> classes = encoding_of(table).outputs.front().levels;
  if (regression.functions() > 1 && static_cast<Index>(classes.size()) == regression.functions())
    for (const char* group : {"posterior", "prior", "predictions"})
      file.names(group, "function", "function", "classes", classes);
}

void write_predictions(NetcdfWriter& file, const PredictiveSummary& summary, const Regression& regression) {
  const auto write = [&](const std::string& name, const std::string& description, const Matrix& values) {
    file.matrix("predictions", name, {"point", function_dimension(regression)},
                description + ", noise included, in the table's units; of classes, their probability", 1,
                values);
  };
  write("mean", "predictive mean", summary.mean);
  write("sd", "predictive standard deviation", summary.sd);
  write("lower", "2.5 % quantile", summary.lower);
  write("upper", "97.5 % quantile", summary.upper);
}

void write_target(NetcdfWriter& file, const Regression& regression, const FitView::Target& target) {
  const auto write = [&](const std::string& name, const std::string& description, const Matrix& values) {
    file.matrix("target_gp", name, {"observation", function_dimension(regression)},
                description + " at x_observed, in the table's units", 1, values);
  };
  file.attribute("target_gp", "kernel", regression.prior().options().target.kernel.text());
  file.attribute("target_gp", "mean", regression.settings().model.mean);
  write("prior_mean", "the process's mean", target.prior.mean);
  write("prior_sd", "the process's standard deviation", target.prior.sd);
  if (!target.posterior) return;
  write("posterior_mean", "the exact posterior's mean", target.posterior->mean);
  write("posterior_sd", "the exact posterior's standard deviation, without noise", target.posterior->sd);
}

/// How new tables are read.
TableEncoding read_encoding(const NetcdfReader& file) {
  try {
    return parse_table_encoding(file.text("constant_data", "encoding"));
  } catch (const InvalidArgument& error) {
    file.refuse(fmt::format("has an encoding of its columns that {}", error.complaint()));
  }
}

void require_format(const NetcdfReader& file) {
  if (!file.has_attribute("", "format") || file.text("", "format") != results_format)
    file.refuse("is not a results file of ridgelet; `ridgelet fit` writes one");
  const double version = file.number("", "format_version");
  if (version != format_version)
    file.refuse(fmt::format("has format {} (ridgelet {}), and this is ridgelet {}, which reads format {}; {}",
                            version, file.text("", "ridgelet_version"), RIDGELET_VERSION, format_version,
                            version > format_version ? "use a newer ridgelet" : "fit again"));
}

std::uint64_t read_seed(const NetcdfReader& file) {
  const std::string text = file.text("", "seed");
  std::uint64_t seed = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || stop != text.data() + text.size())
    file.refuse("has a seed that is not a number");
  return seed;
}

/// Dimensions that both kinds of posterior share.
void write_dimensions(NetcdfWriter& file, const Regression& regression, const FitView& view) {
  file.dimension("unit", regression.prior().units());
  file.dimension("input", regression.data().X.cols());
  file.dimension("output", regression.data().outputs());
  if (regression.likelihood()) {
    file.dimension("function", regression.functions());
    file.dimension("response", 1);
  }
  file.dimension("coordinate", regression.prior().rank());
  file.dimension("node", regression.prior().node_factor().L.rows());
  file.dimension("group", static_cast<Index>(regression.prior().node_factor().group_starts.size()));
  file.dimension("row", regression.data().rows());
  file.dimension("observation", view.watched.rows());
  file.dimension("point", view.domain.rows());
  file.dimension("prior_draw", FitView::prior_draws);
}

Sampler read_sampler(const NetcdfReader& file) {
  try {
    return parse_sampler(file.text("", "sampler"));
  } catch (const InvalidArgument& error) {
    file.refuse(fmt::format("has a sampler that {}", error.complaint()));
  }
}

SamplingOptions read_sampling(const NetcdfReader& file, Index chains, Index draws, std::uint64_t seed) {
  return {
      .chains = chains,
      .warmup = as_indices(file, Vector::Constant(1, file.number("", "warmup")), 1e15, "a warmup").front(),
      .draws = draws,
      .seed = seed,
      .sampler = read_sampler(file)};
}

FittedModel read_sampled(const NetcdfReader& file, const std::shared_ptr<const Regression>& regression) {
  PosteriorDraws draws = read_draws(file, *regression);
  const SamplingOptions sampling =
      read_sampling(file, draws.chains, draws.draws_per_chain(), regression->settings().seed);
  return FittedModel(regression, regression->posterior(std::move(draws)), sampling, read_report(file));
}

FittedModel read_fixed(const NetcdfReader& file, const std::shared_ptr<const Regression>& regression) {
  auto posterior =
      std::make_shared<const ClosedFormPosterior>(regression->shared_prior(), regression->data().noise,
                                                  regression->offset(), read_networks(file, *regression));
  return FittedModel(regression, std::move(posterior), read_report(file));
}

FittedModel read_latent(const NetcdfReader& file, const std::shared_ptr<const Regression>& regression) {
  auto posterior =
      std::make_shared<const LatentPosterior>(regression->prior(), regression->functions(),
                                              regression->offset(), read_latent_networks(file, *regression));
  FitReport report = read_report(file);
  if (report.chains == 0 && !report.laplace) file.refuse("does not say how its functions were drawn");
  const SamplingOptions sampling =
      report.chains > 0 ? read_sampling(file, report.chains, report.draws, regression->settings().seed)
                        : SamplingOptions{};
  return FittedModel(regression, std::move(posterior), std::move(report), sampling);
}

}  // namespace

void write_results(const std::filesystem::path& path, const Fit& fitted) {
  const Regression& regression = fitted.model.regression();
  NetcdfWriter file;
  write_dimensions(file, regression, fitted.view);
  write_run(file, fitted.model);
  write_data(file, regression, fitted.view);
  write_nodes(file, regression.prior().options().nodes, regression.prior().node_factor());
  write_posterior(file, fitted.model);
  write_coordinates(file, regression, fitted.view,
                    fitted.model.sampled() ? fitted.model.posterior().draws().chains : 1);
  write_paths(file, fitted.view, regression);
  write_predictions(file, fitted.view.predictions, regression);
  write_target(file, regression, fitted.view.target);
  write_report(file, fitted.model.report());
  file.commit(path);
}

FittedModel read_results(const std::filesystem::path& path) {
  const NetcdfReader file(path, "model");
  require_format(file);
  RegressionSettings settings;
  read_model_text(file.text("", "model"), path.string(), settings.model);
  if (is_gaussian(settings.model.likelihood)) settings.model.noise = file.vector("constant_data", "noise");
  settings.model.standardise = file.number("", "standardise") != 0;
  settings.network_mean = file.number("", "network_mean") != 0;
  settings.seed = read_seed(file);
  RegressionTable table{.inputs = file.names("constant_data", "input"),
                        .outputs = file.names("constant_data", "output"),
                        .X = file.matrix("constant_data", "x", 1),
                        .Y = file.matrix("constant_data", "y", 1),
                        .encoding = read_encoding(file)};
  table.whole = read_whole(file, table.X.rows());
  table.numbers = read_row_numbers(file, table.X.rows());
  const auto regression =
      std::make_shared<const Regression>(std::move(settings), std::move(table), read_nodes(file));
  const std::string hidden = file.text("", "hidden");
  if (hidden != "fixed" && hidden != "sampled" && hidden != "variational")
    file.refuse("has hidden layers that are neither fixed nor sampled nor variational");
  if (regression->likelihood()) return read_latent(file, regression);
  return hidden == "fixed" ? read_fixed(file, regression) : read_sampled(file, regression);
}

}  // namespace ridgelet
