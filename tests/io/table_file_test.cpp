#include "ridgelet/io/table_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "expectations.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

class RegressionTableTest : public testing::WithDirectory {};

TEST_F(RegressionTableTest, RefusesColumnsWithNothingToLearn) {
  const auto refusal = [&](const std::string& text) {
    std::ofstream(directory / "t.csv") << text;
    return complaint_of([&] { read_regression_table(directory / "t.csv", {"x"}, {"y"}); });
  };
  EXPECT_EQ(refusal("x,y\n1,2\n2,3\n"), "");
  EXPECT_NE(refusal("x,y\n1,2\n2,2\n").find("column 'y': is 2 in every row; there is nothing to learn"),
            std::string::npos);
  EXPECT_NE(refusal("x,y\n1,2\n1,3\n").find("column 'x': is 1 in every row; leave it out"),
            std::string::npos);
  EXPECT_NE(refusal("x,y\n1,2\n").find("has one row"), std::string::npos);
  EXPECT_EQ(complaint_of([&] { read_regression_table(directory / "t.csv", {"x"}, {"x"}); }),
            "y: 'x' is an input already; name another column");
}

}  // namespace
}  // namespace ridgelet
