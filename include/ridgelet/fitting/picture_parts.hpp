/// What pictures of a fit are made of, whatever the response: how much is shown, the data beside it, effects of inputs.
///
/// The partial effect of a column at v is the prediction with that column set to v, averaged over rows of the fit
/// (Friedman, Annals of Statistics 29, 2001); of text, v are its levels. Where functions were drawn (classes, counts,
/// heavy tails), its band is the 95 % interval of that average over the draws. Else it is the average of the function's
/// 95 % intervals at those rows: wider than an interval of the average would be, since errors of different rows would
/// cancel in that one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/fitting/exact_process.hpp"

namespace ridgelet {

/// `fit` is the prediction itself, by the number of inputs; `checks` what it is worth, for any number of them; `trace`
/// how a normal distribution came close to the posterior.
enum class PictureOf { fit, checks, trace };

/// "fit", "checks" or "trace"; throws InvalidArgument about "show".
PictureOf parse_picture(const std::string& text);

/// Rows that the fit need not have seen, to be shown and checked in the place of its own.
struct ObservedRows {
  std::string name;  ///< in titles
  Matrix X;
  Matrix Y;        ///< as a RegressionTable has them: on the scale of the fit
  Index rows = 0;  ///< of which these are some
};

struct FitPictureOptions {
  PictureOf show = PictureOf::fit;
  Index output = 0;
  std::optional<ObservedRows> observed = std::nullopt;
  Index curve_points = 300;
  Index map_points = 50;          ///< on each axis
  Index class_map_points = 100;   ///< the same for classes, which have sharp borders
  Index effect_points = 30;       ///< values of a column of numbers
  Index effect_rows = 100;        ///< rows that an effect is averaged over, at most
  Index check_rows = 500;         ///< rows that are checked, at most
  Index class_check_rows = 5000;  ///< the same for classes, whose rows are counted and not drawn
  Index shown_rows = 2000;        ///< rows of the data that are shown, at most
  Index most_rows_of_exact_process = ridgelet::most_rows_of_exact_process;

  /// Told how many predictions of how many are done.
  std::function<void(Index done, Index total)> progress = nullptr;
};

/// Columns by name, and the rows of the data that are shown: all, or evenly spaced ones.
struct ShownData {
  std::vector<ColumnEncoding> columns;  ///< of the inputs: one of text has several
  std::string output;
  Matrix X;
  Vector y;              ///< in its own units, also where its logarithm was fitted; of classes their places
  Vector exposure = {};  ///< what counts were counted over; empty if they are for themselves
  Index rows = 0;        ///< of the whole table
  std::string source;    ///< the name of rows that were observed; empty for those of the fit
  std::string label;     ///< the network in a few words
  std::string operator_name;
};

struct Interval {
  Vector lower;
  Vector upper;
};

/// Of one column, at its values x or its levels 0, 1, ...: a column for the response, or for each class its
/// probability.
struct Effect {
  Vector x;
  Matrix mean;
  Matrix lower;  ///< 95 %, of the function
  Matrix upper;
};

}  // namespace ridgelet
