/// What a picture of a fit shows, as numbers in the table's own units; io/fit_figure.hpp draws it.
///
///   one input    FitCurve: mean, 50 and 95 % bands, and the exact process beside them
///   two inputs   FitMap: mean and standard deviation over the domain
///   more         FitChecks: observed against predicted, calibration, and the effect of each input
/// Bands and intervals of FitCurve, the calibration and `observed` are those of new observations, noise included, so
/// that they can be held against the data; the map's sd and the bands of effects are of the function.
///
/// The partial effect of input k at v is the prediction with x_k set to v, averaged over rows of the data (Friedman,
/// Annals of Statistics 29, 2001). Its band is the average of the function's 95 % intervals at those rows: wider than
/// an interval of the average would be, since errors of different rows would cancel in that one.
///
/// Cost: predictions at `curve_points`, `map_points`^2 or `check_rows` + inputs x `effect_points` x `effect_rows` inputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ridgelet/fitting/exact_process.hpp"
#include "ridgelet/fitting/fitted_model.hpp"

namespace ridgelet {

struct FitPictureOptions {
  Index output = 0;
  Index curve_points = 300;
  Index map_points = 50;     ///< on each axis
  Index effect_points = 30;  ///< values of an input
  Index effect_rows = 100;   ///< rows that an effect is averaged over, at most
  Index check_rows = 500;    ///< rows that are checked, at most
  Index shown_rows = 2000;   ///< rows of the data that are shown, at most
  Index most_rows_of_exact_process = ridgelet::most_rows_of_exact_process;

  /// Told how many predictions of how many are done.
  std::function<void(Index done, Index total)> progress = nullptr;
};

/// Columns by name, and the rows of the data that are shown: all, or evenly spaced ones.
struct ShownData {
  std::vector<std::string> inputs;
  std::string output;
  Matrix X;
  Vector y;
  Index rows = 0;     ///< of the whole table
  std::string label;  ///< the network in a few words
  std::string operator_name;
};

struct Interval {
  Vector lower;
  Vector upper;
};

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
  std::optional<Exact> exact;  ///< absent for many rows, or where double precision does not hold it
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

  struct Effect {
    Vector x;
    Vector mean;
    Interval most;  ///< 95 %, of the function
  };
  std::vector<Effect> effects;  ///< of each input
};

using FitPicture = std::variant<FitCurve, FitMap, FitChecks>;

/// By the number of inputs. Throws InvalidArgument about "y" if there is no such output.
FitPicture picture_fit(const FittedModel& model, const FitPictureOptions& options = {});

}  // namespace ridgelet
