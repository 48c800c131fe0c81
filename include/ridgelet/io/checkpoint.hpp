/// What an interrupted run needs to go on: where its chains are, the draws made so far, and a description of
/// the run that must match. Written whole or not at all, so that one is always there.
#pragma once

#include <filesystem>
#include <string>

#include "ridgelet/inference/sampling.hpp"
#include "ridgelet/io/regression.hpp"

namespace ridgelet {

inline constexpr const char* checkpoint_format = "ridgelet checkpoint";

/// One line a setting, "name = value": everything that the draws depend on, the data by a checksum.
std::string describe_run(const Regression& regression, const SamplingOptions& sampling);

/// Memory and disk: the draws made so far. Throws IoError.
void write_checkpoint(const std::filesystem::path& path, const std::string& run, const Sampling& sampling);

/// Throws InvalidArgument about "resume" if the checkpoint is damaged or of another run, naming the first
/// setting that differs; IoError if it cannot be read.
void resume_from(const std::filesystem::path& path, const std::string& run, Sampling& sampling);

}  // namespace ridgelet
