#include "ridgelet/io/csv.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>

namespace ridgelet {
namespace {

std::string written(const std::vector<std::string>& header, const Matrix& rows) {
  std::ostringstream stream;
  write_csv(stream, header, rows);
  return stream.str();
}

TEST(WriteCsv, HasAHeaderAndALineForEachRow) {
  Matrix rows(2, 3);
  rows << 1, 2.5, -3, 0, 1e-6, 1e22;
  EXPECT_EQ(written({"x1", "network_1", "gp_1"}, rows), "x1,network_1,gp_1\n1,2.5,-3\n0,1e-06,1e+22\n");
}

TEST(WriteCsv, HasNoCommaInAnOnlyColumn) {
  EXPECT_EQ(written({"x1"}, Vector::LinSpaced(3, 1, 3)), "x1\n1\n2\n3\n");
}

TEST(WriteCsv, OfNoRowsIsTheHeader) {
  EXPECT_EQ(written({"x1", "x2"}, Matrix(0, 2)), "x1,x2\n");
}

TEST(WriteCsv, WritesAPartOfALargerMatrix) {
  Matrix all(3, 3);
  all << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  std::ostringstream stream;
  write_csv(stream, {"a", "b"}, all.bottomRightCorner(2, 2));
  EXPECT_EQ(stream.str(), "a,b\n5,6\n8,9\n");
}

RC_GTEST_PROP(WriteCsv, ReadsBackAsTheSameDoubles, (const std::vector<std::uint64_t>& bits)) {
  std::vector<double> values;
  for (const std::uint64_t pattern : bits) {
    const double value = std::bit_cast<double>(pattern);
    if (std::isfinite(value)) values.push_back(value);
  }
  RC_PRE(!values.empty());
  const Eigen::Map<const Matrix> row(values.data(), 1, static_cast<Index>(values.size()));
  std::istringstream lines(written({"any"}, row));
  std::string line, cell;
  std::getline(lines, line);
  std::getline(lines, line);
  std::istringstream cells(line);
  for (const double value : values) {
    RC_ASSERT(static_cast<bool>(std::getline(cells, cell, ',')));
    RC_ASSERT(std::bit_cast<std::uint64_t>(std::strtod(cell.c_str(), nullptr)) ==
              std::bit_cast<std::uint64_t>(value));
  }
  RC_ASSERT(!std::getline(cells, cell, ','));
}

}  // namespace
}  // namespace ridgelet
