#include "experiments/prior_paths.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

RidgeletPrior make_prior(const PriorSetting& setting) {
  const std::string kernel = fmt::format("se(amplitude=1, lengthscale={})", shortest(setting.lengthscale));
  return RidgeletPrior({.target = {.kernel = parse_kernel(kernel)},
                        .nodes = grid(6, setting.nodes, 1, 5),
                        .activation = "tanh",
                        .units = setting.units,
                        .layers = setting.layers,
                        .hidden = {.sigma_w = 3, .sigma_b = 12},
                        .op = {.name = setting.op}});
}

PriorPaths draw_paths(const PriorSetting& setting, const Matrix& X, Index draws, std::uint64_t seed) {
  const Stopwatch watch;
  const RidgeletPrior prior = make_prior(setting);
  PriorPaths result{.setting = setting, .paths = Matrix(X.rows(), draws)};
  // GivenHidden::rmse would pass over the units once more: the process's mean is 0, so this is the same.
  const RidgeletPrior::Kriging kriging = prior.kriging(X);
  Vector variance(draws), square_error(draws);
  parallel_for(draws, [&](Index i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
    const Gaussian output = prior.given(prior.draw_hidden(seed, replicate)).output(X);
    result.paths.col(i) = output.at(stream.normals(prior.rank()));
    variance(i) = output.variance().mean();
    square_error(i) = (kriging.floor.squaredNorm() + output.mean.squaredNorm() +
                       (kriging.coordinates.transpose() - output.factor).squaredNorm()) /
                      static_cast<double>(X.rows());
  });
  result.sd = std::sqrt(variance.mean());
  result.rmse = std::sqrt(square_error.mean());
  result.seconds = watch.seconds();
  return result;
}

Matrix process_paths(const GaussianProcess& process, const Matrix& X, Index draws, std::uint64_t seed) {
  const Gaussian prior = process.prior(X);
  Matrix paths(X.rows(), draws);
  for (Index i = 0; i < draws; ++i) {
    const RandomStream stream{
        .seed = seed, .purpose = Purpose::target_process, .replicate = static_cast<std::uint32_t>(i)};
    paths.col(i) = prior.at(stream.normals(prior.rank()));
  }
  return paths;
}

}  // namespace ridgelet::experiments
