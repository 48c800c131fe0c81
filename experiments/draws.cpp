#include "experiments/draws.hpp"

#include <mutex>

#include "ridgelet/assess/mmd.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet::experiments {

namespace {

/// Calls step() after each draw, by one thread at a time.
class Counter {
 public:
  explicit Counter(const DrawOptions& options) : step_(options.step) {}

  void one_more() {
    if (!step_) return;
    const std::lock_guard one_at_a_time(counting_);
    step_();
  }

 private:
  const std::function<void()>& step_;
  std::mutex counting_;
};

std::uint32_t replicate(const DrawOptions& options, Index i) {
  return static_cast<std::uint32_t>(options.first + i);
}

Vector coordinates(Index rank, std::uint64_t seed, Purpose purpose, std::uint32_t replicate) {
  return RandomStream{.seed = seed, .purpose = purpose, .replicate = replicate}.normals(rank);
}

}  // namespace

Matrix network_draws(const RidgeletPrior& prior, const Matrix& X, const DrawOptions& options) {
  Matrix draws(X.rows(), options.count);
  Counter counter(options);
  parallel_for(options.count, [&](Index i) {
    draws.col(i) = draw_network(prior, options.seed, replicate(options, i))(X);
    counter.one_more();
  });
  return draws;
}

std::vector<Matrix> network_draws_by_depth(const RidgeletPrior& prior, const Matrix& X,
                                           const DrawOptions& options) {
  std::vector<Matrix> draws(static_cast<std::size_t>(prior.options().layers),
                            Matrix(X.rows(), options.count));
  Counter counter(options);
  parallel_for(options.count, [&](Index i) {
    const std::uint32_t r = replicate(options, i);
    const Vector z = coordinates(prior.rank(), options.seed, Purpose::output_weights, r);
    const std::vector<Gaussian> outputs = GivenHidden(prior, options.seed, r).outputs_by_depth(X);
    for (std::size_t l = 0; l < outputs.size(); ++l) draws[l].col(i) = outputs[l].at(z);
    counter.one_more();
  });
  return draws;
}

MeasuredDraws measured_draws(const RidgeletPrior& prior, const Matrix& X, const DrawOptions& options,
                             Index paths, Purpose purpose,
                             const std::function<void(Index i, const Gaussian& network)>& look) {
  MeasuredDraws measured{.error = {}, .paths = Matrix(X.rows(), std::min(paths, options.count))};
  Counter counter(options);
  const auto see = [&](Index i, const GivenHidden&, const Gaussian& network) {
    if (i < measured.paths.cols())
      measured.paths.col(i) =
          network.at(coordinates(network.rank(), options.seed, purpose, replicate(options, i)));
    look(i, network);
    counter.one_more();
  };
  measured.error = error_over_replicates(prior, X, {.replicates = options.count, .seed = options.seed}, see);
  return measured;
}

Matrix process_draws(const GaussianProcess& process, const Matrix& X, Index count, std::uint64_t seed) {
  const Gaussian prior = process.prior(X);
  Matrix draws(X.rows(), count);
  for (Index i = 0; i < count; ++i)
    draws.col(i) =
        prior.at(coordinates(prior.rank(), seed, Purpose::target_process, static_cast<std::uint32_t>(i)));
  return draws;
}

Matrix imitated_draws(const RidgeletPrior& prior, const Matrix& X, Index count, std::uint64_t seed,
                      Purpose purpose) {
  const Matrix c = prior.kriging(X).coordinates;
  Matrix draws(X.rows(), count);
  for (Index i = 0; i < count; ++i)
    draws.col(i) = c.transpose() * coordinates(c.rows(), seed, purpose, static_cast<std::uint32_t>(i));
  return draws;
}

ProcessSamples process_samples(const Gaussian& process, Index draws, Index repeats, std::uint64_t seed) {
  ProcessSamples result{.samples = {}, .null = Vector(repeats)};
  for (Index r = 0; r < repeats; ++r) {
    const auto sample = [&](Purpose purpose) {
      return process.draws(draws,
                           {.seed = seed, .purpose = purpose, .replicate = static_cast<std::uint32_t>(r)});
    };
    result.samples.push_back(sample(Purpose::target_process));
    result.null(r) =
        sample_mmd2(sample(Purpose::comparison_process), result.samples.back(), paper_inverse_alpha_squared);
  }
  return result;
}

}  // namespace ridgelet::experiments
