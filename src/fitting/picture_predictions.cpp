#include "picture_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// The outputs whose logarithm was fitted.
std::vector<Index> outputs_of_logarithms(const FittedModel& model) {
  std::vector<Index> logarithms;
  const std::vector<ResponseEncoding> responses = encoding_of(model.regression().table()).outputs;
  for (std::size_t k = 0; k < responses.size(); ++k)
    if (responses[k].transform == ResponseTransform::log && !responses[k].exposure)
      logarithms.push_back(static_cast<Index>(k));
  return logarithms;
}

/// The function in the units of its responses, where the logarithm of one was fitted.
PredictiveSummary function_of(const FittedModel& model, const Matrix& Xs, double level) {
  PredictiveSummary summary = model.predict(Xs, {.noise = false, .level = level});
  const std::vector<Index> logarithms = outputs_of_logarithms(model);
  if (logarithms.empty()) return summary;
  const PredictiveMixture functions = model.mixture(Xs, false);
  const Index M = Xs.rows();
  for (const Index k : logarithms) {
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

/// Averages of exp f over every `count` rows, where f is one output: their mean from the moments of f, their interval
/// from functions that are drawn.
PredictiveSummary averages_of_exponentials(const FittedModel& model, Index output, const Matrix& Xs,
                                           Index count, Index draws, double level) {
  const Matrix values = model.functions(Xs, draws, model.seed(), output).array().exp().transpose();
  const Matrix averages = averages_of_rows(values, count).transpose();
  PredictiveSummary summary =
      summarise_mixtures(averages, Matrix::Zero(averages.rows(), averages.cols()), Vector::Zero(1), level);
  const PredictiveMixture functions = model.mixture(Xs, false);
  const Index M = Xs.rows();
  Vector means(M);
  for (Index i = 0; i < M; ++i)
    means(i) = response_moments(functions.means.col(output * M + i), functions.sds.col(output * M + i),
                                ResponseTransform::log)
                   .mean;
  summary.mean = averages_of_rows(means, count);
  return summary;
}

/// As function_of(), of averages over every `count` rows.
PredictiveSummary averages_of(const FittedModel& model, const Matrix& Xs, Index count, Index draws,
                              double level) {
  const PredictiveMixture averages = model.average_mixture(Xs, count);
  const Index K = model.regression().functions();
  PredictiveSummary summary = summarise_mixtures(averages.means, averages.sds, Vector::Zero(K), level);
  for (const Index k : outputs_of_logarithms(model)) {
    const PredictiveSummary own = averages_of_exponentials(model, k, Xs, count, draws, level);
    summary.mean.col(k) = own.mean;
    summary.sd.col(k) = own.sd;
    summary.lower.col(k) = own.lower;
    summary.upper.col(k) = own.upper;
  }
  return summary;
}

}  // namespace

PredictiveSummary CountedPredictions::function(const Matrix& Xs, double level) {
  return in_blocks(Xs, rows_per_block(), 1,
                   [&](const Matrix& rows) { return function_of(model_, rows, level); });
}

PredictiveSummary CountedPredictions::averages(const Matrix& Xs, Index count, double level) {
  const Index block = std::max<Index>(1, rows_per_block() / count) * count;
  return in_blocks(Xs, block, count, [&](const Matrix& rows) {
    return averages_of(model_, rows, count, options_.effect_draws, level);
  });
}

PredictiveSummary CountedPredictions::in_blocks(
    const Matrix& Xs, Index block, Index rows_per_place,
    const std::function<PredictiveSummary(const Matrix& rows)>& summarise) {
  PredictiveSummary all;
  for (Index first = 0; first < Xs.rows(); first += block) {
    const Index rows = std::min(block, Xs.rows() - first);
    const PredictiveSummary some = summarise(Xs.middleRows(first, rows));
    const auto put = [&](Matrix& whole, const Matrix& part) {
      if (first == 0) whole.resize(Xs.rows() / rows_per_place, part.cols());
      whole.middleRows(first / rows_per_place, part.rows()) = part;
    };
    put(all.mean, some.mean);
    put(all.sd, some.sd);
    put(all.lower, some.lower);
    put(all.upper, some.upper);
    count(rows);
  }
  return all;
}

Index CountedPredictions::rows_per_block() const {
  return options_.row_block > 0 ? options_.row_block : model_.rows_per_block();
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

}  // namespace ridgelet
