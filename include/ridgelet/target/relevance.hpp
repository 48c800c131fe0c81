/// Which inputs a process hardly looks at.
///
/// The relevance of input k is how much the function is expected to change when that input alone moves by up to two
/// standard deviations of its column, as a part of the variation of y:
///   max_t  mean_i E[ (f(x_i + t s_k e_k) - f(x_i))^2 ] / (2 var y),   t in {1/2, 1, 2},
/// without the jump that white noise makes at any distance. For a kernel amplitude^2 rho with amplitude^2 = var y it is
/// 1 - rho at two standard deviations; a process with a larger amplitude must have longer lengthscales to be as flat.
/// An input with a relevance below 0.01 hardly matters: over two standard deviations of it the function changes by 0.14
/// standard deviations of y, or less.
#pragma once

#include <vector>

#include "ridgelet/target/gaussian_process.hpp"

namespace ridgelet {

inline constexpr double hardly_relevant = 0.01;

/// E[ (f(x') - f(x))^2 ] of a process of mean 0, on average over the rows x of X, where input k of x' is larger by
/// `distance`.
double mean_square_change(const Kernel& kernel, const Matrix& X, Index k, double distance);

/// The relevance of every input, from at most 50 rows of the data. X is n x d, Y is n x q.
Vector input_relevance(const GaussianProcess& process, const MatrixView& X, const MatrixView& Y);

/// The inputs that hardly matter, counted from 0.
std::vector<Index> irrelevant_inputs(const Vector& relevance);

}  // namespace ridgelet
