/// A fitted network as a file for another program.
///
/// | format  | file                                                            | for                             |
/// |---------|-----------------------------------------------------------------|---------------------------------|
/// | onnx    | a graph with input `x` and outputs `mean` and `sd` (export_onnx) | ONNX runtimes                   |
/// | c       | ridgelet_predict(x, mean, sd) in one C99 file (export_c)         | anything that has a C compiler  |
/// | torch   | a .py with an nn.Module and its weights (export_torch)           | PyTorch                         |
/// | json    | the weights (export_json)                                        | everything else: docs/export.md |
///
/// All of them take inputs in the units of the table and give mean and sd (with noise) in the units of the table. They
/// hold the same numbers, rounded to single precision on request. Names of columns and other text from the table are
/// quoted, so that they stay text and never become code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ridgelet/fitting/shipped_network.hpp"
#include "ridgelet/io/precision.hpp"

namespace ridgelet {

enum class ExportFormat { onnx, c, torch, json };

std::vector<std::string> export_format_names();

/// Throws InvalidArgument about "to".
ExportFormat parse_export_format(const std::string& name);

/// How names of its files end: ".onnx".
std::string export_ending(ExportFormat format);

/// By the ending of a file's name: .onnx, .c, .py or .json. Throws InvalidArgument about "path" for any other.
ExportFormat export_format_of(const std::filesystem::path& path);

/// Writes the file and returns its length in bytes. Throws InvalidArgument about "mean" or "activation" if the format
/// cannot express them, and IoError if the file cannot be written.
std::uintmax_t export_network(const std::filesystem::path& path, const ShippedNetwork& shipped,
                              ExportFormat format, Precision precision = Precision::float64);

}  // namespace ridgelet
