/// What a picture of classes shows, as numbers; io/fit_figure.hpp draws it.
///
///   one input    ClassCurve: the probability of each class, with 50 and 95 % intervals of it
///   two inputs   ClassMap: the same over the domain, with standard deviations
///   more         ClassChecks: which class was taken for which, calibration, and the effect of each input
/// Probabilities P_ik of row i and class k have a column for each class, also where there are two.
///
/// Calibration: probabilities are put into bins of equal width, those of all rows and classes together; for two classes
/// those of the second alone. A bin with n probabilities has
///   predicted   sum_i s_i / n,                    s_i the sum of the P_ik of row i that are in the bin
///   observed    the number of them whose class was observed, over n
///   chance      sqrt(sum_i s_i (1 - s_i)) / n,    the sd of `observed` if the probabilities are right
/// since a row is of at most one of the classes whose probabilities are in the bin, and of one of them with probability
/// s_i. The expected calibration error is that of latent_score.hpp.
/// Reference: A. Niculescu-Mizil and R. Caruana, Predicting good probabilities with supervised learning (ICML 2005).
///
/// Cost: predictions at `curve_points`, `class_map_points`^2 or `class_check_rows` + inputs x `effect_points` x
/// `effect_rows` inputs, each with all draws of all functions.
#pragma once

#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/fitting/picture_parts.hpp"

namespace ridgelet {

struct ClassCurve {
  ShownData data;
  std::vector<std::string> classes;
  Vector x;
  Matrix probability;             ///< points x classes
  Matrix half_lower, half_upper;  ///< 50 %
  Matrix most_lower, most_upper;  ///< 95 %
};

struct ClassMap {
  ShownData data;
  std::vector<std::string> classes;
  Matrix X;            ///< a grid, the first input slowest
  Matrix probability;  ///< points x classes
  Matrix sd;
};

/// A number for each bin that is not empty.
struct CalibrationCurve {
  Vector predicted;
  Vector observed;
  Vector chance;
  Vector count;  ///< probabilities in the bin
};

/// The calibration of P, rows x classes, by the places of the classes that were observed.
CalibrationCurve calibration_curve(const Matrix& P, const VectorView& observed, Index bins = 10);

struct ClassChecks {
  ShownData data;  ///< the rows that are checked
  std::vector<std::string> classes;
  Matrix confusion;  ///< number of rows by the class observed (down) and the likeliest class (across)
  double accuracy = 0;
  double log_loss = 0;
  double ece = 0;
  CalibrationCurve calibration;
  std::vector<Effect> effects;  ///< the largest on the probabilities, in the order of the columns
};

/// Pictures of a model of classes: with one input, with two, and with any number.
ClassCurve picture_class_curve(const FittedModel& model, const FitPictureOptions& options);
ClassMap picture_class_map(const FittedModel& model, const FitPictureOptions& options);
ClassChecks picture_class_checks(const FittedModel& model, const FitPictureOptions& options);

}  // namespace ridgelet
