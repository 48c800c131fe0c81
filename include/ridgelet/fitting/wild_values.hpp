/// Values of an input or a response that lie so far from all others that they ruin a fit: 1e6 among 300 numbers between 0
/// and 1.
///
/// Such a value is most often an error of typing or of units. It stretches the standard deviation of its column until
/// the other rows are one point to a kernel, which then finds that the column hardly matters. Its logarithm would not
/// help, and neither would any setting: the person who has the table must look at that row.
///
/// A response need not be as far to do so, since Gaussian noise makes it part of the function, or takes all others for
/// noise. But responses have tails, so what counts is that nothing lies between it and the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridgelet/fitting/table.hpp"

namespace ridgelet {

struct WildValue {
  std::string column;
  double value = 0;          ///< the farthest of the column
  std::optional<Index> row;  ///< that has it, from 0; none if that row was not kept
  double low = 0, high = 0;  ///< where the middle half of the rows lies
};

/// The inputs, of numbers and dates, whose standard deviation is more than 50 times the range of the middle half of
/// their rows, where at most one row in a hundred, or one in all, lies farther than ten such ranges from the middle. A
/// column whose middle half is one value has none: most of it is one value, and the others need not be wrong. Of
/// normal numbers the ratio is 0.74, of Cauchy's it grows with the rows, but so do those that are far.
std::vector<WildValue> wild_values(const RegressionTable& table);

/// The responses of which a few rows, one in a hundred or one in all, lie farther from the median than 20 times the range
/// of the middle half, and ten times as far as any other row. Fewer than 20 rows have no tails to judge by. Responses
/// are judged on the scale of the fit, and named in their own units. Tails alone seldom have such a gap: of 200 numbers
/// exp(z), z normal, in less than one table of a thousand, of Student's numbers of 3 degrees in two.
std::vector<WildValue> wild_responses(const RegressionTable& table);

/// "1e+06 in row 17 of column a lies far from all others, half of which are between 0.25 and 0.75: check it, and correct
/// it or leave the row out"; rows count from 1.
std::string wild_value_advice(const WildValue& wild);

/// The same of a response; a single one may have heavier tails, with --likelihood student.
std::string wild_response_advice(const WildValue& wild, const RegressionTable& table);

}  // namespace ridgelet
