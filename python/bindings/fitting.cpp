#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bindings.hpp"
#include "fitted_network.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/model_file.hpp"
#include "ridgelet/io/results.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "shipped.hpp"

namespace ridgelet::python {

namespace {

/// A setting as the text that its flag would have: numbers, texts, kernels, True and False, and lists of numbers.
std::string setting_text(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "yes" : "no";
  if (py::isinstance<py::str>(value) || !py::isinstance<py::iterable>(value)) return py::str(value);
  std::vector<std::string> parts;
  for (const py::handle part : py::iter(value)) parts.push_back(py::str(part));
  return join(parts, ",");
}

/// Keywords have the names of the options, with underscores.
ModelSettings settings_from(const py::kwargs& keywords) {
  ModelSettings settings;
  std::vector<std::string> known;
  for (const ModelOption& option : model_options()) {
    known.push_back(option.name);
    std::ranges::replace(known.back(), '-', '_');
  }
  for (const auto& [key, value] : keywords) {
    const auto name = key.cast<std::string>();
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw py::type_error("fit() has no such setting: " + unknown_name_complaint(name, known));
    if (!value.is_none())
      model_options()[static_cast<std::size_t>(found - known.begin())].set(settings, setting_text(value));
  }
  return settings;
}

std::vector<std::string> column_names(const std::optional<std::vector<std::string>>& given, Index count,
                                      const std::string& argument, const std::string& letter) {
  std::vector<std::string> names = given.value_or(std::vector<std::string>());
  if (given && static_cast<Index>(names.size()) != count)
    throw InvalidArgument(
        argument, fmt::format("must have {} names, one for each column, got {}", count, names.size()));
  for (Index k = 1; !given && k <= count; ++k)
    names.push_back(count == 1 ? letter : letter + std::to_string(k));
  return names;
}

/// One column as a matrix of one.
Matrix outputs_from(const py::object& y) {
  return numbers_from(y, "y").ndim() == 1 ? Matrix(vector_from(y, "y")) : matrix_from(y, "y");
}

FittedNetwork fit_table(const py::object& X, const py::object& y, const std::string& hidden, Index networks,
                        bool learn, Index learn_rows, bool priors, std::optional<double> period,
                        bool network_mean, Index chains, Index warmup, Index draws, bool force,
                        std::uint64_t seed, const std::optional<std::vector<std::string>>& inputs,
                        const std::optional<std::vector<std::string>>& outputs, const py::kwargs& model) {
  RegressionTable table{.inputs = {}, .outputs = {}, .X = matrix_from(X, "X"), .Y = outputs_from(y)};
  require_nonempty(table.X, "X");
  require_rows(table.Y, table.X.rows(), "y");
  table.inputs = column_names(inputs, table.X.cols(), "inputs", "x");
  table.outputs = column_names(outputs, table.Y.cols(), "outputs", "y");
  const FitSettings settings{
      .regression = {.model = settings_from(model), .network_mean = network_mean},
      .learning = {.learn = learn, .rows = learn_rows, .priors = priors, .period = period},
      .hidden = parse_hidden_layers(hidden),
      .networks = networks,
      .sampling = {.chains = chains, .warmup = warmup, .draws = draws, .seed = seed},
      .force = force};
  return run([&] {
    const std::atomic<bool>* const cancelled = cancellation_flag();
    const FitHandlers handlers{.stop = [cancelled] { return cancelled && *cancelled; }};
    validate(table, "X and y");
    return FittedNetwork(std::make_shared<const Fit>(fit(std::move(table), settings, handlers)));
  });
}

/// One output is a vector, several are the columns of a matrix.
py::object as_array(const Matrix& values) {
  return values.cols() == 1 ? py::cast(Vector(values)) : py::cast(values);
}

py::tuple predict(const FittedNetwork& fitted, const py::object& Xs, bool latent) {
  const Matrix x = matrix_from(Xs, "Xs");
  require_nonempty(x, "Xs");
  require_columns(x, fitted.model().regression().table().X.cols(), "Xs");
  const PredictiveSummary summary = run([&] { return fitted.model().predict(x, {.noise = !latent}); });
  for (Index i = 0; i < x.rows(); ++i)
    if (!summary.mean.row(i).allFinite() || !summary.sd.row(i).allFinite())
      throw InvalidArgument("Xs", fmt::format("row {} has no finite prediction", i + 1));
  return py::make_tuple(as_array(summary.mean), as_array(summary.sd));
}

py::dict certificate(const FittedNetwork& fitted) {
  const Certificate& certificate = fitted.model().report().certificate;
  py::dict dict;
  dict["data"] = certificate.data;
  dict["between"] = certificate.between;
  dict["floor"] = certificate.floor;
  return dict;
}

py::dict report(const FittedNetwork& fitted) {
  const FitReport& report = fitted.model().report();
  py::dict dict;
  dict["hidden"] = fitted.model().sampled() ? "sampled" : "fixed";
  dict["certificate"] = certificate(fitted);
  if (fitted.model().sampled()) {
    dict["chains"] = report.chains;
    dict["draws"] = report.draws;
    dict["rhat_max"] = report.rhat_max;
    dict["bulk_min"] = report.bulk_min;
    dict["tail_min"] = report.tail_min;
    dict["prior_error"] =
        py::dict(py::arg("mean") = report.prior_error.mean, py::arg("max") = report.prior_error.max);
  } else {
    dict["log_evidence"] = report.log_evidence;
  }
  dict["learned"] = report.learned;
  dict["converged"] = report.converged;
  dict["warnings"] = report.warnings;
  return dict;
}

Matrix draw_functions(const FittedNetwork& fitted, const py::object& Xs, Index draws, std::uint64_t seed,
                      Index output) {
  const Matrix x = matrix_from(Xs, "Xs");
  require_nonempty(x, "Xs");
  require_columns(x, fitted.model().regression().table().X.cols(), "Xs");
  return run([&] { return fitted.model().functions(x, draws, seed, output); });
}

}  // namespace

void bind_fitting(py::module_& module) {
  py::class_<FittedNetwork>(module, "Fitted", "What fit leaves: predict(Xs) gives mean and sd.")
      .def("predict", &predict, py::arg("Xs"), py::arg("latent") = false,
           "Mean and sd at Xs, the noise of new data included; latent=True is of the function itself.")
      .def_property_readonly("kernel",
                             [](const FittedNetwork& fitted) {
                               return parse_kernel(fitted.model().regression().settings().model.kernel);
                             })
      .def_property_readonly(
          "noise", [](const FittedNetwork& fitted) { return fitted.model().regression().data().noise; },
          "Standard deviation of the noise for each output, in the model's units.")
      .def_property_readonly(
          "certificate", &certificate,
          "Error of the network against its process, relative to the process: at the data, "
          "between them, and what the nodes alone leave.")
      .def_property_readonly(
          "learned",
          [](const FittedNetwork& fitted) {
            const FitReport& found = fitted.model().report();
            return py::dict(py::arg("log_evidence") = found.learned_evidence,
                            py::arg("notes") = found.learned);
          },
          "The evidence of the exact process that was learned (None if nothing was), and what to say of it.")
      .def_property_readonly(
          "network",
          [](const FittedNetwork& fitted) {
            return run([&] { return Shipped(ship_network(fitted.model())); });
          },
          "The network by itself: mean, sd = network(Xs) without the prior, and export().")
      .def("functions", &draw_functions, py::arg("Xs"), py::arg("draws") = 100, py::arg("seed") = 0,
           py::arg("output") = 0, "Draws of the noise-free function at Xs, one a row.")
      .def_property_readonly("report", &report, "What `ridgelet fit` reports.")
      .def(
          "save",
          [](const FittedNetwork& fitted, const std::string& path) {
            run([&] { write_results(path, fitted.whole()); });
          },
          py::arg("path"), "The results file, which `ridgelet predict` and load() read.");
  module.def(
      "fit", &fit_table, py::arg("X"), py::arg("y"), py::kw_only(), py::arg("hidden") = "fixed",
      py::arg("networks") = 1, py::arg("learn") = false, py::arg("learn_rows") = 1000,
      py::arg("priors") = true, py::arg("period") = py::none(), py::arg("network_mean") = false,
      py::arg("chains") = 4, py::arg("warmup") = 200, py::arg("draws") = 500, py::arg("force") = false,
      py::arg("seed") = 0, py::arg("inputs") = py::none(), py::arg("outputs") = py::none(),
      "The posterior of a network given rows of X and y. What is not given is learned or chosen: fit(X, y) "
      "is the whole job. hidden='sampled' samples the hidden layers, with chains, warmup and draws. Settings "
      "of the model have the names of the options of `ridgelet fit`: kernel='se()', noise=0.1, units=300, "
      "sigma_w=3, ...");
  module.def(
      "load",
      [](const std::string& path) {
        return run([&] { return FittedNetwork(std::make_shared<const FittedModel>(read_results(path))); });
      },
      py::arg("path"), "What fit left in a results file.");
}

}  // namespace ridgelet::python
