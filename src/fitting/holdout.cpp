#include "ridgelet/fitting/holdout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet {

namespace {

RegressionTable rows_of(const RegressionTable& table, const std::vector<Index>& rows) {
  RegressionTable some{.inputs = table.inputs,
                       .outputs = table.outputs,
                       .X = table.X(rows, Eigen::all),
                       .Y = table.Y(rows, Eigen::all),
                       .encoding = table.encoding};
  for (const Index i : rows) some.numbers.push_back(table.number_of(i));
  return some;
}

std::vector<Index> all_but(const std::vector<Index>& left_out, Index rows) {
  std::vector<Index> kept;
  for (Index i = 0; i < rows; ++i)
    if (!std::ranges::binary_search(left_out, i)) kept.push_back(i);
  return kept;
}

bool varies(const VectorView& column) {
  return column.minCoeff() != column.maxCoeff();
}

void require_variation_left(const Matrix& values, const Matrix& whole, const std::vector<std::string>& names,
                            const std::string& way_out) {
  for (Index k = 0; k < values.cols(); ++k)
    if (varies(whole.col(k)) && !varies(values.col(k)))
      throw InvalidArgument("holdout",
                            fmt::format("leaves the column '{}' the same in every row that is fitted; hold "
                                        "fewer rows out, {}",
                                        names[static_cast<std::size_t>(k)], way_out));
}

/// The responses themselves, where the table has them on the scale of the fit.
Matrix responses_of(const RegressionTable& table) {
  const std::vector<ResponseEncoding> encodings = encoding_of(table).outputs;
  Matrix responses = table.Y;
  for (Index k = 0; k < responses.cols(); ++k)
    for (double& y : responses.col(k))
      y = from_fitted_scale(y, encodings[static_cast<std::size_t>(k)].transform);
  return responses;
}

}  // namespace

TableSplit hold_out(const RegressionTable& table, double part, std::uint64_t seed) {
  if (!(part > 0 && part < 1))
    throw InvalidArgument("holdout", fmt::format("must be between 0 and 1, e.g. 0.1, got {}", part));
  const Index rows = table.X.rows();
  const Index count = std::max<Index>(1, std::lround(part * static_cast<double>(rows)));
  if (rows - count < 2)
    throw InvalidArgument("holdout",
                          fmt::format("keeps {} of {} rows back, and a fit needs at least two", count, rows));
  const std::vector<Index> held =
      RandomStream{.seed = seed, .purpose = Purpose::held_out_rows}.subset(rows, count);
  TableSplit split{.fitted = rows_of(table, all_but(held, rows)), .held_out = rows_of(table, held)};
  require_variation_left(split.fitted.X, table.X, table.inputs,
                         "use another --seed, or leave the column out of --x");
  if (!encoding_of(table).exposure())
    require_variation_left(split.fitted.Y, table.Y, table.outputs, "or use another --seed");
  return split;
}

std::vector<Score> score_at(const FittedModel& model, const RegressionTable& observed, Index row_block) {
  require_at_least(row_block, 1, "row_block");
  TableScoring scoring(encoding_of(observed).outputs);
  const Matrix responses = responses_of(observed);
  for (Index first = 0; first < observed.X.rows(); first += row_block) {
    const Index rows = std::min(row_block, observed.X.rows() - first);
    scoring.add(model.mixture(observed.X.middleRows(first, rows)), responses.middleRows(first, rows));
  }
  return scoring.scores();
}

std::vector<Score> score_of(const PredictiveMixture& predicted, const RegressionTable& observed) {
  TableScoring scoring(encoding_of(observed).outputs);
  scoring.add(predicted, responses_of(observed));
  return scoring.scores();
}

}  // namespace ridgelet
