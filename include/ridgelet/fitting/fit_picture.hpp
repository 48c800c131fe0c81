/// What a picture of a fit shows, as numbers in the table's own units; io/fit_figure.hpp draws it.
///
///   one input    FitCurve: mean, 50 and 95 % bands, and the exact process beside them
///   two inputs   FitMap: mean and standard deviation over the domain
///   more, text   FitChecks: observed against predicted, calibration, and the effect of each column
///   classes      the same three for probabilities (class_picture.hpp)
///   a trace      ElboTrace, of hidden layers that are variational
/// Where the logarithm of a response was fitted, the response itself is shown.
/// Bands and intervals of FitCurve and FitChecks, and the calibration, are those of new observations, noise included,
/// so that they can be compared with the data; the map's sd and the bands of effects are of the function. Counts with
/// an exposure are shown as rates, counts / exposure, with bands of the rate; their checks are of the counts
/// themselves.
///
/// The coverage of a level is the part of the observations in the central interval of that level. Counts come in steps,
/// and no interval of counts has its level exactly, so a count y contributes the part of [P(Y < y), P(Y <= y)] between
/// (1 - level) / 2 and (1 + level) / 2: correct predictions then have the level itself on average (Czado, Gneiting and
/// Held, Predictive model assessment for count data, Biometrics 65, 2009).
///
/// Cost: predictions at `curve_points`, `map_points`^2 or `check_rows` + inputs x `effect_points` x `effect_rows`
/// inputs.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "ridgelet/fitting/class_picture.hpp"
#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/fitting/picture_parts.hpp"

namespace ridgelet {

struct FitCurve {
  ShownData data;
  Vector x;
  Vector mean;
  Interval half;  ///< 50 %
  Interval most;  ///< 95 %

  /// The exact process, 95 % with noise.
  struct Exact {
    Vector mean;
    Interval most;
  };
  std::optional<Exact> exact;  ///< absent for many rows, or if it does not exist in double precision
};

struct FitMap {
  ShownData data;
  Matrix X;  ///< a grid, the first input slowest
  Vector mean;
  Vector sd;
};

struct FitChecks {
  ShownData data;  ///< the rows that are checked
  Vector mean;     ///< predictions at them
  Interval most;   ///< 95 %
  double rmse = 0;
  double r2 = 0;

  /// The share of rows inside their interval of each level.
  Vector level;
  Vector coverage;

  std::string effect_on;        ///< the response, or its rate
  std::vector<Effect> effects;  ///< the largest, in the order of the columns
};

/// The lower bound of the log evidence, or of Laplace's approximation of it, as it rose while a normal distribution came
/// closer to the posterior.
struct ElboTrace {
  std::string label;  ///< the network in a few words
  std::string operator_name;
  FitReport::Elbo elbo;
  bool of_laplace = false;  ///< where the response is not Gaussian
  Vector average;           ///< over the last `window` steps, at every step from number `window`
  Index window = 0;
};

using FitPicture = std::variant<FitCurve, FitMap, FitChecks, ClassCurve, ClassMap, ClassChecks, ElboTrace>;

/// Throws InvalidArgument about "y" if there is no such output, and about "show" for a trace that is not there.
FitPicture picture_fit(const FittedModel& model, const FitPictureOptions& options = {});

}  // namespace ridgelet
