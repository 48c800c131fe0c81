/// Numbers must be positive where their logarithm becomes an input or a response. A person asked for that logarithm,
/// unless it is that of an exposure, of which the message then speaks.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

enum class LogarithmOf { column, exposure };

inline LogarithmOf logarithm_of(const ResponseEncoding& response) {
  return response.exposure ? LogarithmOf::exposure : LogarithmOf::column;
}

/// "must be positive for log(price), got '0'".
inline std::string positive_complaint(std::string_view text, const std::string& column, LogarithmOf what) {
  if (what == LogarithmOf::exposure)
    return fmt::format("an exposure must be positive, got '{}'; correct it, or leave the row out",
                       shown(text));
  return fmt::format("must be positive for {}, got '{}'", shown(log_of(column)), shown(text));
}

}  // namespace ridgelet
