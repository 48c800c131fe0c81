#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "bindings.hpp"
#include "fitted_network.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "shipped.hpp"
#include "table.hpp"

namespace ridgelet::python {

namespace {

/// Tells a ProgressLine of the package what a fit is doing. Python's lock must be held when it is made and destroyed; a
/// fit may call it from any thread.
class Narrator {
 public:
  Narrator() : line_(py::module_::import("ridgelet._progress").attr("ProgressLine")()) {}
  ~Narrator() {
    try {
      line_.attr("close")();
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("ridgelet.fit");
    }
  }
  Narrator(const Narrator&) = delete;
  Narrator& operator=(const Narrator&) = delete;

  void call(const char* method, const std::string& text) {
    const py::gil_scoped_acquire locked;
    line_.attr(method)(text);
  }

  /// A step may take less time than waiting for Python's lock, so most steps are not reported.
  void progress(Index done, Index total) {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < 100ms && done < total) return;
    last_ = now;
    const py::gil_scoped_acquire locked;
    line_.attr("progress")(done, total);
  }

  FitHandlers handlers() {
    return {
        .stage = [this](const std::string& what) { call("stage", what); },
        .learned =
            [this](const LearnedSettings& learned) {
              const ModelSettings& model = learned.settings.model;
              call("tell", fmt::format("learned: kernel {}, {}", model.kernel,
                                       is_gaussian(model.likelihood)
                                           ? fmt::format("noise {}", fmt::join(learned.target->noise, ", "))
                                           : "likelihood " + model.likelihood));
            },
        .chosen =
            [this](const Regression& regression, const Certificate& certificate) {
              call("tell",
                   fmt::format("chosen: {} units on {} nodes; error against the process {:.2g} at the data, "
                               "{:.2g} between them",
                               regression.prior().units(), regression.prior().options().nodes.size(),
                               certificate.data, certificate.between));
            },
        .progress = [this](Index done, Index total) { progress(done, total); }};
  }

 private:
  py::object line_;
  std::chrono::steady_clock::time_point last_;
};

/// The columns of X that are no inputs, since they were the same in every row.
void set_left_out(FittedModel& model, LeftOut left_out) {
  if (left_out.columns.empty()) return;
  FitReport report = model.report();
  report.left_out = std::move(left_out);
  model.set_report(std::move(report));
}

FittedNetwork fit_table(const py::object& X, const py::object& y, const std::string& hidden, Index networks,
                        const std::string& precision, bool learn, std::optional<Index> learn_rows,
                        bool priors, std::optional<double> period, bool network_mean, Index chains,
                        Index warmup, Index draws, const std::string& sampler, Index directions, bool force,
                        std::uint64_t seed, const std::optional<std::vector<std::string>>& inputs,
                        const std::optional<std::vector<std::string>>& outputs,
                        const std::map<std::string, std::vector<std::string>>& levels,
                        const std::vector<std::string>& dates, const std::vector<std::string>& left_out,
                        const std::optional<std::vector<std::string>>& classes, const py::object& exposure,
                        const std::string& coordinates, Index function_draws, bool verbose,
                        const py::kwargs& model) {
  // Where a later initialiser throws, g++ 12 destroys twice what an earlier nested one made: what may throw comes first.
  const ModelSettings model_settings = settings_from(model);
  const HiddenLayersAre hidden_layers = parse_hidden_layers(hidden);
  const Arithmetic arithmetic = parse_arithmetic(precision);
  const Sampler kind = parse_sampler(sampler);
  const LatentDrawOptions::By by = parse_coordinates(coordinates);
  require_at_least(directions, 0, "directions");
  RegressionTable table = table_from(X, y,
                                     {.inputs = inputs,
                                      .outputs = outputs,
                                      .levels = levels,
                                      .dates = dates,
                                      .classes = classes,
                                      .exposure = exposure},
                                     model_settings.likelihood);
  FitSettings settings{
      .regression = {.model = model_settings, .network_mean = network_mean},
      .learning = {.learn = learn, .rows = learn_rows, .priors = priors, .period = period},
      .hidden = hidden_layers,
      .networks = networks,
      .arithmetic = arithmetic,
      .sampling = {.chains = chains, .warmup = warmup, .draws = draws, .seed = seed, .sampler = kind},
      .variational = {.rank = directions},
      .latent = {.draws = function_draws, .by = by},
      .force = force};
  std::optional<Narrator> narrator;
  if (verbose) narrator.emplace();
  return run([&] {
    const std::atomic<bool>* const cancelled = cancellation_flag();
    FitHandlers handlers = narrator ? narrator->handlers() : FitHandlers();
    settings.learning.progress = handlers.progress;
    handlers.stop = [cancelled] { return cancelled && *cancelled; };
    validate(table, "X and y", constant_responses(settings));
    const Index rows = table.X.rows();
    Fit fitted = fit(std::move(table), settings, handlers);
    set_left_out(fitted.model, {.rows = 0, .of_rows = rows, .columns = left_out});
    return FittedNetwork(std::make_shared<const Fit>(std::move(fitted)));
  });
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
  dict["hidden"] = hidden_layers_are(fitted.model());
  dict["certificate"] = certificate(fitted);
  if (report.elbo) {
    dict["draws"] = fitted.model().latent()
                        ? static_cast<Index>(fitted.model().latent_posterior().networks().size())
                        : report.draws;
    dict["elbo"] = report.elbo->value;
    dict["elbo_of_prior"] = report.elbo->of_prior;
    dict["is_prior"] = report.elbo->is_prior();
    dict["elbo_trace"] = report.elbo->trace;
    if (const auto& distance = report.from_chains)
      dict["from_chains"] = py::dict(py::arg("mean") = distance->mean, py::arg("sd") = distance->sd,
                                     py::arg("draws") = distance->draws, py::arg("rhat") = distance->rhat);
  } else if (fitted.model().by_chains()) {
    dict["chains"] = report.chains;
    dict["draws"] = report.draws;
    dict["sampler"] = sampler_name(fitted.model().sampling().sampler);
    dict["divergences"] = report.divergences;
    dict["longest_trajectories"] = report.longest;
    dict["rhat_max"] = report.rhat_max;
    dict["bulk_min"] = report.bulk_min;
    dict["tail_min"] = report.tail_min;
    dict["prior_error"] =
        py::dict(py::arg("mean") = report.prior_error.mean, py::arg("max") = report.prior_error.max);
  } else if (report.log_evidence) {
    dict["log_evidence"] = *report.log_evidence;
  }
  if (report.mixed) {
    dict["precision"] = report.mixed->negligible() ? "mixed" : "double";
    dict["mixed_precision"] =
        py::dict(py::arg("mean") = report.mixed->mean, py::arg("sd") = report.mixed->sd);
  }
  if (fitted.model().latent()) {
    dict["likelihood"] = fitted.model().regression().likelihood()->text();
    dict["coordinates"] = report.laplace && !report.laplace->exact ? "laplace" : "sampled";
  }
  if (report.laplace) {
    dict["laplace_evidence"] = report.laplace->log_evidence;
    dict["pareto_shape"] = report.laplace->shape;
  }
  if (report.rounding) dict["rounding"] = *report.rounding;
  dict["learned"] = in_words_of_python(report.learned);
  dict["converged"] = report.converged;
  dict["warnings"] = in_words_of_python(report.warnings);
  return dict;
}

}  // namespace

void bind_fitting(py::module_& module) {
  py::class_<FittedNetwork>(module, "Fitted", "What fit returns: predict(Xs) gives mean and sd.")
      .def_property_readonly(
          "kernel",
          [](const FittedNetwork& fitted) {
            return parse_kernel(fitted.model().regression().settings().model.kernel);
          },
          "The kernel that was learned or given, in the model's units.")
      .def_property_readonly(
          "noise", [](const FittedNetwork& fitted) { return fitted.model().regression().data().noise; },
          "Standard deviation of the noise for each output, in the model's units.")
      .def_property_readonly(
          "certificate", &certificate,
          "Error of the network against its process, relative to the process: at the data, "
          "between them, and the floor that the nodes alone leave.")
      .def_property_readonly(
          "learned",
          [](const FittedNetwork& fitted) {
            const FitReport& found = fitted.model().report();
            return py::dict(py::arg("log_evidence") = found.learned_evidence,
                            py::arg("notes") = in_words_of_python(found.learned));
          },
          "The evidence of the exact process that was learned (None if nothing was), and notes about it.")
      .def_property_readonly(
          "network", [](const FittedNetwork& fitted) { return run([&] { return Shipped(fitted); }); },
          "The network by itself: mean, sd = network(Xs) without the prior, and export(). For sampled hidden "
          "layers it is a mixture of 20 draws; network_of_draws() takes another number of them.")
      .def(
          "network_of_draws",
          [](const FittedNetwork& fitted, Index draws) {
            return run([&] { return Shipped(fitted, draws); });
          },
          py::arg("draws"),
          "The network by itself, if hidden layers were sampled: the equal mixture of so many draws.")
      .def_property_readonly("report", &report, "What `ridgelet fit` reports.")
      .def(
          "save",
          [](const FittedNetwork& fitted, const py::object& path) {
            const std::string name = path_from(path);
            run([&] { fitted.save(name); });
          },
          py::arg("path"), "Writes the results file, which `ridgelet predict` and load() read.");
  module.def(
      "fit", &fit_table, py::arg("X"), py::arg("y"), py::kw_only(), py::arg("hidden") = "fixed",
      py::arg("networks") = 1, py::arg("precision") = "double", py::arg("learn") = false,
      py::arg("learn_rows") = py::none(), py::arg("priors") = true, py::arg("period") = py::none(),
      py::arg("network_mean") = false, py::arg("chains") = 4, py::arg("warmup") = 200, py::arg("draws") = 500,
      py::arg("sampler") = "slice", py::arg("directions") = 0, py::arg("force") = false, py::arg("seed") = 0,
      py::arg("inputs") = py::none(), py::arg("outputs") = py::none(), py::arg("levels") = py::dict(),
      py::arg("dates") = py::list(), py::arg("left_out") = py::list(), py::arg("classes") = py::none(),
      py::arg("exposure") = py::none(), py::arg("coordinates") = "auto", py::arg("function_draws") = 500,
      py::arg("verbose") = false,
      "The posterior of a network given rows of X and y. What is not given is learned or chosen: fit(X, y) "
      "is the whole job. hidden='sampled' samples the hidden layers, with chains, warmup and draws, by "
      "sampler='slice' or 'nuts'; hidden='variational' puts a normal distribution in place of their "
      "posterior, and `directions` is the number of directions in which they vary together. "
      "precision='mixed' passes over the rows faster where that costs nothing. Settings "
      "of the model have the names of the options of `ridgelet fit`: kernel='se()', noise=0.1, units=300, "
      "sigma_w=3, ... likelihood='poisson' (or another) is for responses that are not Gaussian: counts, "
      "with their exposure, or classes: the different texts or numbers in y or, beside their names in "
      "`classes`, "
      "the places 0, 1, ... of these.");
  module.def(
      "days_since_1970", &days_since_1970, py::arg("text"),
      "Days since 1970-01-01 of an ISO date, month or date and time, as the program reads them; None for "
      "other texts.");
  module.def(
      "load",
      [](const py::object& path) {
        const std::string name = path_from(path);
        return run([&] { return FittedNetwork::load(name); });
      },
      py::arg("path"), "A fit from its results file.");
}

}  // namespace ridgelet::python
