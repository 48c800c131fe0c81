/// The files of the folder `data`, compiled into the program.
#pragma once

#include <string>
#include <string_view>

namespace ridgelet::experiments {

/// The content of data/NAME. Throws IoError if there is no such file.
std::string_view data_file(const std::string& name);

}  // namespace ridgelet::experiments
