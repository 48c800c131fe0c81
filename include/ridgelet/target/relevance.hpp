/// Which inputs a process hardly looks at.
///
/// The relevance of input k is how much the function is expected to change when that input alone moves by up to two
/// standard deviations of its column, as a part of the variation of y:
///   max_t  mean_i E[ (f(x_i + t s_k e_k) - f(x_i))^2 ] / (2 var y),   t in {1/2, 1, 2},
/// without the jump that white noise makes at any distance. For a kernel amplitude^2 rho with amplitude^2 = var y it is
/// 1 - rho at two standard deviations; a process with a larger amplitude must have longer lengthscales to be as flat.
/// With a relevance below 0.01 the function changes by 0.14 standard deviations of y, or less, over two standard
/// deviations of the input.
///
/// That is little beside y, but it may be much beside the noise: in y = 10 a + b + e with e of 0.05, leaving b out
/// makes the error of predictions ten times as large. So the effect of input k is the same change of the function that was
/// learned, the posterior mean m, beside the noise of y:
///   max_t  mean_i (m(x_i + t s_k e_k) - m(x_i))^2 / (2 noise^2),
/// where the noise includes that of a white term of the kernel. Where m is linear in the input, with a slope b, it is
/// 2 (b s_k / noise)^2, and without the input the error of predictions is sqrt(1 + effect / 2) times the noise.
///
/// Of classes and counts the function is what is modelled: its own variance stands for var y, and for noise^2 the inverse
/// of what one row tells of it, its information; heavy tails have their scale. The prior's change stands for that of the
/// posterior mean, which is no larger on average, so fewer inputs are named.
///
/// An input hardly matters if its relevance is below 0.01 and its effect is below 0.25: without it the error grows by
/// 6 %, or less. The prior alone would not do for the second, since no lengthscale is long beside a noise of nearly 0.
#pragma once

#include <vector>

#include "ridgelet/target/gaussian_process.hpp"

namespace ridgelet {

inline constexpr double hardly_relevant = 0.01;
inline constexpr double hardly_above_noise = 0.25;

/// E[ (f(x') - f(x))^2 ] of a process of mean 0, on average over the rows x of X, where input k of x' is larger by
/// `distance`.
double mean_square_change(const Kernel& kernel, const Matrix& X, Index k, double distance);

/// The relevance of every input, from at most 50 rows of the data, for responses of this variance. X is n x d.
Vector input_relevance(const GaussianProcess& process, const MatrixView& X, double variance);

/// The same for responses Y, n x q.
Vector input_relevance(const GaussianProcess& process, const MatrixView& X, const MatrixView& Y);

/// The effects of some inputs, on that output where it is largest; `noise` has one number for each. At most 50 rows
/// are moved, at a cost of n^3 / 3 for each output. Throws what GaussianProcessPosterior throws.
Vector input_effects(const GaussianProcess& process, const Vector& noise, const MatrixView& X,
                     const MatrixView& Y, const std::vector<Index>& inputs);

/// The inputs that hardly matter, counted from 0, by their relevance and their effect. None if the posterior does not
/// exist in double precision.
std::vector<Index> irrelevant_inputs(const GaussianProcess& process, const Vector& noise, const MatrixView& X,
                                     const MatrixView& Y, const Vector& relevance);

}  // namespace ridgelet
