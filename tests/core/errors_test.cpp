#include "ridgelet/core/errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(InvalidArgument, NamesTheArgumentAndKeepsItsPartsApart) {
  const InvalidArgument error("units", "must be at least 1, got 0");
  EXPECT_STREQ(error.what(), "units: must be at least 1, got 0");
  EXPECT_EQ(error.argument(), "units");
  EXPECT_EQ(error.complaint(), "must be at least 1, got 0");
}

TEST(InvalidArgument, IsCaughtAsTheStandardErrorForBadArguments) {
  EXPECT_THROW(throw InvalidArgument("X", "is empty"), std::invalid_argument);
}

TEST(IoError, IsNotABadArgument) {
  const IoError error("model.nc: no such file");
  EXPECT_STREQ(error.what(), "model.nc: no such file");
  EXPECT_EQ(dynamic_cast<const std::invalid_argument*>(static_cast<const std::exception*>(&error)), nullptr);
}

TEST(RequirePositive, LetsPositiveNumbersPass) {
  EXPECT_NO_THROW(require_positive(1.5, "noise"));
  EXPECT_NO_THROW(require_positive(std::numeric_limits<double>::denorm_min(), "noise"));
  EXPECT_NO_THROW(require_positive(std::numeric_limits<double>::max(), "noise"));
}

TEST(RequirePositive, RefusesEverythingElseWithTheValue) {
  const auto complaint = [](double value) { return complaint_of([&] { require_positive(value, "noise"); }); };
  EXPECT_EQ(complaint(0), "noise: must be positive and finite, got 0");
  EXPECT_EQ(complaint(-0.25), "noise: must be positive and finite, got -0.25");
  EXPECT_EQ(complaint(nan), "noise: must be positive and finite, got nan");
  EXPECT_EQ(complaint(infinity), "noise: must be positive and finite, got inf");
}

TEST(RequireAtLeast, AllowsTheBoundItself) {
  EXPECT_NO_THROW(require_at_least(1, 1, "units"));
  EXPECT_EQ(complaint_of([] { require_at_least(0, 1, "units"); }), "units: must be at least 1, got 0");
  EXPECT_EQ(complaint_of([] { require_at_least(-4, 2, "draws"); }), "draws: must be at least 2, got -4");
}

TEST(RequireFinite, PointsAtTheRowAndColumnCountedFromOne) {
  Matrix X = Matrix::Ones(3, 2);
  EXPECT_NO_THROW(require_finite(X, "X"));
  X(2, 0) = nan;
  EXPECT_EQ(complaint_of([&] { require_finite(X, "X"); }), "X: must be finite, got nan in row 3, column 1");
  X(2, 0) = 1;
  X(0, 1) = -infinity;
  EXPECT_EQ(complaint_of([&] { require_finite(X, "X"); }), "X: must be finite, got -inf in row 1, column 2");
}

TEST(RequireFinite, HasNothingToSayAboutAnEmptyMatrix) {
  EXPECT_NO_THROW(require_finite(Matrix(0, 3), "X"));
}

TEST(RequireColumns, CountsInputsInGoodGrammar) {
  EXPECT_NO_THROW(require_columns(Matrix::Zero(4, 2), 2, "X"));
  EXPECT_EQ(complaint_of([] { require_columns(Matrix::Zero(4, 3), 2, "X"); }),
            "X: must have 2 columns, one for each input, got 3");
  EXPECT_EQ(complaint_of([] { require_columns(Matrix::Zero(4, 2), 1, "Xs"); }),
            "Xs: must have 1 column, one for each input, got 2");
}

TEST(RequireRows, CountsRowsInGoodGrammar) {
  EXPECT_NO_THROW(require_rows(Vector::Zero(12), 12, "y"));
  EXPECT_EQ(complaint_of([] { require_rows(Vector::Zero(10), 12, "y"); }), "y: must have 12 rows, got 10");
  EXPECT_EQ(complaint_of([] { require_rows(Vector::Zero(2), 1, "y"); }), "y: must have 1 row, got 2");
}

TEST(InvalidArgument, IsOneLineWhateverItRepeats) {
  const InvalidArgument error("a\nb", "must be yes or no, got 'n\r\no'");
  EXPECT_STREQ(error.what(), "a?b: must be yes or no, got 'n??o'");
  EXPECT_EQ(error.argument() + ": " + error.complaint(), error.what());
}

}  // namespace
}  // namespace ridgelet
