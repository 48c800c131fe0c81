#include "bindings.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/fitting/learned_settings.hpp"
#include "ridgelet/network/scaling.hpp"
#include "table.hpp"

namespace ridgelet::python {

namespace {

/// A number, or a list of them.
py::object one_or_several(const Vector& values) {
  if (values.size() == 1) return py::float_(values(0));
  return py::cast(std::vector<double>(values.begin(), values.end()));
}

/// The noise or, where it is not Gaussian, the numbers of its likelihood by their names.
py::object noise_object(const Vector& noise, const Likelihood* likelihood) {
  if (!likelihood) return one_or_several(noise);
  py::dict dict;
  const std::vector<LikelihoodParameter> parameters = likelihood->parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p)
    dict[py::str(parameters[p].name)] = noise(static_cast<Index>(p));
  return dict;
}

py::dict start_dict(const LearningStart& start, const Likelihood* likelihood) {
  py::dict dict;
  dict["kernel"] = start.process ? py::cast(start.process->kernel) : py::none();
  dict["mean"] = start.process ? py::cast(start.process->mean.text()) : py::none();
  dict["noise"] = start.process ? noise_object(start.noise, likelihood) : py::none();
  dict["log_evidence"] = start.process ? py::cast(start.log_evidence) : py::none();
  dict["objective"] = start.process ? py::cast(start.objective) : py::none();
  dict["evaluations"] = start.evaluations;
  dict["converged"] = start.converged;
  dict["message"] = start.message;
  return dict;
}

/// Kernel and Gaussian noise in the units of the table, where there are such.
py::dict own_units(const LearnedSettings& learned, const RegressionTable& table) {
  const ModelSettings& model = learned.settings.model;
  const Scaling inputs =
      model.standardise.value_or(false) ? table.standardised_inputs() : Scaling::none(table.X.cols());
  const Vector responses = response_units(learned, table).scale;
  std::optional<Kernel> kernel;
  if (responses.size() > 0 && responses.minCoeff() == responses.maxCoeff())
    kernel = learned.target->process.kernel.in_units(
        {.centre = inputs.centre, .scale = inputs.scale, .response = responses(0)});
  py::dict dict;
  dict["kernel"] = kernel ? py::cast(*kernel) : py::none();
  dict["noise"] = is_gaussian(model.likelihood)
                      ? one_or_several(learned.target->noise.cwiseProduct(responses))
                      : py::none();
  return dict;
}

py::object refinement_dict(const std::optional<Refinement>& refinement) {
  if (!refinement) return py::none();
  py::dict dict;
  dict["rows"] = refinement->rows;
  dict["points"] = refinement->points;
  dict["gain"] = refinement->gain;
  return dict;
}

py::dict bound_dict(const BoundHit& hit) {
  py::dict dict;
  dict["parameter"] = hit.parameter;
  dict["value"] = hit.value;
  dict["bound"] = hit.upper ? "upper" : "lower";
  return dict;
}

py::dict candidate_dict(const KernelCandidate& candidate) {
  const LearnedTarget& learned = candidate.learned;
  py::dict dict;
  dict["form"] = candidate.form;
  dict["log_evidence"] = learned.log_evidence;
  dict["parameters"] = learned.learned;
  dict["score"] = learned.score();
  dict["kernel"] = learned.process.kernel;
  return dict;
}

py::dict as_dict(const LearnedSettings& learned, const RegressionTable& table) {
  const LearnedTarget& target = *learned.target;
  const std::string& named = learned.settings.model.likelihood;
  const LikelihoodPointer likelihood = is_gaussian(named) ? nullptr : likelihood_for(named, table);
  py::list starts, at_bounds, candidates;
  for (const BoundHit& hit : target.at_bounds) at_bounds.append(bound_dict(hit));
  if (learned.choice)
    for (const KernelCandidate& each : learned.choice->candidates) candidates.append(candidate_dict(each));
  for (const LearningStart& start : target.starts) starts.append(start_dict(start, likelihood.get()));
  py::dict dict;
  dict["kernel"] = target.process.kernel;
  dict["mean"] = target.process.mean.text();
  dict["noise"] = noise_object(target.noise, likelihood.get());
  dict["likelihood"] = likelihood ? likelihood->text() : "gaussian";
  dict["standardise"] = learned.settings.model.standardise.value_or(false);
  dict["log_evidence"] = target.log_evidence;
  dict["objective"] = target.objective;
  dict["rows"] = target.rows.size();
  dict["own_units"] = own_units(learned, table);
  dict["relevance"] = learned.relevance;
  dict["irrelevant"] = irrelevant_columns(learned, encoding_of(table));
  dict["at_bounds"] = at_bounds;
  dict["disagreement"] = target.disagreement;
  dict["refinement"] = refinement_dict(target.refinement);
  dict["notes"] = in_words_of_python(findings(learned, table));
  dict["starts"] = starts;
  if (learned.choice) dict["candidates"] = candidates;
  return dict;
}

py::dict learn(const py::object& X, const py::object& y, std::optional<Index> learn_rows, bool priors,
               std::optional<double> period, std::uint64_t seed,
               const std::optional<std::vector<std::string>>& inputs,
               const std::optional<std::vector<std::string>>& outputs,
               const std::map<std::string, std::vector<std::string>>& levels,
               const std::vector<std::string>& dates, const std::vector<std::string>& left_out,
               const std::optional<std::vector<std::string>>& classes, const py::object& exposure,
               const py::kwargs& model) {
  RegressionSettings settings{.model = settings_from(model)};
  settings.seed = seed;
  const RegressionTable table = table_from(X, y,
                                           {.inputs = inputs,
                                            .outputs = outputs,
                                            .levels = levels,
                                            .dates = dates,
                                            .classes = classes,
                                            .exposure = exposure},
                                           settings.model.likelihood);
  const LearnedSettings learned = run([&] {
    validate(table, "X and y");
    settings.model.likelihood = chosen_likelihood(settings.model, encoding_of(table));
    return learn_settings(table, settings,
                          {.learn = true, .rows = learn_rows, .priors = priors, .period = period});
  });
  py::dict dict = as_dict(learned, table);
  dict["left_out"] = left_out;
  return dict;
}

/// Whether a fit with these settings of the model learns anything.
bool learns(bool learn, const py::kwargs& model) {
  return leaves_open(settings_from(model), {.learn = learn});
}

}  // namespace

void bind_learning(py::module_& module) {
  module.def("learns", &learns, py::kw_only(), py::arg("learn") = false,
             "Whether a fit with these settings of a model learns kernel, noise or likelihood.");
  module.def("learn", &learn, py::arg("X"), py::arg("y"), py::kw_only(), py::arg("learn_rows") = py::none(),
             py::arg("priors") = true, py::arg("period") = py::none(), py::arg("seed") = 0,
             py::arg("inputs") = py::none(), py::arg("outputs") = py::none(), py::arg("levels") = py::dict(),
             py::arg("dates") = py::list(), py::arg("left_out") = py::list(), py::arg("classes") = py::none(),
             py::arg("exposure") = py::none(),
             "Kernel, mean and noise by the evidence of the exact process, as `ridgelet learn` finds them. "
             "likelihood='poisson' (or another), `classes` and `exposure` are those of fit.");
}

}  // namespace ridgelet::python
