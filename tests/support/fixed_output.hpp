/// Outputs given the hidden layers that are what a test says they are: at an input whose first number is i, [A m, G] is
/// row i of a given matrix. The object keeps the derivatives that are pulled back.
#pragma once

#include <utility>

#include "ridgelet/prior/layer_prior.hpp"

namespace ridgelet::testing {

class FixedOutput final : public ConditionalOutput {
 public:
  /// `values` is M x (1 + R).
  explicit FixedOutput(Matrix values) : values_(std::move(values)) {}

  Index rank() const override { return values_.cols() - 1; }
  bool condition(const HiddenLayers&) override { return true; }
  void evaluate(const Matrix& X, MatrixSpan values) override {
    for (Index i = 0; i < X.rows(); ++i) values.row(i) = values_.row(static_cast<Index>(X(i, 0)));
    last_ = X.col(0);
  }
  void start_pull_back() override { pulled_back_.setZero(values_.rows(), values_.cols()); }
  void pull_back(const MatrixView& values_bar) override {
    for (Index i = 0; i < values_bar.rows(); ++i)
      pulled_back_.row(static_cast<Index>(last_(i))) += values_bar.row(i);
  }
  const HiddenLayers& finish_pull_back() override { return layers_; }
  const HiddenLayers& layers() const override { return layers_; }
  const std::vector<Matrix>& bridges() const override { return bridges_; }
  bool skip() const override { return false; }
  std::optional<Matrix> heads() const override { return std::nullopt; }
  Matrix weights_at(const MatrixView& Z) const override { return Z; }

  /// Derivatives in `values`, since the start.
  const Matrix& pulled_back() const { return pulled_back_; }

  /// Inputs of the rows 0, 1, ...
  static Matrix rows(Index count) { return Vector::LinSpaced(count, 0, static_cast<double>(count - 1)); }

 private:
  Matrix values_, pulled_back_;
  Vector last_;  ///< rows of the last evaluation
  HiddenLayers layers_;
  std::vector<Matrix> bridges_;
};

}  // namespace ridgelet::testing
