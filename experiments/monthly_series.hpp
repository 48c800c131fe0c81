/// A monthly series, and the scales on which the paper's Section 6.2 works.
///
/// With t the time of a month (from its year and month: rows may have gaps) and the first `used` rows in use,
///   x = -5 + 10 (t - t_first) / (t_last - t_first)
///   y = (value - minimum) / span,   minimum over the whole series, span = t_last - t_first in units of time.
#pragma once

#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet::experiments {

struct MonthlySeries {
  Vector month;  ///< months since the year 0: 12 year + month - 1
  Vector value;

  Index size() const { return value.size(); }
};

/// The columns year, month and `column` of data/FILE.
MonthlySeries read_monthly_series(const std::string& file, const std::string& column);

struct StandardisedSeries {
  Vector year;  ///< 1958.25 is the start of April 1958
  Vector x;
  Vector y;
  double first_year = 0;
  double years = 0;    ///< from the first month used to the last
  double minimum = 0;  ///< of the response
  double span = 0;     ///< the response's unit: value = minimum + span y

  double year_at(double at) const { return first_year + years * (at + 5) / 10; }
  double value_at(double response) const { return minimum + span * response; }
};

/// The first `used` months; `months_per_unit` is 12 for a span in years and 1 for a span in months.
StandardisedSeries standardise(const MonthlySeries& series, Index used, double months_per_unit);

}  // namespace ridgelet::experiments
