#include "ridgelet/prior/iid_prior.hpp"

#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/transform/preactivations.hpp"
#include "ridgelet/transform/unit_adjoint.hpp"

namespace ridgelet {

namespace {

class IidOutput final : public ConditionalOutput {
 public:
  explicit IidOutput(const IidPrior& prior) : prior_(prior) {}

  Index rank() const override { return prior_.units(); }

  bool condition(const HiddenLayers& layers) override {
    layers_ = layers;
    return true;
  }

  void evaluate(const Matrix& X, MatrixSpan values) override {
    X_ = &X;
    const Preactivations at_sites(layers_.first(), X);
    values.col(0).setZero();
    at_sites.evaluate(0, values.rightCols(prior_.units()),
                      [&](std::span<double> z) { prior_.activation().phi(z, z); });
    values.rightCols(prior_.units()) *= prior_.sigma_out();
  }

  void start_pull_back() override {
    layers_bar_ = layers_;
    layers_bar_.set_zero();
  }

  void pull_back(const MatrixView& values_bar) override {
    const UnitRange all{.first = 0, .count = prior_.units()};
    const auto differentiate = [&](int, Index unit, Index site, MatrixSpan z) {
      const std::span<double> numbers(z.data(), static_cast<std::size_t>(z.size()));
      prior_.activation().derivative(numbers, numbers);
      z.array() *= prior_.sigma_out() * values_bar.block(site, 1 + unit, z.rows(), z.cols()).array();
    };
    adjoint_.accumulate(Preactivations(layers_.first(), *X_), all, layers_bar_[0], std::nullopt,
                        BlockSizes{}.sites, differentiate);
  }

  const HiddenLayers& finish_pull_back() override { return layers_bar_; }

  const HiddenLayers& layers() const override { return layers_; }
  const std::vector<Matrix>& bridges() const override { return bridges_; }
  bool skip() const override { return false; }
  std::optional<Matrix> heads() const override { return std::nullopt; }
  Matrix weights_at(const MatrixView& Z) const override { return prior_.sigma_out() * Z; }

 private:
  IidPrior prior_;
  HiddenLayers layers_;
  std::vector<Matrix> bridges_;  ///< none
  const Matrix* X_ = nullptr;    ///< of the last evaluation
  HiddenLayers layers_bar_;
  UnitAdjoint adjoint_;
};

IidPriorOptions validated(IidPriorOptions options) {
  require_at_least(options.units, 1, "units");
  require_at_least(options.dimension, 1, "dimension");
  validate(options.hidden, options.dimension);
  require_positive(options.sigma_out, "sigma_out");
  return options;
}

}  // namespace

IidPrior::IidPrior(IidPriorOptions options) : options_(validated(std::move(options))) {}

HiddenLayers IidPrior::allocate() const {
  return HiddenLayer{.W = Matrix::Zero(options_.units, options_.dimension),
                     .b = Vector::Zero(options_.units)};
}

double IidPrior::output_bytes() const {
  return 8 * static_cast<double>(options_.units * (options_.dimension + 1));
}

double IidPrior::pull_back_bytes(Index) const {
  const BlockSizes blocks;
  return output_bytes() + 8 * static_cast<double>(blocks.sites * blocks.share_of(options_.units));
}

std::unique_ptr<ConditionalOutput> IidPrior::make_output() const {
  return std::make_unique<IidOutput>(*this);
}

}  // namespace ridgelet
