/// Dates and times of day as people write them where they live: "31.01.2024", "1/31/24", "14:05".
///
/// They are text to a reader of ISO dates. Left alone every day would become a level of its own.
#pragma once

#include <string>
#include <string_view>

namespace ridgelet {

/// Day, month and year in another order than 2024-01-31, or hours and minutes, perhaps with seconds. A date may have a
/// time behind it. Years behind points have four digits: 1.2.34 is the number of a version.
bool is_local_date(std::string_view text);

/// "write dates as 2024-01-31, not '31.01.2024'", or likewise of a time of day, which becomes a number.
std::string iso_date_advice(std::string_view text);

}  // namespace ridgelet
