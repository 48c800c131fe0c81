/// Sample paths of the network prior beside those of its Gaussian process.
#pragma once

#include <filesystem>
#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct SamplePaths {
  Matrix X;         ///< M x d
  Matrix networks;  ///< M x draws
  Matrix process;   ///< M x draws
  std::string operator_name;
  Index units = 0;
};

/// One input: two panels of curves on common axes. Two inputs (on a square grid): the first draws of each as
/// maps on one colour scale. Throws InvalidArgument about "plot" for more inputs.
void plot_sample_paths(const SamplePaths& paths, const std::filesystem::path& path);

}  // namespace ridgelet
