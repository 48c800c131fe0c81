/// Rows that a fit does not see, to judge it by.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/fitting/score.hpp"

namespace ridgelet {

struct TableSplit {
  RegressionTable fitted;    ///< what a fit may see
  RegressionTable held_out;  ///< what it is judged by
};

/// Keeps a part of the rows back: `part` of them to the nearest row, at least one, chosen at random. Both tables keep
/// the order of the rows. Throws InvalidArgument about "holdout" unless 0 < part < 1 and enough is left to fit: two
/// rows, and more than one value in every column.
TableSplit hold_out(const RegressionTable& table, double part, std::uint64_t seed);

/// The scores of each output at rows of `observed`, in units of the response itself. At most `row_block` rows are
/// predicted at a time.
std::vector<Score> score_at(const FittedModel& model, const RegressionTable& observed,
                            Index row_block = 1024);

/// The same for any predictions: a mixture on the scale of the fit, as FittedModel::mixture gives it.
std::vector<Score> score_of(const PredictiveMixture& predicted, const RegressionTable& observed);

}  // namespace ridgelet
