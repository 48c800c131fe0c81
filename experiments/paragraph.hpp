/// Text for a terminal.
#pragma once

#include <string>

namespace ridgelet::experiments {

/// The words in lines of at most 100 characters; every line but the first is indented.
std::string paragraph(const std::string& text);

}  // namespace ridgelet::experiments
