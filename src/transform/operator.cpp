#include "ridgelet/transform/operator.hpp"

#include <algorithm>
#include <array>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/transform/least_squares_operator.hpp"
#include "ridgelet/transform/ridgelet_operator.hpp"

namespace ridgelet {

namespace {

using MakeOperator = std::unique_ptr<Operator> (*)(const OperatorSettings&, const ActivationPair&,
                                                   const Nodes&, const HiddenDistribution&, Index units);

struct RegistryEntry {
  const char* name;
  bool needs_ridge;
  MakeOperator make;
};

std::unique_ptr<Operator> make_ridgelet(const OperatorSettings&, const ActivationPair& pair,
                                        const Nodes& nodes, const HiddenDistribution& distribution,
                                        Index units) {
  return std::make_unique<RidgeletOperator>(pair, nodes, distribution.total_measure(nodes.dimension()),
                                            units);
}

std::unique_ptr<Operator> make_least_squares(const OperatorSettings& settings, const ActivationPair& pair,
                                             const Nodes& nodes, const HiddenDistribution&, Index) {
  return std::make_unique<LeastSquaresOperator>(pair, nodes, settings.ridge);
}

/// The registry: one line an operator.
constexpr std::array registry = {
    RegistryEntry{"ridgelet", false, make_ridgelet},
    RegistryEntry{"least-squares", true, make_least_squares},
};

const RegistryEntry& find(const std::string& name) {
  for (const RegistryEntry& entry : registry)
    if (entry.name == name) return entry;
  throw InvalidArgument("operator", unknown_name_complaint(name, operator_names()));
}

}  // namespace

void WeightBlocks::fill(const Operator& op, const Preactivations& at_nodes, const MatrixView& mixed,
                        MatrixSpan weights) {
  // Many columns need a larger piece for the product to run at full speed.
  constexpr Index many_columns = 128;
  const Index units = at_nodes.units(), piece = mixed.cols() > many_columns ? unit_block : unit_share(units);
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

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const RegistryEntry& entry : registry) names.emplace_back(entry.name);
  return names;
}

void validate(const OperatorSettings& settings) {
  if (find(settings.name).needs_ridge) require_positive(settings.ridge, "ridge");
}

std::unique_ptr<Operator> make_operator(const OperatorSettings& settings, const ActivationPair& pair,
                                        const Nodes& nodes, const HiddenDistribution& distribution,
                                        Index units) {
  validate(settings);
  return find(settings.name).make(settings, pair, nodes, distribution, units);
}

std::unique_ptr<const Operator> make_operator(const OperatorSettings& settings, const ActivationPair& pair,
                                              const Nodes& nodes, const HiddenDistribution& distribution,
                                              const Preactivations& at_nodes) {
  std::unique_ptr<Operator> op = make_operator(settings, pair, nodes, distribution, at_nodes.units());
  op->condition(at_nodes);
  return op;
}

}  // namespace ridgelet
