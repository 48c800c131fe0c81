/// What pictures of numbers and of classes are computed by.
#pragma once

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/fitting/picture_parts.hpp"

namespace ridgelet {

inline constexpr double wide_level = 0.95, narrow_level = 0.5;

/// Predictions of a picture, which are counted.
class CountedPredictions {
 public:
  CountedPredictions(const FittedModel& model, const FitPictureOptions& options, Index total)
      : model_(model), options_(options), total_(total) {}

  /// Of the function, with its interval; of classes, their probabilities; of logarithms, what they are of. A block of
  /// rows at a time.
  PredictiveSummary function(const Matrix& Xs, double level = wide_level);

  /// Of new observations of all outputs.
  PredictiveMixture observations(const Matrix& Xs);

  /// Functions that were drawn, in the units of the likelihood.
  Matrix latent_functions(const Matrix& Xs);

 private:
  void count(Index rows);

  const FittedModel& model_;
  const FitPictureOptions& options_;
  Index total_;
  Index done_ = 0;
};

/// The network in a few words.
std::string label_of(const FittedModel& model);

/// Rows of the fit, or those that were observed.
ShownData shown(const FittedModel& model, const FitPictureOptions& options, Index at_most);

/// Predictions that effects_of takes.
Index effect_predictions(const FittedModel& model, const FitPictureOptions& options);

/// Of all columns on all outputs or classes.
std::vector<Effect> effects_of(const FittedModel& model, const FitPictureOptions& options,
                               CountedPredictions& predict);

}  // namespace ridgelet
