#include "ridgelet/inference/collapsed_density.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "network_chain.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::borrowed;
using testing::NetworkChain;

RidgeletPrior density_prior(Index units = 5, const std::string& op = "least-squares") {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(lengthscale=1)"), .mean = MeanFunction("0.2*x1")},
       .nodes = grid(3, 4, 2, 3),
       .units = units,
       .hidden = {.sigma_w = 1, .sigma_b = 2},
       .op = {.name = op, .ridge = 1e-2}});
}

Data density_data(Index rows) {
  return {.X = RandomStream{.seed = 5}.normals(rows, 2),
          .Y = RandomStream{.seed = 6}.normals(rows, 2),
          .noise = Vector::LinSpaced(2, 0.3, 0.5)};
}

TEST(CollapsedDensity, IsTheLikelihoodOfTheLayersAtItsCoordinates) {
  const RidgeletPrior prior = density_prior();
  const Data data = density_data(6);
  CollapsedDensity density(borrowed<LayerPrior>(prior), borrowed(data));
  EXPECT_EQ(density.dimension(), 15);
  const Vector xi = RandomStream{.seed = 3}.normals(15);
  const double value = density(xi);
  EXPECT_EQ(density.layers().first().W, Matrix(xi.head(10).reshaped(5, 2)));
  EXPECT_EQ(density.layers().first().b, 2 * xi.tail(5));
  EXPECT_EQ(value, CollapsedLikelihood(prior, data)(density.layers()));
}

TEST(CollapsedDensity, MovesToAPlaceOnlyIfItIsElsewhere) {
  const RidgeletPrior prior = density_prior();
  const Data data = density_data(6);
  CollapsedDensity density(borrowed<LayerPrior>(prior), borrowed(data));
  const Vector here = RandomStream{.seed = 3}.normals(15), there = RandomStream{.seed = 4}.normals(15);
  density(here);
  const Matrix z = density.draw_coordinates({.seed = 1});
  density(there);
  EXPECT_NE(density.draw_coordinates({.seed = 1}), z);
  density.move_to(here);
  EXPECT_EQ(density.draw_coordinates({.seed = 1}), z);
  EXPECT_EQ(density.layers().first().b, 2 * here.tail(5));
}

TEST(CollapsedDensity, DrawsCoordinatesOfEachOutputFromNumbersOfItsOwn) {
  const RidgeletPrior prior = density_prior();
  // Fewer rows than coordinates and more; both outputs are the same data.
  for (const Index rows : {6, 40}) {
    Data data = density_data(rows);
    data.Y.col(1) = data.Y.col(0);
    data.noise(1) = data.noise(0);
    CollapsedDensity density(borrowed<LayerPrior>(prior), borrowed(data));
    density(RandomStream{.seed = 3}.normals(15));
    const Matrix z = density.draw_coordinates({.seed = 1});
    EXPECT_EQ(z.rows(), prior.rank());
    EXPECT_EQ(z.cols(), 2);
    EXPECT_GT((z.col(0) - z.col(1)).cwiseAbs().minCoeff(), 1e-6);
    EXPECT_EQ(z, density.draw_coordinates({.seed = 1}));
  }
}

// Seeds 2^48 apart once shared the stream of the second output of one with that of the first of the other.
TEST(CollapsedDensity, SharesNoNumbersWithAnotherSeed) {
  const RidgeletPrior prior = density_prior();
  Data data = density_data(6);
  data.Y.col(1) = data.Y.col(0);
  data.noise(1) = data.noise(0);
  CollapsedDensity density(borrowed<LayerPrior>(prior), borrowed(data));
  density(RandomStream{.seed = 3}.normals(15));
  const Matrix z = density.draw_coordinates({.seed = 1});
  for (int bit = 0; bit < 64; ++bit) {
    const Matrix other = density.draw_coordinates({.seed = 1 + (std::uint64_t{1} << bit)});
    for (Index k = 0; k < 2; ++k)
      for (Index l = 0; l < 2; ++l)
        EXPECT_GT((z.col(k) - other.col(l)).norm(), 1e-6) << "bit " << bit << ", outputs " << k << ", " << l;
  }
}

/// Positions, densities and coordinates of every step of every chain.
std::vector<std::vector<Vector>> visited(const LayerPrior& prior, const Data& data, std::uint32_t count,
                                         int threads) {
  const ThreadScope scope(threads);
  std::vector<std::shared_ptr<CollapsedDensity>> densities;
  std::vector<Chain> chains;
  for (std::uint32_t i = 0; i < count; ++i) {
    densities.push_back(std::make_shared<CollapsedDensity>(borrowed(prior), borrowed(data)));
    chains.emplace_back(densities.back(), 1, i);
  }
  std::vector<std::vector<Vector>> all(count);
  run_chains(
      chains, 6,
      [&](const Chain& chain, int evaluations) {
        auto& own = all[chain.index()];
        const RandomStream stream = chain.stream(Purpose::chain_coordinates);
        own.push_back(chain.position());
        own.push_back(densities[chain.index()]->draw_coordinates(stream).reshaped());
        own.push_back(Vector::Constant(1, chain.log_density()));
        own.push_back(Vector::Constant(1, evaluations));
      },
      [] { return false; });
  return all;
}

// One chain has the threads inside its likelihood, four share them; 300 units are two blocks.
TEST(CollapsedDensity, TakesChainsThroughTheSameBitsForAnyNumberOfThreads) {
  for (const std::uint32_t count : {1u, 4u}) {
    for (const Index rows : {6, 600}) {
      const Data data = density_data(rows);
      const RidgeletPrior ridgelet = density_prior(300, "ridgelet"), least_squares = density_prior(300);
      const IidPrior iid({.units = 70, .dimension = 2, .sigma_out = 0.1});
      for (const LayerPrior* prior :
           {static_cast<const LayerPrior*>(&ridgelet), static_cast<const LayerPrior*>(&least_squares),
            static_cast<const LayerPrior*>(&iid)}) {
        const auto one = visited(*prior, data, count, 1);
        EXPECT_EQ(one.front().size(), 24u);
        for (const int threads : {2, 4, 5})
          EXPECT_TRUE(one == visited(*prior, data, count, threads))
              << prior->name() << ", " << rows << " rows, " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace ridgelet
