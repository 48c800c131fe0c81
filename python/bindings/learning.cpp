#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/learned_settings.hpp"
#include "ridgelet/network/scaling.hpp"

namespace ridgelet::python {

namespace {

/// A number, or a list of them.
py::object one_or_several(const Vector& values) {
  if (values.size() == 1) return py::float_(values(0));
  return py::cast(std::vector<double>(values.begin(), values.end()));
}

py::dict start_dict(const LearningStart& start) {
  py::dict dict;
  dict["kernel"] = start.process ? py::cast(start.process->kernel) : py::none();
  dict["mean"] = start.process ? py::cast(start.process->mean.text()) : py::none();
  dict["noise"] = start.process ? one_or_several(start.noise) : py::none();
  dict["log_evidence"] = start.process ? py::cast(start.log_evidence) : py::none();
  dict["objective"] = start.process ? py::cast(start.objective) : py::none();
  dict["evaluations"] = start.evaluations;
  dict["converged"] = start.converged;
  dict["message"] = start.message;
  return dict;
}

/// Kernel and noise in the units of the table, where there is such a kernel.
py::dict own_units(const LearnedSettings& learned, const RegressionTable& table) {
  const bool standardised = learned.settings.model.standardise.value_or(false);
  const Scaling inputs = standardised ? Scaling::standardising(table.X) : Scaling::none(table.X.cols());
  const Vector responses =
      (standardised ? Scaling::standardising(table.Y) : Scaling::none(table.Y.cols())).scale;
  std::optional<Kernel> kernel;
  if (responses.minCoeff() == responses.maxCoeff())
    kernel = learned.target->process.kernel.in_units(
        {.centre = inputs.centre, .scale = inputs.scale, .response = responses(0)});
  py::dict dict;
  dict["kernel"] = kernel ? py::cast(*kernel) : py::none();
  dict["noise"] = one_or_several(learned.target->noise.cwiseProduct(responses));
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

py::dict as_dict(const LearnedSettings& learned, const RegressionTable& table) {
  const LearnedTarget& target = *learned.target;
  py::list starts;
  for (const LearningStart& start : target.starts) starts.append(start_dict(start));
  py::dict dict;
  dict["kernel"] = target.process.kernel;
  dict["mean"] = target.process.mean.text();
  dict["noise"] = one_or_several(target.noise);
  dict["standardise"] = learned.settings.model.standardise.value_or(false);
  dict["log_evidence"] = target.log_evidence;
  dict["objective"] = target.objective;
  dict["rows"] = target.rows.size();
  dict["own_units"] = own_units(learned, table);
  dict["relevance"] = learned.relevance;
  dict["irrelevant"] = irrelevant_columns(learned, encoding_of(table));
  dict["disagreement"] = target.disagreement;
  dict["refinement"] = refinement_dict(target.refinement);
  dict["notes"] = findings(learned, table);
  dict["starts"] = starts;
  return dict;
}

py::dict learn(const py::object& X, const py::object& y, Index learn_rows, bool priors,
               std::optional<double> period, std::uint64_t seed,
               const std::optional<std::vector<std::string>>& inputs, const py::kwargs& model) {
  RegressionTable table{.inputs = {}, .outputs = {}, .X = matrix_from(X, "X"), .Y = outputs_from(y)};
  require_nonempty(table.X, "X");
  require_rows(table.Y, table.X.rows(), "y");
  table.inputs = column_names(inputs, table.X.cols(), "inputs", "x");
  table.outputs = column_names(std::nullopt, table.Y.cols(), "outputs", "y");
  RegressionSettings settings{.model = settings_from(model)};
  settings.seed = seed;
  const LearnedSettings learned = run([&] {
    validate(table, "X and y");
    return learn_settings(table, settings,
                          {.learn = true, .rows = learn_rows, .priors = priors, .period = period});
  });
  return as_dict(learned, table);
}

/// Whether a fit with these settings of the model learns anything.
bool learns(bool learn, const py::kwargs& model) {
  return leaves_open(settings_from(model), {.learn = learn});
}

}  // namespace

void bind_learning(py::module_& module) {
  module.def("learns", &learns, py::kw_only(), py::arg("learn") = false,
             "Whether a fit with these settings of a model learns kernel, noise or likelihood.");
  module.def("learn", &learn, py::arg("X"), py::arg("y"), py::kw_only(), py::arg("learn_rows") = 1000,
             py::arg("priors") = true, py::arg("period") = py::none(), py::arg("seed") = 0,
             py::arg("inputs") = py::none(),
             "Kernel, mean and noise by the evidence of the exact process, as `ridgelet learn` finds them.");
}

}  // namespace ridgelet::python
