#include "picture_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet {

PictureOf parse_picture(const std::string& text) {
  if (text == "fit") return PictureOf::fit;
  if (text == "checks") return PictureOf::checks;
  if (text == "trace") return PictureOf::trace;
  throw InvalidArgument("show", "must be fit, checks or trace, got '" + text + "'");
}

namespace {

/// The function in the units of its responses, where the logarithm of one was fitted.
PredictiveSummary function_of(const FittedModel& model, const Matrix& Xs, double level) {
  PredictiveSummary summary = model.predict(Xs, {.noise = false, .level = level});
  const std::vector<ResponseEncoding> responses = encoding_of(model.regression().table()).outputs;
  const auto is_log = [](const ResponseEncoding& response) {
    return response.transform == ResponseTransform::log && !response.exposure;
  };
  if (std::ranges::none_of(responses, is_log)) return summary;
  const PredictiveMixture functions = model.mixture(Xs, false);
  const Index M = Xs.rows();
  for (Index k = 0; k < summary.mean.cols(); ++k) {
    if (!is_log(responses[static_cast<std::size_t>(k)])) continue;
    const ResponseSummary own =
        summarise_response(functions.means.middleCols(k * M, M), functions.sds.middleCols(k * M, M),
                           ResponseTransform::log, Vector{{(1 - level) / 2, (1 + level) / 2}});
    summary.mean.col(k) = own.mean;
    summary.sd.col(k) = own.sd;
    summary.lower.col(k) = own.quantiles.col(0);
    summary.upper.col(k) = own.quantiles.col(1);
  }
  return summary;
}

}  // namespace

PredictiveSummary CountedPredictions::function(const Matrix& Xs, double level) {
  PredictiveSummary all;
  const Index M = Xs.rows(), block = options_.row_block > 0 ? options_.row_block : model_.rows_per_block();
  for (Index first = 0; first < M; first += block) {
    const Index rows = std::min(block, M - first);
    const PredictiveSummary some = function_of(model_, Xs.middleRows(first, rows), level);
    const auto put = [&](Matrix& whole, const Matrix& part) {
      if (first == 0) whole.resize(M, part.cols());
      whole.middleRows(first, rows) = part;
    };
    put(all.mean, some.mean);
    put(all.sd, some.sd);
    put(all.lower, some.lower);
    put(all.upper, some.upper);
    count(rows);
  }
  return all;
}

PredictiveMixture CountedPredictions::observations(const Matrix& Xs) {
  PredictiveMixture mixture = model_.mixture(Xs);
  count(Xs.rows());
  return mixture;
}

Matrix CountedPredictions::latent_functions(const Matrix& Xs) {
  Matrix functions = model_.latent_functions(Xs);
  count(Xs.rows());
  return functions;
}

void CountedPredictions::count(Index rows) {
  done_ += rows;
  if (options_.progress) options_.progress(done_, total_);
}

std::string label_of(const FittedModel& model) {
  const ModelSettings& settings = model.regression().settings().model;
  return fmt::format("network, {} {} units, {}", *settings.units, settings.activation,
                     settings.operator_name);
}

ShownData shown(const FittedModel& model, const FitPictureOptions& options, Index at_most) {
  const RegressionTable& table = model.regression().table();
  const Matrix& X = options.observed ? options.observed->X : table.X;
  const Matrix& Y = options.observed ? options.observed->Y : table.Y;
  const std::vector<Index> rows = spread_rows(X.rows(), at_most);
  const TableEncoding encoding = encoding_of(table);
  const ResponseEncoding& response = encoding.outputs[static_cast<std::size_t>(options.output)];
  const bool has_exposure = encoding.outputs.back().exposure;
  return {.columns = encoding.inputs,
          .output = response.column,
          .X = X(rows, Eigen::all),
          .y = Y(rows, options.output).unaryExpr([&](double y) {
            return from_fitted_scale(y, response.transform);
          }),
          .exposure = has_exposure ? Vector(Y(rows, Y.cols() - 1).array().exp()) : Vector(),
          .rows = options.observed ? options.observed->rows : table.row_count(),
          .source = options.observed ? options.observed->name : "",
          .label = label_of(model),
          .operator_name = model.regression().settings().model.operator_name};
}

Index effect_predictions(const FittedModel& model, const FitPictureOptions& options) {
  const RegressionTable& table = model.regression().table();
  Index values = 0;
  for (const ColumnEncoding& column : encoding_of(table).inputs)
    values += column.kind == ColumnKind::levels ? column.width() : options.effect_points;
  return values * std::min(options.effect_rows, table.X.rows());
}

namespace {

/// A column of the table, and the first of its inputs.
struct PlacedColumn {
  const ColumnEncoding& encoding;
  Index first;

  bool is_text() const { return encoding.kind == ColumnKind::levels; }
};

/// For each of the values and each row, the row with the column set to the value.
Matrix with_column(const Matrix& rows, const PlacedColumn& column, const Vector& values) {
  Matrix all = rows.replicate(values.size(), 1);
  for (Index v = 0; v < values.size(); ++v) {
    auto inputs =
        all.middleRows(v * rows.rows(), rows.rows()).middleCols(column.first, column.encoding.width());
    if (column.is_text()) {
      inputs.setZero();
      inputs.col(static_cast<Index>(values(v))).setOnes();
    } else {
      inputs.setConstant(values(v));
    }
  }
  return all;
}

/// A row for every M rows: their average.
Matrix averages(const Matrix& values, Index M) {
  Matrix result(values.rows() / M, values.cols());
  for (Index v = 0; v < result.rows(); ++v) result.row(v) = values.middleRows(v * M, M).colwise().mean();
  return result;
}

Effect effect_by_draws(const Matrix& rows, const PlacedColumn& column, const Vector& x,
                       const FittedModel& model, CountedPredictions& predict) {
  const LikelihoodPointer likelihood = model.likelihood();
  const Index V = x.size(), K = likelihood->functions();
  Effect effect{.column = 0, .x = x, .mean = Matrix(V, K), .lower = Matrix(V, K), .upper = Matrix(V, K)};
  for (Index v = 0; v < V; ++v) {
    const Matrix functions = predict.latent_functions(with_column(rows, column, x.segment(v, 1)));
    const PredictiveSummary average = summarise_average(functions, *likelihood, wide_level);
    effect.mean.row(v) = average.mean;
    effect.lower.row(v) = average.lower;
    effect.upper.row(v) = average.upper;
  }
  return effect;
}

Effect effect_by_intervals(const Matrix& rows, const PlacedColumn& column, const Vector& x,
                           CountedPredictions& predict) {
  const PredictiveSummary function = predict.function(with_column(rows, column, x));
  const Index M = rows.rows();
  return {.column = 0,
          .x = x,
          .mean = averages(function.mean, M),
          .lower = averages(function.lower, M),
          .upper = averages(function.upper, M)};
}

}  // namespace

std::vector<Effect> largest_effects(std::vector<Effect> effects, Index most) {
  const auto size = [](const Effect& effect) {
    return (effect.mean.colwise().maxCoeff() - effect.mean.colwise().minCoeff()).maxCoeff();
  };
  std::ranges::stable_sort(effects, std::greater<>(), size);
  if (static_cast<Index>(effects.size()) > most) effects.erase(effects.begin() + most, effects.end());
  std::ranges::sort(effects, {}, &Effect::column);
  return effects;
}

std::vector<Effect> effects_of(const FittedModel& model, const FitPictureOptions& options,
                               CountedPredictions& predict) {
  const Matrix& X = model.regression().table().X;
  const Matrix rows = X(spread_rows(X.rows(), options.effect_rows), Eigen::all);
  const std::vector<ColumnEncoding> columns = encoding_of(model.regression().table()).inputs;
  std::vector<Effect> effects;
  Index first = 0;
  for (const ColumnEncoding& encoding : columns) {
    const PlacedColumn column{encoding, first};
    const Vector x =
        column.is_text()
            ? Vector::LinSpaced(encoding.width(), 0, static_cast<double>(encoding.width() - 1))
            : Vector::LinSpaced(options.effect_points, X.col(first).minCoeff(), X.col(first).maxCoeff());
    effects.push_back(model.latent() ? effect_by_draws(rows, column, x, model, predict)
                                     : effect_by_intervals(rows, column, x, predict));
    effects.back().column = effects.size() - 1;
    first += encoding.width();
  }
  return effects;
}

}  // namespace ridgelet
