/// The mollifier: 1 on the domain, 0 outside the cubature box, infinitely smooth between.
///
/// For the domain [-a, a] inside [-S, S] on each axis, moved and scaled with the boxes,
///   1(x) = prod_i [ 1 - h( (x_i^2 - a^2) / (S^2 - a^2) ) ],   h(t) = g(t) / (g(t) + g(1 - t)),
///   g(t) = exp(-1/t) for t > 0, else 0.
/// It takes a function smoothly to zero at the edge of the box. Where a = S there is nothing to cut off, and it
/// is 1. The paper (Section 4.3, after Tu, An Introduction to Manifolds) writes it for S = 1.
#pragma once

#include "ridgelet/cubature/box.hpp"

namespace ridgelet {

/// 1(x) at each row of X. The boxes have the same centre, and `box` contains `domain`.
Vector mollifier(const MatrixView& X, const Box& domain, const Box& box);

/// Throws InvalidArgument about "domain" unless it lies in the middle of the box.
void require_concentric(const Box& domain, const Box& box);

/// u_j = volume * 1(x_j) / D for D points that share the box equally. Throws InvalidArgument about "domain" if doubles
/// cannot hold them.
Vector cubature_weights(const Matrix& points, const Box& domain, const Box& box);

}  // namespace ridgelet
