#include "ridgelet/prior/sparsity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/hidden_path.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::standard_errors;

RidgeletPrior sparse_prior(Index units) {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("matern32(lengthscale=1.5)"), .mean = MeanFunction("1")},
       .nodes = grid(3, 8, 1, 3),
       .units = units,
       .layers = 3,
       .hidden = {.sigma_w = 1.5, .sigma_b = 4},
       .op = {.name = "least-squares", .ridge = 1e-2}});
}

Matrix weights_into(const RidgeletPrior& prior, const HiddenLayers& layers, std::size_t l) {
  HiddenPath path(prior);
  EXPECT_TRUE(path.condition(layers));
  return dense_weights(path.bridges()[l - 1], layers[l]);
}

TEST(Sparsity, LeavesExactZerosWhereThePatternSays) {
  const RidgeletPrior prior = sparse_prior(12);
  // A band, as in a convolution of width 7 on a ring.
  const auto band = [](Index, Index unit) {
    std::vector<Index> zeros;
    for (Index j = 0; j < 5; ++j) zeros.push_back((unit + 4 + j) % 12);
    return zeros;
  };
  const HiddenLayers layers = condition_on_zeros(prior, prior.draw_hidden(3), band);
  for (const std::size_t l : {1, 2}) {
    const Matrix weights = weights_into(prior, layers, l);
    const double scale = weights.cwiseAbs().maxCoeff();
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < 12; ++j) {
        const bool zero = (j - i + 24 - 4) % 12 < 5;
        EXPECT_EQ(std::abs(weights(i, j)) < 1e-10 * scale, zero) << l << ", " << i << ", " << j;
      }
  }
}

TEST(Sparsity, LeavesALayerWithoutZerosAsItIs) {
  const RidgeletPrior prior = sparse_prior(12);
  const HiddenLayers layers = prior.draw_hidden(3);
  const HiddenLayers same =
      condition_on_zeros(prior, layers, [](Index, Index) { return std::vector<Index>(); });
  EXPECT_EQ(same.packed(), layers.packed());
}

// The known answer: the normal distribution of the other weights given that two are zero, with covariance
//   S - S_z S_zz^{-1} S_z^T.
TEST(Sparsity, DrawsFromTheConditionalDistributionNotFromTheMarginal) {
  const Index units = 40'000;
  const RidgeletPrior wide = sparse_prior(units), small = sparse_prior(6);
  HiddenLayers layers = small.draw_hidden(2);
  // Many units in the second layer, all on the same six of the first, are many draws of one distribution.
  const HiddenLayer many = wide.draw_hidden(5)[1];
  layers[1] = many;
  HiddenPath path(small);
  ASSERT_TRUE(path.condition(layers));
  const Matrix bridge = path.bridges()[0];
  const std::vector<Index> zeros = {1, 4}, others = {0, 2, 3, 5};
  const HiddenLayers given = condition_on_zeros(
      small, layers, [&](Index layer, Index) { return layer == 1 ? zeros : std::vector<Index>(); });
  const Matrix weights = dense_weights(bridge, given[1]);
  const double s = small.layer_scale();
  const Matrix B = bridge.rightCols(small.rank());
  const Matrix S = s * s * B * B.transpose();
  const Vector m = bridge.col(0);
  const Matrix cross = S(others, zeros), among = S(zeros, zeros);
  const Matrix gain = cross * among.inverse();
  const Vector mean = m(others) - gain * m(zeros);
  const Matrix covariance = S(others, others) - gain * cross.transpose();
  const Matrix found = weights(Eigen::all, others);
  const Vector found_mean = found.colwise().mean();
  const Matrix centred = found.rowwise() - found_mean.transpose();
  const double n = static_cast<double>(units);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(found_mean(j), mean(j), standard_errors * std::sqrt(covariance(j, j) / n) + 1e-12);
    for (Index k = 0; k < 4; ++k) {
      const double spread =
          std::sqrt((covariance(j, j) * covariance(k, k) + covariance(j, k) * covariance(j, k)) / n);
      EXPECT_NEAR(centred.col(j).dot(centred.col(k)) / n, covariance(j, k), standard_errors * spread);
    }
  }
}

TEST(Sparsity, RefusesPatternsThatLeaveNoFreedomOrNameNoUnit) {
  const RidgeletPrior prior = sparse_prior(12);
  const auto refusal = [&](const std::vector<Index>& zeros) {
    return complaint_of(
        [&] { condition_on_zeros(prior, prior.draw_hidden(3), [&](Index, Index) { return zeros; }); });
  };
  EXPECT_NE(refusal({0, 1, 2, 3, 4, 5, 6, 7, 8}).find("zeros: must be fewer than"), std::string::npos);
  EXPECT_EQ(refusal({12}), "zeros: must be units from 0 to 11, got 12");
}

}  // namespace
}  // namespace ridgelet
