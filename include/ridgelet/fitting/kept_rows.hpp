/// The rows of a large table that a fit keeps, and what all of them say of its columns.
///
/// Learning, the choice of nodes, the certificate and pictures look at no more than `most` rows. Every row has a random
/// number of its own, its key, and the rows with the smallest keys are kept: a sample without replacement that does not
/// depend on the order in which rows are read, or by whom. One reading finds them, with mean, standard deviation and
/// range of every column. Reference for samples by smallest keys: Efraimidis and Spirakis, "Weighted random sampling
/// with a reservoir", Information Processing Letters 97 (2006).
///
/// Memory: `most` rows for each node of the sum over tiles (core/pairwise.hpp).
#pragma once

#include <cstdint>

#include "ridgelet/fitting/table_rows.hpp"

namespace ridgelet {

/// A table of all rows or, if there are more than `most`, of `most` of them, with RegressionTable::whole. Throws
/// InvalidArgument about "data" as validate(RegressionTable) does.
RegressionTable keep_rows(const TableRows& rows, Index most, std::uint64_t seed);

}  // namespace ridgelet
