/// Figures by gnuplot, as SVG or PNG.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Colours that can be told apart by the colour-blind and in grey (Okabe and Ito, Color universal design, 2008):
/// one for each model, the same in every figure.
namespace colour {
inline constexpr std::string_view ridgelet = "#D55E00";
inline constexpr std::string_view least_squares = "#0072B2";
inline constexpr std::string_view iid = "#CC79A7";
inline constexpr std::string_view gaussian_process = "#4D4D4D";
}  // namespace colour

/// The colour of an operator, by its place in operator_names().
std::string_view colour_of_operator(const std::string& operator_name);

/// "$name << EOD ... EOD": a table that the script can plot.
std::string data_block(std::string_view name, const MatrixView& rows);

/// The text between single quotes, in which gnuplot takes every character literally; for use with `noenhanced`.
std::string plain_text(std::string_view text);

/// Throws InvalidArgument about `argument` unless the name ends in .svg or .png.
void validate_figure_path(const std::filesystem::path& path, const std::string& argument = "plot");

/// Runs the script (without terminal and output) and puts the figure at `path`, whole or not at all; its
/// ending chooses the format. Throws IoError if gnuplot is missing or complains.
void render_figure(const std::string& script, const std::filesystem::path& path, int width, int height);

}  // namespace ridgelet
