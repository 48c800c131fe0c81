#include "ridgelet/linalg/rank_revealing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <numbers>
#include <set>

#include "expectations.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

/// k(x_i, x_j) for a function of the distance between rows.
template <class Function>
Matrix stationary(const Matrix& X, Function&& k) {
  Matrix K(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) K(i, j) = k((X.row(i) - X.row(j)).norm());
  return K;
}

Matrix smooth_covariance(Index n) {
  const double lengthscale = 1.5;
  return stationary(Vector::LinSpaced(n, -6, 6),
                    [&](double r) { return std::exp(-r * r / (2 * lengthscale * lengthscale)); });
}

Matrix rough_covariance(Index n) {
  return stationary(Vector::LinSpaced(n, -6, 6), [](double r) { return std::exp(-r); });
}

TEST(RankRevealingFactor, GivesTheCovarianceBackWithinItsTolerance) {
  for (const Matrix& K : {smooth_covariance(200), rough_covariance(200)}) {
    const auto factor = factorise(K, "kernel");
    EXPECT_LT(relative_error(factor.L * factor.L.transpose(), K), two_routes);
  }
}

TEST(RankRevealingFactor, DropsAtMostItsToleranceOfTheTrace) {
  const Matrix K = smooth_covariance(200);
  const auto factor = factorise(K, "kernel");
  // What is left on the diagonal is not negative, so no cancellation hides in the trace; the rounding of 200
  // sums of squares is far below the tolerance.
  const double dropped = (K.diagonal() - factor.L.rowwise().squaredNorm()).cwiseAbs().sum();
  EXPECT_LE(dropped, rank_tolerance * K.trace());
}

TEST(RankRevealingFactor, IsThinForASmoothCovarianceAndSquareForARoughOne) {
  const Index smooth = factorise(smooth_covariance(200), "kernel").rank();
  EXPECT_GE(smooth, 20);
  EXPECT_LE(smooth, 30);
  EXPECT_EQ(factorise(rough_covariance(200), "kernel").rank(), 200);
}

TEST(RankRevealingFactor, FindsTheRankOfKernelsThatHaveOne) {
  const Matrix X = RandomStream{.seed = 1}.normals(40, 3);
  EXPECT_EQ(factorise(Matrix::Constant(40, 40, 2.25), "kernel").rank(), 1);
  EXPECT_EQ(factorise(X * X.transpose(), "kernel").rank(), 3);
  const Matrix cosine = stationary(X.leftCols(1), [](double r) { return std::cos(2 * M_PI * r / 1.8); });
  EXPECT_EQ(factorise(cosine, "kernel").rank(), 2);
}

TEST(RankRevealingFactor, HasNoColumnsForAFunctionThatIsZero) {
  const auto factor = factorise(Matrix::Zero(5, 5), "kernel");
  EXPECT_EQ(factor.rank(), 0);
  EXPECT_EQ(factor.L.rows(), 5);
  EXPECT_TRUE(factor.pivots.empty());
}

TEST(RankRevealingFactor, HasARankFreeOfScale) {
  const Matrix K = smooth_covariance(100);
  const Index rank = factorise(K, "kernel").rank();
  EXPECT_EQ(factorise(0x1p-40 * K, "kernel").rank(), rank);
  EXPECT_EQ(factorise(0x1p40 * K, "kernel").rank(), rank);
}

TEST(RankRevealingFactor, IsLowerTriangularInTheOrderOfItsPivots) {
  const auto factor = factorise(smooth_covariance(60), "kernel");
  ASSERT_EQ(static_cast<Index>(factor.pivots.size()), factor.rank());
  EXPECT_EQ(std::set<Index>(factor.pivots.begin(), factor.pivots.end()).size(), factor.pivots.size());
  const Matrix triangle = factor.L(factor.pivots, Eigen::all);
  EXPECT_EQ(triangle.triangularView<Eigen::StrictlyUpper>().toDenseMatrix(),
            Matrix::Zero(factor.rank(), factor.rank()));
  EXPECT_GT(triangle.diagonal().minCoeff(), 0);
}

TEST(RankRevealingFactor, TakesTheLargestRemainingVarianceFirst) {
  const Vector variances{{1, 9, 4, 16}};
  const auto factor = factorise(variances.asDiagonal(), "kernel");
  EXPECT_EQ(factor.pivots, (std::vector<Index>{3, 1, 2, 0}));
}

TEST(RankRevealingFactor, HasCoordinatesThatAgreeAtThePivots) {
  const Matrix F = RandomStream{.seed = 9}.normals(30, 4);
  const auto factor = factorise(F * F.transpose(), "kernel");
  const Matrix values = RandomStream{.seed = 10}.normals(factor.rank(), 5);
  const Matrix reached = factor.L(factor.pivots, Eigen::all) * factor.coordinates(values);
  EXPECT_LT(relative_error(reached, values), two_routes);
}

TEST(RankRevealingFactor, HasItsOwnRowsAsTheCoordinatesOfTheCovariance) {
  // E[z f(x_j)] for f = L z is the j-th row of L.
  const Matrix K = rough_covariance(50);
  const auto factor = factorise(K, "kernel");
  EXPECT_LT(relative_error(factor.coordinates(K(factor.pivots, Eigen::all)), factor.L.transpose()),
            two_routes);
}

/// The columns of a matrix on demand, and how many were read.
struct CountedColumns {
  Matrix K;
  Index reads = 0;
  CovarianceColumns columns() {
    return {.diagonal = K.diagonal(), .read_column = [this](Index j, Vector& column) {
              ++reads;
              column = K.col(j);
            }};
  }
};

TEST(RankRevealingFactor, IsTheSameFromColumnsOnDemandAsFromTheWholeMatrix) {
  // Ranks of 26, and of 200, which is several blocks of the stored matrix.
  for (const Matrix& K : {smooth_covariance(200), rough_covariance(200)}) {
    CountedColumns counted{K};
    const auto whole = factorise(K, "kernel"), on_demand = factorise(counted.columns(), {}, "kernel");
    EXPECT_EQ(on_demand.pivots, whole.pivots);
    // The last pivots of a smooth covariance have variances near 1e-12, so that rounding changes their columns.
    EXPECT_LT(relative_error(on_demand.L * on_demand.L.transpose(), K), two_routes);
    EXPECT_LT(relative_error(on_demand.L.leftCols(10), whole.L.leftCols(10)), two_routes);
  }
}

TEST(RankRevealingFactor, ReadsOnlyTheColumnsOfItsPivots) {
  CountedColumns counted{smooth_covariance(200)};
  const auto factor = factorise(counted.columns(), {}, "kernel");
  EXPECT_LE(counted.reads, factor.rank() + 1);
}

TEST(RankRevealingFactor, StopsAtTheRankOrToleranceItIsGiven) {
  CountedColumns counted{smooth_covariance(100)};
  const auto all = factorise(counted.columns(), {}, "kernel");
  const auto seven = factorise(counted.columns(), {.most = 7}, "kernel");
  EXPECT_EQ(seven.pivots, std::vector<Index>(all.pivots.begin(), all.pivots.begin() + 7));
  EXPECT_EQ(seven.L, all.L.leftCols(7));
  const auto rough = factorise(counted.columns(), {.tolerance = 0.01}, "kernel");
  const Vector left = counted.K.diagonal() - rough.L.rowwise().squaredNorm();
  EXPECT_LE(left.maxCoeff(), 0.01);
  const Vector before = counted.K.diagonal() - all.L.leftCols(rough.rank() - 1).rowwise().squaredNorm();
  EXPECT_GT(before.maxCoeff(), 0.01);
}

TEST(RankRevealingFactor, TakesTiedRowsInTheOrderOfTheirIndices) {
  EXPECT_EQ(factorise(Matrix::Identity(5, 5), "kernel").pivots, (std::vector<Index>{0, 1, 2, 3, 4}));
  // Differences below 1e-10, of either sign, are rounding; larger ones are not.
  EXPECT_EQ(factorise(Vector{{1, 1 + 1e-12, 1 - 1e-12, 1 + 1e-8}}.asDiagonal(), "kernel").pivots,
            (std::vector<Index>{3, 0, 1, 2}));
  // Once row 2 is explained, what is left of rows 0 and 1 is the same but for rounding.
  const Matrix K{{0.03, 0, 0.1 * (1 + 1e-15)}, {0, 0.03 * (1 + 1e-15), 0.1}, {0.1 * (1 + 1e-15), 0.1, 1}};
  EXPECT_EQ(factorise(K, "kernel").pivots, (std::vector<Index>{2, 0, 1}));
}

/// A plane grid, symmetric in eight ways, so that up to eight rows tie at every step.
TEST(RankRevealingFactor, TakesTheSamePivotsOfASymmetricGridOnEveryProcessor) {
  Matrix X(225, 2);
  for (Index i = 0; i < 225; ++i)
    X.row(i) << static_cast<double>(i / 15 - 7), static_cast<double>(i % 15 - 7);
  const auto smooth = factorise(stationary(X, [](double r) { return std::exp(-r * r / 32); }), "kernel");
  const auto rough = factorise(stationary(X, [](double r) { return std::exp(-r / 3); }), "kernel");
  const auto hash = [](const std::vector<Index>& pivots, std::size_t first) {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < first; ++i) h = 31 * h + static_cast<std::uint64_t>(pivots[i]);
    return h;
  };
  // tests/CMakeLists.txt runs this under several of OpenBLAS's kernels.
  EXPECT_EQ(hash(smooth.pivots, 60), 17334647588312770576u);
  EXPECT_EQ(hash(rough.pivots, 225), 17297713694960307054u);
}

TEST(RankRevealingFactor, RefusesColumnsThatAreNotFinite) {
  CountedColumns counted{Matrix{{1, NAN}, {NAN, 2}}};
  EXPECT_EQ(complaint_of([&] { factorise(counted.columns(), {}, "kernel"); }),
            "kernel: must be finite at every point, and it is not");
}

TEST(RankRevealingFactor, CanBeCancelled) {
  const std::atomic<bool> cancelled = true;
  const CancellationScope scope(&cancelled);
  EXPECT_THROW(factorise(Matrix::Identity(3, 3), "kernel"), Cancelled);
  CountedColumns counted{Matrix::Identity(3, 3)};
  EXPECT_THROW(factorise(counted.columns(), {}, "kernel"), Cancelled);
  EXPECT_EQ(counted.reads, 0);
}

TEST(RankRevealingFactor, IsTheSameForAnyNumberOfThreads) {
  const Matrix F = RandomStream{.seed = 5}.normals(1100, 700), K = F * F.transpose();
  const auto with_threads = [&](int threads) {
    const ThreadScope scope(threads);
    return factorise(K, "kernel");
  };
  const auto one = with_threads(1), two = with_threads(2);
  EXPECT_EQ(one.pivots, two.pivots);
  EXPECT_EQ(one.L, two.L);
}

RC_GTEST_PROP(RankRevealingFactor, RecoversAnyGaussianFactor, (std::uint64_t seed)) {
  const Index n = *rc::gen::inRange<Index>(1, 40);
  const Index r = *rc::gen::inRange<Index>(1, n + 1);
  // The identity in the first rows keeps a random factor that is square, or nearly so, from being nearly singular.
  Matrix F = Matrix::Zero(n, r);
  F.topRows(r).setIdentity();
  F += 0.3 / std::sqrt(static_cast<double>(n)) * RandomStream{.seed = seed}.normals(n, r);
  const Matrix K = F * F.transpose();
  const auto factor = factorise(K, "kernel");
  RC_ASSERT(factor.rank() == r);
  RC_ASSERT(relative_error(factor.L * factor.L.transpose(), K) < two_routes);
}

TEST(RankRevealingFactor, RefusesAMatrixThatIsNotACovariance) {
  const std::string complaint = complaint_of([] { factorise(Matrix{{1, 2}, {2, 1}}, "kernel"); });
  EXPECT_TRUE(complaint.starts_with(
      "kernel: must be positive semi-definite, and at these points it is not (off by 3)"))
      << complaint;
  EXPECT_THROW(factorise(-Matrix::Identity(4, 4), "kernel"), InvalidArgument);
  EXPECT_THROW(factorise(Matrix{{0, 1}, {1, 0}}, "kernel"), InvalidArgument);
}

TEST(RankRevealingFactor, RefusesAPeriodicFunctionOfADistanceInThePlane) {
  Matrix X(49, 2);
  for (Index i = 0; i < 49; ++i)
    X.row(i) << 0.37 * static_cast<double>(i / 7), 0.37 * static_cast<double>(i % 7);
  const Matrix K = stationary(X, [](double r) {
    const double s = std::sin(std::numbers::pi * r);
    return std::exp(-2 * s * s);
  });
  ASSERT_LT(Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues().minCoeff(), -0.01);
  const std::string complaint = complaint_of([&] { factorise(K, "kernel"); });
  EXPECT_NE(complaint.find("covariances of one input only"), std::string::npos) << complaint;
}

}  // namespace
}  // namespace ridgelet
