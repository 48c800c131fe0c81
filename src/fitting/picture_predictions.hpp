/// What pictures of numbers and of classes are computed from.
#pragma once

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/fitting/picture_parts.hpp"

namespace ridgelet {

inline constexpr double wide_level = 0.95, narrow_level = 0.5;

/// Predictions for a picture, counted for its progress.
class CountedPredictions {
 public:
  CountedPredictions(const FittedModel& model, const FitPictureOptions& options, Index total)
      : model_(model), options_(options), total_(total) {}

  /// Predictions of the function, with its interval; for classes, of their probabilities; where a logarithm was fitted,
  /// of the response itself. A block of rows at a time.
  PredictiveSummary function(const Matrix& Xs, double level = wide_level);

  /// The average of function() over every `count` rows of Xs, one after the other: a row for each of these averages.
  PredictiveSummary averages(const Matrix& Xs, Index count, double level = wide_level);

  /// Predictions of new observations of all outputs.
  PredictiveMixture observations(const Matrix& Xs);

  /// Functions that were drawn, in the units of the likelihood.
  Matrix latent_functions(const Matrix& Xs);

 private:
  void count(Index rows);
  Index rows_per_block() const;

  /// Summaries of `block` rows at a time, with a row for every `rows_per_place` of Xs.
  PredictiveSummary in_blocks(const Matrix& Xs, Index block, Index rows_per_place,
                              const std::function<PredictiveSummary(const Matrix& rows)>& summarise);

  const FittedModel& model_;
  const FitPictureOptions& options_;
  Index total_;
  Index done_ = 0;
};

/// The network in a few words.
std::string label_of(const FittedModel& model);

/// The rows to show: those of the fit, or options.observed.
ShownData shown(const FittedModel& model, const FitPictureOptions& options, Index at_most);

/// The number of predictions that effects_of() makes.
Index effect_predictions(const FittedModel& model, const FitPictureOptions& options);

/// At most so many of the effects, in their order: those whose means vary most.
std::vector<Effect> largest_effects(std::vector<Effect> effects, Index most);

/// The effects of all columns on all outputs or classes.
std::vector<Effect> effects_of(const FittedModel& model, const FitPictureOptions& options,
                               CountedPredictions& predict);

}  // namespace ridgelet
