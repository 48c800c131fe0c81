#include "ridgelet/fitting/fit_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/target/gaussian_process.hpp"

namespace ridgelet {

namespace {

constexpr double most = 0.95, half = 0.5;
constexpr double normal_quantile = 1.959963984540054;  ///< of 97.5 %
constexpr std::array levels = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95};

/// The predictions of one output, which also counts them.
class Predictor {
 public:
  Predictor(const FittedModel& model, const FitPictureOptions& options, Index total)
      : model_(model), options_(options), total_(total) {}

  struct Columns {
    Vector mean, sd;
    Interval interval;
  };

  Columns operator()(const Matrix& Xs, double level, bool noise) {
    const PredictiveSummary summary = model_.predict(Xs, {.noise = noise, .level = level});
    done_ += Xs.rows();
    if (options_.progress) options_.progress(done_, total_);
    const Index k = options_.output;
    return {summary.mean.col(k), summary.sd.col(k), {summary.lower.col(k), summary.upper.col(k)}};
  }

 private:
  const FittedModel& model_;
  const FitPictureOptions& options_;
  Index total_;
  Index done_ = 0;
};

/// Evenly spaced rows, at most so many.
std::vector<Index> spread_rows(Index rows, Index at_most) {
  const Index count = std::min(rows, at_most);
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) chosen.push_back(count == 1 ? 0 : i * (rows - 1) / (count - 1));
  return chosen;
}

ShownData shown(const FittedModel& model, const FitPictureOptions& options, Index at_most) {
  const RegressionTable& table = model.regression().table();
  const ModelSettings& settings = model.regression().settings().model;
  const std::vector<Index> rows = spread_rows(table.X.rows(), at_most);
  return {
      .inputs = table.inputs,
      .output = table.outputs[static_cast<std::size_t>(options.output)],
      .X = table.X(rows, Eigen::all),
      .y = table.Y(rows, options.output),
      .rows = table.X.rows(),
      .label = fmt::format("network, {} {} units, {}", settings.units, settings.activation, settings.op.name),
      .operator_name = settings.op.name};
}

/// The domain of the fit in the table's units.
Box domain_in_table_units(const Regression& regression) {
  const Scaling& inputs = regression.input_scaling();
  const Box& domain = regression.domain();
  return {.lower = inputs.undo(domain.lower.transpose()).transpose(),
          .upper = inputs.undo(domain.upper.transpose()).transpose()};
}

std::optional<FitCurve::Exact> exact_process(const Regression& regression, const Matrix& Xs, Index k) {
  const Data& data = regression.data();
  const GaussianProcess process{.kernel = regression.prior().options().target.kernel,
                                .mean = MeanFunction(regression.settings().model.mean)};
  const Matrix inputs = regression.input_scaling().apply(Xs);
  const double centre = regression.output_scaling().centre(k), scale = regression.output_scaling().scale(k);
  try {
    const GaussianProcessPosterior exact(process, data.X, data.Y.col(k) + regression.offset()(data.X),
                                         data.noise(k));
    const Vector mean = (scale * exact.mean(inputs)).array() + centre;
    const Vector reach = normal_quantile * scale *
                         (exact.variance(inputs).array() + data.noise(k) * data.noise(k)).sqrt().matrix();
    return FitCurve::Exact{.mean = mean, .most = {.lower = mean - reach, .upper = mean + reach}};
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

FitCurve picture_curve(const FittedModel& model, const FitPictureOptions& options) {
  const Regression& regression = model.regression();
  const Box domain = domain_in_table_units(regression);
  const Matrix Xs = Vector::LinSpaced(options.curve_points, domain.lower(0), domain.upper(0));
  Predictor predict(model, options, 2 * Xs.rows());
  const auto wide = predict(Xs, most, true), narrow = predict(Xs, half, true);
  FitCurve curve{.data = shown(model, options, options.shown_rows),
                 .x = Xs.col(0),
                 .mean = wide.mean,
                 .half = narrow.interval,
                 .most = wide.interval,
                 .exact = std::nullopt};
  if (regression.data().rows() <= options.most_rows_of_exact_process)
    curve.exact = exact_process(regression, Xs, options.output);
  return curve;
}

FitMap picture_map(const FittedModel& model, const FitPictureOptions& options) {
  const Matrix Xs = evaluation_points(domain_in_table_units(model.regression()),
                                      options.map_points * options.map_points, 0);
  Predictor predict(model, options, Xs.rows());
  const auto function = predict(Xs, most, false);
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
  const auto function = predict(all, most, false);
  for (Index k = 0; k < d; ++k)
    for (Index v = 0; v < V; ++v) {
      const auto average = [&](const Vector& values) { return values.segment((k * V + v) * M, M).mean(); };
      FitChecks::Effect& effect = effects[static_cast<std::size_t>(k)];
      effect.mean(v) = average(function.mean);
      effect.most.lower(v) = average(function.interval.lower);
      effect.most.upper(v) = average(function.interval.upper);
    }
  return effects;
}

double share_inside(const Vector& y, const Interval& interval) {
  const auto inside = y.array() >= interval.lower.array() && y.array() <= interval.upper.array();
  return static_cast<double>(inside.count()) / static_cast<double>(y.size());
}

FitChecks picture_checks(const FittedModel& model, const FitPictureOptions& options) {
  FitChecks checks{.data = shown(model, options, options.check_rows),
                   .mean = {},
                   .most = {},
                   .level = Eigen::Map<const Vector>(levels.data(), levels.size()),
                   .coverage = Vector(levels.size()),
                   .effects = {}};
  const Vector& y = checks.data.y;
  const Index inputs = checks.data.X.cols(), averaged = std::min(options.effect_rows, checks.data.rows);
  Predictor predict(model, options,
                    static_cast<Index>(levels.size()) * y.size() + inputs * options.effect_points * averaged);
  for (Index i = 0; i < checks.level.size(); ++i) {
    auto at_rows = predict(checks.data.X, checks.level(i), true);
    checks.coverage(i) = share_inside(y, at_rows.interval);
    checks.mean = std::move(at_rows.mean);
    checks.most = std::move(at_rows.interval);  // of the last level, 95 %
  }
  const double squares = (y - checks.mean).squaredNorm();
  checks.rmse = std::sqrt(squares / static_cast<double>(y.size()));
  checks.r2 = 1 - squares / (y.array() - y.mean()).square().sum();
  checks.effects = effects_of(model.regression().table().X, options, predict);
  return checks;
}

}  // namespace

FitPicture picture_fit(const FittedModel& model, const FitPictureOptions& options) {
  const Index outputs = model.regression().table().Y.cols();
  if (options.output < 0 || options.output >= outputs)
    throw InvalidArgument(
        "y", fmt::format("must be one of the {} outputs, counted from 0, got {}", outputs, options.output));
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
