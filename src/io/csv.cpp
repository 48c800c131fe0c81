#include "ridgelet/io/csv.hpp"

#include <fmt/format.h>

#include <ostream>

#include "ridgelet/core/text.hpp"

namespace ridgelet {

void write_csv(std::ostream& stream, const std::vector<std::string>& header, const MatrixView& rows) {
  stream << join(header, ",") << '\n';
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) stream << (j == 0 ? "" : ",") << shortest(rows(i, j));
    stream << '\n';
  }
}

}  // namespace ridgelet
