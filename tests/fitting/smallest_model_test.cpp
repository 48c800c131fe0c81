#include "ridgelet/fitting/smallest_model.hpp"

#include <gtest/gtest.h>

#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet {
namespace {

ModelSettings settings() {
  ModelSettings wanted;
  wanted.kernel = "se(amplitude=2, lengthscale=2)";
  wanted.points = 60;
  return wanted;
}

TEST(SmallestModel, BuildsThePriorWhoseErrorWasMeasured) {
  const SmallestModel found =
      smallest_model(settings(), region_of(settings()), {.error = 0.1, .points = {}}, 4);
  ASSERT_TRUE(found.search.reached);
  const Model model = build_model(found.settings);
  EXPECT_TRUE(model.trials.empty());
  const Matrix points = evaluation_points(model.domain, 200, 4);
  const double mrmse =
      error_over_replicates(model.prior, points, {.replicates = 5, .seed = 4}).largest().mean;
  EXPECT_NEAR(mrmse, 2 * found.search.chosen.error, 1e-9);
}

TEST(SmallestModel, KeepsWhatIsGiven) {
  ModelSettings given = settings();
  given.units = 30;
  given.sigma_b = 7;
  const SmallestModel found = smallest_model(given, region_of(given), {.error = 0.1, .points = {}});
  EXPECT_EQ(found.settings.units, 30);
  EXPECT_EQ(found.settings.sigma_b, 7);
  EXPECT_EQ(found.search.path.size(), 1U);
}

}  // namespace
}  // namespace ridgelet
