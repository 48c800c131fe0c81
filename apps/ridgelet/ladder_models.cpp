#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "ladder.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/io/results.hpp"
#include "ridgelet/io/temporary_path.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::app {

namespace {

RidgeletPrior small_prior(Index units = 40) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("matern32(amplitude=1.3, lengthscale=2)"),
                                   .mean = MeanFunction("0.3*x1")},
                        .nodes = grid(3, 20, 1, 3),
                        .units = units,
                        .hidden = {.sigma_w = 1.5, .sigma_b = 3},
                        .op = {.name = "least-squares", .ridge = 1e-4}});
}

/// A drawn network against sum_i w_i tanh(W_i x + b_i), term by term.
double network_sum_error(std::uint64_t seed) {
  const Network network = draw_network(small_prior(), seed);
  const Matrix X = Vector::LinSpaced(15, -3, 3);
  Matrix expected = Matrix::Zero(15, 1);
  for (Index i = 0; i < 15; ++i)
    for (Index unit = 0; unit < network.output_weights.rows(); ++unit)
      expected(i, 0) += network.output_weights(unit, 0) *
                        std::tanh(network.hidden[0].W(unit, 0) * X(i, 0) + network.hidden[0].b(unit));
  return distance(network(X), expected);
}

/// rmse(x)^2 = k(x, x) - 2 A k(q, x) + A K A^T + (m(x) - A m)^2 with A = Phi B written out.
double prior_error_error(std::uint64_t seed) {
  const RidgeletPrior prior = small_prior();
  const GivenHidden given(prior, seed, 0);
  const Matrix X = Vector::LinSpaced(15, -2.8, 2.9), &q = prior.options().nodes.points;
  const HiddenLayer& layer = given.layers()[0];
  const Matrix Phi = ((X * layer.W.transpose()).rowwise() + layer.b.transpose()).array().tanh();
  const Matrix A = Phi * given.operator_matrix();
  const GaussianProcess& process = prior.options().target;
  const Matrix K = process.kernel.matrix(q, q), Kx = process.kernel.matrix(q, X);
  const Vector bias = process.mean(X) - A * process.mean(q);
  Vector expected(X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    expected(i) = std::sqrt(process.kernel.diagonal(X)(i) - 2 * A.row(i).dot(Kx.col(i)) +
                            A.row(i) * K * A.row(i).transpose() + bias(i) * bias(i));
  return distance(given.rmse(X), expected);
}

/// How far the error of a network falls below what its nodes leave unknown, which must never happen.
double below_the_floor(std::uint64_t seed) {
  const RidgeletPrior prior = small_prior();
  const Matrix X = Vector::LinSpaced(101, -3, 3);
  return std::max(0.0, (prior.kriging(X).floor - GivenHidden(prior, seed, 0).rmse(X)).maxCoeff());
}

/// The posterior in coordinates against conditioning the joint Gaussian of data and new values.
double posterior_error(std::uint64_t seed) {
  const RidgeletPrior prior = small_prior();
  const GivenHidden given(prior, seed, 0);
  const Matrix X = 1.5 * numbers_from(seed, 7, 60), Xs = Vector::LinSpaced(9, -3, 3);
  const Vector y = numbers_from(seed, 8, 60);
  const Gaussian at_data = given.output(X), at_new = given.output(Xs);
  const Prediction found = LinearGaussianPosterior(at_data, y, 0.3).predict(at_new);
  Matrix C = at_data.factor * at_data.factor.transpose();
  C.diagonal().array() += 0.09;
  const Cholesky factor = *Cholesky::of(C);
  const Matrix cross = at_data.factor * at_new.factor.transpose();
  const Vector mean = at_new.mean + cross.transpose() * factor.solve(y - at_data.mean);
  const Vector variance = at_new.variance() - factor.whiten(cross).colwise().squaredNorm().transpose();
  return std::max(distance(found.mean, mean), distance(found.variance, variance));
}

RegressionTable wavy_table(std::uint64_t seed) {
  const Matrix X = Vector::LinSpaced(60, -3, 3);
  return {.inputs = {"x"},
          .outputs = {"y"},
          .X = X,
          .Y = (1.5 * X.array()).sin().matrix() + 0.1 * numbers_from(seed, 9, 60)};
}

FitSettings settled(Index units) {
  FitSettings settings;
  settings.regression.model.kernel = "se(amplitude=1, lengthscale=1)";
  settings.regression.model.noise = Vector::Constant(1, 0.1);
  settings.regression.model.units = units;
  settings.regression.model.standardise = false;
  return settings;
}

const Matrix new_inputs = Vector::LinSpaced(25, -2.9, 2.9);

double thread_error(std::uint64_t seed) {
  const auto mean_with = [&](int threads) {
    const ThreadScope scope(threads);
    return fit(wavy_table(seed), settled(100)).model.predict(new_inputs).mean;
  };
  return distance(mean_with(3), mean_with(1));
}

double row_order_error(std::uint64_t seed) {
  RegressionTable reversed = wavy_table(seed);
  reversed.X = reversed.X.colwise().reverse().eval();
  reversed.Y = reversed.Y.colwise().reverse().eval();
  FitSettings settings = settled(100);
  settings.regression.model.nodes = "grid";
  const auto mean_of = [&](RegressionTable table) {
    return fit(std::move(table), settings).model.predict(new_inputs).mean;
  };
  return distance(mean_of(reversed), mean_of(wavy_table(seed)));
}

double results_file_error(std::uint64_t seed) {
  const TemporaryPath file(temporary_folder() / ("ridgelet-selftest-" + std::to_string(::getpid()) + ".nc"));
  const Fit fitted = fit(wavy_table(seed), settled(100));
  write_results(file.path(), fitted);
  return distance(read_results(file.path()).predict(new_inputs).mean, fitted.model.predict(new_inputs).mean);
}

/// A wide network against the exact process, in standard deviations of a new observation.
double distance_from_the_process(std::uint64_t seed) {
  const RegressionTable table = wavy_table(seed);
  const GaussianProcessPosterior exact({.kernel = parse_kernel("se(amplitude=1, lengthscale=1)")}, table.X,
                                       table.Y.col(0), 0.1);
  const PredictiveSummary network = fit(table, settled(300)).model.predict(new_inputs);
  const Vector sd = (exact.variance(new_inputs).array() + 0.01).sqrt();
  return ((network.mean.col(0) - exact.mean(new_inputs)).array() / sd.array()).abs().maxCoeff();
}

}  // namespace

std::vector<Rung> model_rungs() {
  return {
      exact_rung("network", "a drawn network with its own sum of tanh", 1e-12, network_sum_error),
      exact_rung("prior error", "rmse(x) with its definition", 1e-9, prior_error_error),
      exact_rung("kriging floor", "rmse(x) never below what the nodes leave", 1e-12, below_the_floor),
      exact_rung("posterior", "coordinates with the joint Gaussian conditioned", 1e-10, posterior_error),
      exact_rung("threads", "a fit on three threads with one on one, bit by bit", 0, thread_error),
      exact_rung("order of rows", "a fit of the rows in reverse order", 1e-10, row_order_error),
      exact_rung("results file", "predictions before and after a file, bit by bit", 0, results_file_error),
      exact_rung("wide network", "its predictions with the exact process, in sd", 0.05,
                 distance_from_the_process),
  };
}

}  // namespace ridgelet::app
