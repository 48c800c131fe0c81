/// The measurements that the registry (compare.cpp) lists, one source file for each family.
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

// chosen_nodes.cpp: the sampler's likelihood on a grid of nodes against few nodes chosen for the kernel.
Measurement chosen_nodes_co2();
Measurement chosen_nodes_inpainting();

// rows.cpp: the pass over the rows of a table.
Measurement closed_form_fit();
Measurement gemm_fraction();
Measurement mixed_pass();
Measurement rows_slope();
Measurement rows_peak_mb();

// units.cpp: a network prior, a draw of it and its outputs, as units are added.
Measurement units_slope();
Measurement units_peak_mb();

}  // namespace ridgelet::benchmarks
