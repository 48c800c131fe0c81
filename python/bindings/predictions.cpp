/// What a Fitted says of new rows: mean and sd, intervals, and draws of the function.
#include <fmt/format.h>

#include <optional>

#include "bindings.hpp"
#include "fitted_network.hpp"
#include "fitted_rows.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet::python {

namespace {

/// The same numbers as in `ridgelet predict`: those of the response itself, even if its logarithm was fitted. Quantiles
/// take longer than all the rest, so they are computed only if a level is given.
PredictiveSummary summary_of(const FittedModel& model, const Matrix& X, bool noise,
                             std::optional<double> level) {
  if (model.latent())
    return model.predict(X, {.noise = noise, .level = level.value_or(PredictiveOptions{}.level)});
  const std::vector<ResponseEncoding> responses = encoding_of(model.regression().table()).outputs;
  const PredictiveMixture mixture = model.mixture(X, noise);
  const Index M = X.rows(), K = model.regression().functions();
  Vector ends(level ? 2 : 0);
  if (level) ends << (1 - *level) / 2, (1 + *level) / 2;
  PredictiveSummary summary{Matrix(M, K), Matrix(M, K), Matrix(M, level ? K : 0), Matrix(M, level ? K : 0)};
  for (Index k = 0; k < K; ++k) {
    const ResponseSummary response =
        summarise_response(mixture.means.middleCols(k * M, M), mixture.sds.middleCols(k * M, M),
                           responses[static_cast<std::size_t>(k)].transform, ends);
    summary.mean.col(k) = response.mean;
    summary.sd.col(k) = response.sd;
    if (!level) continue;
    summary.lower.col(k) = response.quantiles.col(0);
    summary.upper.col(k) = response.quantiles.col(1);
  }
  return summary;
}

/// Throws InvalidArgument that names the first row without a finite prediction. Whether there is such a row is first
/// checked for all rows at once, which is faster.
void require_finite_rows(const Matrix& a, const Matrix& b) {
  if (a.allFinite() && b.allFinite()) return;
  for (Index i = 0; i < a.rows(); ++i)
    if (!a.row(i).allFinite() || !b.row(i).allFinite())
      throw InvalidArgument("Xs", fmt::format("row {} has no finite prediction", i + 1));
}

/// Two parts of the summary at all rows, a block of them at a time.
py::tuple two_of_summary(const FittedNetwork& fitted, const py::object& Xs, bool noise,
                         std::optional<double> level, Matrix PredictiveSummary::*first_part,
                         Matrix PredictiveSummary::*second_part) {
  const Rows rows = new_rows(fitted, Xs, "Xs");
  Matrix a(rows.count(), fitted.model().regression().functions()), b = a;
  run([&] {
    for_each_block(fitted, rows, [&](const Matrix& X, Index first) {
      const PredictiveSummary summary = summary_of(fitted.model(), X, noise, level);
      a.middleRows(first, X.rows()) = summary.*first_part;
      b.middleRows(first, X.rows()) = summary.*second_part;
    });
  });
  require_finite_rows(a, b);
  return py::make_tuple(as_array(a), as_array(b));
}

py::tuple mean_and_sd(const FittedNetwork& fitted, const py::object& Xs, bool latent) {
  return two_of_summary(fitted, Xs, !latent, std::nullopt, &PredictiveSummary::mean, &PredictiveSummary::sd);
}

py::tuple interval(const FittedNetwork& fitted, const py::object& Xs, double level, bool latent) {
  validate(PredictiveOptions{.level = level});
  return two_of_summary(fitted, Xs, !latent, level, &PredictiveSummary::lower, &PredictiveSummary::upper);
}

Matrix draw_functions(const FittedNetwork& fitted, const py::object& Xs, Index draws, std::uint64_t seed,
                      Index output) {
  const Rows rows = new_rows(fitted, Xs, "Xs");
  return run([&] { return fitted.model().functions(rows.block(0, rows.count()), draws, seed, output); });
}

}  // namespace

void bind_predictions(py::module_& module) {
  module.attr("Fitted")
      .cast<py::class_<FittedNetwork>>()
      .def("predict", &mean_and_sd, py::arg("Xs"), py::arg("latent") = false,
           "Mean and sd at Xs, the noise of new data included; with latent=True, of the function itself. For "
           "classes, the probability of each (of the second of two) and its sd.")
      .def("interval", &interval, py::arg("Xs"), py::arg("level") = PredictiveOptions{}.level,
           py::arg("latent") = false,
           "Lower and upper end of the central interval that holds this share of new observations at Xs, as "
           "in `ridgelet predict`; with latent=True, of the function itself. For classes, the interval is "
           "that of their probabilities.")
      .def(
          "functions", &draw_functions, py::arg("Xs"), py::arg("draws") = 100, py::arg("seed") = 0,
          py::arg("output") = 0,
          "Draws of the noise-free function at Xs, one in each row; of log(y) if that was fitted. For "
          "classes, counts and heavy tails, and where hidden layers were sampled, at most as many as the fit "
          "kept.");
}

}  // namespace ridgelet::python
