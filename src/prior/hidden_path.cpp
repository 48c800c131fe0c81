#include "ridgelet/prior/hidden_path.hpp"

#include <cmath>
#include <limits>

namespace ridgelet {

namespace {

/// [m, L] with its rows in the given order.
Matrix side_by_side(const Vector& m, const Matrix& L, const std::vector<Index>& order) {
  Matrix both(m.size(), 1 + L.cols());
  both << m(order), L(order, Eigen::all);
  return both;
}

/// An order of the nodes: first the pivots of the group of terms with the most columns, if these columns make more than
/// one stair; then the other nodes.
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

/// Whether |W_i . x + b_i| is beyond the cutoff at all x of a box, even when it is computed with rounding errors.
template <class Weights>
bool out_of_reach(const Weights& W, double b, const Vector& centre, const Vector& half_widths,
                  double cutoff) {
  double at_centre = b, change = 0, size = std::abs(b);
  for (Index k = 0; k < W.size(); ++k) {
    at_centre += W(k) * centre(k);
    change += std::abs(W(k)) * half_widths(k);
    size += std::abs(W(k)) * (std::abs(centre(k)) + half_widths(k));
  }
  const double rounding = 4 * static_cast<double>(W.size() + 2) * std::numeric_limits<double>::epsilon();
  return std::abs(at_centre) - change - rounding * size > cutoff;
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
      centre_(0.5 * (nodes_.points.colwise().maxCoeff() + nodes_.points.colwise().minCoeff()).transpose()),
      half_widths_(0.5 *
                   (nodes_.points.colwise().maxCoeff() - nodes_.points.colwise().minCoeff()).transpose()),
      operators_(depth(prior)),
      units_(depth(prior), -1),
      bridges_(depth(prior) - 1),
      hidden_values_(
          side_by_side(prior.layer_scale() * prior.node_mean(), prior.node_factor().L, node_order_)),
      output_values_(side_by_side(prior.node_mean(), prior.node_factor().L, node_order_)),
      mixed_(output_values_.rows(), output_values_.cols()),
      nodes_walk_(depth(prior), prior.options().blocks),
      blocks_(prior.options().blocks) {}

void HiddenPath::make_operator_of(std::size_t l, Index units) {
  const PriorOptions& options = prior_.options();
  if (units == units_[l]) return;
  operators_[l] =
      make_operator(options.op, prior_.activation(), nodes_, options.hidden, units, options.blocks);
  units_[l] = units;
}

bool HiddenPath::condition_operator(std::size_t l) {
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

void HiddenPath::find_units_in_reach() {
  in_reach_.clear();
  const auto cutoff = bridges_.empty() ? operators_.front()->cutoff() : std::nullopt;
  if (!cutoff) return;
  const HiddenLayer& layer = layers_.first();
  const Index N = layer.units();
  // Room for all, so that a layer with more units in reach than the last one takes no memory.
  in_reach_.reserve(static_cast<std::size_t>(N));
  layer_in_reach_.W.resize(N, layer.dimension());
  layer_in_reach_.b.resize(N);
  const auto keep = [&](Index i) {
    const auto place = static_cast<Index>(in_reach_.size());
    layer_in_reach_.W.row(place) = layer.W.row(i);
    layer_in_reach_.b(place) = layer.b(i);
    in_reach_.push_back(i);
  };
  for (Index i = 0; i < N; ++i)
    if (!out_of_reach(layer.W.row(i), layer.b(i), centre_, half_widths_, *cutoff)) keep(i);
  // So that no sum is empty, at least one unit is kept: its weight is zero and does no harm.
  if (in_reach_.empty()) keep(0);
  if (static_cast<Index>(in_reach_.size()) == N) in_reach_.clear();
}

void HiddenPath::start(HiddenWalk& walk, const MatrixView& X) const {
  if (in_reach_.empty())
    walk.start(layers_.first(), X);
  else
    walk.start(layer_in_reach_, X, static_cast<Index>(in_reach_.size()));
}

Matrix HiddenPath::of_all_units(Matrix rows) const {
  if (in_reach_.empty()) return rows;
  Matrix all = Matrix::Zero(units(), rows.cols());
  all(in_reach_, Eigen::all) = rows;
  return all;
}

bool HiddenPath::walk_nodes() {
  const PriorOptions& options = prior_.options();
  make_operator_of(0, layers_.first().units());
  find_units_in_reach();
  start(nodes_walk_, nodes_.points);
  for (std::size_t l = 0; l < bridges_.size(); ++l) {
    if (!condition_operator(l)) return false;
    operators_[l]->mix_into(hidden_values_, mixed_);
    Matrix& bridge = bridges_[l];
    bridge.resize(at_nodes().units(), mixed_.cols());
    blocks_.fill(*operators_[l], at_nodes(), mixed_, bridge);
    nodes_walk_.next(prior_.activation(), bridge, layers_[l + 1], options.skip);
    make_operator_of(l + 1, at_nodes().units());
  }
  if (!condition_operator(bridges_.size())) return false;
  operators_.back()->mix_into(output_values_, mixed_);
  return true;
}

const Preactivations& HiddenPath::at(const MatrixView& X, HiddenWalk& walk) const {
  start(walk, X);
  for (std::size_t l = 0; l < bridges_.size(); ++l)
    walk.next(prior_.activation(), bridges_[l], layers_[l + 1], prior_.options().skip);
  return walk.here();
}

}  // namespace ridgelet
