#include "experiments/paragraph.hpp"

#include <sstream>

namespace ridgelet::experiments {

std::string paragraph(const std::string& text) {
  constexpr std::size_t line_width = 100;
  std::istringstream words(text);
  std::string result, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > line_width) {
      result += line + '\n';
      line = "  " + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return result + line + '\n';
}

}  // namespace ridgelet::experiments
