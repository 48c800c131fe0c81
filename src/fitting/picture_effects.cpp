/// Effects of single columns: see fitting/picture_parts.hpp.
#include <algorithm>
#include <functional>

#include "picture_predictions.hpp"
#include "ridgelet/fitting/latent_response.hpp"

namespace ridgelet {

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

Effect effect_by_averages(const Matrix& rows, const PlacedColumn& column, const Vector& x,
                          CountedPredictions& predict) {
  const PredictiveSummary averages = predict.averages(with_column(rows, column, x), rows.rows());
  return {.column = 0, .x = x, .mean = averages.mean, .lower = averages.lower, .upper = averages.upper};
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
                                     : effect_by_averages(rows, column, x, predict));
    effects.back().column = effects.size() - 1;
    first += encoding.width();
  }
  return effects;
}

}  // namespace ridgelet
