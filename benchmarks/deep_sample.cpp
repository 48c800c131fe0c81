#include <stdexcept>

#include "families.hpp"
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::benchmarks {

namespace {

constexpr double output_tolerance = 1e-8;

/// The deep network of the paper's Section 6.3 at its N = 10,000, with three hidden layers.
RidgeletPrior deep_prior() {
  return RidgeletPrior({.target = {.kernel = parse_kernel("se(amplitude=1, lengthscale=1.5)")},
                        .nodes = grid(6, 50, 1, 5),
                        .units = 10'000,
                        .layers = 3,
                        .op = {.name = "ridgelet"}});
}

/// Definition 1 of the paper with its matrices written out: for each layer Psi (N x D), F = Z L^T (N x D) and
/// the weights F Psi^T, N x N, by which the features at the nodes and inputs are multiplied. Memory is reused.
class DenseNetwork {
 public:
  explicit DenseNetwork(const RidgeletPrior& prior)
      : prior_(prior),
        pair_(prior.activation(), 1),
        scale_(prior.options().hidden.total_measure(1) / static_cast<double>(prior.units()) *
               prior.options().nodes.weights) {}

  /// The outputs at the rows of X for output coordinates z.
  Vector outputs(const HiddenLayers& layers, const Matrix& X, const Vector& z) {
    const Matrix& L = prior_.node_factor().L;
    const Index D = prior_.options().nodes.size(), M = X.rows();
    Matrix inputs(D + M, 1);
    inputs << prior_.options().nodes.points, X;
    features_.noalias() = inputs * layers[0].W.transpose();
    for (std::size_t l = 0;; ++l) {
      features_.rowwise() += layers[l].b.transpose();
      psi_ = features_.topRows(D);
      pair_.psi(span(psi_), span(psi_));
      psi_ = scale_.asDiagonal() * psi_;
      pair_.phi(span(features_), span(features_));
      if (l + 1 == layers.depth()) break;
      F_.noalias() = layers[l + 1].W * L.transpose();
      weights_.noalias() = F_ * psi_;
      next_.noalias() = features_ * weights_.transpose();
      features_.swap(next_);
    }
    const Vector w = psi_.transpose() * (L * z);
    return features_.bottomRows(M) * w;
  }

 private:
  static std::span<double> span(Matrix& matrix) {
    return {matrix.data(), static_cast<std::size_t>(matrix.size())};
  }

  const RidgeletPrior& prior_;
  ActivationPair pair_;
  Vector scale_;     ///< v u_j
  Matrix features_;  ///< at nodes and inputs, (D + M) x N
  Matrix next_;
  Matrix psi_;      ///< Psi^T, D x N
  Matrix F_;        ///< N x D
  Matrix weights_;  ///< N x N
};

}  // namespace

Measurement deep_sample() {
  const RidgeletPrior prior = deep_prior();
  const Matrix X = Vector::LinSpaced(50, -5, 5);
  const auto layers = [&](Index i) { return prior.draw_hidden(1, static_cast<std::uint32_t>(i % 4)); };
  const std::vector<HiddenLayers> hidden = {layers(0), layers(1), layers(2), layers(3)};
  const Vector z = RandomStream{.seed = 1, .purpose = Purpose::output_weights}.normals(prior.rank());
  const auto chosen = [&](Index i) -> const HiddenLayers& { return hidden[static_cast<std::size_t>(i) % 4]; };
  const auto output = prior.make_output();
  Matrix values(X.rows(), 1 + prior.rank());
  const auto ours = [&](Index i) -> Vector {
    if (!output->condition(chosen(i))) throw std::runtime_error("the hidden layers are impossible");
    output->evaluate(X, values);
    return values.col(0) + values.rightCols(prior.rank()) * z;
  };
  DenseNetwork dense(prior);
  const Vector expected = dense.outputs(chosen(0), X, z);
  const double off = (ours(0) - expected).norm() / expected.norm();
  require_agreement(off, output_tolerance, "outputs of a deep network");
  Vector sink;
  return compare_sides({{"ours", Threads::ours, [&](Index i) { sink = ours(i); }},
                        {"textbook", Threads::blas, [&](Index i) { sink = dense.outputs(chosen(i), X, z); }}},
                       5, off);
}

}  // namespace ridgelet::benchmarks
