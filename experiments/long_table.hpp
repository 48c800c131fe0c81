/// A table in long format: a row for each observation, with text (which model, which part) and numbers.
///
///   model,part,x,mean
///   least-squares,test,1.56,0.94
#pragma once

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

namespace ridgelet::experiments {

/// Text, or a number; the empty text is a missing value.
using Cell = std::variant<std::string, double>;

struct LongTable {
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;
};

/// RFC 4180: a header line, then a line for each row; numbers read back as the same doubles, and text with a comma,
/// a quote or a line break is quoted.
void write_csv(std::ostream& stream, const LongTable& table);

}  // namespace ridgelet::experiments
