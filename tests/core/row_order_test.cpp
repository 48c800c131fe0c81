#include "ridgelet/core/row_order.hpp"

#include <gtest/gtest.h>

namespace ridgelet {
namespace {

TEST(RowOrder, IsByTheFirstColumnThatDiffersAndKeepsEqualRowsInPlace) {
  Matrix rows(5, 2);
  rows << 2, 1,  //
      1, 9,      //
      2, 0,      //
      1, 9,      //
      1, 3;
  EXPECT_EQ(order_by_contents(rows), (std::vector<Index>{4, 1, 3, 2, 0}));
}

TEST(RowOrder, LeadsToTheSameRowsHoweverTheyAreSorted) {
  Matrix rows(4, 1);
  rows << 3, 1, 2, 0;
  const Matrix reversed = rows.colwise().reverse();
  EXPECT_EQ(Matrix(rows(order_by_contents(rows), Eigen::all)),
            Matrix(reversed(order_by_contents(reversed), Eigen::all)));
}

}  // namespace
}  // namespace ridgelet
