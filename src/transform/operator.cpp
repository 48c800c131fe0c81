#include "ridgelet/transform/operator.hpp"

#include <algorithm>
#include <array>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/transform/least_squares_operator.hpp"
#include "ridgelet/transform/ridgelet_operator.hpp"

namespace ridgelet {

namespace {

using MakeOperator = std::unique_ptr<Operator> (*)(const OperatorSettings&, const Activation&, const Nodes&,
                                                   const HiddenDistribution&, Index units, const BlockSizes&);

struct RegistryEntry {
  OperatorTraits traits;
  MakeOperator make;
};

ActivationPair pair_of(const OperatorSettings& settings, const Activation& activation, Index dimension) {
  return ActivationPair(activation, static_cast<int>(dimension), settings.order);
}

std::unique_ptr<Operator> make_ridgelet(const OperatorSettings& settings, const Activation& activation,
                                        const Nodes& nodes, const HiddenDistribution& distribution,
                                        Index units, const BlockSizes&) {
  return std::make_unique<RidgeletOperator>(pair_of(settings, activation, nodes.dimension()), nodes,
                                            distribution.total_measure(nodes.dimension()), units);
}

std::unique_ptr<Operator> make_least_squares(const OperatorSettings& settings, const Activation& activation,
                                             const Nodes& nodes, const HiddenDistribution&, Index,
                                             const BlockSizes& blocks) {
  return std::make_unique<LeastSquaresOperator>(activation, nodes, settings.ridge, blocks);
}

/// One entry an operator.
const std::array<RegistryEntry, 2>& registry() {
  static const std::array<RegistryEntry, 2> entries = {{
      {{.name = "ridgelet",
        .needs_psi = true,
        .needs_ridge = false,
        .integrates = true,
        .has_theorem = true,
        .layer_scale = 1,
        .layer_bias = std::nullopt,
        .advice = "use --operator least-squares, or many more --units"},
       make_ridgelet},
      {{.name = "least-squares",
        .needs_psi = false,
        .needs_ridge = true,
        .integrates = false,
        .has_theorem = false,
        .layer_scale = 3,
        .layer_bias = 3,
        .advice = "use more --units, more --points or another --ridge"},
       make_least_squares},
  }};
  return entries;
}

const RegistryEntry& find(const std::string& name) {
  for (const RegistryEntry& entry : registry())
    if (entry.traits.name == name) return entry;
  throw InvalidArgument("operator", unknown_name_complaint(name, operator_names()));
}

}  // namespace

InvalidArgument Operator::impossibility() const {
  return {"operator", "cannot be built for this hidden layer in double precision"};
}

void WeightBlocks::fill(const Operator& op, const Preactivations& at_nodes, const MatrixView& mixed,
                        MatrixSpan weights) {
  // Many columns need a larger piece for the product to run at full speed.
  constexpr Index many_columns = 128;
  const Index units = at_nodes.units(),
              piece = mixed.cols() > many_columns ? blocks_.units : blocks_.share_of(units);
  pieces_.resize(static_cast<std::size_t>(team_threads()));
  for (Matrix& each : pieces_) each.resize(at_nodes.sites(), piece);
  parallel_for_members((units + piece - 1) / piece, [&](int member, Index p) {
    const Index first = p * piece;
    const Index count = std::min(piece, units - first);
    auto analysis = pieces_[static_cast<std::size_t>(member)].leftCols(count);
    at_nodes.evaluate_piece(first, 0, analysis, [&](std::span<double> z) { op.analyse(z); });
    set_transposed_product(weights.middleRows(first, count), analysis, mixed);
  });
}

Matrix output_weights(const Operator& op, const Preactivations& at_nodes, const MatrixView& mixed,
                      const BlockSizes& blocks) {
  Matrix weights(at_nodes.units(), mixed.cols());
  WeightBlocks(blocks).fill(op, at_nodes, mixed, weights);
  return weights;
}

const OperatorTraits& operator_traits(const std::string& name) {
  return find(name).traits;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const RegistryEntry& entry : registry()) names.push_back(entry.traits.name);
  return names;
}

void validate(const OperatorSettings& settings, const Activation& activation, Index dimension) {
  const OperatorTraits& traits = operator_traits(settings.name);
  if (traits.needs_ridge) require_positive(settings.ridge, "ridge");
  if (traits.needs_psi || settings.order) pair_of(settings, activation, dimension);
}

std::unique_ptr<Operator> make_operator(const OperatorSettings& settings, const Activation& activation,
                                        const Nodes& nodes, const HiddenDistribution& distribution,
                                        Index units, const BlockSizes& blocks) {
  validate(settings, activation, nodes.dimension());
  return find(settings.name).make(settings, activation, nodes, distribution, units, blocks);
}

std::unique_ptr<const Operator> make_operator(const OperatorSettings& settings, const Activation& activation,
                                              const Nodes& nodes, const HiddenDistribution& distribution,
                                              const Preactivations& at_nodes, const BlockSizes& blocks) {
  std::unique_ptr<Operator> op =
      make_operator(settings, activation, nodes, distribution, at_nodes.units(), blocks);
  if (!op->condition(at_nodes)) throw op->impossibility();
  return op;
}

}  // namespace ridgelet
