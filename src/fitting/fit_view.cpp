#include "ridgelet/fitting/fit_view.hpp"

#include <algorithm>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

constexpr double interval_level = 0.95;

/// Rows are draws, and within a draw outputs: in the table's units.
Matrix in_table_units(Matrix rows, const Scaling& outputs) {
  const Index K = outputs.scale.size();
  for (Index i = 0; i < rows.rows(); ++i)
    rows.row(i) = (outputs.scale(i % K) * rows.row(i)).array() + outputs.centre(i % K);
  return rows;
}

/// The functions with noise added, drawn from a stream for each row.
Matrix with_noise(Matrix rows, const Vector& noise, std::uint64_t seed, std::uint32_t replicate) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const RandomStream stream{.seed = seed,
                              .purpose = Purpose::predictive_noise,
                              .replicate = replicate,
                              .iteration = static_cast<std::uint32_t>(i)};
    rows.row(i) += noise(i % noise.size()) * stream.normals(rows.cols()).transpose();
  }
  return rows;
}

FitView::Paths paths_of(const Matrix& functions, const FittedModel& model, std::uint32_t replicate) {
  const Regression& regression = model.regression();
  return {
      .functions = in_table_units(functions, regression.output_scaling()),
      .observations = in_table_units(with_noise(functions, regression.data().noise, model.seed(), replicate),
                                     regression.output_scaling())};
}

/// Functions of networks drawn from the prior at the watched inputs: a row for each draw and output.
Matrix prior_functions(const FittedModel& model, const Matrix& watched) {
  const RidgeletPrior& prior = model.regression().prior();
  const std::uint64_t seed = model.seed();
  const Index K = model.regression().data().outputs();
  const Vector offset = model.regression().offset()(watched);
  Matrix functions(FitView::prior_draws * K, watched.rows());
  parallel_for(FitView::prior_draws, [&](Index i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const Gaussian output = prior.given(prior.draw_hidden(seed, replicate)).output(watched);
    const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
    const Matrix z = stream.normals(K, output.rank());
    for (Index k = 0; k < K; ++k)
      functions.row(i * K + k) = (output.at(z.row(k).transpose()) + offset).transpose();
  });
  return functions;
}

/// Functions of the posterior at the watched inputs: a row for each draw and output.
Matrix closed_form_functions(const FittedModel& model, const Matrix& watched) {
  const Index K = model.regression().data().outputs();
  Matrix functions(FitView::prior_draws * K, watched.rows());
  for (Index k = 0; k < K; ++k) {
    const Matrix of_output = model.closed_form().functions(watched, FitView::prior_draws, model.seed(), k);
    for (Index i = 0; i < FitView::prior_draws; ++i) functions.row(i * K + k) = of_output.row(i);
  }
  return functions;
}

/// The monitored functions of the chains: a row for each draw and output.
Matrix posterior_functions(const FittedModel& model, const Matrix& watched) {
  if (!model.sampled()) return closed_form_functions(model, watched);
  const PosteriorDraws& draws = model.posterior().draws();
  const Index K = model.regression().data().outputs(), P = watched.rows();
  const Vector offset = model.regression().offset()(watched);
  Matrix functions(draws.size() * K, P);
  for (Index s = 0; s < draws.size(); ++s)
    for (Index k = 0; k < K; ++k)
      functions.row(s * K + k) = draws.functions.row(s).segment(k * P, P) + offset.transpose();
  return functions;
}

PredictiveSummary predictions_at(const FittedModel& model, const Matrix& points) {
  const Regression& regression = model.regression();
  if (!model.sampled())
    return model.predict(regression.input_scaling().undo(points), {.level = interval_level});
  const PosteriorDraws& draws = model.posterior().draws();
  PredictiveSummary summary =
      summarise_mixtures(draws.means, draws.sds, regression.data().noise, interval_level);
  const Vector offset = regression.offset()(points);
  for (Matrix* values : {&summary.mean, &summary.lower, &summary.upper}) values->colwise() += offset;
  return regression.in_table_units(std::move(summary));
}

void require_monitored(const PosteriorDraws& draws, const MonitoredInputs& inputs, Index outputs) {
  if (draws.functions.cols() != outputs * inputs.paths.rows() ||
      draws.means.cols() != outputs * inputs.points.rows())
    throw InvalidArgument("draws", "must have been monitored at these inputs");
}

}  // namespace

Matrix watched_inputs(const Matrix& X, Index most) {
  return X(spread_rows(X.rows(), most), Eigen::all);
}

FitView view_fit(const FittedModel& model, const MonitoredInputs& inputs) {
  const Regression& regression = model.regression();
  if (model.sampled()) require_monitored(model.posterior().draws(), inputs, regression.data().outputs());
  return {.watched = regression.input_scaling().undo(inputs.paths),
          .domain = regression.input_scaling().undo(inputs.points),
          .prior = paths_of(prior_functions(model, inputs.paths), model, 1),
          .posterior = paths_of(posterior_functions(model, inputs.paths), model, 0),
          .predictions = predictions_at(model, inputs.points),
          .target = {.prior = process_before_data(regression, inputs.paths),
                     .posterior = process_given_data(regression, inputs.paths)}};
}

}  // namespace ridgelet
