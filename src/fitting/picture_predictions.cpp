#include "picture_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/latent_response.hpp"

namespace ridgelet {

PictureOf parse_picture(const std::string& text) {
  if (text == "fit") return PictureOf::fit;
  if (text == "checks") return PictureOf::checks;
  if (text == "trace") return PictureOf::trace;
  throw InvalidArgument("show", "must be fit, checks or trace, got '" + text + "'");
}

PredictiveSummary CountedPredictions::function(const Matrix& Xs, double level) {
  PredictiveSummary all;
  const Index M = Xs.rows(), block = model_.rows_per_block();
  for (Index first = 0; first < M; first += block) {
    const Index rows = std::min(block, M - first);
    const PredictiveSummary some =
        model_.predict(Xs.middleRows(first, rows), {.noise = false, .level = level});
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
  const bool has_exposure = encoding_of(table).outputs.back().exposure;
  return {.inputs = table.inputs,
          .output = table.outputs[static_cast<std::size_t>(options.output)],
          .X = X(rows, Eigen::all),
          .y = Y(rows, options.output),
          .exposure = has_exposure ? Vector(Y(rows, Y.cols() - 1).array().exp()) : Vector(),
          .rows = options.observed ? options.observed->rows : table.row_count(),
          .source = options.observed ? options.observed->name : "",
          .label = label_of(model),
          .operator_name = model.regression().settings().model.operator_name};
}

Index effect_predictions(const FittedModel& model, const FitPictureOptions& options) {
  const Matrix& X = model.regression().table().X;
  return X.cols() * options.effect_points * std::min(options.effect_rows, X.rows());
}

namespace {

/// For each of the values and each row, the row with input k set to the value.
Matrix with_input(const Matrix& rows, Index k, const Vector& values) {
  Matrix all = rows.replicate(values.size(), 1);
  for (Index v = 0; v < values.size(); ++v)
    all.col(k).segment(v * rows.rows(), rows.rows()).setConstant(values(v));
  return all;
}

/// A row for every M rows: their average.
Matrix averages(const Matrix& values, Index M) {
  Matrix result(values.rows() / M, values.cols());
  for (Index v = 0; v < result.rows(); ++v) result.row(v) = values.middleRows(v * M, M).colwise().mean();
  return result;
}

Effect effect_by_draws(const Matrix& rows, Index k, const Vector& x, const FittedModel& model,
                       CountedPredictions& predict) {
  const LikelihoodPointer likelihood = model.likelihood();
  const Index V = x.size(), K = likelihood->functions();
  Effect effect{.x = x, .mean = Matrix(V, K), .lower = Matrix(V, K), .upper = Matrix(V, K)};
  for (Index v = 0; v < V; ++v) {
    const Matrix functions = predict.latent_functions(with_input(rows, k, x.segment(v, 1)));
    const PredictiveSummary average = summarise_average(functions, *likelihood, wide_level);
    effect.mean.row(v) = average.mean;
    effect.lower.row(v) = average.lower;
    effect.upper.row(v) = average.upper;
  }
  return effect;
}

Effect effect_by_intervals(const Matrix& rows, Index k, const Vector& x, CountedPredictions& predict) {
  const PredictiveSummary function = predict.function(with_input(rows, k, x));
  const Index M = rows.rows();
  return {.x = x,
          .mean = averages(function.mean, M),
          .lower = averages(function.lower, M),
          .upper = averages(function.upper, M)};
}

}  // namespace

std::vector<Effect> effects_of(const FittedModel& model, const FitPictureOptions& options,
                               CountedPredictions& predict) {
  const Matrix& X = model.regression().table().X;
  const Matrix rows = X(spread_rows(X.rows(), options.effect_rows), Eigen::all);
  std::vector<Effect> effects;
  for (Index k = 0; k < X.cols(); ++k) {
    const Vector x = Vector::LinSpaced(options.effect_points, X.col(k).minCoeff(), X.col(k).maxCoeff());
    effects.push_back(model.latent() ? effect_by_draws(rows, k, x, model, predict)
                                     : effect_by_intervals(rows, k, x, predict));
  }
  return effects;
}

}  // namespace ridgelet
