// The workspace behind RidgeletPrior::make_output: given_hidden.hpp has the formulas.
#include "ridgelet/prior/hidden_path.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/transform/feature_product.hpp"

namespace ridgelet {

namespace {

/// Holds B [m, L] (N x (1 + R)) of the last layer, so that any number of inputs can be evaluated block by
/// block.
class RidgeletOutput final : public ConditionalOutput {
 public:
  explicit RidgeletOutput(const RidgeletPrior& prior)
      : prior_(prior), path_(prior), walk_(static_cast<std::size_t>(prior.options().layers)) {}

  Index rank() const override { return prior_.rank(); }

  bool condition(const HiddenLayers& layers) override {
    if (!path_.condition(layers)) return false;
    weights_.resize(path_.at_nodes().units(), 1 + rank());
    blocks_.fill(path_.op(), path_.at_nodes(), path_.mixed(), weights_);
    return true;
  }

  void evaluate(const Matrix& X, MatrixSpan values) override {
    values.setZero();
    product_.accumulate(prior_.activation(), path_.at(X, walk_), weights_, values);
  }

  Vector weights(const VectorView& z) override { return weights_.col(0) + weights_.rightCols(rank()) * z; }

 private:
  const RidgeletPrior& prior_;
  HiddenPath path_;
  HiddenWalk walk_;
  Matrix weights_;  ///< B [m, L]
  WeightBlocks blocks_;
  FeatureProduct product_;
};

}  // namespace

double RidgeletPrior::output_bytes() const {
  const auto D = static_cast<double>(options_.nodes.size()), L = static_cast<double>(options_.layers);
  const double columns = 1 + static_cast<double>(rank()), unit = unit_block;
  const double seen = static_cast<double>(options_.units) * (options_.skip ? (L + 1) / 2 : 1);
  // [m, L] and [s m, L], T of one of them; B [m, L] of every layer and the nodes' walk; blocks of features
  // and their analysis; S and its factor of every layer; a copy of the hidden layers.
  return 8 * (3 * D * columns + L * (seen + D) * columns + unit * (2 * D + columns) + 2 * L * D * D +
              static_cast<double>(parameters()));
}

std::unique_ptr<ConditionalOutput> RidgeletPrior::make_output() const {
  return std::make_unique<RidgeletOutput>(*this);
}

}  // namespace ridgelet
