// The deep networks of the paper's Section 6.3: the process of Section 6.1, 50 nodes, 1,000 units a layer.
// The expected MMD^2, of 1,000 draws at 50 inputs, are those of an independent implementation.
#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/assess/approximation.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

double mmd2(const std::string& op, Index layers) {
  const ThreadScope threads(2);
  const RidgeletPrior prior({.target = {.kernel = parse_kernel("se(amplitude=1, lengthscale=1.5)")},
                             .nodes = grid(6, 50, 1, 5),
                             .units = 1000,
                             .layers = layers,
                             .hidden = {.sigma_w = 3, .sigma_b = 12},
                             .op = {.name = op}});
  const Matrix points = Vector::LinSpaced(50, -5, 5);
  return assess_approximation(prior, points, points, {.replicates = 1, .mmd_draws = 1000, .seed = 1})
      .mmd2->value;
}

// With one layer the value itself is small and varies between seeds by a third; with more it is known well.
TEST(Section63, TheRidgeletOperatorLosesTheProcessWithDepth) {
  EXPECT_NEAR(mmd2("ridgelet", 1), 0.009, 0.0045);
  const double expected[] = {0.24, 0.086, 0.098, 0.084};
  for (Index layers = 2; layers <= 5; ++layers)
    EXPECT_NEAR(mmd2("ridgelet", layers), expected[layers - 2], 0.15 * expected[layers - 2])
        << layers << " layers";
}

TEST(Section63, LeastSquaresStaysWithTheProcessAtAnyDepth) {
  for (const Index layers : {1, 3, 5}) EXPECT_LE(mmd2("least-squares", layers), 0.003) << layers << " layers";
}

}  // namespace
}  // namespace ridgelet
