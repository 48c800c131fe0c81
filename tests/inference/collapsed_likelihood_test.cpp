#include "ridgelet/inference/collapsed_likelihood.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "expectations.hpp"
#include "quadruple.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

// Eigen and the standard library both take memory by malloc, so that is where requests are counted while a
// thread watches. Those of OpenBLAS are not ours: its products of small matrices take memory on some processors.
// A sanitizer owns malloc; under one there is nothing to count with.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTS_MEMORY_REQUESTS

namespace {

thread_local bool watching = false;
thread_local int requests = 0;

bool is_of_blas(const void* caller) {
  Dl_info place{};
  return dladdr(caller, &place) != 0 && place.dli_fname && std::strstr(place.dli_fname, "blas");
}

void notice(const void* caller) {
  if (watching && !is_of_blas(caller)) ++requests;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  notice(__builtin_return_address(0));
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  notice(__builtin_return_address(0));
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  notice(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  notice(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  notice(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}
#endif

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

PriorOptions likelihood_options(const std::string& op, Index units, Index dimension) {
  return {.target = {.kernel = parse_kernel("matern32(amplitude=1.3, lengthscale=1.2)"),
                     .mean = MeanFunction("0.3*x1 - 0.5")},
          .nodes = grid(3, dimension == 1 ? 12 : 4, dimension, 3),
          .units = units,
          .hidden = {.sigma_w = 1, .sigma_b = 2},
          .op = {.name = op, .ridge = 1e-2}};
}

Data noisy_data(Index rows, Index dimension, const Vector& noise) {
  const RandomStream stream{.seed = 5, .purpose = Purpose::evaluation_points};
  return {.X = 1.5 * stream.normals(rows, dimension),
          .Y = RandomStream{.seed = 6, .purpose = Purpose::target_process}.normals(rows, noise.size()),
          .noise = noise};
}

Vector noises(Index outputs) {
  return Vector::LinSpaced(outputs, 0.3, 0.8);
}

Matrix features(const LayerPrior& prior, const HiddenLayer& layer, const Matrix& X) {
  return ((X * layer.W.transpose()).rowwise() + layer.b.transpose()).unaryExpr([&](double z) {
    return prior.activation().phi_scalar(z);
  });
}

/// log N(y; mean, covariance + noise^2 I) with the covariance written out.
double dense_log_density(const Vector& y, const Vector& mean, Matrix covariance, double noise) {
  covariance.diagonal().array() += noise * noise;
  const Eigen::LLT<Matrix> factor(covariance);
  const Vector r = factor.matrixL().solve(y - mean);
  const double log_determinant = 2 * Vector(factor.matrixLLT().diagonal()).array().log().sum();
  return -0.5 * (r.squaredNorm() + log_determinant + static_cast<double>(y.size()) * std::log(2 * M_PI));
}

/// Operator, inputs, data and outputs; R is 12 in one input and 16 in two, so that the data are fewer than
/// the coordinates, as many, one more, and many more.
class CollapsedLikelihoodOf : public ::testing::TestWithParam<std::tuple<std::string, Index, Index, Index>> {
 protected:
  const ThreadScope one_thread{1};
  const Index dimension = std::get<1>(GetParam()), rows = std::get<2>(GetParam());
  const RidgeletPrior prior{likelihood_options(std::get<0>(GetParam()), 20, dimension)};
  const Data data = noisy_data(rows, dimension, noises(std::get<3>(GetParam())));
  const HiddenLayer layer = prior.draw_hidden(3).first();
  CollapsedLikelihood likelihood{prior, data};
};

TEST_P(CollapsedLikelihoodOf, IsTheSumOfTheOutputsMarginalLikelihoods) {
  double sum = 0;
  const double log_likelihood = likelihood(layer);
  for (Index k = 0; k < data.outputs(); ++k) {
    const LinearGaussianPosterior exact(prior.given(layer).output(data.X), data.Y.col(k), data.noise(k));
    EXPECT_LT(relative_error(likelihood.coordinates(k).coordinates_mean(), exact.coordinates_mean()),
              two_routes);
    sum += exact.log_marginal_likelihood();
  }
  EXPECT_NEAR(log_likelihood, sum, two_routes * std::abs(sum));
}

TEST_P(CollapsedLikelihoodOf, IsTheDensityOfTheDenseFormula) {
  const Matrix A = features(prior, layer, data.X) * prior.given(layer).operator_matrix();
  const Matrix& q = prior.options().nodes.points;
  const Matrix covariance = A * prior.options().target.kernel.matrix(q, q) * A.transpose();
  const Vector mean = A * prior.options().target.mean(q);
  double sum = 0;
  for (Index k = 0; k < data.outputs(); ++k)
    sum += dense_log_density(data.Y.col(k), mean, covariance, data.noise(k));
  EXPECT_NEAR(likelihood(layer), sum, two_routes * std::abs(sum));
}

TEST_P(CollapsedLikelihoodOf, IsTheSameInBlocksOfAnySize) {
  const double whole = likelihood(layer);
  for (const Index block : {1, 2, 3, 7}) {
    CollapsedLikelihood cut(prior, data, block);
    EXPECT_NEAR(cut(layer), whole, two_routes * std::abs(whole)) << "blocks of " << block;
    for (Index k = 0; k < data.outputs(); ++k)
      EXPECT_LT(
          relative_error(cut.coordinates(k).coordinates_mean(), likelihood.coordinates(k).coordinates_mean()),
          two_routes)
          << "blocks of " << block;
  }
}

TEST_P(CollapsedLikelihoodOf, ForgetsEarlierLayers) {
  const double fresh = likelihood(layer);
  EXPECT_NE(likelihood(prior.draw_hidden(4)), fresh);
  EXPECT_EQ(likelihood(layer), fresh);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, CollapsedLikelihoodOf,
    ::testing::Combine(::testing::Values("ridgelet", "least-squares"), ::testing::Values(Index{1}, Index{2}),
                       ::testing::Values(Index{1}, Index{7}, Index{12}, Index{17}, Index{103}, Index{2049}),
                       ::testing::Values(Index{1}, Index{3})));

TEST(CollapsedLikelihood, OfTheIidPriorIsTheDensityOfTheDenseFormula) {
  for (const Index rows : {1, 8, 9, 600}) {
    const IidPrior prior(
        {.units = 8, .dimension = 2, .hidden = {.sigma_w = 1, .sigma_b = 2}, .sigma_out = 0.4});
    const Data data = noisy_data(rows, 2, noises(2));
    const HiddenLayer layer = prior.hidden().draw(8, 2, 3);
    const Matrix Phi = features(prior, layer, data.X);
    double sum = 0;
    for (Index k = 0; k < 2; ++k)
      sum += dense_log_density(data.Y.col(k), Vector::Zero(rows), 0.4 * 0.4 * Phi * Phi.transpose(),
                               data.noise(k));
    EXPECT_NEAR(CollapsedLikelihood(prior, data)(layer), sum, two_routes * std::abs(sum)) << rows << " rows";
  }
}

// The noises are so small that squares do not suffice for one output, for two, or for all.
TEST(CollapsedLikelihood, AgreesWithQuadruplePrecisionWhereSquaresLoseTheNoise) {
  for (const Index rows : {5, 16, 40}) {
    for (const double amplitude : {1e2, 1e4, 1e7, 1e8}) {
      PriorOptions options = likelihood_options("least-squares", 30, 2);
      options.target.kernel =
          parse_kernel("se(amplitude=" + std::to_string(amplitude) + ", lengthscale=1.2)");
      const RidgeletPrior prior(options);
      Data data = noisy_data(rows, 2, Vector{{1, 1e-3, 300}});
      data.Y *= amplitude;
      const HiddenLayers layers = prior.draw_hidden(3);
      const Gaussian output = prior.given(layers).output(data.X);
      double expected = 0;
      for (Index k = 0; k < 3; ++k)
        expected += testing::QuadrupleLinearGaussian(output.factor, data.Y.col(k) - output.mean,
                                                     data.noise(k), output.factor)
                        .log_marginal_likelihood;
      for (const Index block : {2, 3, 2048}) {
        CollapsedLikelihood likelihood(prior, data, block);
        EXPECT_NEAR(likelihood(layers), expected, 1e-6 * std::abs(expected))
            << rows << " rows, amplitude " << amplitude << ", blocks of " << block;
      }
    }
  }
}

TEST(CollapsedLikelihood, IsImpossibleWhereNumbersOverflow) {
  const IidPrior prior({.units = 4, .sigma_out = 1e300});
  for (const Index rows : {3, 9}) {
    Data data = noisy_data(rows, 1, Vector::Constant(1, 1));
    EXPECT_TRUE(std::isfinite(CollapsedLikelihood(prior, data)(prior.hidden().draw(4, 1, 3))));
    data.Y *= 1e300;
    EXPECT_EQ(CollapsedLikelihood(IidPrior({.units = 4}), data)(prior.hidden().draw(4, 1, 3)),
              -std::numeric_limits<double>::infinity())
        << rows << " rows";
  }
}

#ifdef COUNTS_MEMORY_REQUESTS
/// Memory requests of evaluations at three layers, after one at another layer; then the same for gradients.
int requests_of_evaluations(const LayerPrior& prior, Index rows, double noise_scale = 1) {
  const ThreadScope scope(1);
  const Data data = noisy_data(rows, prior.dimension(), noise_scale * noises(2));
  CollapsedLikelihood likelihood(prior, data);
  std::vector<HiddenLayers> layers;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    layers.push_back(prior.allocate());
    prior.at(RandomStream{.seed = seed}.normals(layers.back().parameters()), layers.back());
  }
  likelihood(layers[0]);
  requests = 0;
  watching = true;
  for (std::size_t i = 1; i < layers.size(); ++i) likelihood(layers[i]);
  watching = false;
  const int of_values = requests;
  likelihood.value_and_gradient(layers[0]);
  requests = 0;
  watching = true;
  for (std::size_t i = 1; i < layers.size(); ++i) likelihood.value_and_gradient(layers[i]);
  watching = false;
  return of_values + requests;
}

TEST(CollapsedLikelihood, TakesNoMemoryAfterTheFirstEvaluation) {
  for (const Index rows : {1, 9, 40, 700, 1024, 2048}) {
    for (const Index units : {6, 300}) {
      for (const std::string op : {"ridgelet", "least-squares"})
        EXPECT_EQ(requests_of_evaluations(RidgeletPrior(likelihood_options(op, units, 2)), rows), 0)
            << op << ", " << rows << " rows, " << units << " units";
      PriorOptions wide = likelihood_options("ridgelet", units, 2);
      wide.hidden.sigma_b = 30;  // the number of units in reach of the nodes differs from layer to layer
      const double much_noise =
          1e3;  // so much that every layer is conditioned on by squares, not some by roots
      EXPECT_EQ(requests_of_evaluations(RidgeletPrior(wide), rows, much_noise), 0)
          << "wide biases, " << rows << " rows, " << units << " units";
      PriorOptions deep = likelihood_options("least-squares", units, 2);
      deep.layers = 3;
      EXPECT_EQ(requests_of_evaluations(RidgeletPrior(deep), rows), 0)
          << "3 layers, " << rows << " rows, " << units << " units";
      EXPECT_EQ(requests_of_evaluations(IidPrior({.units = units}), rows), 0)
          << "iid, " << rows << " rows, " << units << " units";
    }
  }
}

TEST(CollapsedLikelihood, TakesNoMemoryAfterTheFirstEvaluationWhereSquaresLoseTheNoise) {
  for (const Index rows : {1, 9, 40, 700})
    for (const std::string op : {"ridgelet", "least-squares"})
      EXPECT_EQ(requests_of_evaluations(RidgeletPrior(likelihood_options(op, 300, 2)), rows, 1e-8), 0)
          << op << ", " << rows << " rows";
}

TEST(CollapsedLikelihood, WouldNoticeMemoryThatIsTaken) {
  requests = 0;
  watching = true;
  Matrix taken = Matrix::Zero(3, 3);
  std::vector<double> also_taken(3);
  watching = false;
  EXPECT_EQ(requests, 2);
  EXPECT_EQ(taken.sum(), also_taken[0]);
}

#endif

TEST(CollapsedLikelihood, RefusesDataThatAreNotData) {
  const IidPrior prior({.units = 4, .dimension = 2});
  const Data good = noisy_data(5, 2, noises(2));
  const auto complaint = [&](auto&& spoil) {
    Data data = good;
    spoil(data);
    return complaint_of([&] { CollapsedLikelihood(prior, data); });
  };
  EXPECT_EQ(complaint([](Data&) {}), "");
  EXPECT_EQ(complaint([](Data& d) { d = noisy_data(0, 2, noises(1)); }).substr(0, 8), "X: must ");
  EXPECT_EQ(complaint([](Data& d) { d.X = Matrix::Zero(5, 3); }),
            "X: must have 2 columns, one for each input, got 3");
  EXPECT_EQ(complaint([](Data& d) { d.X(3, 1) = std::nan(""); }),
            "X: must be finite, got nan in row 4, column 2");
  EXPECT_EQ(complaint([](Data& d) { d.Y = Matrix::Zero(4, 2); }), "y: must have 5 rows, got 4");
  EXPECT_EQ(complaint([](Data& d) { d.Y = Matrix(5, 0); }).substr(0, 8), "y: must ");
  EXPECT_EQ(complaint([](Data& d) { d.Y(0, 1) = -INFINITY; }),
            "y: must be finite, got -inf in row 1, column 2");
  EXPECT_EQ(complaint([](Data& d) { d.noise = noises(1); }), "noise: must have 2 rows, got 1");
  EXPECT_EQ(complaint([](Data& d) { d.noise(1) = -0.1; }), "noise: must be positive and finite, got -0.1");
  EXPECT_EQ(complaint([](Data& d) { d.noise(1) = 0; }).substr(0, 37),
            "noise: must be positive, got 0: witho");
}

}  // namespace
}  // namespace ridgelet
