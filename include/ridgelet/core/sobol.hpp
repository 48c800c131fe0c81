/// Scrambled Sobol points: points that fill the unit cube evenly, each of them uniform on it.
///
/// The first 2^m points of a Sobol sequence are balanced: along every axis one of them lies in each interval
/// [j, j + 1) / 2^m, and in two or more dimensions the same number lies in each box of certain sizes ("elementary
/// intervals"). A mean over N of them therefore approaches an integral faster than one over N independent points:
/// about as 1/N where the integrand is of bounded variation, against N^{-1/2}.
///
/// Owen's nested scrambling flips each binary digit of a coordinate by a random bit that belongs to the digits
/// before it. It keeps the balance, makes every point uniform on the cube, so that means over the points are
/// unbiased, and takes the error of smooth integrands from 1/N to about N^{-3/2}. The random bits here are a hash
/// of (key of the axis, digits before), and the keys come from a RandomStream: other streams give independent
/// scramblings of the same points. The zero at the start of the sequence, which some programs leave out, is kept:
/// without it the first 2^m points are not balanced. Any number of points may be taken; powers of two are best.
///
/// The first points of a larger set are those of a smaller one. All coordinates lie strictly between 0 and 1.
/// Cost: 33 hashes for each coordinate. Memory: the points.
///
/// Direction numbers: S. Joe and F. Kuo (2008), as in Boost.Random. References: I. Sobol (1967); A. Owen, "Randomly
/// permuted (t,m,s)-nets and (t,s)-sequences" (1995) and "On dropping the first Sobol' point" (2020); scrambling by
/// hashes: B. Burley, "Practical hash-based Owen scrambling" (2020).
#pragma once

#include "ridgelet/core/random.hpp"

namespace ridgelet {

/// The largest number of axes for which there are direction numbers.
inline constexpr Index most_sobol_dimensions = 3667;

/// The first `count` points in d dimensions, count x d. Throws InvalidArgument about "dimension" unless d is from
/// 1 to 3667, and about "count" unless that is from 1 to 2^32.
Matrix sobol_points(Index count, Index dimension, const RandomStream& scrambling);

}  // namespace ridgelet
