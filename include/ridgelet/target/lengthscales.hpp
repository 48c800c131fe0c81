/// Over what lengths a process varies along its inputs: by the parameters of its kernel, and by how much it changes.
#pragma once

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

/// The shortest lengthscale of the kernel along each of d inputs, over all of its terms. A cosine counts with
/// period / (2 pi), a periodic term of lengthscale l with min(l, 1) times that: for long l it is a constant and a cosine,
///   exp(-2 sin^2(pi r / p) / l^2) = 1 - (1 - cos(2 pi r / p)) / l^2 + ...
/// Infinite along inputs for which no term has a lengthscale or a period.
Vector shortest_lengthscales(const Kernel& kernel, Index d);

/// The length over which a process turns along each input. With means over points, and a small step h, it is
///   length_i = h ( E f(x)^2 / E (f(x + h e_i) - f(x))^2 )^{1/2},
/// the smallest over the terms of its kernel: the lengthscale for se, period / (2 pi) for a cosine, sqrt(E |x|^2) for
/// linear, and infinite along an input that no term sees. It is at most the shortest lengthscale or, where there is
/// none, the width of the input in `widths`; the step is a thousandth of that width.
Vector turning_lengths(const Kernel& kernel, const Matrix& points, const VectorView& widths);

}  // namespace ridgelet
