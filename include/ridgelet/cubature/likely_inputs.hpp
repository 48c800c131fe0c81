/// Inputs that further rows of a table might have.
///
/// In many inputs few rows are far from each other, and a new row is far from all of them. What a network does at the
/// rows and half way between two of them says little about new rows: 30 rows in 40 inputs and their midpoints lie in 29
/// dimensions, and a new row does not. So nodes, bandwidths and the certificate also look where new rows would lie.
///
/// A likely input is a random row x_i moved by normal noise, a smoothed bootstrap (Silverman and Young, 1987),
///   x = m + (x_i - m + h e) / sqrt(1 + h^2),    e ~ N(0, C),    h = (4 / (n (d + 2)))^(1 / (d + 4)),
/// with mean m and covariance C as the n rows have them, except that correlations r_jk are multiplied by 1 - lambda,
///   lambda = sum_{j<k} (1 - r_jk^2)^2 / (n - 1)  /  sum_{j<k} r_jk^2,    between 1 / (n - 1) and 1,
/// as far as so few rows cannot know them (Schaefer and Strimmer, 2005). Without that, e would stay in the dimensions of
/// the rows. No coordinate leaves the range that it has in the rows, and columns of two values, such as levels of a text,
/// keep those of x_i. h is Silverman's width for normal data.
///
/// C is never formed: sqrt(1 - lambda) times a random combination of rows, and sqrt(lambda) times independent noise,
/// have it. Cost n d^2 for lambda and n d for each input, with at most 1,000 rows.
#pragma once

#include <cstdint>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// `count` such inputs, a row each. The order of the rows does not matter.
Matrix likely_inputs(const Matrix& rows, Index count, std::uint64_t seed);

/// lambda, for at least two rows; 1 where no two columns vary together.
double correlation_shrinkage(const Matrix& rows);

}  // namespace ridgelet
