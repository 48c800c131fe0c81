/// A model as a person states it, and the prior that it means.
///
/// What is not given is chosen: an empty optional is `auto`, and depends on the kernel, the domain and, where there are
/// any, the data. build_model() says what it chose. io/model_file.hpp reads and writes the same settings as flags and
/// files.
///
/// | setting            | auto, for `least-squares`                              | for `ridgelet`                     |
/// |--------------------|--------------------------------------------------------|------------------------------------|
/// | nodes              | with data, chosen among them; else grid or sobol       | grid, or sobol from 3 inputs on    |
/// | points             | as many as the kernel needs, within a budget; chosen   | the rule's default                 |
/// |                    | among data, more where the network needs them          |                                    |
/// | sigma_w, sigma_b   | follow the kernel's lengthscales (assess/tuning.hpp);  | 3 and 12, as in the paper          |
/// |                    | nearly 0 along inputs that it does not see             |                                    |
/// | ridge              | by the exact error (assess/tuning.hpp)                 | not used                           |
/// | units              | twice the rank of the process at the nodes, or more    | 300                                |
/// |                    | where that is not enough                               |                                    |
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/assess/tuning.hpp"
#include "ridgelet/cubature/box.hpp"
#include "ridgelet/network/scaling.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

struct ModelSettings {
  std::string mean = "0";
  std::string kernel;  ///< required, except where it is learned
  std::string activation = "tanh";
  std::optional<Index> units;
  Index layers = 1;
  std::optional<double> layer_scale;  ///< of the process between hidden layers; the operator's default
  std::optional<double> layer_bias;   ///< of biases from the second hidden layer on; the operator's default
  bool skip = false;
  std::string operator_name = "least-squares";
  std::optional<double> ridge;
  std::optional<int> order;  ///< of psi; the activation's default
  std::optional<Bandwidth> sigma_w;
  std::optional<double> sigma_b;
  Density density = Density::gaussian;
  UnitsFrom units_from = UnitsFrom::sobol;
  std::optional<std::string> domain;  ///< `range` or -5:5 if not given; a fit takes the range of its data
  std::optional<double> margin;       ///< a tenth of the domain's width on each axis if not given
  std::optional<std::string> nodes;
  std::optional<Index> points;

  // What a table adds; a model without data has no use for them.
  std::string likelihood = {};  ///< of the response given the function; Gaussian noise if there is none
  std::optional<Vector> noise;  ///< one for all outputs, or one each; learned if not given
  std::optional<bool> standardise;

  // What learning has found out about a table, for a model without data; a fit asks its own table.
  std::optional<std::string> range;  ///< of the inputs, in the table's units
  Scaling inputs = {};  ///< from the table's units, those of domain, margin and range, to the kernel's
};

/// Throws InvalidArgument about the first setting that no kernel could make right, for d inputs: what can be known
/// before anything is learned.
void validate(const ModelSettings& settings, Index d);

/// Where a model looks: the domain, and how far the nodes reach past it on each axis.
struct Region {
  Box domain;
  Vector margin;
};

/// The region of the settings, in the kernel's units. Throws InvalidArgument about "domain", "margin" or the scaling.
Region region_of(const ModelSettings& settings);

/// What a model may depend on besides its settings.
struct ModelContext {
  Matrix inputs = {};  ///< of the data, in the model's units
  /// Kriging floors well below this standard deviation do not matter: the noise, where it is known, or for another
  /// likelihood what one row tells of a function, 1 / sqrt of its information.
  std::optional<double> resolution = std::nullopt;
  std::uint64_t seed = 0;
};

/// The process at nodes that were chosen before, perhaps on another machine.
struct StoredNodes {
  Nodes nodes;
  FactorAtPoints factor;
};

struct Model {
  RidgeletPrior prior;
  Box domain;
  ModelSettings settings;           ///< with nothing left to choose
  std::vector<TuningTrial> trials;  ///< of bandwidths and ridge, if any were made
};

/// The nodes of the settings with `refinement` times as many points on each axis.
Nodes build_nodes(const ModelSettings& settings, const Region& region, const ModelContext& context = {},
                  Index refinement = 1);

/// What the settings leave to be tuned (assess/tuning.hpp) of a model on these nodes.
TuningRequest tuning_request(const ModelSettings& settings, const PriorOptions& model, const Region& region,
                             const ModelContext& context = {});

/// Throws InvalidArgument unless kernel and mean are defined for the d inputs of the domain; the message points to
/// --domain.
void require_dimension(const ModelSettings& settings, Index d);

/// Throws InvalidArgument about the first setting that breaks its rule. The second form takes the region that it is
/// given and, with stored nodes, chooses no nodes.
Model build_model(const ModelSettings& settings);
Model build_model(const ModelSettings& settings, const Region& region, const ModelContext& context = {},
                  std::optional<StoredNodes> stored = std::nullopt);

}  // namespace ridgelet
