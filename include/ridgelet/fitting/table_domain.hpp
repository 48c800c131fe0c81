/// The domain of a fit as a person states it: a range LO:HI for each input of a table, of dates where a column has them.
///
///   0:1,2010-01-01:2020-01-01
///   2024-01-31T12:00:2024-02-01T06:30
///
/// A range of dates becomes one of days since 1970, which is what the inputs are (columns.hpp).
#pragma once

#include <string>

#include "ridgelet/fitting/columns.hpp"

namespace ridgelet {

/// The ranges with numbers in place of dates: "0:1,14610:18262". What is no range stays as it is, for parse_box to refuse.
std::string domain_in_numbers(const std::string& domain);

/// The same for the inputs of a table. Throws InvalidArgument about "domain" that names the inputs in their order unless
/// there is one range for each, and for dates where a column has none.
std::string domain_in_numbers(const std::string& domain, const TableEncoding& encoding);

}  // namespace ridgelet
