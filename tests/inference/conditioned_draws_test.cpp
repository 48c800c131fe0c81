#include "ridgelet/inference/conditioned_draws.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <optional>

#include "expectations.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "small_posterior.hpp"

namespace ridgelet {
namespace {

using testing::posterior_of;
using testing::relative_error;
using testing::sample_network;
using testing::small_network;
using testing::two_outputs;
using testing::tolerance::two_routes;

/// Another prior that counts how often hidden layers are conditioned on.
class CountingPrior final : public LayerPrior {
 public:
  explicit CountingPrior(const LayerPrior& prior) : prior_(prior) {}

  int conditioned() const { return count_; }

  Index dimension() const override { return prior_.dimension(); }
  const Activation& activation() const override { return prior_.activation(); }
  std::string name() const override { return prior_.name(); }
  HiddenLayers allocate() const override { return prior_.allocate(); }
  void at(const VectorView& xi, HiddenLayers& layers) const override { prior_.at(xi, layers); }
  void pull_back(const VectorView& xi, const HiddenLayers& layers_bar,
                 Eigen::Ref<Vector> xi_bar) const override {
    prior_.pull_back(xi, layers_bar, xi_bar);
  }
  Index rank() const override { return prior_.rank(); }
  double output_bytes() const override { return prior_.output_bytes(); }
  double pull_back_bytes(Index rows) const override { return prior_.pull_back_bytes(rows); }
  std::unique_ptr<ConditionalOutput> make_output() const override {
    return std::make_unique<Output>(prior_.make_output(), count_);
  }

 private:
  class Output final : public ConditionalOutput {
   public:
    Output(std::unique_ptr<ConditionalOutput> output, std::atomic<int>& count)
        : output_(std::move(output)), count_(count) {}

    Index rank() const override { return output_->rank(); }
    bool condition(const HiddenLayers& layers) override {
      ++count_;
      return output_->condition(layers);
    }
    void evaluate(const Matrix& X, MatrixSpan values) override { output_->evaluate(X, values); }
    void start_pull_back() override { output_->start_pull_back(); }
    void pull_back(const MatrixView& values_bar) override { output_->pull_back(values_bar); }
    const HiddenLayers& finish_pull_back() override { return output_->finish_pull_back(); }
    const HiddenLayers& layers() const override { return output_->layers(); }
    const std::vector<Matrix>& bridges() const override { return output_->bridges(); }
    bool skip() const override { return output_->skip(); }
    std::optional<Matrix> heads() const override { return output_->heads(); }
    Matrix weights_at(const MatrixView& Z) const override { return output_->weights_at(Z); }

   private:
    std::unique_ptr<ConditionalOutput> output_;
    std::atomic<int>& count_;
  };

  const LayerPrior& prior_;
  mutable std::atomic<int> count_ = 0;
};

TEST(ConditionedDraws, AreConditionedOnceHoweverManyBlocksArePredicted) {
  const RidgeletPrior prior = small_network();
  const CountingPrior counting(prior);
  const Data data = two_outputs(12);
  const Posterior posterior = posterior_of(counting, data, "x1", sample_network(prior, data, 2, 3));
  const Matrix asked = RandomStream{.seed = 8}.normals(11, 2);
  const PredictiveSummary summary = posterior.predict(asked, {.row_block = 2});
  EXPECT_EQ(counting.conditioned(), 6);
  const Posterior copy = posterior;
  EXPECT_EQ(copy.predict(asked, {.row_block = 2}).sd, summary.sd);
  posterior.covariance(asked);
  EXPECT_EQ(posterior.outputs_at(4, asked).cols(), 1 + prior.rank());
  EXPECT_EQ(counting.conditioned(), 6);
}

TEST(ConditionedDraws, PredictTheSameWhereThereIsNoRoomToKeepThem) {
  const RidgeletPrior prior = small_network();
  const CountingPrior counting(prior);
  const Data data = two_outputs(12);
  const PosteriorDraws draws = sample_network(prior, data, 2, 3);
  const Posterior roomy = posterior_of(prior, data, "x1", draws);
  const Posterior without_room(testing::borrowed<LayerPrior>(counting), testing::borrowed(data),
                               MeanFunction("x1"), draws, 0);
  const Matrix asked = RandomStream{.seed = 8}.normals(11, 2);
  const PredictiveSummary expected = roomy.predict(asked, {.row_block = 2}),
                          summary = without_room.predict(asked, {.row_block = 2});
  EXPECT_EQ(summary.mean, expected.mean);
  EXPECT_EQ(summary.sd, expected.sd);
  EXPECT_EQ(summary.lower, expected.lower);
  EXPECT_EQ(counting.conditioned(), 6 * 6);
}

TEST(ConditionedDraws, OfIndependentWeightsPredictByTheFeaturesAlone) {
  const IidPrior iid({.units = 5, .dimension = 2, .hidden = {.sigma_w = 1, .sigma_b = 2}, .sigma_out = 0.4});
  EXPECT_FALSE(iid.make_output()->heads());
  const Data data = two_outputs(12);
  const PosteriorDraws draws = sample_network(iid, data, 1, 4);
  const Posterior posterior = posterior_of(iid, data, "0", draws);
  const Matrix asked = RandomStream{.seed = 8}.normals(3, 2);
  const PredictiveMixture moments = posterior.moments(asked);
  for (Index s = 0; s < 4; ++s) {
    const auto features = [&](const Matrix& X) {
      const HiddenLayers layers = posterior.layers(s);
      const Matrix z = (X * layers.first().W.transpose()).rowwise() + layers.first().b.transpose();
      return Matrix(0.4 * z.unaryExpr([&](double u) { return iid.activation().phi_scalar(u); }));
    };
    const Matrix G = features(data.X), Gs = features(asked);
    for (Index k = 0; k < 2; ++k) {
      const double s2 = data.noise(k) * data.noise(k);
      const Matrix P = Matrix::Identity(5, 5) + G.transpose() * G / s2;
      const Vector mean = Gs * P.inverse() * (G.transpose() * data.Y.col(k)) / s2;
      EXPECT_LT(relative_error(moments.means.row(s).segment(3 * k, 3).transpose(), mean), two_routes);
      const Vector variance = (Gs * P.inverse() * Gs.transpose()).diagonal();
      EXPECT_LT(relative_error(moments.sds.row(s).segment(3 * k, 3).transpose().cwiseAbs2(), variance),
                two_routes);
    }
  }
}

}  // namespace
}  // namespace ridgelet
