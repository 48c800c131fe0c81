/// The picture of a fit, drawn by gnuplot: fit for a paper, not only for a screen.
#pragma once

#include <filesystem>

#include "ridgelet/fitting/fit_picture.hpp"

namespace ridgelet {

/// Throws InvalidArgument about "out" unless the name ends in .svg or .png; IoError if gnuplot fails.
void plot_fit(const FitPicture& picture, const std::filesystem::path& path);

}  // namespace ridgelet
