#include "ridgelet/fitting/fit_view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

constexpr double interval_level = 0.95;

/// Carries rows, one for each draw and output, to the table's units.
Matrix rows_in_table_units(Matrix rows, const Scaling& outputs) {
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

/// A response drawn from each function, in the table's units: a row for each draw, classes by their place.
Matrix drawn_responses(const Matrix& functions, const Likelihood& likelihood, std::uint64_t seed,
                       std::uint32_t replicate) {
  const Index K = likelihood.functions(), draws = functions.rows() / K;
  Matrix responses(draws, functions.cols());
  Vector f(K), y(K);
  for (Index s = 0; s < draws; ++s) {
    const RandomStream stream{.seed = seed,
                              .purpose = Purpose::predictive_noise,
                              .replicate = replicate,
                              .iteration = static_cast<std::uint32_t>(s)};
    for (Index i = 0; i < functions.cols(); ++i) {
      f = functions.col(i).segment(s * K, K);
      likelihood.draw(f.data(), stream.uniform(static_cast<std::uint64_t>(i)), y.data());
      Index place = 0;
      if (K > 1) y.maxCoeff(&place);
      responses(s, i) = K > 1 ? static_cast<double>(place) : y(0);
    }
  }
  return responses;
}

FitView::Paths latent_paths_of(const Matrix& functions, const FittedModel& model, std::uint32_t replicate) {
  FitView::Paths paths{.functions = rows_in_table_units(functions, model.regression().output_scaling()),
                       .observations = {}};
  paths.observations = drawn_responses(paths.functions, *model.likelihood(), model.seed(), replicate);
  return paths;
}

/// log p(y_i | f(x_i)) for each draw: a row for each.
Matrix latent_log_likelihood(const Matrix& functions, const FittedModel& model,
                             const std::vector<Index>& rows) {
  const LatentData& data = *model.regression().shared_latent_data();
  const Scaling& scaling = model.regression().output_scaling();
  const LikelihoodPointer likelihood = model.likelihood();
  const bool real = likelihood->response() == ResponseKind::real;
  const Index K = likelihood->functions(), draws = functions.rows() / K;
  Matrix densities(draws, functions.cols());
  Vector f(K), y(K);
  for (Index i = 0; i < functions.cols(); ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    y = data.Y.row(row);
    if (real) y = scaling.undo(y.transpose()).transpose();
    // The exposure, which no function knows of.
    const double exposure =
        model.regression().table().Y.cols() > 1 ? model.regression().table().Y(row, 1) : 0;
    for (Index s = 0; s < draws; ++s) {
      f = functions.col(i).segment(s * K, K).array() + exposure;
      densities(s, i) = likelihood->log_density(y.data(), f.data());
    }
  }
  return densities;
}

FitView::Paths paths_of(const Matrix& functions, const FittedModel& model, std::uint32_t replicate) {
  const Regression& regression = model.regression();
  return {.functions = rows_in_table_units(functions, regression.output_scaling()),
          .observations =
              rows_in_table_units(with_noise(functions, regression.data().noise, model.seed(), replicate),
                                  regression.output_scaling())};
}

/// log N(y_i | f(x_i), noise^2) for each function, in the table's units: a row for each draw and output.
Matrix pointwise_log_likelihood(const Matrix& functions, const Matrix& observed,
                                const Regression& regression) {
  const Vector sd = regression.data().noise.cwiseProduct(regression.output_scaling().scale);
  Matrix densities(functions.rows(), functions.cols());
  for (Index i = 0; i < functions.rows(); ++i) {
    const Index k = i % sd.size();
    const auto z = (observed.col(k).transpose() - functions.row(i)).array() / sd(k);
    densities.row(i) = -0.5 * z.square() - std::log(sd(k) * std::sqrt(2 * std::numbers::pi));
  }
  return densities;
}

/// Functions of networks drawn from the prior at the watched inputs: a row for each draw and output.
Matrix prior_functions(const FittedModel& model, const Matrix& watched) {
  const RidgeletPrior& prior = model.regression().prior();
  const std::uint64_t seed = model.seed();
  const Index K = model.regression().functions();
  const Vector offset = model.regression().offset()(watched);
  Matrix functions(FitView::prior_draws * K, watched.rows());
  parallel_for(FitView::prior_draws, [&](Index i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
    const Matrix Z = stream.normals(K, prior.rank()).transpose();
    const Matrix values = network_at(GivenHidden(prior, seed, replicate), Z)(watched);
    functions.middleRows(i * K, K) = (values.colwise() + offset).transpose();
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

/// The same where the response is not Gaussian: as many draws as there are of the prior, evenly spaced among all.
Matrix latent_functions(const FittedModel& model, const Matrix& watched) {
  const Index K = model.regression().functions(), P = watched.rows();
  const Matrix all = model.latent_posterior().functions_at(watched);
  Matrix functions(FitView::prior_draws * K, P);
  for (Index i = 0; i < FitView::prior_draws; ++i)
    for (Index k = 0; k < K; ++k)
      functions.row(i * K + k) = all.row(i * all.rows() / FitView::prior_draws).segment(k * P, P);
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

std::vector<Index> watched_rows(const Regression& regression, Index most) {
  constexpr double products = 2e8;
  constexpr Index fewest = 100;
  const RidgeletPrior& prior = regression.prior();
  const double of_a_row = static_cast<double>(prior.units()) * static_cast<double>(1 + prior.rank());
  const Index affordable = std::max(fewest, static_cast<Index>(products / of_a_row));
  return spread_rows(regression.data().rows(), std::min(most, affordable));
}

namespace {

FitView view_latent(const FittedModel& model, std::vector<Index> rows, const MonitoredInputs& inputs) {
  const Regression& regression = model.regression();
  FitView view{.rows = std::move(rows),
               .watched = regression.input_scaling().undo(inputs.paths),
               .observed = {},
               .domain = regression.input_scaling().undo(inputs.points),
               .prior = latent_paths_of(prior_functions(model, inputs.paths), model, 1),
               .posterior = latent_paths_of(latent_functions(model, inputs.paths), model, 0),
               .log_likelihood = {},
               .predictions = predictions_at(model, inputs.points),
               .target = {.prior = process_before_data(regression, inputs.paths), .posterior = {}}};
  view.observed = regression.table().Y(view.rows, Eigen::all);
  view.log_likelihood = latent_log_likelihood(view.posterior.functions, model, view.rows);
  return view;
}

}  // namespace

FitView view_fit(const FittedModel& model, std::vector<Index> rows, const MonitoredInputs& inputs) {
  if (model.latent()) return view_latent(model, std::move(rows), inputs);
  const Regression& regression = model.regression();
  if (model.sampled()) require_monitored(model.posterior().draws(), inputs, regression.data().outputs());
  FitView view{.rows = std::move(rows),
               .watched = regression.input_scaling().undo(inputs.paths),
               .observed = {},
               .domain = regression.input_scaling().undo(inputs.points),
               .prior = paths_of(prior_functions(model, inputs.paths), model, 1),
               .posterior = paths_of(posterior_functions(model, inputs.paths), model, 0),
               .log_likelihood = {},
               .predictions = predictions_at(model, inputs.points),
               .target = {.prior = process_before_data(regression, inputs.paths),
                          .posterior = process_given_data(regression, inputs.paths)}};
  view.observed = regression.table().Y(view.rows, Eigen::all);
  view.log_likelihood = pointwise_log_likelihood(view.posterior.functions, view.observed, regression);
  return view;
}

}  // namespace ridgelet
