/// Whether hidden units can reach over a region in doubles: where sigma-b follows the other settings, it is
///   sigma_b^2 = 1 + sum_i (sigma_w,i half_width_i)^2,
/// with sigma_w,i about 1 / lengthscale_i where that follows the kernel. For se(lengthscale=1) on -5:5 this is about 26.
#pragma once

#include "ridgelet/fitting/model_settings.hpp"

namespace ridgelet {

/// Throws InvalidArgument about the kernel, sigma_w, margin or domain, whichever makes that sum leave the range of
/// doubles. Nothing is asked of a sigma_b that was given.
void require_reach(const ModelSettings& settings, const Region& region);

}  // namespace ridgelet
