#include "ridgelet/prior/hidden_path.hpp"

namespace ridgelet {

namespace {

Matrix side_by_side(const Vector& m, const Matrix& L) {
  Matrix both(m.size(), 1 + L.cols());
  both << m, L;
  return both;
}

std::size_t depth(const RidgeletPrior& prior) {
  return static_cast<std::size_t>(prior.options().layers);
}

}  // namespace

HiddenPath::HiddenPath(const RidgeletPrior& prior)
    : prior_(prior),
      operators_(depth(prior)),
      units_(depth(prior), -1),
      bridges_(depth(prior) - 1),
      hidden_values_(side_by_side(prior.layer_scale() * prior.node_mean(), prior.node_factor().L)),
      output_values_(side_by_side(prior.node_mean(), prior.node_factor().L)),
      mixed_(output_values_.rows(), output_values_.cols()),
      nodes_walk_(depth(prior), prior.options().blocks),
      blocks_(prior.options().blocks) {}

bool HiddenPath::build_operator(std::size_t l) {
  const PriorOptions& options = prior_.options();
  const Index units = at_nodes().units();
  if (units != units_[l]) {
    operators_[l] =
        make_operator(options.op, prior_.activation(), options.nodes, options.hidden, units, options.blocks);
    units_[l] = units;
  }
  failed_ = l;
  return operators_[l]->condition(at_nodes());
}

bool HiddenPath::condition(const HiddenLayers& layers) {
  const PriorOptions& options = prior_.options();
  layers_ = layers;
  nodes_walk_.start(layers_.first(), options.nodes.points);
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
