/// A model as a person states it, and the prior that it means.
///
/// Every setting has a default that depends on nothing but the others. io/model_file.hpp reads and writes the same
/// settings as flags and files.
#pragma once

#include <optional>
#include <string>

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
  HiddenDistribution hidden = {.units_from = UnitsFrom::sobol};
  std::optional<std::string> domain;  ///< -5:5 if not given; a fit takes the range of the data
  std::optional<double> margin;       ///< a tenth of the domain's width on each axis if not given
  std::string nodes = "grid";
  std::optional<Index> points;  ///< the rule's default if not given (cubature/node_rules.hpp)
};

struct Model {
  RidgeletPrior prior;
  Box domain;
};

/// Where a model looks: the domain, and how far the nodes reach past it on each axis.
struct Region {
  Box domain;
  Vector margin;
};

/// The region of the settings. Throws InvalidArgument about "domain" or "margin".
Region region_of(const ModelSettings& settings);

/// The nodes of the settings with `refinement` times as many points, on each axis of a grid.
Nodes build_nodes(const ModelSettings& settings, const Region& region, Index refinement = 1);

/// Throws InvalidArgument about the first setting that breaks its rule. The second form takes the region as it is, and
/// the factor of the process at the nodes where that was computed before.
Model build_model(const ModelSettings& settings);
Model build_model(const ModelSettings& settings, const Region& region,
                  std::optional<FactorAtPoints> factor = std::nullopt);

}  // namespace ridgelet
