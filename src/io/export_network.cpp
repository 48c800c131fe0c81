#include "ridgelet/io/export_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/export_c.hpp"
#include "ridgelet/io/export_json.hpp"
#include "ridgelet/io/export_onnx.hpp"
#include "ridgelet/io/export_torch.hpp"
#include "ridgelet/io/output_file.hpp"

namespace ridgelet {

namespace {

struct FormatEntry {
  std::string_view name;
  std::string_view ending;
  ExportFormat format;
  void (*write)(std::ostream& out, const ShippedNetwork& shipped, Precision precision);
};

/// One line for each format.
constexpr auto formats = std::to_array<FormatEntry>({{"onnx", ".onnx", ExportFormat::onnx, write_onnx},
                                                     {"c", ".c", ExportFormat::c, write_c},
                                                     {"torch", ".py", ExportFormat::torch, write_torch},
                                                     {"json", ".json", ExportFormat::json, write_json}});

std::vector<std::string> endings() {
  std::vector<std::string> all;
  for (const FormatEntry& entry : formats) all.emplace_back(entry.ending);
  return all;
}

}  // namespace

std::vector<std::string> export_format_names() {
  std::vector<std::string> names;
  for (const FormatEntry& entry : formats) names.emplace_back(entry.name);
  return names;
}

ExportFormat parse_export_format(const std::string& name) {
  const auto found = std::ranges::find(formats, name, &FormatEntry::name);
  if (found == formats.end())
    throw InvalidArgument("to", unknown_name_complaint(name, export_format_names()));
  return found->format;
}

std::string export_ending(ExportFormat format) {
  return std::string(std::ranges::find(formats, format, &FormatEntry::format)->ending);
}

ExportFormat export_format_of(const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, path.extension().string(), &FormatEntry::ending);
  if (found == formats.end())
    throw InvalidArgument("path", fmt::format("must end in {}, or say which of {} it is, got '{}'",
                                              join(endings()), join(export_format_names()), path.string()));
  return found->format;
}

std::uintmax_t export_network(const std::filesystem::path& path, const ShippedNetwork& shipped,
                              ExportFormat format, Precision precision) {
  OutputFile file(path);
  std::ranges::find(formats, format, &FormatEntry::format)->write(file.stream(), shipped, precision);
  const auto bytes = file.stream().tellp();
  file.commit();
  return bytes < 0 ? 0 : static_cast<std::uintmax_t>(bytes);
}

}  // namespace ridgelet
