/// More of what a Fitted offers: scores, covariances, where it can be trusted, and how it is pickled.
#include <fmt/format.h>

#include "bindings.hpp"
#include "fitted_network.hpp"
#include "fitted_rows.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/latent_score.hpp"
#include "ridgelet/fitting/score.hpp"

namespace ridgelet::python {

namespace {

py::dict by_level(const Vector& levels, const Vector& values) {
  py::dict dict;
  for (Index l = 0; l < values.size(); ++l)
    dict[py::str(fmt::format("{:.12g}", 100 * levels(l)))] = values(l);
  return dict;
}

py::dict as_dict(const Score& score) {
  py::dict dict;
  dict["rows"] = score.rows;
  dict["rmse"] = score.rmse;
  dict["mae"] = score.mae;
  dict["r2"] = score.r2;
  dict["log_density"] = score.log_density;
  dict["crps"] = score.crps;
  dict["coverage"] = by_level(score.levels, score.coverage);
  dict["width"] = by_level(score.levels, score.width);
  return dict;
}

py::dict as_dict(const LatentScore& score) {
  py::dict dict;
  dict["rows"] = score.rows;
  if (score.response == ResponseKind::classes || score.response == ResponseKind::two_classes) {
    dict["log_loss"] = score.log_loss;
    dict["brier"] = score.brier;
    dict["accuracy"] = score.accuracy;
    dict["auc"] = score.auc;
    dict["ece"] = score.ece;
    return dict;
  }
  dict["rmse"] = score.rmse;
  dict["mae"] = score.mae;
  dict["r2"] = score.r2;
  dict["log_density"] = score.log_density;
  dict["crps"] = score.crps;
  if (score.response == ResponseKind::count) dict["deviance"] = score.deviance;
  dict["coverage"] = by_level(score.levels, score.coverage);
  dict["width"] = by_level(score.levels, score.width);
  return dict;
}

LatentScore latent_score(const FittedNetwork& fitted, const Rows& rows, const Matrix& Y) {
  LatentScoring scoring(fitted.model());
  for_each_block(fitted, rows,
                 [&](const Matrix& X, Index first) { scoring.add(X, Y.middleRows(first, X.rows())); });
  return scoring.score();
}

std::vector<Score> scores(const FittedNetwork& fitted, const Rows& rows, const Matrix& Y) {
  TableScoring scoring(encoding_of(fitted.model().regression().table()).outputs);
  for_each_block(fitted, rows, [&](const Matrix& X, Index first) {
    scoring.add(fitted.model().mixture(X), Y.middleRows(first, X.rows()));
  });
  return scoring.scores();
}

/// The responses, and beside them the exposure if it is given.
Matrix responses_from(const py::object& y, const py::object& exposure) {
  Matrix Y = outputs_from(y);
  if (exposure.is_none()) return Y;
  const Vector over = exposure_from(exposure, Y.rows());
  Y.conservativeResize(Eigen::NoChange, Y.cols() + 1);
  Y.rightCols(1) = over;
  return Y;
}

/// One dictionary, or a list with one for each output.
py::object score(const FittedNetwork& fitted, const py::object& X, const py::object& y,
                 const py::object& exposure) {
  const Rows rows = new_rows(fitted, X, "X");
  const Matrix Y = responses_from(y, exposure);
  require_rows(Y, rows.count(), "y");
  const bool counted_over = encoding_of(fitted.model().regression().table()).outputs.back().exposure;
  if (counted_over && Y.cols() == 1)
    throw InvalidArgument("exposure", "must be given: the fit was of counts with an exposure");
  if (!counted_over && !exposure.is_none())
    throw InvalidArgument("exposure", "must not be given: the fit had none");
  if (Y.cols() != fitted.model().regression().data().outputs())
    throw InvalidArgument("y", fmt::format("must have {} columns, one for each output, got {}",
                                           fitted.model().regression().data().outputs(), Y.cols()));
  if (fitted.model().latent()) return as_dict(run([&] { return latent_score(fitted, rows, Y); }));
  const std::vector<Score> found = run([&] { return scores(fitted, rows, Y); });
  if (found.size() == 1) return as_dict(found.front());
  py::list list;
  for (const Score& each : found) list.append(as_dict(each));
  return list;
}

Matrix covariance(const FittedNetwork& fitted, const py::object& Xs, Index output) {
  const Rows rows = new_rows(fitted, Xs, "Xs");
  return run([&] { return fitted.model().covariance(rows.block(0, rows.count()), output); });
}

Vector error(const FittedNetwork& fitted, const py::object& Xs) {
  const Rows rows = new_rows(fitted, Xs, "Xs");
  Vector error(rows.count());
  run([&] {
    for_each_block(fitted, rows, [&](const Matrix& X, Index first) {
      error.segment(first, X.rows()) = fitted.model().relative_error(X);
    });
  });
  return error;
}

py::array_t<bool> outside(const FittedNetwork& fitted, const py::object& Xs) {
  const Rows rows = new_rows(fitted, Xs, "Xs");
  py::array_t<bool> array(rows.count());
  bool* const values = array.mutable_data();
  run([&] {
    for_each_block(fitted, rows, [&](const Matrix& X, Index first) {
      const std::vector<bool> of_block = fitted.model().regression().outside_domain(X);
      std::copy(of_block.begin(), of_block.end(), values + first);
    });
  });
  return array;
}

std::string shown_fit(const FittedNetwork& fitted) {
  const FittedModel& model = fitted.model();
  const RegressionTable& table = model.regression().table();
  const ModelSettings& settings = model.regression().settings().model;
  const std::string networks = model.latent() ? fmt::format("{} functions of networks", model.components())
                               : model.sampled()
                                   ? fmt::format("{} draws of networks", model.posterior().draws().size())
                               : model.components() == 1 ? "a network"
                                                         : fmt::format("{} networks", model.components());
  return fmt::format("<ridgelet.Fitted: {} given {} from {} rows, {} with {} units, kernel {}>",
                     join(table.outputs), join(table.inputs), table.X.rows(), networks,
                     settings.units.value_or(0), settings.kernel);
}

}  // namespace

void bind_fitted(py::module_& module) {
  module.attr("Fitted")
      .cast<py::class_<FittedNetwork>>()
      .def("score", &score, py::arg("X"), py::arg("y"), py::arg("exposure") = py::none(),
           "How good predictions at X are, given what was observed there: the scores of `ridgelet score`. "
           "Counts that were fitted with an exposure need theirs.")
      .def("covariance", &covariance, py::arg("Xs"), py::arg("output") = 0,
           "Posterior covariance of the noise-free function between the rows of Xs; of log(y) if that was "
           "fitted.")
      .def("error", &error, py::arg("Xs"),
           "At each row, the error of the network against its process, relative to the process's sd.")
      .def("outside", &outside, py::arg("Xs"),
           "Whether each row is outside the domain, where the network need not resemble its process.")
      .def_property_readonly(
          "noise_of_outputs",
          [](const FittedNetwork& fitted) -> Vector {
            const Regression& regression = fitted.model().regression();
            if (regression.likelihood()) return {};
            return regression.data().noise.cwiseProduct(regression.output_scaling().scale);
          },
          "Standard deviation of the noise for each output, in its units; of log(y) if that was fitted.")
      .def_property_readonly(
          "likelihood",
          [](const FittedNetwork& fitted) {
            const LikelihoodPointer& likelihood = fitted.model().regression().likelihood();
            return likelihood ? likelihood->text() : std::string("gaussian");
          },
          "The distribution of the response given the function, with its numbers, in the model's units.")
      .def_property_readonly(
          "classes",
          [](const FittedNetwork& fitted) {
            return encoding_of(fitted.model().regression().table()).outputs.front().levels;
          },
          "Names of the classes, in order; none if the response is a number.")
      .def_property_readonly(
          "inputs", [](const FittedNetwork& fitted) { return fitted.model().regression().table().inputs; },
          "Names of the inputs; a column of texts has one for each level.")
      .def_property_readonly(
          "outputs",
          [](const FittedNetwork& fitted) {
            return encoding_of(fitted.model().regression().table()).response_names();
          },
          "What was fitted: log(y) if it was the logarithm.")
      .def_property_readonly(
          "responses",
          [](const FittedNetwork& fitted) {
            std::vector<std::string> columns;
            for (const ResponseEncoding& each : encoding_of(fitted.model().regression().table()).outputs)
              columns.push_back(each.column);
            return columns;
          },
          "What is predicted: y, even if log(y) was fitted.")
      .def("__repr__", &shown_fit)
      .def(py::pickle(
          [](const FittedNetwork& fitted) { return py::bytes(run([&] { return fitted.results(); })); },
          [](const py::bytes& state) {
            return run([bytes = std::string(state)] { return FittedNetwork::from_results(bytes); });
          }));
}

}  // namespace ridgelet::python
