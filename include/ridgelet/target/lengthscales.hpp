/// Over what lengths a process varies along its inputs: as its kernel says, and as it does.
#pragma once

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

/// The shortest lengthscale of the kernel along each of d inputs, over all of its terms; period / (2 pi) times the
/// lengthscale for a periodic one, which turns that much faster. Infinite along inputs on which no term has one.
Vector shortest_lengthscales(const Kernel& kernel, Index d);

/// Over what length a process turns along each input: as a mean over points, for a small step h,
///   length_i = h ( E f(x)^2 / E (f(x + h e_i) - f(x))^2 )^{1/2},
/// the smallest over the terms of its kernel. The lengthscale for se, period / (2 pi) for a cosine, sqrt(E |x|^2) for
/// linear, and infinite along an input that no term sees. No longer than the lengthscale or, where there is none, than
/// `widths`, of which the step is a thousandth.
Vector turning_lengths(const Kernel& kernel, const Matrix& points, const VectorView& widths);

}  // namespace ridgelet
