#include "ridgelet/fitting/table_domain.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

const TableEncoding area_and_sold{.inputs = {{.name = "area"}, {.name = "sold", .kind = ColumnKind::date}},
                                  .outputs = {{.column = "price"}}};

TEST(TableDomain, HasDaysInPlaceOfDates) {
  EXPECT_EQ(domain_in_numbers("0:1,1970-01-02:1970-02"), "0:1,1:31");
  EXPECT_EQ(domain_in_numbers("0:1,1970-01-02:1970-02", area_and_sold), "0:1,1:31");
  EXPECT_EQ(domain_in_numbers("-1e3:2.5,-5:1970-01-11", area_and_sold), "-1e3:2.5,-5:10");
}

TEST(TableDomain, FindsTheEndOfADateAmongTheColonsOfItsTime) {
  EXPECT_EQ(domain_in_numbers("1970-01-02T12:00:1970-01-03T06:00"), "1.5:2.25");
  EXPECT_EQ(domain_in_numbers("1970-01-02 12:00:00:1970-01-03"), "1.5:2");
  EXPECT_EQ(domain_in_numbers("1970-01-02T12:00+12:00:1970-01-03T00:00Z"), "1:2");
  EXPECT_EQ(domain_in_numbers("1970-01-02:1970-01-03T12:00:00"), "1:2.5");
}

TEST(TableDomain, LeavesWhatIsNoRangeAsItIs) {
  for (const std::string text : {"", "1", "a:b", "0:1,", "0:1,1970-13-01:1970-02-01", "1:2:3"})
    EXPECT_EQ(domain_in_numbers(text), text);
}

TEST(TableDomain, NamesTheInputsWhereItHasTooFewRangesOrTooMany) {
  EXPECT_EQ(complaint_of([] { domain_in_numbers("0:1", area_and_sold); }),
            "domain: must have 2 ranges LO:HI, for the inputs area, sold in this order, got 1");
  const TableEncoding colours{.inputs = {{"colour", ColumnKind::levels, {"blue", "red"}}},
                              .outputs = {{.column = "y"}}};
  EXPECT_EQ(complaint_of([&] { domain_in_numbers("0:1,0:1,0:1", colours); }),
            "domain: must have 2 ranges LO:HI, for the inputs colour=blue, colour=red in this order, got 3");
  EXPECT_EQ(domain_in_numbers("0:1,0:1", colours), "0:1,0:1");
}

TEST(TableDomain, RefusesDatesForAColumnThatHasNone) {
  EXPECT_EQ(complaint_of([] { domain_in_numbers("2010-01-01:2011-01-01,0:1", area_and_sold); }),
            "domain: must have a range of numbers for 'area', which has no dates, got one of dates");
}

}  // namespace
}  // namespace ridgelet
