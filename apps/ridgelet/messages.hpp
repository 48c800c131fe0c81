/// Lines for people on standard error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgelet::app {

/// Writes the text to standard error, unchanged. A standard error that is closed, full or a broken pipe is no
/// reason to stop: what cannot be written is dropped. Allocates nothing, so any thread may call it at any
/// time.
void tell(std::string_view text) noexcept;

/// From now on tell() says nothing; tell_in_any_case() does.
void keep_still() noexcept;
void tell_in_any_case(std::string_view text) noexcept;

/// A complaint as one line of moderate length, even where it repeats what a person or a file says: '?' stands for what
/// cannot be printed.
std::string one_line(const std::string& complaint);

/// "warning: ..." on a line of its own, which even --quiet does not suppress.
void warn(const std::string& message);

/// "3 of 100 rows are left out: a missing value"
std::string dropped_text(std::int64_t dropped, std::int64_t rows);

/// Says how many of the rows are left out for a missing value, if any are.
void warn_about_dropped(std::int64_t dropped, std::int64_t rows);

/// Opens whichever of standard input, output and error are closed, so that no file of ours gets their descriptors and
/// receives what is meant for them. Writing to a stream that was closed still fails.
void hold_standard_streams() noexcept;

}  // namespace ridgelet::app
