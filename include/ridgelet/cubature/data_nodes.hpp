/// Nodes chosen from candidates, few where the kernel is smooth, by pivoted Cholesky (linalg/rank_revealing.hpp):
/// the next node is where the process is least known from those before,
///   x_{r+1} = argmax_x  k(x, x) - k(x, q) k(q, q)^{-1} k(q, x),   q = x_1 .. x_r,
/// until that variance is below a tolerance times the mean variance of the candidates, or there are enough. With
/// candidates from the data the nodes cover the data, whatever the number of inputs; they are no cubature rule, so
/// all weights are 1.
///
/// Two kinds of terms need care:
///   - a term far smaller than another (target/process_at_points.hpp) would never be looked at: each group of terms
///     of like size has its own tolerance, and the nodes are the union, in the order of the variance that each
///     explains relative to the mean of its group;
///   - white noise is unknown everywhere but at the nodes, so that every candidate would be one: terms of white noise
///     play no part.
///
/// What tells all about the process need not tell enough about a network: a line is known from one node, and a network
/// with the right value there may do anything elsewhere. Between two nodes a network turns about as fast as the process
/// does, so its nodes are chosen for
///   k(x, x') + eps v exp(-r^2 / 2),   r = |(x - x') / lengths|,
/// over the inputs that the process sees, with its turning lengths (target/lengthscales.hpp), v the mean variance of
/// its smallest group of terms, and eps small: the network must be pinned, not known. For kernels of high rank that
/// hardly changes the nodes, and for se not at all.
///
/// Candidates may count less than others: at candidate i the process is taken for s_i f, so that what is left unknown
/// there may be 1 / s_i^2 times as much.
///
/// Cost n D^2 for n candidates and D nodes, and n D kernel values. Memory n x D.
/// References: S. Fine and K. Scheinberg (2001); F. Bach and M. Jordan (2002).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

/// The kernel above, by which nodes of a network are chosen among the candidates, without white noise. Throws what
/// choose_nodes() throws.
Kernel with_network_pinned(const Kernel& kernel, const Matrix& candidates, const Box& box);

/// At most 10,000 rows of `inputs`, chosen by the seed and sorted, and then others: in one or two inputs points that fill
/// the box (200 or 30 x 30), since the box may reach beyond the data; in more, inputs that further rows might have
/// (likely_inputs.hpp), so that there are at least 1024 candidates, and such as further rows of a rare level might have
/// (rare_inputs.hpp), or rows in the gaps of a skewed column (gap_inputs.hpp). If `inputs` has no rows: the points that fill the box or, in three inputs or more, 1024 Sobol points
/// of it.
Matrix node_candidates(const Box& box, const Matrix& inputs, std::uint64_t seed);

/// At most `most` of the rows, chosen by the seed and sorted: the order in which they came does not matter.
Matrix subset_of_rows(const Matrix& rows, Index most, std::uint64_t seed);

/// The rows of `candidates` that are nodes, the most telling first; `importance` has the s_i, all 1 if it is empty.
/// Throws InvalidArgument about "kernel" if all of it is white noise.
std::vector<Index> choose_nodes(const Kernel& kernel, const Matrix& candidates, const RankLimit& limit,
                                const Vector& importance = {});

/// Those rows as nodes.
Nodes data_nodes(const Kernel& kernel, const Matrix& candidates, const RankLimit& limit,
                 const Vector& importance = {});

/// The kernel without its terms of white noise, those that vanish between any two different points; nothing if all of
/// them are.
std::optional<Kernel> without_white_noise(const Kernel& kernel, const MatrixView& points);

}  // namespace ridgelet
