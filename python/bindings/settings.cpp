#include <fmt/format.h>

#include <algorithm>

#include "bindings.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/model_file.hpp"

namespace ridgelet::python {

namespace {

/// A setting as the text that its flag would have: numbers, texts, kernels, True and False, and lists of numbers.
std::string setting_text(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "yes" : "no";
  if (py::isinstance<py::str>(value) || !py::isinstance<py::iterable>(value)) return py::str(value);
  std::vector<std::string> parts;
  for (const py::handle part : py::iter(value)) parts.push_back(py::str(part));
  return join(parts, ",");
}

/// The names of the program's options, with underscores. Those that only files may have come last in model_options()
/// and are left out.
std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const ModelOption& option : model_options()) {
    if (option.use == ModelOption::Use::file) break;
    names.push_back(option.name);
    std::ranges::replace(names.back(), '-', '_');
  }
  return names;
}

}  // namespace

ModelSettings settings_from(const py::kwargs& keywords) {
  ModelSettings settings;
  const std::vector<std::string> known = setting_names();
  for (const auto& [key, value] : keywords) {
    const auto name = key.cast<std::string>();
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw py::type_error("there is no such setting: " + unknown_name_complaint(name, known));
    if (!value.is_none())
      model_options()[static_cast<std::size_t>(found - known.begin())].set(settings, setting_text(value));
  }
  return settings;
}

std::string path_from(const py::object& path) {
  std::string name = py::module_::import("os").attr("fspath")(path).cast<std::string>();
  // The system would take what comes before it for the name.
  if (name.find('\0') != std::string::npos)
    throw InvalidArgument("path", "must not have a null character in it");
  return name;
}

std::vector<std::string> column_names(const std::optional<std::vector<std::string>>& given, Index count,
                                      const std::string& argument, const std::string& letter) {
  std::vector<std::string> names = given.value_or(std::vector<std::string>());
  if (given && static_cast<Index>(names.size()) != count)
    throw InvalidArgument(
        argument, fmt::format("must have {} names, one for each column, got {}", count, names.size()));
  for (Index k = 1; !given && k <= count; ++k)
    names.push_back(count == 1 ? letter : letter + std::to_string(k));
  return names;
}

py::object as_array(const Matrix& values) {
  return values.cols() == 1 ? py::cast(Vector(values)) : py::cast(values);
}

void bind_settings(py::module_& module) {
  module.def("setting_names", &setting_names, "Settings of a model that fit() and learn() take by keyword.");
}

}  // namespace ridgelet::python
