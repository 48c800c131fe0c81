#include "ridgelet/fitting/fit_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/fitting/response.hpp"
#include "ridgelet/fitting/score.hpp"

namespace ridgelet {

namespace {

constexpr double most = 0.95, half = 0.5;
constexpr double normal_quantile = 1.959963984540054;  ///< of 97.5 %
constexpr std::array levels = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95};

/// Mean and central intervals of two levels.
struct Bands {
  Vector mean;
  Interval half, most;
};

Bands bands_of(const PredictiveMixture& mixture) {
  const Vector probabilities = Vector{{(1 - most) / 2, (1 - half) / 2, (1 + half) / 2, (1 + most) / 2}};
  const ResponseSummary summary =
      summarise_response(mixture.means, mixture.sds, ResponseTransform::none, probabilities);
  const Matrix& q = summary.quantiles;
  return {summary.mean, {q.col(1), q.col(2)}, {q.col(0), q.col(3)}};
}

/// Of a response that is not Gaussian: new counts or numbers, or the probability of the second of two classes.
Bands latent_bands_of(const Matrix& functions, const Likelihood& likelihood) {
  const PredictiveSummary wide = summarise_functions(functions, likelihood, most, false),
                          narrow = summarise_functions(functions, likelihood, half, false);
  return {
      wide.mean.col(0), {narrow.lower.col(0), narrow.upper.col(0)}, {wide.lower.col(0), wide.upper.col(0)}};
}

/// The predictions of one output, which also counts them.
class Predictor {
 public:
  Predictor(const FittedModel& model, const FitPictureOptions& options, Index total)
      : model_(model), options_(options), total_(total) {}

  /// Of new observations.
  PredictiveMixture observations(const Matrix& Xs) {
    const PredictiveMixture all = model_.mixture(Xs);
    count(Xs);
    const Index M = Xs.rows(), first = options_.output * M;
    return {all.means.middleCols(first, M), all.sds.middleCols(first, M)};
  }

  Bands bands(const Matrix& Xs) {
    if (!model_.latent()) return bands_of(observations(Xs));
    Bands bands = latent_bands_of(model_.latent_functions(Xs), *model_.likelihood());
    count(Xs);
    return bands;
  }

  /// Of the function, with its 95 % interval; of classes, their probability.
  struct Function {
    Vector mean, sd;
    Interval most;
  };
  Function function(const Matrix& Xs) {
    const PredictiveSummary summary = model_.predict(Xs, {.noise = false, .level = most});
    count(Xs);
    const Index k = options_.output;
    return {summary.mean.col(k), summary.sd.col(k), {summary.lower.col(k), summary.upper.col(k)}};
  }

 private:
  void count(const Matrix& Xs) {
    done_ += Xs.rows();
    if (options_.progress) options_.progress(done_, total_);
  }

  const FittedModel& model_;
  const FitPictureOptions& options_;
  Index total_;
  Index done_ = 0;
};

ShownData shown(const FittedModel& model, const FitPictureOptions& options, Index at_most) {
  const RegressionTable& table = model.regression().table();
  const ModelSettings& settings = model.regression().settings().model;
  const std::vector<Index> rows = spread_rows(table.X.rows(), at_most);
  return {.inputs = table.inputs,
          .output = table.outputs[static_cast<std::size_t>(options.output)],
          .X = table.X(rows, Eigen::all),
          .y = table.Y(rows, options.output),
          .rows = table.row_count(),
          .label = fmt::format("network, {} {} units, {}", *settings.units, settings.activation,
                               settings.operator_name),
          .operator_name = settings.operator_name};
}

/// The domain of the fit in the table's units.
Box domain_in_table_units(const Regression& regression) {
  const Scaling& inputs = regression.input_scaling();
  const Box& domain = regression.domain();
  return {.lower = inputs.undo(domain.lower.transpose()).transpose(),
          .upper = inputs.undo(domain.upper.transpose()).transpose()};
}

/// The exact process with the noise of new observations.
std::optional<FitCurve::Exact> exact_process(const Regression& regression, const Matrix& Xs,
                                             const FitPictureOptions& options) {
  const std::optional<ProcessMoments> exact = process_given_data(
      regression, regression.input_scaling().apply(Xs), options.most_rows_of_exact_process);
  if (!exact) return std::nullopt;
  const Index k = options.output;
  const double noise = regression.data().noise(k) * regression.output_scaling().scale(k);
  const Vector mean = exact->mean.col(k),
               reach = normal_quantile * (exact->sd.col(k).array().square() + noise * noise).sqrt().matrix();
  return FitCurve::Exact{.mean = mean, .most = {.lower = mean - reach, .upper = mean + reach}};
}

FitCurve picture_curve(const FittedModel& model, const FitPictureOptions& options) {
  const Regression& regression = model.regression();
  const Box domain = domain_in_table_units(regression);
  const Matrix Xs = Vector::LinSpaced(options.curve_points, domain.lower(0), domain.upper(0));
  Predictor predict(model, options, Xs.rows());
  const Bands bands = predict.bands(Xs);
  return {.data = shown(model, options, options.shown_rows),
          .x = Xs.col(0),
          .mean = bands.mean,
          .half = bands.half,
          .most = bands.most,
          .exact = model.latent() ? std::nullopt : exact_process(regression, Xs, options)};
}

FitMap picture_map(const FittedModel& model, const FitPictureOptions& options) {
  const Matrix Xs = evaluation_points(domain_in_table_units(model.regression()),
                                      options.map_points * options.map_points, 0);
  Predictor predict(model, options, Xs.rows());
  const Predictor::Function function = predict.function(Xs);
  return {
      .data = shown(model, options, options.shown_rows), .X = Xs, .mean = function.mean, .sd = function.sd};
}

/// Effects of all inputs by one prediction: for each input, each of its values and each row, the row with the input
/// set to the value.
std::vector<FitChecks::Effect> effects_of(const Matrix& X, const FitPictureOptions& options,
                                          Predictor& predict) {
  const Matrix rows = X(spread_rows(X.rows(), options.effect_rows), Eigen::all);
  const Index M = rows.rows(), V = options.effect_points, d = X.cols();
  Matrix all = rows.replicate(d * V, 1);
  std::vector<FitChecks::Effect> effects;
  for (Index k = 0; k < d; ++k) {
    const Vector x = Vector::LinSpaced(V, X.col(k).minCoeff(), X.col(k).maxCoeff());
    for (Index v = 0; v < V; ++v) all.col(k).segment((k * V + v) * M, M).setConstant(x(v));
    effects.push_back({.x = x, .mean = x, .most = {.lower = x, .upper = x}});
  }
  const Predictor::Function function = predict.function(all);
  for (Index k = 0; k < d; ++k)
    for (Index v = 0; v < V; ++v) {
      const auto average = [&](const Vector& values) { return values.segment((k * V + v) * M, M).mean(); };
      FitChecks::Effect& effect = effects[static_cast<std::size_t>(k)];
      effect.mean(v) = average(function.mean);
      effect.most.lower(v) = average(function.most.lower);
      effect.most.upper(v) = average(function.most.upper);
    }
  return effects;
}

FitChecks picture_checks(const FittedModel& model, const FitPictureOptions& options) {
  const ShownData data = shown(model, options, options.check_rows);
  const Index averaged = std::min(options.effect_rows, data.rows);
  Predictor predict(model, options, data.y.size() + data.X.cols() * options.effect_points * averaged);
  const PredictiveMixture mixture = predict.observations(data.X);
  const Bands bands = bands_of(mixture);
  Scoring scoring({.levels = Eigen::Map<const Vector>(levels.data(), levels.size())});
  scoring.add(mixture.means, mixture.sds, data.y);
  const Score score = scoring.score();
  return {.data = data,
          .mean = bands.mean,
          .most = bands.most,
          .rmse = score.rmse,
          .r2 = score.r2,
          .level = score.levels,
          .coverage = score.coverage,
          .effects = effects_of(model.regression().table().X, options, predict)};
}

}  // namespace

FitPicture picture_fit(const FittedModel& model, const FitPictureOptions& options) {
  const Index outputs = model.regression().table().Y.cols();
  if (options.output < 0 || options.output >= outputs)
    throw InvalidArgument(
        "y", fmt::format("must be one of the {} outputs, counted from 0, got {}", outputs, options.output));
  if (model.latent() && (model.regression().functions() > 1 || model.regression().table().X.cols() > 2))
    throw InvalidArgument("model",
                          "pictures of classes and counts are of one or two inputs, and of two classes");
  switch (model.regression().table().X.cols()) {
    case 1:
      return picture_curve(model, options);
    case 2:
      return picture_map(model, options);
    default:
      return picture_checks(model, options);
  }
}

}  // namespace ridgelet
