// The workspace behind RidgeletPrior::make_output: given_hidden.hpp has the formulas.
#include <utility>

#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/transform/feature_product.hpp"

namespace ridgelet {

namespace {

/// Holds B [m, L] (N x (1 + R)) for the layer, so that any number of inputs can be evaluated block by block.
class RidgeletOutput final : public ConditionalOutput {
 public:
  explicit RidgeletOutput(const RidgeletPrior& prior)
      : prior_(prior),
        op_(make_operator(prior.options().op, prior.pair(), prior.options().nodes, prior.options().hidden,
                          prior.units())),
        node_values_(prior.options().nodes.size(), 1 + prior.rank()),
        mixed_(node_values_.rows(), node_values_.cols()),
        weights_(prior.units(), node_values_.cols()) {
    node_values_ << prior.node_mean(), prior.node_factor().L;
  }

  Index rank() const override { return node_values_.cols() - 1; }

  void condition(const HiddenLayer& layer) override {
    layer_ = &layer;
    const Preactivations at_nodes(layer, prior_.options().nodes.points);
    op_->condition(at_nodes);
    op_->mix_into(node_values_, mixed_);
    blocks_.for_each(*op_, at_nodes, mixed_, [&](Index first, const MatrixView& rows) {
      weights_.middleRows(first, rows.rows()) = rows;
    });
  }

  void evaluate(const Matrix& X, MatrixSpan values) override {
    const Preactivations at_sites(*layer_, X);
    values.setZero();
    product_.accumulate(prior_.pair(), at_sites, weights_, values);
  }

  Vector weights(const VectorView& z) override { return weights_.col(0) + weights_.rightCols(rank()) * z; }

 private:
  const RidgeletPrior& prior_;
  std::unique_ptr<Operator> op_;
  Matrix node_values_;  ///< [m, L]
  Matrix mixed_;        ///< T [m, L]
  Matrix weights_;      ///< B [m, L]
  WeightBlocks blocks_;
  FeatureProduct product_;
  const HiddenLayer* layer_ = nullptr;
};

}  // namespace

double RidgeletPrior::output_bytes() const {
  const auto D = static_cast<double>(options_.nodes.size()), N = static_cast<double>(units());
  const double columns = 1 + static_cast<double>(rank());
  // [m, L], T [m, L] and B [m, L]; blocks of features and their analysis; S and its factor.
  return 8 * ((2 * D + N) * columns + unit_block * (2 * D + columns) + 2 * D * D);
}

std::unique_ptr<ConditionalOutput> RidgeletPrior::make_output() const {
  return std::make_unique<RidgeletOutput>(*this);
}

}  // namespace ridgelet
