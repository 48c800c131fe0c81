// The sampler against brute force: expectations under the posterior of a tiny network, from long chains on
// one side, and on the other from draws of the prior weighted by the likelihood. The second side shares no
// code with the first but the activation and the kernel: every matrix is written out from its formula.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "expectations.hpp"
#include "network_chain.hpp"
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/posterior.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::tolerance::standard_errors;

constexpr Index units = 3;
const HiddenDistribution hidden{.sigma_w = 1, .sigma_b = 1.5};
const double sigma_out = 0.4;  // of the i.i.d. prior

PriorOptions small_options(const std::string& op) {
  return {.target = {.kernel = parse_kernel("se(lengthscale=1.5)"), .mean = MeanFunction("0.4*x1 + 0.2")},
          .nodes = grid(2.5, 5, 1, 2.5),
          .units = units,
          .hidden = hidden,
          .op = {.name = op, .ridge = 0.1}};
}

Data example_data() {
  return {.X = Vector{{-1.8, -0.9, 0.1, 0.7, 1.6}},
          .Y = Vector{{-0.9, -0.2, 0.9, 0.3, -0.4}},
          .noise = Vector::Constant(1, 0.4)};
}

const Matrix elsewhere = Vector{{-1.2, 0.4, 2.2}};

/// Expectations of f(x*), f(x*)^2 at the three points and of |xi|^2, with standard errors.
struct Expectations {
  Vector value = Vector::Zero(7), standard_error = Vector::Zero(7);
};

/// One network written out: outputs at X are mean + factor z.
struct Written {
  ActivationPair pair;
  Vector xi;

  template <class Function>
  Matrix units_at(const Matrix& X, Function&& function) const {
    const Vector W = hidden.sigma_w[0] * xi.head(units), b = hidden.sigma_b * xi.tail(units);
    return ((X * W.transpose()).rowwise() + b.transpose()).unaryExpr(function);
  }
  Matrix phi(const Matrix& X) const {
    return units_at(X, [this](double z) { return pair.phi_scalar(z); });
  }
  /// A(X) = Phi(X) B.
  Matrix map(const PriorOptions& o, const Matrix& X) const {
    const Matrix& q = o.nodes.points;
    const Vector& u = o.nodes.weights;
    if (o.op.name == "ridgelet") {
      const Matrix psi = units_at(q, [this](double z) { return pair.psi_scalar(z); });
      const double Z = std::sqrt(2 * M_PI) * hidden.sigma_w[0] * hidden.sigma_b;
      return Z / units * phi(X) * psi.transpose() * u.asDiagonal();
    }
    const Matrix Phi_q = phi(q);
    Matrix S = Phi_q * Phi_q.transpose();
    S += Matrix(
        (o.op.ridge * S.trace() / static_cast<double>(q.rows()) * u.mean() * u.cwiseInverse()).asDiagonal());
    return phi(X) * Phi_q.transpose() * S.inverse();
  }
};

/// [X; Xs] seen at once, as a mean and a factor.
using Joint = std::function<Gaussian(const Vector& xi, const Matrix& X)>;

Joint written_out(const RidgeletPrior& prior) {
  const Matrix& q = prior.options().nodes.points;
  const Matrix L = prior.options().target.kernel.matrix(q, q).llt().matrixL();
  const Vector m = prior.options().target.mean(q);
  return [&prior, L, m](const Vector& xi, const Matrix& X) -> Gaussian {
    const Matrix A = Written{ActivationPair(prior.activation(), 1), xi}.map(prior.options(), X);
    return {.mean = A * m, .factor = A * L};
  };
}

Joint written_out(const IidPrior& prior) {
  return [&prior](const Vector& xi, const Matrix& X) -> Gaussian {
    return {.mean = Vector::Zero(X.rows()),
            .factor = sigma_out * Written{ActivationPair(prior.activation(), 1), xi}.phi(X)};
  };
}

/// Self-normalised importance sampling: a column of `values` for each draw of the prior.
Expectations weighted(const Matrix& values, const Vector& log_weights, double least_effective_size) {
  const Vector w = (log_weights.array() - log_weights.maxCoeff()).exp();
  const double sum = w.sum(), effective_size = sum * sum / w.squaredNorm();
  ::testing::Test::RecordProperty("effective_size", std::to_string(effective_size));
  EXPECT_GT(effective_size, least_effective_size);
  Expectations result{.value = values * w / sum};
  result.standard_error =
      ((values.colwise() - result.value).array().square().matrix() * w.cwiseAbs2()).cwiseSqrt() / sum;
  return result;
}

Vector functionals(const Vector& mean, const Vector& variance, const Vector& xi) {
  Vector all(7);
  all << mean, variance + mean.cwiseAbs2(), xi.squaredNorm();
  return all;
}

Vector prior_draw(Index draw, Index size) {
  return RandomStream{.seed = 11, .replicate = 1, .iteration = static_cast<std::uint32_t>(draw)}.normals(
      size);
}

/// Draws of (W, b), weighted by p(y | W, b); z is integrated out by ordinary Gaussian conditioning.
Expectations over_the_hidden_layer(const Joint& joint, const Data& data, Index draws) {
  Matrix X(8, 1), values(7, draws);
  X << data.X, elsewhere;
  Vector log_weights(draws);
  for (Index i = 0; i < draws; ++i) {
    const Vector xi = prior_draw(i, 2 * units);
    const Gaussian both = joint(xi, X);
    const Matrix covariance = both.covariance();
    Matrix C = covariance.topLeftCorner(5, 5);
    C.diagonal().array() += data.noise(0) * data.noise(0);
    const Eigen::LDLT<Matrix> solver(C);
    const Vector r = data.Y.col(0) - both.mean.head(5);
    const Matrix cross = covariance.topRightCorner(5, 3);
    log_weights(i) = -0.5 * (r.dot(solver.solve(r)) + solver.vectorD().array().log().sum());
    values.col(i) = functionals(
        both.mean.tail(3) + cross.transpose() * solver.solve(r),
        (covariance.bottomRightCorner(3, 3) - cross.transpose() * solver.solve(cross)).diagonal(), xi);
  }
  return weighted(values, log_weights, 1000);
}

/// Draws of everything, (W, b) and z, weighted by p(y | W, b, z).
Expectations over_all_parameters(const Joint& joint, Index rank, const Data& data, Index draws) {
  Matrix X(8, 1), values(7, draws);
  X << data.X, elsewhere;
  Vector log_weights(draws);
  for (Index i = 0; i < draws; ++i) {
    const Vector all = prior_draw(i, 2 * units + rank), xi = all.head(2 * units);
    const Vector f = joint(xi, X).at(all.tail(rank));
    log_weights(i) = -0.5 * (data.Y.col(0) - f.head(5)).squaredNorm() / (data.noise(0) * data.noise(0));
    values.col(i) = functionals(f.tail(3), Vector::Zero(3), xi);
  }
  return weighted(values, log_weights, 1000);
}

/// Four chains; standard errors from 50 batches of each.
Expectations from_chains(const LayerPrior& prior, const Data& data, Index draws, std::uint64_t seed) {
  const Index warmup = 500, batches = 50;
  PosteriorDraws kept = testing::sample_network(prior, data, 4, draws, seed, warmup);
  const Posterior posterior(testing::borrowed(prior), testing::borrowed(data), MeanFunction("0"),
                            std::move(kept));

  const Matrix f = posterior.functions(elsewhere), &layers = posterior.draws().layers;
  Matrix series(f.rows(), 7);
  series << f, f.cwiseAbs2(),
      layers.leftCols(units).rowwise().squaredNorm() / (hidden.sigma_w[0] * hidden.sigma_w[0]) +
          layers.rightCols(units).rowwise().squaredNorm() / (hidden.sigma_b * hidden.sigma_b);
  Expectations result;
  for (Index k = 0; k < 7; ++k) {
    const Vector means =
        Eigen::Map<const Matrix>(series.col(k).data(), draws / batches, 4 * batches).colwise().mean();
    result.value(k) = means.mean();
    const double n = static_cast<double>(means.size());
    result.standard_error(k) = std::sqrt((means.array() - means.mean()).square().sum() / (n * (n - 1)));
  }
  // The summary that people see is of the same posterior.
  const PredictiveSummary summary =
      posterior.predict(elsewhere, {.noise = false, .most_draws = posterior.draws().size()});
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(summary.mean(k, 0), result.value(k), standard_errors * result.standard_error(k));
  return result;
}

void expect_agreement(const Expectations& chains, const Expectations& brute_force) {
  for (Index k = 0; k < 7; ++k) {
    const double both = std::hypot(chains.standard_error(k), brute_force.standard_error(k));
    EXPECT_NEAR(chains.value(k), brute_force.value(k), standard_errors * both) << "functional " << k;
    // Errors small enough for the comparison to mean something: the posterior's scale is about 0.3 to 3.
    EXPECT_LT(both, k < 6 ? 0.03 : 0.1) << "functional " << k;
  }
}

class BruteForce : public ::testing::TestWithParam<std::string> {
 protected:
  const ThreadScope one_thread{1};
  const Data data = example_data();
};

TEST_P(BruteForce, OverTheHiddenLayerAgreesWithTheChains) {
  const RidgeletPrior prior(small_options(GetParam()));
  expect_agreement(from_chains(prior, data, 10'000, 1),
                   over_the_hidden_layer(written_out(prior), data, 100'000));
}

TEST_P(BruteForce, OverAllParametersAgreesWithTheChains) {
  const RidgeletPrior prior(small_options(GetParam()));
  ASSERT_EQ(prior.rank(), 5);
  expect_agreement(from_chains(prior, data, 10'000, 2),
                   over_all_parameters(written_out(prior), 5, data, 300'000));
}

INSTANTIATE_TEST_SUITE_P(Operators, BruteForce, ::testing::Values("least-squares", "ridgelet"));

TEST(BruteForceOverTheHiddenLayer, AgreesWithTheChainsOfTheIidPrior) {
  const ThreadScope one_thread(1);
  const Data data = example_data();
  const IidPrior prior({.units = units, .hidden = hidden, .sigma_out = sigma_out});
  expect_agreement(from_chains(prior, data, 10'000, 3),
                   over_the_hidden_layer(written_out(prior), data, 100'000));
}

}  // namespace
}  // namespace ridgelet
