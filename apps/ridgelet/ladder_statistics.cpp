#include <algorithm>
#include <cmath>
#include <memory>

#include "ladder.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/inference/collapsed_density.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::app {

namespace {

constexpr double calibration_noise = 0.3;
const Matrix five_inputs = Vector{{-1.7, -0.8, 0.0, 0.6, 1.5}}, held_out = Matrix::Constant(1, 1, 0.3);

RidgeletPrior narrow_prior(Index layers) {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(lengthscale=1.2)"), .mean = MeanFunction("0.8*x1 + 0.5")},
       .nodes = grid(2.5, 4, 1, 2.5),
       .units = 3,
       .layers = layers,
       .hidden = {.sigma_w = 1, .sigma_b = 1.5},
       .op = {.name = "least-squares", .ridge = 0.1}});
}

Vector normals_for(std::uint64_t seed, std::uint32_t replicate, std::uint32_t use, Index size) {
  return RandomStream{
      .seed = seed, .purpose = Purpose::comparison_process, .replicate = replicate, .iteration = use}
      .normals(size);
}

/// Moments 1, 2 and 4 of standard normals.
double normal_moments(std::uint64_t seed) {
  constexpr Index n = 200'000;
  const Eigen::ArrayXd x = normals_for(seed, 0, 0, n), squares = x.square();
  const double root = std::sqrt(static_cast<double>(n));
  return std::max({std::abs(x.mean()) * root, std::abs(squares.mean() - 1) * root / std::sqrt(2.0),
                   std::abs(squares.square().mean() - 3) * root / std::sqrt(96.0)});
}

/// Standardised errors of the posterior mean over truths from the prior have mean 0 and mean square 1.
double fixed_miscalibration(std::uint64_t seed, Index layers) {
  constexpr Index truths = 2000;
  const RidgeletPrior prior = narrow_prior(layers);
  Eigen::ArrayXd errors(truths);
  for (Index i = 0; i < truths; ++i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const GivenHidden given(prior, seed, replicate);
    const Gaussian at_data = given.output(five_inputs), at_new = given.output(held_out);
    const Vector z = normals_for(seed, replicate, 1, given.rank());
    const Vector y = at_data.at(z) + calibration_noise * normals_for(seed, replicate, 2, 5);
    const Prediction found = LinearGaussianPosterior(at_data, y, calibration_noise).predict(at_new);
    errors(i) = (at_new.at(z)(0) - found.mean(0)) / std::sqrt(found.variance(0));
  }
  const double root = std::sqrt(static_cast<double>(truths));
  return std::max(std::abs(errors.mean()) * root,
                  std::abs(errors.square().mean() - 1) * root / std::sqrt(2.0));
}

/// Simulation-based calibration (Talts et al. 2018): the truth's rank among draws of a chain is uniform on 0 .. 29.
double sampled_miscalibration(std::uint64_t seed, Index layers) {
  constexpr Index truths = 150, draws = 29, warmup = 10, thinning = 6;
  const auto prior = std::make_shared<const RidgeletPrior>(narrow_prior(layers));
  const Index rank = prior->rank();
  Eigen::ArrayXd ranks = Eigen::ArrayXd::Zero(truths);
  for (Index i = 0; i < truths; ++i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const auto function_at = [&](ConditionalOutput& output, const Matrix& X, const Vector& z) -> Vector {
      Matrix values(X.rows(), 1 + rank);
      output.evaluate(X, values);
      return values.col(0) + values.rightCols(rank) * z;
    };
    GivenHidden truth(*prior, seed, replicate);
    const Vector z = normals_for(seed, replicate, 3, rank);
    const auto data = std::make_shared<const Data>(
        Data{.X = five_inputs,
             .Y = function_at(truth, five_inputs, z) + calibration_noise * normals_for(seed, replicate, 4, 5),
             .noise = Vector::Constant(1, calibration_noise)});
    const double true_value = function_at(truth, held_out, z)(0);
    const auto density = std::make_shared<CollapsedDensity>(prior, data);
    Chain chain(density, seed, replicate);
    for (Index step = 0; step < warmup; ++step) chain.step();
    for (Index draw = 0; draw < draws; ++draw) {
      for (Index step = 0; step < thinning; ++step) chain.step();
      density->move_to(chain.position());
      const Matrix drawn = density->draw_coordinates(chain.stream(Purpose::chain_coordinates));
      ranks(i) += function_at(density->output(), held_out, drawn.col(0))(0) < true_value;
    }
  }
  const Eigen::ArrayXd centred = (ranks - 14.5) / 14.5;
  const double n = static_cast<double>(truths);
  // Uniform on -14.5 .. 14.5 in steps of 1, over 14.5: variance 0.35632, and that of its square 0.10123.
  return std::max(std::abs(centred.mean()) / std::sqrt(0.35632 / n),
                  std::abs(centred.square().mean() - 0.35632) / std::sqrt(0.10123 / n));
}

/// Intervals of a fit that learned everything from half of a table hold 95 % of the other half.
double coverage_error(std::uint64_t seed) {
  constexpr Index rows = 800;
  const Matrix X =
      6 *
      (RandomStream{.seed = seed, .purpose = Purpose::evaluation_points}.normals(rows, 1).array() / 2).tanh();
  const Vector Y = (1.5 * X.col(0).array()).sin().matrix() + 0.3 * normals_for(seed, 0, 5, rows);
  FitSettings learned;
  learned.regression.seed = seed;
  const Fit fitted =
      fit({.inputs = {"x"}, .outputs = {"y"}, .X = X.topRows(rows / 2), .Y = Y.head(rows / 2)}, learned);
  const PredictiveSummary summary = fitted.model.predict(X.bottomRows(rows / 2));
  double inside = 0;
  for (Index i = 0; i < rows / 2; ++i) {
    const double y = Y(rows / 2 + i);
    inside += summary.lower(i, 0) <= y && y <= summary.upper(i, 0);
  }
  const double n = static_cast<double>(rows / 2);
  // The noise itself is estimated from as many rows, which moves the coverage as much as chance does: hence the 2.
  return std::abs(inside / n - 0.95) / std::sqrt(2 * 0.95 * 0.05 / n);
}

}  // namespace

std::vector<Rung> statistical_rungs() {
  constexpr double standard_errors = 4.5;
  const auto rung = [](std::string name, std::string compares, auto error) {
    return Rung{std::move(name), std::move(compares), standard_errors, true, error};
  };
  return {
      rung("random numbers", "moments of 200,000 normals with 0, 1 and 3", normal_moments),
      rung("calibration, fixed", "2,000 truths with their posteriors, one layer",
           [](std::uint64_t seed) { return fixed_miscalibration(seed, 1); }),
      rung("calibration, fixed, deep", "the same of two layers",
           [](std::uint64_t seed) { return fixed_miscalibration(seed, 2); }),
      rung("calibration, sampled", "ranks of 150 truths among draws of chains",
           [](std::uint64_t seed) { return sampled_miscalibration(seed, 1); }),
      rung("calibration, sampled, deep", "the same of two layers",
           [](std::uint64_t seed) { return sampled_miscalibration(seed, 2); }),
      rung("coverage", "95 % intervals of a learned fit with rows it has not seen", coverage_error),
  };
}

}  // namespace ridgelet::app
