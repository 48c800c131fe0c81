#include "ridgelet/fitting/class_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "picture_predictions.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/fitting/latent_score.hpp"

namespace ridgelet {

namespace {

/// Two columns side by side.
Matrix both(const Matrix& first, const Matrix& second) {
  Matrix columns(first.rows(), 2);
  columns << first, second;
  return columns;
}

/// A column for every class: [1 - p, p] where p alone is known, the probability of the second of two classes.
PredictiveSummary of_every_class(const PredictiveSummary& p) {
  if (p.mean.cols() > 1) return p;
  const auto complement = [](const Matrix& values) { return Matrix(1 - values.array()); };
  return {both(complement(p.mean), p.mean), both(p.sd, p.sd), both(complement(p.upper), p.lower),
          both(complement(p.lower), p.upper)};
}

std::vector<std::string> classes_of(const FittedModel& model) {
  return encoding_of(model.regression().table()).outputs.front().levels;
}

Index place(double y) {
  return static_cast<Index>(y);
}

}  // namespace

CalibrationCurve calibration_curve(const Matrix& P, const VectorView& observed, Index bins) {
  Vector predicted = Vector::Zero(bins), right = predicted, variance = predicted, count = predicted;
  for (Index i = 0; i < P.rows(); ++i) {
    Vector of_row = Vector::Zero(bins);
    for (Index k = P.cols() == 2 ? 1 : 0; k < P.cols(); ++k) {
      const Index bin = std::clamp(place(P(i, k) * static_cast<double>(bins)), Index{0}, bins - 1);
      of_row(bin) += P(i, k);
      right(bin) += place(observed(i)) == k ? 1 : 0;
      count(bin) += 1;
    }
    predicted += of_row;
    variance.array() += of_row.array() * (1 - of_row.array()).max(0);
  }
  std::vector<Index> filled;
  for (Index b = 0; b < bins; ++b)
    if (count(b) > 0) filled.push_back(b);
  const Vector n = count(filled);
  return {.predicted = predicted(filled).array() / n.array(),
          .observed = right(filled).array() / n.array(),
          .chance = variance(filled).array().sqrt() / n.array(),
          .count = n};
}

ClassCurve picture_class_curve(const FittedModel& model, const FitPictureOptions& options) {
  const Box domain = model.regression().domain_in_table_units();
  const Matrix Xs = Vector::LinSpaced(options.curve_points, domain.lower(0), domain.upper(0));
  CountedPredictions predict(model, options, Xs.rows());
  const Matrix functions = predict.latent_functions(Xs);
  const auto summary = [&](double level) {
    return of_every_class(summarise_functions(functions, *model.likelihood(), level, true));
  };
  const PredictiveSummary wide = summary(wide_level), narrow = summary(narrow_level);
  return {.data = shown(model, options, options.shown_rows),
          .classes = classes_of(model),
          .x = Xs.col(0),
          .probability = wide.mean,
          .half_lower = narrow.lower,
          .half_upper = narrow.upper,
          .most_lower = wide.lower,
          .most_upper = wide.upper};
}

ClassMap picture_class_map(const FittedModel& model, const FitPictureOptions& options) {
  const Matrix Xs = evaluation_points(model.regression().domain_in_table_units(),
                                      options.class_map_points * options.class_map_points, 0);
  CountedPredictions predict(model, options, Xs.rows());
  const PredictiveSummary probabilities = of_every_class(predict.function(Xs));
  return {.data = shown(model, options, options.shown_rows),
          .classes = classes_of(model),
          .X = Xs,
          .probability = probabilities.mean,
          .sd = probabilities.sd};
}

ClassChecks picture_class_checks(const FittedModel& model, const FitPictureOptions& options) {
  ClassChecks checks{.data = shown(model, options, options.class_check_rows),
                     .classes = classes_of(model),
                     .confusion = {},
                     .calibration = {},
                     .effects = {}};
  const Vector& y = checks.data.y;
  const Index rows = y.size(), K = static_cast<Index>(checks.classes.size());
  CountedPredictions predict(model, options, rows + effect_predictions(model, options));
  const Matrix P = of_every_class(predict.function(checks.data.X)).mean;
  checks.confusion = Matrix::Zero(K, K);
  Vector confidence(rows);
  std::vector<bool> right;
  for (Index i = 0; i < rows; ++i) {
    Index likeliest = 0;
    confidence(i) = P.row(i).maxCoeff(&likeliest);
    checks.confusion(place(y(i)), likeliest) += 1;
    right.push_back(likeliest == place(y(i)));
    checks.log_loss -= std::log(std::max(P(i, place(y(i))), std::numeric_limits<double>::min()));
  }
  checks.log_loss /= static_cast<double>(rows);
  checks.accuracy = checks.confusion.trace() / static_cast<double>(rows);
  checks.ece = expected_calibration_error(confidence, right);
  checks.calibration = calibration_curve(P, y);
  checks.effects = largest_effects(effects_of(model, options, predict), options.most_effects);
  for (Effect& effect : checks.effects) {
    const PredictiveSummary all = of_every_class({effect.mean, effect.mean, effect.lower, effect.upper});
    effect = {
        .column = effect.column, .x = effect.x, .mean = all.mean, .lower = all.lower, .upper = all.upper};
  }
  return checks;
}

}  // namespace ridgelet
