#include "ridgelet/io/results.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/model_file.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

namespace {

constexpr double format_version = 3;
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
  file.attribute("", "hidden", model.sampled() ? "sampled" : "fixed");
  file.attribute("", "standardise", settings.model.standardise.value_or(false));
  file.attribute("", "network_mean", settings.network_mean);
  file.attribute("", "warmup", number(model.sampling().warmup));
  file.attribute("", "seed", std::to_string(model.seed()));
}

void write_data(NetcdfWriter& file, const Regression& regression, const Matrix& watched,
                const Matrix& domain) {
  const RegressionTable& table = regression.table();
  const std::string group = "constant_data";
  file.matrix(group, "x", {"observation", "input"}, "inputs, in the table's units", 1, table.X);
  file.names(group, "input_names", "input", "columns of the inputs", table.inputs);
  file.names(group, "output_names", "output", "columns of the outputs", table.outputs);
  file.attribute(group, "encoding", to_text(encoding_of(table)));
  file.vector(group, "noise", "output", "standard deviation of the noise, in the model's units",
              regression.data().noise);
  file.vector(group, "input_centre", "input", "the model sees (x - centre) / scale",
              regression.input_scaling().centre);
  file.vector(group, "input_scale", "input", "the model sees (x - centre) / scale",
              regression.input_scaling().scale);
  file.vector(group, "output_centre", "output", "the model sees (y - centre) / scale",
              regression.output_scaling().centre);
  file.vector(group, "output_scale", "output", "the model sees (y - centre) / scale",
              regression.output_scaling().scale);
  file.matrix(group, "x_watched", {"watched", "input"}, "inputs at which functions are kept", 1, watched);
  file.matrix(group, "x_domain", {"point", "input"}, "inputs of the group predictions", 1, domain);
  file.matrix("observed_data", "y", {"observation", "output"}, "outputs, in the table's units", 1, table.Y);
}

/// "" for the first hidden layer, "2" for the second.
std::string layer_suffix(Index layer) {
  return layer == 0 ? "" : std::to_string(layer + 1);
}

template <class Visit>
void for_each_layer(const HiddenLayers& layers, Visit&& visit) {
  for (std::size_t l = 0; l < layers.depth(); ++l) visit(layers[l], layer_suffix(static_cast<Index>(l)));
}

Vector as_numbers(const std::vector<Index>& values) {
  return Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(values.data(),
                                                                   static_cast<Index>(values.size()))
      .cast<double>();
}

/// Whole numbers from 0 to `most`, or a refusal.
std::vector<Index> as_indices(const NetcdfReader& file, const Vector& numbers, Index most) {
  std::vector<Index> values;
  for (const double each : numbers) {
    if (!(each >= 0 && each <= number(most)) || each != std::floor(each))
      file.refuse("has a factor of the process that is damaged");
    values.push_back(static_cast<Index>(each));
  }
  return values;
}

/// Coordinates z mean functions L z: another processor would round another L, and perhaps choose other nodes.
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
  factor.pivots = as_indices(file, file.vector(group, "pivots"), factor.L.rows() - 1);
  factor.group_starts = as_indices(file, file.vector(group, "group_starts"), factor.rank());
  return {.nodes = {.points = file.matrix(group, "nodes", 1), .weights = file.vector(group, "node_weights")},
          .factor = std::move(factor)};
}

/// The numbers of a matrix, one column after the other, as those of its transpose.
Vector transposed(const Vector& numbers, Index rows, Index columns) {
  const Matrix other = numbers.reshaped(rows, columns).transpose();
  return other.reshaped();
}

/// Networks whose hidden layers stay: those layers, and z given the data.
void write_networks(NetcdfWriter& file, const ClosedFormPosterior& posterior) {
  const std::vector<ClosedFormNetwork>& networks = posterior.networks();
  const auto network = [&](Index i) -> const ClosedFormNetwork& {
    return networks[static_cast<std::size_t>(i)];
  };
  for (std::size_t l = 0; l < networks[0].layers.depth(); ++l) {
    const std::string suffix = layer_suffix(static_cast<Index>(l));
    file.array("posterior", "W" + suffix, {"network", "unit", l == 0 ? "input" : "coordinate"},
               l == 0 ? "hidden weights" : "hidden weights, on coordinates of the layer before", 1,
               [&](Index i, Vector& values) {
                 const Matrix& W = network(i).layers[l].W;
                 values = transposed(W.reshaped(), W.rows(), W.cols());
               });
    file.array("posterior", "b" + suffix, {"network", "unit"}, "hidden biases", 1,
               [&](Index i, Vector& values) { values = network(i).layers[l].b; });
  }
  file.array("posterior", "z_mean", {"network", "output", "coordinate"},
             "mean of the coordinates of the output weights w = B (m + L z)", 1,
             [&](Index i, Vector& values) { values = network(i).means.reshaped(); });
  const Index K = posterior.outputs();
  file.array("posterior", "z_root", {"network", "output", "direction", "coordinate"},
             "C with covariance C^T C of the coordinates", 2, [&](Index i, Vector& values) {
               values = network(i / K).roots[static_cast<std::size_t>(i % K)].reshaped();
             });
  file.array("posterior", "log_evidence", {"network"}, "of the data", 1,
             [&](Index i, Vector& values) { values = Vector::Constant(1, network(i).log_evidence); });
}

std::vector<ClosedFormNetwork> read_networks(const NetcdfReader& file, const Regression& regression) {
  const Index K = regression.data().outputs(), R = regression.prior().rank();
  const Index count = file.size_of("network");
  const Matrix means = file.matrix("posterior", "z_mean", 1), roots = file.matrix("posterior", "z_root", 2);
  const Vector evidence = file.vector("posterior", "log_evidence");
  const auto expect = [&](bool fits) {
    if (!fits) file.refuse("has networks of another size than its settings say");
  };
  expect(means.rows() == count && means.cols() == K * R && roots.rows() == count * K &&
         roots.cols() == R * R && evidence.size() == count);
  std::vector<ClosedFormNetwork> networks;
  for (Index i = 0; i < count; ++i) {
    ClosedFormNetwork network{.layers = regression.prior().allocate(),
                              .means = Vector(means.row(i)).reshaped(R, K),
                              .roots = {},
                              .log_evidence = evidence(i)};
    for (Index k = 0; k < K; ++k) network.roots.push_back(Vector(roots.row(i * K + k)).reshaped(R, R));
    for (std::size_t l = 0; l < network.layers.depth(); ++l) {
      HiddenLayer& layer = network.layers[l];
      const std::string suffix = layer_suffix(static_cast<Index>(l));
      const Matrix W = file.matrix("posterior", "W" + suffix, 1),
                   b = file.matrix("posterior", "b" + suffix, 1);
      expect(W.rows() == count && W.cols() == layer.W.size() && b.rows() == count &&
             b.cols() == layer.b.size());
      layer.W = Vector(W.row(i)).reshaped(layer.W.cols(), layer.W.rows()).transpose();
      layer.b = b.row(i).transpose();
    }
    networks.push_back(std::move(network));
  }
  return networks;
}

void write_draws(NetcdfWriter& file, const RidgeletPrior& prior, const PosteriorDraws& draws) {
  Index first = 0;
  for_each_layer(prior.allocate(), [&](const HiddenLayer& layer, const std::string& suffix) {
    const bool on_inputs = suffix.empty();
    const Index units = layer.W.rows(), columns = layer.W.cols(), start = first;
    file.array("posterior", "W" + suffix, {"chain", "draw", "unit", on_inputs ? "input" : "coordinate"},
               on_inputs ? "hidden weights" : "hidden weights, on coordinates of the layer before", 2,
               [&](Index draw, Vector& values) {
                 values = transposed(draws.layers.row(draw).segment(start, layer.W.size()), units, columns);
               });
    file.matrix("posterior", "b" + suffix, {"chain", "draw", "unit"}, "hidden biases", 2,
                draws.layers.middleCols(first + layer.W.size(), layer.b.size()));
    first += layer.W.size() + layer.b.size();
  });
  file.matrix("posterior", "z", {"chain", "draw", "output", "coordinate"},
              "coordinates of the output weights w = B (m + L z)", 2, draws.coordinates);
}

void write_paths(NetcdfWriter& file, const FitView& view) {
  const DimensionNames of_draws = {"chain", "draw", "output", "watched"};
  file.matrix("posterior", "f", of_draws, "the function at x_watched, in the table's units", 3,
              view.posterior.functions);
  file.matrix("posterior_predictive", "y", of_draws, "new observations at x_watched, in the table's units", 3,
              view.posterior.observations);
  const DimensionNames of_prior = {"prior_draw", "output", "watched"};
  file.matrix("prior", "f", of_prior, "functions of the prior at x_watched, in the table's units", 2,
              view.prior.functions);
  file.matrix("prior_predictive", "y", of_prior, "observations of the prior, in the table's units", 2,
              view.prior.observations);
}

void write_predictions(NetcdfWriter& file, const PredictiveSummary& summary) {
  const auto write = [&](const std::string& name, const std::string& description, const Matrix& values) {
    file.matrix("predictions", name, {"point", "output"},
                description + ", noise included, in the table's units", 1, values);
  };
  write("mean", "predictive mean", summary.mean);
  write("sd", "predictive standard deviation", summary.sd);
  write("lower", "2.5 % quantile", summary.lower);
  write("upper", "97.5 % quantile", summary.upper);
}

void write_target(NetcdfWriter& file, const Regression& regression, const FitView::Target& target) {
  const auto write = [&](const std::string& name, const std::string& description, const Matrix& values) {
    file.matrix("target_gp", name, {"watched", "output"}, description + " at x_watched, in the table's units",
                1, values);
  };
  file.attribute("target_gp", "kernel", regression.prior().options().target.kernel.text());
  file.attribute("target_gp", "mean", regression.settings().model.mean);
  write("prior_mean", "the process's mean", target.prior.mean);
  write("prior_sd", "the process's standard deviation", target.prior.sd);
  if (!target.posterior) return;
  write("posterior_mean", "the exact posterior's mean", target.posterior->mean);
  write("posterior_sd", "the exact posterior's standard deviation, without noise", target.posterior->sd);
}

void write_steps(NetcdfWriter& file, const PosteriorDraws& draws) {
  const std::string group = "sample_stats";
  file.matrix(group, "log_likelihood", {"chain", "draw"}, "of the data, the output layer integrated out", 2,
              draws.log_likelihood);
  file.matrix(group, "evaluations", {"chain", "draw"}, "likelihood evaluations of the step", 2,
              draws.evaluations);
}

void write_report(NetcdfWriter& file, const FitReport& report) {
  const std::string group = "sample_stats";
  file.attribute(group, "certificate_data", report.certificate.data);
  file.attribute(group, "certificate_between", report.certificate.between);
  file.attribute(group, "certificate_floor", report.certificate.floor);
  file.attribute(group, "log_evidence", report.log_evidence);
  if (report.spread) file.attribute(group, "spread", *report.spread);
  if (report.learned_evidence) file.attribute(group, "learned_evidence", *report.learned_evidence);
  if (report.from_exact) {
    file.attribute(group, "from_exact_mean", report.from_exact->mean);
    file.attribute(group, "from_exact_sd", report.from_exact->sd);
  }
  if (!report.learned.empty()) file.attribute(group, "learned", join(report.learned, "\n"));
  file.attribute(group, "rhat_max", report.rhat_max);
  file.attribute(group, "bulk_min", report.bulk_min);
  file.attribute(group, "tail_min", report.tail_min);
  file.attribute(group, "standard_error_max", report.standard_error_max);
  file.attribute(group, "prior_error_mean", report.prior_error.mean);
  file.attribute(group, "prior_error_max", report.prior_error.max);
  file.attribute(group, "process_sd", report.prior_error.process_sd);
  file.attribute(group, "converged", report.converged);
  file.attribute(group, "warnings", join(report.warnings, "\n"));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// `draws` is null if there were no chains.
FitReport read_report(const NetcdfReader& file, const PosteriorDraws* draws) {
  const std::string group = "sample_stats";
  const auto if_there = [&](const std::string& name) -> std::optional<double> {
    if (!file.has_attribute(group, name)) return std::nullopt;
    return file.number(group, name);
  };
  std::optional<ExactDistance> from_exact;
  if (if_there("from_exact_mean"))
    from_exact = {.mean = *if_there("from_exact_mean"), .sd = file.number(group, "from_exact_sd")};
  return {.certificate = {.data = file.number(group, "certificate_data"),
                          .between = file.number(group, "certificate_between"),
                          .floor = file.number(group, "certificate_floor")},
          .log_evidence = file.number(group, "log_evidence"),
          .spread = if_there("spread"),
          .from_exact = from_exact,
          .learned = file.has_attribute(group, "learned") ? lines_of(file.text(group, "learned"))
                                                          : std::vector<std::string>{},
          .learned_evidence = if_there("learned_evidence"),
          .chains = draws ? draws->chains : 0,
          .draws = draws ? draws->draws_per_chain() : 0,
          .rhat_max = file.number(group, "rhat_max"),
          .bulk_min = file.number(group, "bulk_min"),
          .tail_min = file.number(group, "tail_min"),
          .standard_error_max = file.number(group, "standard_error_max"),
          .evaluations_per_step = draws ? draws->evaluations.mean() : 0,
          .prior_error = {.mean = file.number(group, "prior_error_mean"),
                          .max = file.number(group, "prior_error_max"),
                          .process_sd = file.number(group, "process_sd")},
          .warnings = lines_of(file.text(group, "warnings")),
          .converged = file.number(group, "converged") != 0};
}

/// How new tables are read; files of earlier versions have numbers only.
TableEncoding read_encoding(const NetcdfReader& file) {
  if (!file.has_attribute("constant_data", "encoding")) return {};
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

PosteriorDraws read_draws(const NetcdfReader& file, Index layers, Index units) {
  PosteriorDraws draws{.chains = file.size_of("chain"),
                       .layers = {},
                       .coordinates = file.matrix("posterior", "z", 2),
                       .log_likelihood = file.vector("sample_stats", "log_likelihood"),
                       .evaluations = file.vector("sample_stats", "evaluations")};
  const Index rows = draws.chains * file.size_of("draw");
  if (draws.coordinates.rows() != rows || draws.log_likelihood.size() != rows ||
      draws.evaluations.size() != rows)
    file.refuse("has arrays of different numbers of draws");
  for (Index l = 0; l < layers; ++l)
    for (const char* name : {"W", "b"}) {
      Matrix part = file.matrix("posterior", name + layer_suffix(l), 2);
      if (part.rows() != draws.coordinates.rows()) file.refuse("has arrays of different numbers of draws");
      if (*name == 'W') {
        if (part.cols() % units != 0) file.refuse("has hidden weights of another number of units");
        for (Index i = 0; i < part.rows(); ++i)
          part.row(i) = transposed(part.row(i), part.cols() / units, units).transpose();
      }
      draws.layers.conservativeResize(part.rows(), draws.layers.cols() + part.cols());
      draws.layers.rightCols(part.cols()) = part;
    }
  return draws;
}

/// Dimensions that both kinds of posterior share.
void write_dimensions(NetcdfWriter& file, const Regression& regression, const FitView& view) {
  file.dimension("unit", regression.prior().units());
  file.dimension("input", regression.data().X.cols());
  file.dimension("output", regression.data().outputs());
  file.dimension("coordinate", regression.prior().rank());
  file.dimension("node", regression.prior().node_factor().L.rows());
  file.dimension("group", static_cast<Index>(regression.prior().node_factor().group_starts.size()));
  file.dimension("observation", regression.data().rows());
  file.dimension("watched", view.watched.rows());
  file.dimension("point", view.domain.rows());
  file.dimension("prior_draw", FitView::prior_draws);
}

void write_posterior(NetcdfWriter& file, const FittedModel& model) {
  if (model.sampled()) {
    const PosteriorDraws& draws = model.posterior().draws();
    file.dimension("chain", draws.chains);
    file.dimension("draw", draws.draws_per_chain());
    write_draws(file, model.regression().prior(), draws);
    write_steps(file, draws);
  } else {
    file.dimension("chain", 1);
    file.dimension("draw", FitView::prior_draws);
    file.dimension("network", static_cast<Index>(model.closed_form().networks().size()));
    file.dimension("direction", model.regression().prior().rank());
    write_networks(file, model.closed_form());
  }
}

FittedModel read_sampled(const NetcdfReader& file, const std::shared_ptr<const Regression>& regression) {
  PosteriorDraws draws = read_draws(file, regression->settings().model.layers, regression->prior().units());
  FitReport report = read_report(file, &draws);
  const SamplingOptions sampling{.chains = draws.chains,
                                 .warmup = static_cast<Index>(file.number("", "warmup")),
                                 .draws = draws.draws_per_chain(),
                                 .seed = regression->settings().seed};
  return FittedModel(regression, regression->posterior(std::move(draws)), sampling, std::move(report));
}

FittedModel read_fixed(const NetcdfReader& file, const std::shared_ptr<const Regression>& regression) {
  auto posterior =
      std::make_shared<const ClosedFormPosterior>(regression->shared_prior(), regression->data().noise,
                                                  regression->offset(), read_networks(file, *regression));
  return FittedModel(regression, std::move(posterior), read_report(file, nullptr));
}

}  // namespace

void write_results(const std::filesystem::path& path, const Fit& fitted) {
  const Regression& regression = fitted.model.regression();
  NetcdfWriter file;
  write_dimensions(file, regression, fitted.view);
  write_run(file, fitted.model);
  write_data(file, regression, fitted.view.watched, fitted.view.domain);
  write_nodes(file, regression.prior().options().nodes, regression.prior().node_factor());
  write_posterior(file, fitted.model);
  write_paths(file, fitted.view);
  write_predictions(file, fitted.view.predictions);
  write_target(file, regression, fitted.view.target);
  write_report(file, fitted.model.report());
  file.commit(path);
}

FittedModel read_results(const std::filesystem::path& path) {
  const NetcdfReader file(path, "model");
  require_format(file);
  RegressionSettings settings;
  read_model_text(file.text("", "model"), path.string(), settings.model);
  settings.model.noise = file.vector("constant_data", "noise");
  settings.model.standardise = file.number("", "standardise") != 0;
  settings.network_mean = file.number("", "network_mean") != 0;
  settings.seed = read_seed(file);
  RegressionTable table{.inputs = file.names("constant_data", "input_names"),
                        .outputs = file.names("constant_data", "output_names"),
                        .X = file.matrix("constant_data", "x", 1),
                        .Y = file.matrix("observed_data", "y", 1),
                        .encoding = read_encoding(file)};
  const auto regression =
      std::make_shared<const Regression>(std::move(settings), std::move(table), read_nodes(file));
  const std::string hidden = file.text("", "hidden");
  if (hidden != "fixed" && hidden != "sampled")
    file.refuse("has hidden layers that are neither fixed nor sampled");
  return hidden == "fixed" ? read_fixed(file, regression) : read_sampled(file, regression);
}

}  // namespace ridgelet
