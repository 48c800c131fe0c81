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

/// One entry for each operator.
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

std::optional<MatrixView> Operator::analysed(Index, Index) const {
  return std::nullopt;
}

void WeightBlocks::find_stairs(const MatrixView& mixed) {
  const auto first_node = [&](Index column) {
    Index node = 0;
    while (node < mixed.rows() && mixed(node, column) == 0) ++node;
    return node;
  };
  stairs_.clear();
  for (Index column = 0; column < mixed.cols(); column += blocks_.stairs) {
    const Index columns = std::min(blocks_.stairs, mixed.cols() - column);
    Index node = mixed.rows();
    for (Index c = column; c < column + columns && node > 0; ++c) node = std::min(node, first_node(c));
    if (!stairs_.empty() && stairs_.back().first_node == node)
      stairs_.back().columns += columns;
    else
      stairs_.push_back({.column = column, .columns = columns, .first_node = node});
  }
}

void WeightBlocks::fill(const Operator& op, const Preactivations& at_nodes, const MatrixView& mixed,
                        MatrixSpan weights, Index first) {
  // Many columns need a larger piece for the product to run at full speed.
  constexpr Index many_columns = 128;
  const Index units = weights.rows(),
              piece = mixed.cols() > many_columns ? blocks_.units : blocks_.share_of(units);
  pieces_.resize(static_cast<std::size_t>(team_threads()));
  for (Matrix& each : pieces_)
    if (each.rows() != at_nodes.sites() || each.cols() < piece) each.resize(at_nodes.sites(), piece);
  find_stairs(mixed);
  const auto multiply = [&](const MatrixView& analysis, MatrixSpan rows) {
    for (const auto& [column, columns, node] : stairs_) {
      const Index below = mixed.rows() - node;
      set_transposed_product(rows.middleCols(column, columns), analysis.bottomRows(below),
                             mixed.block(node, column, below, columns));
    }
  };
  parallel_for_members((units + piece - 1) / piece, [&](int member, Index p) {
    const Index i = p * piece, count = std::min(piece, units - i);
    if (const auto known = op.analysed(first + i, count))
      return multiply(*known, weights.middleRows(i, count));
    auto analysis = pieces_[static_cast<std::size_t>(member)].leftCols(count);
    at_nodes.evaluate_piece(first + i, 0, analysis, [&](std::span<double> z) { op.analyse(z); });
    multiply(analysis, weights.middleRows(i, count));
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
