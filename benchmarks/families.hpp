/// The measurements that the registry (compare.cpp) lists, one source file a family.
#pragma once

#include "comparison.hpp"

namespace ridgelet::benchmarks {

// likelihood.cpp: log p(y | hidden layer).
Measurement co2_likelihood();
Measurement inpainting_likelihood();

// weight_draw.cpp: output weights drawn given the data and a hidden layer, in the CO2 setting.
Measurement weight_draw_500();
Measurement weight_draw_2000();

// deep_sample.cpp: one draw of a deep network against dense N x N weights.
Measurement deep_sample();

}  // namespace ridgelet::benchmarks
