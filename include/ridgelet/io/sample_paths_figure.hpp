/// Networks of the prior on top of the paths of the process that made them.
#pragma once

#include <filesystem>
#include <string>

#include "ridgelet/assess/coupled_paths.hpp"

namespace ridgelet {

struct SamplePaths {
  Matrix X;  ///< M x d, in the units of the table if the model has its scaling
  CoupledPaths paths;
  std::string operator_name;
  Index units = 0;
  bool standardised = false;  ///< whether paths are of a response in standard deviations from its mean
};

/// One input: every network on top of its path of the process, and below their difference. Two inputs (on a square
/// grid): the first draws as maps, the process, its network and their difference, enlarged so that it can be seen, on
/// one colour scale. The error stands in the title. Throws InvalidArgument about "plot" for more inputs.
void plot_sample_paths(const SamplePaths& sample, const std::filesystem::path& path);

}  // namespace ridgelet
