/// A model as text: flags of the command line, or the same names in a TOML file.
///
///   kernel = "se(amplitude=1, lengthscale=1.5)"
///   units = 300
///   sigma-w = 3
///   domain = "-5:5"
///
/// The table model_options() is the one place that knows the names, what they mean, and how to read them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ridgelet/fitting/model_settings.hpp"

namespace ridgelet {

struct ModelOption {
  enum class Use { every_model, table, file };

  std::string name;  ///< as in --name and in the file
  std::string placeholder;
  std::string help;
  /// Reads the text; throws InvalidArgument about `name`.
  void (*set)(ModelSettings& settings, const std::string& text);
  /// The text that `set` reads back; empty where the default depends on other settings and nothing was given.
  std::string (*get)(const ModelSettings& settings);
  /// Which commands have the flag: all, only those that read a table, or none. A model file may have every option.
  Use use = Use::every_model;
  /// On the command line the option has no value: if it is given, it means yes.
  bool is_flag = false;
};

const std::vector<ModelOption>& model_options();

/// "0.1" as a number; throws InvalidArgument about `argument`.
double read_number(const std::string& argument, const std::string& text);

/// "0.1,0.25" as numbers; throws InvalidArgument about `argument`.
Vector read_numbers(const std::string& argument, const std::string& list);

/// Applies a TOML file to the settings. Throws IoError if it cannot be read, InvalidArgument if a key or value is not
/// known, if a key stands twice (sigma-w and sigma_w are the same), if range, centre or scale cannot be, or if there are more than 1,000,000 characters: no more than these are taken from a stream that has no end.
void read_model_file(const std::filesystem::path& path, ModelSettings& settings);

/// The settings as the text of such a file, which reads back as the same settings.
std::string model_file_text(const ModelSettings& settings);

/// Applies the text of such a file; `name` stands for it in messages.
void read_model_text(const std::string& text, const std::string& name, ModelSettings& settings);

}  // namespace ridgelet
