/// A model as a person writes it: flags of the command line, or the same names in a TOML file.
///
///   kernel = "se(amplitude=1, lengthscale=1.5)"
///   units = 300
///   sigma-w = 3
///   domain = "-5:5"
///
/// The table model_options() is the one place that knows the names, what they mean, and how to read them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

struct ModelSettings {
  std::string mean = "0";
  std::string kernel;  ///< required
  std::string activation = "tanh";
  Index units = 300;
  Index layers = 1;
  std::optional<double> layer_scale;  ///< of the process between hidden layers; the operator's default
  std::optional<double> layer_bias;   ///< of biases from the second hidden layer on; the operator's default
  bool skip = false;
  OperatorSettings op;
  HiddenDistribution hidden;
  std::optional<std::string> domain;  ///< -5:5 if not given; `fit` takes the range of the data
  std::optional<double> margin;       ///< a tenth of the domain's width on each axis if not given
  std::string nodes = "grid";
  std::optional<Index> points;  ///< min(200, 900^{1/d}) per axis if not given
};

struct ModelOption {
  std::string name;  ///< as in --name and in the file
  std::string placeholder;
  std::string help;
  /// Reads the text; throws InvalidArgument about `name`.
  void (*set)(ModelSettings& settings, const std::string& text);
  /// The text that `set` reads back; empty where the default depends on the rest and nothing was given.
  std::string (*get)(const ModelSettings& settings);
};

const std::vector<ModelOption>& model_options();

/// Applies a TOML file to the settings. Throws IoError if it cannot be read, InvalidArgument if a key or
/// value is not known.
void read_model_file(const std::filesystem::path& path, ModelSettings& settings);

/// The settings as the text of such a file, which reads back as the same settings.
std::string model_file_text(const ModelSettings& settings);

/// Applies the text of such a file; `name` stands for it in messages.
void read_model_text(const std::string& text, const std::string& name, ModelSettings& settings);

struct Model {
  RidgeletPrior prior;
  Box domain;
};

/// The grid of the settings with `refinement` times as many points on each axis.
Nodes build_nodes(const ModelSettings& settings, Index refinement = 1);

/// Throws InvalidArgument about the first setting that breaks its rule.
Model build_model(const ModelSettings& settings);

}  // namespace ridgelet
