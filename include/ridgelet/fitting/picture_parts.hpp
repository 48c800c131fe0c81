/// What pictures of a fit are made of, whatever the response: how much is shown, the data beside it, effects of inputs.
///
/// The partial effect of a column at v is the prediction with that column set to v, averaged over rows of the fit
/// (Friedman, Annals of Statistics 29, 2001); for a column of text, v is each of its levels. Its band is the 95 %
/// interval of that average given the data, without noise. It has a closed form where noise is Gaussian: given the
/// hidden layers the average of G(x) z over rows is g z, normal, and hidden layers make a mixture of such
/// (FittedModel::average_mixture). Where a logarithm was fitted, the average is of exponentials, and the band is that of
/// `effect_draws` functions; where functions were drawn (classes, counts, heavy tails), it is that of these.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/fitting/exact_process.hpp"

namespace ridgelet {

/// `fit` shows the prediction itself, in a way that depends on the number of inputs; `checks` how good it is, for any
/// number of inputs; `trace` how a normal distribution came close to the posterior.
enum class PictureOf { fit, checks, trace };

/// Reads "fit", "checks" or "trace"; throws InvalidArgument about "show".
PictureOf parse_picture(const std::string& text);

/// Rows that the fit need not have seen, to be shown and checked in place of its own rows.
struct ObservedRows {
  std::string name;  ///< in titles
  Matrix X;
  Matrix Y;        ///< as a RegressionTable has them: on the scale of the fit
  Index rows = 0;  ///< of the table that these are taken from
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
  Index effect_draws = 1000;      ///< functions whose averages make the band where a logarithm was fitted
  Index most_effects = 12;        ///< columns whose effects are shown: those of the largest effects
  Index check_rows = 500;         ///< rows that are checked, at most
  Index class_check_rows = 5000;  ///< the same for classes, whose rows are counted and not drawn
  Index shown_rows = 2000;        ///< rows of the data that are shown, at most
  Index most_rows_of_exact_process = ridgelet::most_rows_of_exact_process;
  Index row_block = 0;  ///< rows that are predicted at a time; 0: FittedModel::rows_per_block()

  /// Told how many predictions are done, and of how many.
  std::function<void(Index done, Index total)> progress = nullptr;
};

/// Columns by name, and the rows of the data that are shown: all, or evenly spaced ones.
struct ShownData {
  std::vector<ColumnEncoding> columns;  ///< of the inputs: a column of text makes several inputs
  std::string output;
  Matrix X;
  Vector y;              ///< in its own units, also where its logarithm was fitted; for classes, their places
  Vector exposure = {};  ///< what counts were counted over; empty if there is no such column
  Index rows = 0;        ///< of the whole table
  std::string source;    ///< ObservedRows::name; empty for rows of the fit
  std::string label;     ///< the network in a few words
  std::string operator_name;
};

struct Interval {
  Vector lower;
  Vector upper;
};

/// The effect of one column of the table, at its values x or at its levels 0, 1, .... The matrices have a column for
/// each response or, for classes, for the probability of each class.
struct Effect {
  std::size_t column = 0;  ///< its place among ShownData::columns
  Vector x;
  Matrix mean;
  Matrix lower;  ///< 95 %, of the average of the function
  Matrix upper;
};

}  // namespace ridgelet
