#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "expectations.hpp"
#include "ridgelet/io/table_blocks.hpp"
#include "ridgelet/io/table_stream.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using Names = std::vector<std::string>;

class NpyTable : public testing::WithDirectory {
 protected:
  /// A file of NumPy's, as numpy.save writes it.
  std::filesystem::path write(const std::string& header, const std::string& numbers,
                              const std::string& name = "t.npy") {
    std::string text = header;
    while ((10 + text.size() + 1) % 64 != 0) text += ' ';
    text += '\n';
    std::string bytes = std::string("\x93NUMPY\x01", 7) + '\0';
    bytes += static_cast<char>(text.size() % 256);
    bytes += static_cast<char>(text.size() / 256);
    std::ofstream(directory / name, std::ios::binary) << bytes << text << numbers;
    return directory / name;
  }

  template <class Number>
  static std::string bytes_of(const std::vector<Number>& values) {
    return {reinterpret_cast<const char*>(values.data()), sizeof(Number) * values.size()};
  }

  static RegressionTable read(const std::filesystem::path& path, const std::string& y,
                              MissingValues missing = MissingValues::refuse) {
    return all_rows(TableStream(open_table_source({path}, {.rows = 2}),
                                {.inputs = {}, .outputs = {y}, .missing = missing}));
  }

  std::string refusal(const std::filesystem::path& path, const std::string& y = "1") {
    const std::string start = "data: '" + path.string() + "'";
    const std::string complaint = complaint_of([&] { read(path, y); });
    return complaint.starts_with(start) ? complaint.substr(start.size()) : complaint;
  }
};

const std::string matrix_3_by_2 = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";

TEST_F(NpyTable, HasColumnsThatAreCalledByTheirNumbers) {
  const auto path = write(matrix_3_by_2, bytes_of<double>({1, 10, 2, 20, 4, 40}));
  const RegressionTable table = read(path, "1");
  EXPECT_EQ(table.inputs, Names{"0"});
  EXPECT_EQ(table.X, (Matrix{{1}, {2}, {4}}));
  EXPECT_EQ(table.Y, (Matrix{{10}, {20}, {40}}));
}

TEST_F(NpyTable, IsTheSameInEitherOrderAndInAnyTypeOfNumbers) {
  const RegressionTable rows = read(write(matrix_3_by_2, bytes_of<double>({1, 10, 2, 20, 4, 40})), "1");
  const auto same = [&](const std::filesystem::path& path) {
    const RegressionTable table = read(path, "1");
    EXPECT_EQ(table.X, rows.X);
    EXPECT_EQ(table.Y, rows.Y);
  };
  same(write("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }",
             bytes_of<double>({1, 2, 4, 10, 20, 40})));
  same(write("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }",
             bytes_of<float>({1, 10, 2, 20, 4, 40})));
  same(write("{'descr': '<i4', 'fortran_order': False, 'shape': (3, 2), }",
             bytes_of<int>({1, 10, 2, 20, 4, 40})));
  same(write("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 2), }",
             bytes_of<unsigned char>({1, 10, 2, 20, 4, 40})));
}

TEST_F(NpyTable, HasTheFieldsOfAStructuredArrayForColumns) {
  std::string numbers;
  for (const int i : {1, 2, 4})
    numbers += bytes_of<double>({1.0 * i}) + bytes_of<float>({10.0f * static_cast<float>(i)});
  const RegressionTable table = read(
      write("{'descr': [('a', '<f8'), ('price', '<f4')], 'fortran_order': False, 'shape': (3,), }", numbers),
      "log(price)");
  EXPECT_EQ(table.inputs, Names{"a"});
  EXPECT_EQ(table.X, (Matrix{{1}, {2}, {4}}));
  EXPECT_EQ(table.Y(2, 0), std::log(40.0));
}

TEST_F(NpyTable, TakesWhatIsNotANumberForAMissingValue) {
  const auto path = write(matrix_3_by_2, bytes_of<double>({1, 10, std::nan(""), 20, 4, 40}));
  EXPECT_EQ(
      refusal(path),
      ", row 2, column '0': missing value; fill it, leave such rows out with --missing drop, or name the "
      "inputs with --x");
  EXPECT_EQ(read(path, "1", MissingValues::drop).X, (Matrix{{1}, {4}}));
  EXPECT_EQ(refusal(write(matrix_3_by_2, bytes_of<double>({1, 10, INFINITY, 20, 4, 40}))),
            ", row 2, column '0': must be finite and within the range of a double, got 'inf'; correct it, or "
            "leave the row out");
}

TEST_F(NpyTable, RefusesWhatIsNoTableOfNumbers) {
  EXPECT_EQ(
      refusal(write("{'descr': '>f8', 'fortran_order': False, 'shape': (3, 2), }", std::string(48, 0))),
      ": has the type '>f8', which is not one of little-endian numbers; save it anew as array.astype('<f8')");
  EXPECT_EQ(refusal(write("{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", std::string(48, 0))),
            ": must be a matrix, one row a case");
  EXPECT_EQ(refusal(write(matrix_3_by_2, std::string(47, 0))), ": is shorter than its header says");
  EXPECT_EQ(refusal(write("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999, 2), }", "")),
            ": is shorter than its header says");
  EXPECT_EQ(refusal(write("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }", "")), ": no rows");
  for (const std::string shape : {"(-3, 2)", "(3, -2)", "(3.0, 2)", "[3, 2]", "(3, 2"})
    EXPECT_EQ(refusal(write("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }",
                            std::string(48, 0))),
              ": has a shape that no file has");
  EXPECT_EQ(refusal(write(matrix_3_by_2, std::string(49, 0))), ": is longer than its header says");
  EXPECT_EQ(refusal(write("{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2L), }",
                          bytes_of<double>({1, 10, 2, 20, 4, 40}))),
            "");
  std::ofstream(directory / "x.npy") << "x,y\n1,2\n";
  EXPECT_EQ(refusal(directory / "x.npy"), ": is not a file of NumPy's");
}

TEST_F(NpyTable, IsPredictedAtWithItsRowsAsTextBesideThem) {
  const auto path = write(matrix_3_by_2, bytes_of<double>({1, 0.5, 2, 20, 4, 40}));
  TableBlocks blocks(path, TableEncoding::of_numbers({"0"}, {"y"}), {.records = true});
  EXPECT_EQ(blocks.header(), "0,1");
  const EncodedRows rows = blocks.next(10);
  EXPECT_EQ(rows.X, (Matrix{{1}, {2}, {4}}));
  EXPECT_EQ(rows.records, (Names{"1,0.5", "2,20", "4,40"}));
}

TEST_F(NpyTable, AreSeveralFilesOfOneFormat) {
  const auto a = write(matrix_3_by_2, bytes_of<double>({1, 10, 2, 20, 4, 40}), "a.npy");
  const auto b = write(matrix_3_by_2, bytes_of<double>({5, 10, 6, 20, 7, 40}), "b.npy");
  const TableStream rows(open_table_source({a, b}, {.rows = 2}), {.inputs = {}, .outputs = {"1"}});
  EXPECT_EQ(all_rows(rows).X, (Matrix{{1}, {2}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(rows.tile(2).numbers, (std::vector<Index>{3, 4}));
  EXPECT_EQ(complaint_of([&] {
              open_table_source({a, directory / "t.csv"});
            }),
            fmt::format("data: '{}' and '{}' are of different formats; a table is of one", a.string(),
                        (directory / "t.csv").string()));
}

}  // namespace
}  // namespace ridgelet
