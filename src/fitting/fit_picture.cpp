#include "ridgelet/fitting/fit_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "picture_predictions.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/fitting/response.hpp"
#include "ridgelet/fitting/score.hpp"
#include "ridgelet/inference/variational.hpp"

namespace ridgelet {

namespace {

constexpr std::array levels = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95};

/// Mean and central intervals of two levels.
struct Bands {
  Vector mean;
  Interval half, most;
};

Bands bands_of(const PredictiveMixture& mixture, ResponseTransform transform) {
  const Vector probabilities =
      Vector{{(1 - wide_level) / 2, (1 - narrow_level) / 2, (1 + narrow_level) / 2, (1 + wide_level) / 2}};
  const ResponseSummary summary = summarise_response(mixture.means, mixture.sds, transform, probabilities);
  const Matrix& q = summary.quantiles;
  return {summary.mean, {q.col(1), q.col(2)}, {q.col(0), q.col(3)}};
}

/// Bands of counts and of numbers with heavy tails: of new ones, or of the `rate` alone.
Bands latent_bands_of(const Matrix& functions, const Likelihood& likelihood, bool rate) {
  const PredictiveSummary wide = summarise_functions(functions, likelihood, wide_level, rate),
                          narrow = summarise_functions(functions, likelihood, narrow_level, rate);
  return {
      wide.mean.col(0), {narrow.lower.col(0), narrow.upper.col(0)}, {wide.lower.col(0), wide.upper.col(0)}};
}

/// One output of all.
PredictiveMixture output_of(const PredictiveMixture& all, Index output, Index M) {
  return {all.means.middleCols(output * M, M), all.sds.middleCols(output * M, M)};
}

ResponseTransform transform_of(const FittedModel& model, Index output) {
  return encoding_of(model.regression().table()).outputs[static_cast<std::size_t>(output)].transform;
}

/// "claims / years" where claims were counted over years.
std::string rate_name(const FittedModel& model, const ShownData& data) {
  return data.exposure.size() == 0
             ? data.output
             : data.output + " / " + encoding_of(model.regression().table()).outputs.back().column;
}

/// Counts with an exposure as rates.
ShownData shown_rates(const FittedModel& model, const FitPictureOptions& options) {
  ShownData data = shown(model, options, options.shown_rows);
  data.output = rate_name(model, data);
  if (data.exposure.size() > 0) data.y.array() /= data.exposure.array();
  return data;
}

/// The exact process with the noise of new observations.
std::optional<FitCurve::Exact> exact_process(const Regression& regression, const Matrix& Xs,
                                             const FitPictureOptions& options, ResponseTransform transform) {
  const std::optional<ProcessMoments> exact = process_given_data(
      regression, regression.input_scaling().apply(Xs), options.most_rows_of_exact_process);
  if (!exact) return std::nullopt;
  const Index k = options.output;
  const double noise = regression.data().noise(k) * regression.output_scaling().scale(k);
  const Matrix mean = exact->mean.col(k).transpose(),
               sd = (exact->sd.col(k).array().square() + noise * noise).sqrt().matrix().transpose();
  const Bands bands = bands_of({.means = mean, .sds = sd}, transform);
  return FitCurve::Exact{.mean = bands.mean, .most = bands.most};
}

FitCurve picture_curve(const FittedModel& model, const FitPictureOptions& options) {
  const Regression& regression = model.regression();
  const Box domain = regression.domain_in_table_units();
  const Matrix Xs = Vector::LinSpaced(options.curve_points, domain.lower(0), domain.upper(0));
  CountedPredictions predict(model, options, Xs.rows());
  const ShownData data = shown_rates(model, options);
  const ResponseTransform transform = transform_of(model, options.output);
  const Bands bands =
      model.latent()
          ? latent_bands_of(predict.latent_functions(Xs), *model.likelihood(), data.exposure.size() > 0)
          : bands_of(output_of(predict.observations(Xs), options.output, Xs.rows()), transform);
  return {.data = data,
          .x = Xs.col(0),
          .mean = bands.mean,
          .half = bands.half,
          .most = bands.most,
          .exact = model.latent() ? std::nullopt : exact_process(regression, Xs, options, transform)};
}

FitMap picture_map(const FittedModel& model, const FitPictureOptions& options) {
  const Matrix Xs = evaluation_points(model.regression().domain_in_table_units(),
                                      options.map_points * options.map_points, 0);
  CountedPredictions predict(model, options, Xs.rows());
  const PredictiveSummary function = predict.function(Xs);
  return {.data = shown_rates(model, options),
          .X = Xs,
          .mean = function.mean.col(options.output),
          .sd = function.sd.col(options.output)};
}

/// Predictions at rows, held against what was observed there.
struct Checked {
  Bands bands;
  double rmse = 0, r2 = 0;
  Vector coverage;
};

Vector checked_levels() {
  return Eigen::Map<const Vector>(levels.data(), levels.size());
}

Checked check_normal(const PredictiveMixture& mixture, const Vector& y, ResponseTransform transform) {
  Scoring scoring({.transform = transform, .levels = checked_levels()});
  scoring.add(mixture.means, mixture.sds, y);
  const Score score = scoring.score();
  return {
      .bands = bands_of(mixture, transform), .rmse = score.rmse, .r2 = score.r2, .coverage = score.coverage};
}

/// The part of [low, high] between a and b; for a point, whether it lies there.
double part_between(double low, double high, double a, double b) {
  if (high <= low) return low >= a && low <= b ? 1 : 0;
  return std::max(0.0, std::min(high, b) - std::max(low, a)) / (high - low);
}

/// The coverage of each level by where observations fall in their predictive distributions, P(Y < y) to P(Y <= y).
Vector latent_coverage(const Matrix& functions, const Likelihood& likelihood, const Vector& y) {
  const auto below = [&](double value, Index i) {
    double sum = 0;
    for (const double f : functions.col(i)) sum += likelihood.cdf(value, f);
    return sum / static_cast<double>(functions.rows());
  };
  const bool steps = likelihood.response() == ResponseKind::count;
  Vector high(y.size()), low(y.size());
  parallel_for(y.size(), [&](Index i) {
    high(i) = below(y(i), i);
    low(i) = !steps ? high(i) : y(i) > 0 ? below(y(i) - 1, i) : 0;
  });
  return checked_levels().unaryExpr([&](double level) {
    double inside = 0;
    for (Index i = 0; i < y.size(); ++i)
      inside += part_between(low(i), high(i), (1 - level) / 2, (1 + level) / 2);
    return inside / static_cast<double>(y.size());
  });
}

Checked check_latent(Matrix functions, const Likelihood& likelihood, const ShownData& data) {
  if (data.exposure.size() > 0) functions.rowwise() += data.exposure.array().log().matrix().transpose();
  Checked checked{.bands = latent_bands_of(functions, likelihood, false), .coverage = {}};
  const double squares = (data.y - checked.bands.mean).squaredNorm(),
               spread = (data.y.array() - data.y.mean()).square().sum();
  checked.rmse = std::sqrt(squares / static_cast<double>(data.y.size()));
  checked.r2 = spread > 0 ? 1 - squares / spread : std::numeric_limits<double>::quiet_NaN();
  checked.coverage = latent_coverage(functions, likelihood, data.y);
  return checked;
}

std::vector<Effect> effects_on(Index output, std::vector<Effect> effects) {
  for (Effect& effect : effects)
    effect = {.column = effect.column,
              .x = effect.x,
              .mean = effect.mean.col(output).eval(),
              .lower = effect.lower.col(output).eval(),
              .upper = effect.upper.col(output).eval()};
  return effects;
}

FitChecks picture_checks(const FittedModel& model, const FitPictureOptions& options) {
  const ShownData data = shown(model, options, options.check_rows);
  CountedPredictions predict(model, options, data.y.size() + effect_predictions(model, options));
  const Checked checked =
      model.latent() ? check_latent(predict.latent_functions(data.X), *model.likelihood(), data)
                     : check_normal(output_of(predict.observations(data.X), options.output, data.y.size()),
                                    data.y, transform_of(model, options.output));
  return {.data = data,
          .mean = checked.bands.mean,
          .most = checked.bands.most,
          .rmse = checked.rmse,
          .r2 = checked.r2,
          .level = checked_levels(),
          .coverage = checked.coverage,
          .effect_on = rate_name(model, data),
          .effects = largest_effects(effects_on(options.output, effects_of(model, options, predict)),
                                     options.most_effects)};
}

ElboTrace picture_trace(const FittedModel& model) {
  if (!model.report().elbo)
    throw InvalidArgument("show", "a trace is of --hidden variational, and these hidden layers are " +
                                      hidden_layers_are(model));
  const Vector& trace = model.report().elbo->trace;
  const Index window = std::min(VariationalOptions{}.window, trace.size());
  Vector average(trace.size() - window + 1);
  for (Index i = 0; i < average.size(); ++i) average(i) = trace.segment(i, window).mean();
  return {.label = label_of(model),
          .operator_name = model.regression().settings().model.operator_name,
          .elbo = *model.report().elbo,
          .of_laplace = model.latent(),
          .average = average,
          .window = window};
}

bool is_of_classes(const FittedModel& model) {
  return !encoding_of(model.regression().table()).outputs.front().levels.empty();
}

}  // namespace

FitPicture picture_fit(const FittedModel& model, const FitPictureOptions& options) {
  const RegressionTable& table = model.regression().table();
  const Index outputs = std::ranges::count(encoding_of(table).outputs, false, &ResponseEncoding::exposure);
  if (options.output < 0 || options.output >= outputs)
    throw InvalidArgument(
        "y", fmt::format("must be one of the {} outputs, counted from 0, got {}", outputs, options.output));
  if (options.show == PictureOf::trace) return picture_trace(model);
  const std::vector<ColumnEncoding> columns = encoding_of(table).inputs;
  const std::size_t inputs = columns.size();
  const bool has_text =
      std::ranges::find(columns, ColumnKind::levels, &ColumnEncoding::kind) != columns.end();
  const bool checks = options.show == PictureOf::checks || inputs > 2 || has_text;
  if (is_of_classes(model)) {
    if (checks) return picture_class_checks(model, options);
    if (inputs == 1) return picture_class_curve(model, options);
    return picture_class_map(model, options);
  }
  if (checks) return picture_checks(model, options);
  if (inputs == 1) return picture_curve(model, options);
  return picture_map(model, options);
}

}  // namespace ridgelet
