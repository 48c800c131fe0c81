#include "ridgelet/prior/hidden_path.hpp"

namespace ridgelet {

namespace {

/// [m, L], its rows in this order.
Matrix side_by_side(const Vector& m, const Matrix& L, const std::vector<Index>& order) {
  Matrix both(m.size(), 1 + L.cols());
  both << m(order), L(order, Eigen::all);
  return both;
}

/// The pivots of the group of terms with most columns first, if these make more than one stair; then the other nodes.
std::vector<Index> pivots_first(const FactorAtPoints& factor, Index stairs) {
  const auto D = static_cast<std::size_t>(factor.L.rows());
  std::vector<Index> order;
  std::vector<bool> taken(D, false);
  Index start = 0, columns = 0;
  for (std::size_t g = 0; g < factor.group_starts.size(); ++g) {
    const Index end = g + 1 < factor.group_starts.size() ? factor.group_starts[g + 1] : factor.rank();
    if (end - factor.group_starts[g] <= columns) continue;
    start = factor.group_starts[g];
    columns = end - start;
  }
  for (Index r = start; columns > stairs && r < start + columns; ++r) {
    order.push_back(factor.pivots[static_cast<std::size_t>(r)]);
    taken[static_cast<std::size_t>(order.back())] = true;
  }
  for (std::size_t j = 0; j < D; ++j)
    if (!taken[j]) order.push_back(static_cast<Index>(j));
  return order;
}

std::size_t depth(const RidgeletPrior& prior) {
  return static_cast<std::size_t>(prior.options().layers);
}

}  // namespace

HiddenPath::HiddenPath(const RidgeletPrior& prior)
    : prior_(prior),
      node_order_(pivots_first(prior.node_factor(), prior.options().blocks.stairs)),
      nodes_{.points = prior.options().nodes.points(node_order_, Eigen::all),
             .weights = prior.options().nodes.weights(node_order_)},
      operators_(depth(prior)),
      units_(depth(prior), -1),
      bridges_(depth(prior) - 1),
      hidden_values_(
          side_by_side(prior.layer_scale() * prior.node_mean(), prior.node_factor().L, node_order_)),
      output_values_(side_by_side(prior.node_mean(), prior.node_factor().L, node_order_)),
      mixed_(output_values_.rows(), output_values_.cols()),
      nodes_walk_(depth(prior), prior.options().blocks),
      blocks_(prior.options().blocks) {}

bool HiddenPath::build_operator(std::size_t l) {
  const PriorOptions& options = prior_.options();
  const Index units = at_nodes().units();
  if (units != units_[l]) {
    operators_[l] =
        make_operator(options.op, prior_.activation(), nodes_, options.hidden, units, options.blocks);
    units_[l] = units;
  }
  failed_ = l;
  return operators_[l]->condition(at_nodes());
}

bool HiddenPath::condition(const HiddenLayers& layers) {
  layers_ = layers;
  return walk_nodes();
}

bool HiddenPath::condition(HiddenLayers&& layers) {
  layers_ = std::move(layers);
  return walk_nodes();
}

bool HiddenPath::walk_nodes() {
  const PriorOptions& options = prior_.options();
  nodes_walk_.start(layers_.first(), nodes_.points);
  for (std::size_t l = 0; l < bridges_.size(); ++l) {
    if (!build_operator(l)) return false;
    operators_[l]->mix_into(hidden_values_, mixed_);
    Matrix& bridge = bridges_[l];
    bridge.resize(at_nodes().units(), mixed_.cols());
    blocks_.fill(*operators_[l], at_nodes(), mixed_, bridge);
    nodes_walk_.next(prior_.activation(), bridge, layers_[l + 1], options.skip);
  }
  if (!build_operator(bridges_.size())) return false;
  operators_.back()->mix_into(output_values_, mixed_);
  return true;
}

const Preactivations& HiddenPath::at(const MatrixView& X, HiddenWalk& walk) const {
  walk.start(layers_.first(), X);
  for (std::size_t l = 0; l < bridges_.size(); ++l)
    walk.next(prior_.activation(), bridges_[l], layers_[l + 1], prior_.options().skip);
  return walk.here();
}

}  // namespace ridgelet
