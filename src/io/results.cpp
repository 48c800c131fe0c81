#include "ridgelet/io/results.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/io/netcdf.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

constexpr double format_version = 1;
constexpr const char* results_format = "ridgelet results";
constexpr Index prior_draws = 100;
constexpr Index domain_points = 100;
constexpr Index most_rows_of_exact_process = 2000;

double number(Index value) {
  return static_cast<double>(value);
}

void write_run(NetcdfWriter& file, const Regression& regression, const SamplingOptions& sampling) {
  const RegressionSettings& settings = regression.settings();
  file.attribute("", "format", results_format);
  file.attribute("", "format_version", format_version);
  file.attribute("", "ridgelet_version", RIDGELET_VERSION);
  file.attribute("", "model", model_file_text(settings.model));
  file.attribute("", "standardise", settings.standardise);
  file.attribute("", "network_mean", settings.network_mean);
  file.attribute("", "warmup", number(sampling.warmup));
  file.attribute("", "seed", std::to_string(sampling.seed));
}

void write_data(NetcdfWriter& file, const Regression& regression, const Matrix& watched,
                const Matrix& domain) {
  const RegressionTable& table = regression.table();
  const std::string group = "constant_data";
  file.matrix(group, "x", {"observation", "input"}, "inputs, in the table's units", 1, table.X);
  file.names(group, "input_names", "input", "columns of the inputs", table.inputs);
  file.names(group, "output_names", "output", "columns of the outputs", table.outputs);
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

/// Function values of one output, in the model's units, as a slab of the table's units.
class ToTable {
 public:
  explicit ToTable(const Scaling& outputs) : outputs_(outputs) {}

  Vector operator()(Index output, const VectorView& values) const {
    return (outputs_.scale(output) * values).array() + outputs_.centre(output);
  }

 private:
  const Scaling& outputs_;
};

/// "" for the first hidden layer, "2" for the second.
std::string layer_suffix(Index layer) {
  return layer == 0 ? "" : std::to_string(layer + 1);
}

template <class Visit>
void for_each_layer(const HiddenLayers& layers, Visit&& visit) {
  for (std::size_t l = 0; l < layers.depth(); ++l) visit(layers[l], layer_suffix(static_cast<Index>(l)));
}

void write_posterior(NetcdfWriter& file, const Regression& regression, const SamplingOptions& sampling,
                     const PosteriorDraws& draws, const MonitoredFunctions& functions) {
  const Index outputs = regression.data().outputs(), watched = functions.X.rows();
  const ToTable to_table(regression.output_scaling());
  Index first = 0;
  for_each_layer(regression.prior().allocate(), [&](const HiddenLayer& layer, const std::string& suffix) {
    const bool on_inputs = suffix.empty();
    file.matrix("posterior", "W" + suffix, {"chain", "draw", on_inputs ? "input" : "coordinate", "unit"},
                on_inputs ? "hidden weights" : "hidden weights, on coordinates of the layer before", 2,
                draws.layers.middleCols(first, layer.W.size()));
    file.matrix("posterior", "b" + suffix, {"chain", "draw", "unit"}, "hidden biases", 2,
                draws.layers.middleCols(first + layer.W.size(), layer.b.size()));
    first += layer.W.size() + layer.b.size();
  });
  file.matrix("posterior", "z", {"chain", "draw", "output", "coordinate"},
              "coordinates of the output weights w = B (m + L z)", 2, draws.coordinates);
  const DimensionNames over_draws = {"chain", "draw", "output", "watched"};
  file.array("posterior", "f", over_draws, "the function at x_watched, in the table's units", 3,
             [&](Index slab, Vector& values) {
               const Index k = slab % outputs;
               values = to_table(k, functions.values[static_cast<std::size_t>(k)].row(slab / outputs));
             });
  file.array("posterior_predictive", "y", over_draws, "new observations at x_watched, in the table's units",
             3, [&](Index slab, Vector& values) {
               const Index k = slab % outputs;
               const RandomStream noise{.seed = sampling.seed,
                                        .purpose = Purpose::predictive_noise,
                                        .iteration = static_cast<std::uint32_t>(slab)};
               values =
                   to_table(k, functions.values[static_cast<std::size_t>(k)].row(slab / outputs).transpose() +
                                   regression.data().noise(k) * noise.normals(watched));
             });
}

void write_prior(NetcdfWriter& file, const Regression& regression, const SamplingOptions& sampling,
                 const Matrix& watched) {
  const RidgeletPrior& prior = regression.prior();
  const Index outputs = regression.data().outputs();
  Matrix functions(prior_draws * outputs, watched.rows());
  const Vector offset = regression.offset()(watched);
  parallel_for(prior_draws, [&](Index i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const Gaussian output = prior.given(prior.draw_hidden(sampling.seed, replicate)).output(watched);
    const RandomStream stream{
        .seed = sampling.seed, .purpose = Purpose::output_weights, .replicate = replicate};
    const Matrix z = stream.normals(outputs, output.rank());
    for (Index k = 0; k < outputs; ++k)
      functions.row(i * outputs + k) = output.at(z.row(k).transpose()) + offset;
  });
  const ToTable to_table(regression.output_scaling());
  const DimensionNames dimensions = {"prior_draw", "output", "watched"};
  file.array("prior", "f", dimensions, "functions of the prior at x_watched, in the table's units", 2,
             [&](Index slab, Vector& values) {
               values = to_table(slab % outputs, functions.row(slab).transpose());
             });
  file.array("prior_predictive", "y", dimensions, "observations of the prior, in the table's units", 2,
             [&](Index slab, Vector& values) {
               const Index k = slab % outputs;
               const RandomStream noise{.seed = sampling.seed,
                                        .purpose = Purpose::predictive_noise,
                                        .replicate = 1,
                                        .iteration = static_cast<std::uint32_t>(slab)};
               values = to_table(k, functions.row(slab).transpose() +
                                        regression.data().noise(k) * noise.normals(watched.rows()));
             });
}

void write_target(NetcdfWriter& file, const Regression& regression, const Matrix& watched) {
  const ModelSettings& model = regression.settings().model;
  const GaussianProcess process{.kernel = regression.prior().options().target.kernel,
                                .mean = MeanFunction(model.mean)};
  const Data& data = regression.data();
  const Scaling& scaling = regression.output_scaling();
  const auto write = [&](const std::string& name, const std::string& description, const Matrix& values) {
    file.matrix("target_gp", name, {"watched", "output"}, description + " at x_watched, in the table's units",
                1, values);
  };
  const auto of_each_output = [&](const Vector& values) {
    return values.replicate(1, data.outputs()).eval();
  };
  const auto scaled = [&](const Matrix& sd) {
    return (sd.array().rowwise() * scaling.scale.transpose().array()).matrix().eval();
  };
  file.attribute("target_gp", "kernel", process.kernel.text());
  file.attribute("target_gp", "mean", model.mean);
  const Vector prior_mean = process.mean(watched), prior_sd = process.kernel.diagonal(watched).cwiseSqrt();
  write("prior_mean", "the process's mean", scaling.undo(of_each_output(prior_mean)));
  write("prior_sd", "the process's standard deviation", scaled(of_each_output(prior_sd)));
  if (data.rows() > most_rows_of_exact_process) return;
  Matrix mean(watched.rows(), data.outputs()), sd(watched.rows(), data.outputs());
  const Vector subtracted = regression.offset()(data.X);
  try {
    for (Index k = 0; k < data.outputs(); ++k) {
      const GaussianProcessPosterior exact(process, data.X, data.Y.col(k) + subtracted, data.noise(k));
      mean.col(k) = exact.mean(watched);
      sd.col(k) = exact.variance(watched).cwiseMax(0).cwiseSqrt();
    }
  } catch (const InvalidArgument&) {
    return;  // the exact posterior does not exist in double precision; the network's does
  }
  write("posterior_mean", "the exact posterior's mean", scaling.undo(mean));
  write("posterior_sd", "the exact posterior's standard deviation, without noise", scaled(sd));
}

void write_predictions(NetcdfWriter& file, const Regression& regression, const Posterior& posterior,
                       const Matrix& inputs) {
  const PredictiveSummary summary = regression.predict(posterior, inputs, {});
  const auto write = [&](const std::string& name, const std::string& description, const Matrix& values) {
    file.matrix("predictions", name, {"point", "output"},
                description + ", noise included, in the table's units", 1, values);
  };
  write("mean", "predictive mean", summary.mean);
  write("sd", "predictive standard deviation", summary.sd);
  write("lower", "2.5 % quantile", summary.lower);
  write("upper", "97.5 % quantile", summary.upper);
}

void write_report(NetcdfWriter& file, const PosteriorDraws& draws, const FitReport& report) {
  const std::string group = "sample_stats";
  file.matrix(group, "log_likelihood", {"chain", "draw"}, "of the data, the output layer integrated out", 2,
              draws.log_likelihood);
  file.matrix(group, "evaluations", {"chain", "draw"}, "likelihood evaluations of the step", 2,
              draws.evaluations);
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

FitReport read_report(const NetcdfReader& file, const PosteriorDraws& draws) {
  const std::string group = "sample_stats";
  return {.chains = draws.chains,
          .draws = draws.draws_per_chain(),
          .rhat_max = file.number(group, "rhat_max"),
          .bulk_min = file.number(group, "bulk_min"),
          .tail_min = file.number(group, "tail_min"),
          .standard_error_max = file.number(group, "standard_error_max"),
          .evaluations_per_step = draws.evaluations.mean(),
          .prior_error = {.mean = file.number(group, "prior_error_mean"),
                          .max = file.number(group, "prior_error_max"),
                          .process_sd = file.number(group, "process_sd")},
          .warnings = lines_of(file.text(group, "warnings")),
          .converged = file.number(group, "converged") != 0};
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

PosteriorDraws read_draws(const NetcdfReader& file, Index layers) {
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
      const Matrix part = file.matrix("posterior", name + layer_suffix(l), 2);
      if (part.rows() != draws.coordinates.rows()) file.refuse("has arrays of different numbers of draws");
      draws.layers.conservativeResize(part.rows(), draws.layers.cols() + part.cols());
      draws.layers.rightCols(part.cols()) = part;
    }
  return draws;
}

}  // namespace

double results_bytes(const Regression& regression, const SamplingOptions& sampling, Index watched) {
  const auto draws = static_cast<double>(sampling.chains * sampling.draws);
  const auto outputs = static_cast<double>(regression.data().outputs());
  const double kept = PosteriorDraws::bytes(regression.prior(), regression.data().outputs(),
                                            sampling.chains * sampling.draws);
  // The functions, once as they are and twice in the file; moments of the predictions; the file's image,
  // which grows by doubling.
  return 2 * (kept + 8 * draws * outputs * static_cast<double>(2 * watched + domain_points));
}

void write_results(const std::filesystem::path& path, const Regression& regression,
                   const SamplingOptions& sampling, const Posterior& posterior,
                   const MonitoredFunctions& functions, const FitReport& report) {
  const PosteriorDraws& draws = posterior.draws();
  const Matrix domain =
      regression.input_scaling().undo(evaluation_points(regression.domain(), domain_points, sampling.seed));
  NetcdfWriter file;
  file.dimension("chain", draws.chains);
  file.dimension("draw", draws.draws_per_chain());
  file.dimension("unit", regression.prior().units());
  file.dimension("input", regression.data().X.cols());
  file.dimension("output", regression.data().outputs());
  file.dimension("coordinate", regression.prior().rank());
  file.dimension("observation", regression.data().rows());
  file.dimension("watched", functions.X.rows());
  file.dimension("point", domain.rows());
  file.dimension("prior_draw", prior_draws);
  write_run(file, regression, sampling);
  write_data(file, regression, regression.input_scaling().undo(functions.X), domain);
  write_prior(file, regression, sampling, functions.X);
  write_posterior(file, regression, sampling, draws, functions);
  write_predictions(file, regression, posterior, domain);
  write_target(file, regression, functions.X);
  write_report(file, draws, report);
  file.commit(path);
}

Results read_results(const std::filesystem::path& path) {
  const NetcdfReader file(path, "model");
  require_format(file);
  Results results;
  read_model_text(file.text("", "model"), path.string(), results.settings.model);
  results.settings.noise = file.vector("constant_data", "noise");
  results.settings.standardise = file.number("", "standardise") != 0;
  results.settings.network_mean = file.number("", "network_mean") != 0;
  results.table = {.inputs = file.names("constant_data", "input_names"),
                   .outputs = file.names("constant_data", "output_names"),
                   .X = file.matrix("constant_data", "x", 1),
                   .Y = file.matrix("observed_data", "y", 1)};
  results.draws = read_draws(file, results.settings.model.layers);
  results.report = read_report(file, results.draws);
  results.sampling = {.chains = results.draws.chains,
                      .warmup = static_cast<Index>(file.number("", "warmup")),
                      .draws = results.draws.draws_per_chain(),
                      .seed = read_seed(file)};
  return results;
}

}  // namespace ridgelet
