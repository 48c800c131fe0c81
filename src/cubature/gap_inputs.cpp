#include "ridgelet/cubature/gap_inputs.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet {

namespace {

constexpr double part_of_the_range = 0.05, times_the_mean = 6;

struct Gap {
  Index column = 0;
  Index lower = 0, upper = 0;  ///< rows at its ends
  double part = 0;             ///< of the column's range
};

/// Columns of two values have none: their only gap is the mean one.
void append_gaps(const Matrix& X, Index column, std::vector<Gap>& gaps) {
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return X(i, column); });
  const double range = X(order.back(), column) - X(order.front(), column);
  std::vector<Gap> steps;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const double step = X(order[i], column) - X(order[i - 1], column);
    if (step > 0)
      steps.push_back({.column = column, .lower = order[i - 1], .upper = order[i], .part = step / range});
  }
  const double wide = std::max(part_of_the_range, times_the_mean / static_cast<double>(steps.size()));
  std::ranges::copy_if(steps, std::back_inserter(gaps), [&](const Gap& gap) { return gap.part > wide; });
}

std::vector<Gap> gaps_of(const Matrix& X) {
  std::vector<Gap> gaps;
  for (Index k = 0; k < X.cols(); ++k) append_gaps(X, k, gaps);
  std::ranges::stable_sort(gaps, std::greater(), &Gap::part);
  return gaps;
}

}  // namespace

Matrix gap_inputs(const Matrix& rows, Index of_each, Index most, std::uint64_t seed) {
  require_nonempty(rows, "rows");
  require_at_least(of_each, 1, "of_each");
  const Matrix X = sorted_rows(rows);
  const std::vector<Gap> gaps = gaps_of(X);
  const RandomStream stream{.seed = seed, .purpose = Purpose::likely_inputs, .replicate = 3};
  Matrix inputs(std::min(most, of_each * static_cast<Index>(gaps.size())), X.cols());
  for (Index i = 0; i < inputs.rows(); ++i) {
    const Gap& gap = gaps[static_cast<std::size_t>(i / of_each)];
    const auto uniform = [&](std::uint64_t j) {
      return stream.uniform(3 * static_cast<std::uint64_t>(i) + j);
    };
    const Index end = uniform(0) < 0.5 ? gap.lower : gap.upper;
    const Index any = std::min(static_cast<Index>(uniform(1) * static_cast<double>(X.rows())), X.rows() - 1);
    inputs.row(i) = X.row(i % 2 == 0 ? end : any);
    inputs(i, gap.column) =
        X(gap.lower, gap.column) + uniform(2) * (X(gap.upper, gap.column) - X(gap.lower, gap.column));
  }
  return inputs;
}

}  // namespace ridgelet
