#include "ridgelet/inference/variational.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

using Densities = std::vector<std::shared_ptr<DifferentiableLogDensity>>;

/// Iterations of the streams that are not steps.
constexpr std::uint32_t of_directions = 0xffffffff, of_final_draws = 0xfffffffe;

RandomStream stream(std::uint64_t seed, std::uint32_t iteration, Index draw) {
  return {.seed = seed,
          .purpose = Purpose::variational_draws,
          .replicate = static_cast<std::uint32_t>(draw),
          .iteration = iteration};
}

VariationalGaussian zero_like(const VariationalGaussian& q) {
  return {.mean = Vector::Zero(q.dimension()),
          .log_sd = Vector::Zero(q.dimension()),
          .directions = Matrix::Zero(q.dimension(), q.rank())};
}

/// Calls visit(part of each) for the three arrays of one or several Gaussians.
template <class Visit, class... Gaussians>
void for_each_part(Visit&& visit, Gaussians&&... all) {
  visit(all.mean.reshaped()...);
  visit(all.log_sd.reshaped()...);
  visit(all.directions.reshaped()...);
}

/// C = I + U^T diag(e^{-2 rho}) U.
Cholesky capacitance(const VariationalGaussian& q) {
  const Matrix scaled = (-q.log_sd).array().exp().matrix().asDiagonal() * q.directions;
  Matrix C = transposed_product(scaled, scaled);
  C.diagonal().array() += 1;
  return *Cholesky::of(std::move(C));
}

/// L and its gradient at draws of q; draw i takes the normals of stream i / 2, with their signs changed for odd i.
struct Draws {
  Matrix normals;    ///< a column for each
  Matrix gradients;  ///< the same
  Vector values;

  Index possible() const { return values.array().isFinite().count(); }
};

void evaluate(const Densities& densities, const VariationalGaussian& q, std::uint64_t seed,
              std::uint32_t iteration, Index count, bool with_gradients, Draws& draws) {
  const Index n = q.dimension(), workspaces = static_cast<Index>(densities.size());
  draws.normals.resize(n + q.rank(), count);
  draws.values.resize(count);
  if (with_gradients) draws.gradients.resize(n, count);
  parallel_for(std::min(count, workspaces), [&](Index w) {
    DifferentiableLogDensity& density = *densities[static_cast<std::size_t>(w)];
    Vector gradient;
    for (Index i = w; i < count; i += workspaces) {
      throw_if_cancelled();
      const double sign = i % 2 == 0 ? 1 : -1;
      draws.normals.col(i) = sign * stream(seed, iteration, i / 2).normals(n + q.rank());
      const Vector xi = q.draw(draws.normals.col(i));
      draws.values(i) = with_gradients ? density.value_and_gradient(xi, gradient) : density(xi);
      if (with_gradients) draws.gradients.col(i) = gradient;
    }
  });
}

double mean_of_possible(const Draws& draws) {
  const auto finite = draws.values.array().isFinite();
  return finite.select(draws.values.array(), 0).sum() /
         static_cast<double>(std::max<Index>(1, draws.possible()));
}

/// The gradient of the ELBO by these draws.
VariationalGaussian elbo_gradient(const VariationalGaussian& q, const Draws& draws) {
  VariationalGaussian slope = zero_like(q);
  const double weight = 1 / static_cast<double>(std::max<Index>(1, draws.possible()));
  for (Index i = 0; i < draws.values.size(); ++i)
    if (std::isfinite(draws.values(i)))
      q.add_slope(slope, draws.normals.col(i), draws.gradients.col(i), weight);
  for_each_part([](auto all, auto kl) { all -= kl; }, slope, q.divergence_gradient());
  return slope;
}

/// Adam, upwards, with steps that decrease from the first of the whole search, of which `done` were made before.
class Climber {
 public:
  Climber(const VariationalGaussian& q, const VariationalOptions& options, Index done)
      : options_(options), done_(done), first_(zero_like(q)), second_(zero_like(q)) {}

  void step(VariationalGaussian& q, const VariationalGaussian& slope) {
    constexpr double of_first = 0.9, of_second = 0.99, least = 1e-8;
    const double t = static_cast<double>(++steps_);
    const double size = options_.step / (1 + (static_cast<double>(done_) + t) / options_.delay);
    const double first_unit = 1 - std::pow(of_first, t), second_unit = 1 - std::pow(of_second, t);
    for_each_part(
        [&](auto numbers, auto first, auto second, auto slopes) {
          first = of_first * first + (1 - of_first) * slopes;
          second = of_second * second + (1 - of_second) * slopes.cwiseAbs2();
          numbers.array() +=
              size * (first.array() / first_unit) / ((second.array() / second_unit).sqrt() + least);
        },
        q, first_, second_, slope);
  }

 private:
  VariationalOptions options_;
  Index done_;
  VariationalGaussian first_, second_;
  Index steps_ = 0;
};

struct Window {
  double mean, variance_of_mean;

  explicit Window(const VectorView& values)
      : mean(values.mean()),
        variance_of_mean((values.array() - mean).square().sum() /
                         static_cast<double>(values.size() * (values.size() - 1))) {}
};

/// Whether the last window gained nothing over the one before it.
bool gained_nothing(const VectorView& trace, Index window) {
  if (trace.size() < 2 * window) return false;
  const Window before(trace.tail(2 * window).head(window)), last(trace.tail(window));
  return last.mean - before.mean <= std::sqrt(before.variance_of_mean + last.variance_of_mean);
}

/// The steps of a fit, which one climb after another adds to.
class Search {
 public:
  Search(const Densities& densities, const VariationalOptions& options,
         const std::function<void(Index, double)>& progress)
      : densities_(densities), options_(options), progress_(progress), trace_(options.steps) {}

  /// Where a climb ended: the mean of q's numbers over the last window.
  struct Summit {
    VariationalGaussian q;
    ElboEstimate elbo;
    bool settled;
  };

  /// Climbs from q until the ELBO no longer rises, or `last` steps have been made in all.
  Summit climb(VariationalGaussian q, Index last) {
    VariationalGaussian sum = zero_like(q);
    const Index first = steps_;
    Climber climber(q, options_, first);
    Index summed = 0;
    int idle = 0;
    while (steps_ < last && idle < 2) {
      const bool begins = (steps_ - first) % options_.window == 0;
      if (begins) sum = zero_like(q);
      summed = begins ? 1 : summed + 1;
      climber.step(q, slope_at(q));
      for_each_part([](auto all, auto numbers) { all += numbers; }, sum, q);
      if ((steps_ - first) % options_.window == 0)
        idle = gained_nothing(trace_.segment(first, steps_ - first), options_.window) ? idle + 1 : 0;
    }
    for_each_part([&](auto all) { all /= static_cast<double>(summed); }, sum);
    const ElboEstimate elbo = elbo_of(sum);
    return {.q = std::move(sum), .elbo = elbo, .settled = idle >= 2};
  }

  /// By the same normals for every q.
  ElboEstimate elbo_of(const VariationalGaussian& q) const {
    return estimate_elbo(densities_, q, options_.final_draws, options_.seed);
  }

  Index steps() const { return steps_; }
  Vector trace() const { return trace_.head(steps_); }

 private:
  /// The slope of the ELBO at q by the draws of one step.
  VariationalGaussian slope_at(const VariationalGaussian& q) {
    evaluate(densities_, q, options_.seed, static_cast<std::uint32_t>(steps_), options_.draws, true, draws_);
    trace_(steps_) = mean_of_possible(draws_) - q.divergence();
    if (progress_) progress_(steps_, trace_(steps_));
    ++steps_;
    return elbo_gradient(q, draws_);
  }

  const Densities& densities_;
  const VariationalOptions& options_;
  const std::function<void(Index, double)>& progress_;
  Vector trace_;
  Index steps_ = 0;
  Draws draws_;
};

/// The same q with r directions, which begin small, of length about 0.1 each: at zero they would have no slope.
VariationalGaussian with_directions(VariationalGaussian q, const VariationalOptions& options) {
  constexpr double length = 0.1;
  const double scale = length / std::sqrt(static_cast<double>(q.dimension()));
  q.directions = scale * stream(options.seed, of_directions, 0).normals(q.dimension(), options.rank);
  return q;
}

}  // namespace

VariationalGaussian VariationalGaussian::prior(Index dimension) {
  return {.mean = Vector::Zero(dimension),
          .log_sd = Vector::Zero(dimension),
          .directions = Matrix::Zero(dimension, 0)};
}

double VariationalGaussian::divergence() const {
  const double n = static_cast<double>(dimension());
  const double lengths = mean.squaredNorm() + (2 * log_sd).array().exp().sum() + directions.squaredNorm();
  const double log_determinant = 2 * log_sd.sum() + (rank() > 0 ? capacitance(*this).log_determinant() : 0);
  return 0.5 * (lengths - n - log_determinant);
}

VariationalGaussian VariationalGaussian::divergence_gradient() const {
  const Vector precision = (-2 * log_sd).array().exp();
  VariationalGaussian slope{.mean = mean, .log_sd = (2 * log_sd).array().exp() - 1, .directions = directions};
  if (rank() == 0) return slope;
  // Sigma^{-1} U = E U C^{-1}, since U^T E U = C - I. The diagonal of E U C^{-1} U^T E needs the same E U C^{-1}.
  const Matrix scaled = precision.asDiagonal() * directions;
  const Matrix solved = capacitance(*this).solve(scaled.transpose()).transpose();
  slope.directions -= solved;
  slope.log_sd.array() += (2 * log_sd).array().exp() * (solved.array() * scaled.array()).rowwise().sum();
  return slope;
}

Vector VariationalGaussian::draw(const VectorView& normals) const {
  Vector xi = mean.array() + log_sd.array().exp() * normals.head(dimension()).array();
  if (rank() > 0) xi.noalias() += directions * normals.tail(rank());
  return xi;
}

void VariationalGaussian::add_slope(VariationalGaussian& sum, const VectorView& normals, const VectorView& g,
                                    double weight) const {
  sum.mean += weight * g;
  sum.log_sd.array() += weight * g.array() * log_sd.array().exp() * normals.head(dimension()).array();
  if (rank() > 0) sum.directions.noalias() += weight * g * normals.tail(rank()).transpose();
}

void validate(const VariationalOptions& options) {
  require_at_least(options.rank, 0, "rank");
  require_at_least(options.draws, 1, "draws");
  require_at_least(options.steps, 1, "steps");
  require_at_least(options.window, 2, "window");
  require_positive(options.step, "step");
  require_positive(options.delay, "delay");
  require_at_least(options.final_draws, 2, "final_draws");
}

ElboEstimate estimate_elbo(const Densities& densities, const VariationalGaussian& q, Index draws,
                           std::uint64_t seed) {
  Draws made;
  evaluate(densities, q, seed, of_final_draws, draws, false, made);
  // The two draws of a pair depend on each other; pairs do not.
  std::vector<double> pairs;
  for (Index i = 0; i + 1 < draws; i += 2) {
    const double value = 0.5 * (made.values(i) + made.values(i + 1));
    if (std::isfinite(value)) pairs.push_back(value);
  }
  if (pairs.size() < 2) return {.value = -INFINITY, .standard_error = 0};
  const Window all(Eigen::Map<const Vector>(pairs.data(), static_cast<Index>(pairs.size())));
  return {.value = all.mean - q.divergence(), .standard_error = std::sqrt(all.variance_of_mean)};
}

VariationalFit fit_variational(const Densities& densities, const VariationalOptions& options,
                               const std::function<void(Index, double)>& progress) {
  validate(options);
  const VariationalGaussian prior = VariationalGaussian::prior(densities.front()->dimension());
  Search search(densities, options, progress);
  // A quarter of the steps is left for directions.
  Search::Summit found = search.climb(prior, options.rank > 0 ? (3 * options.steps + 3) / 4 : options.steps);
  if (options.rank > 0 && search.steps() < options.steps) {
    Search::Summit directed = search.climb(with_directions(found.q, options), options.steps);
    if (directed.elbo.value > found.elbo.value) found = std::move(directed);
  }
  VariationalFit fit{.q = std::move(found.q),
                     .elbo = found.elbo,
                     .prior_elbo = search.elbo_of(prior),
                     .trace = search.trace(),
                     .settled = found.settled};
  if (!(fit.elbo.value > fit.prior_elbo.value)) {
    fit.q = prior;
    fit.elbo = fit.prior_elbo;
  }
  return fit;
}

void draw_possible(const VariationalGaussian& q, std::uint64_t seed, Index row,
                   const std::function<bool(const Vector&, const RandomStream&)>& possible) {
  constexpr std::uint32_t most_attempts = 100;
  for (std::uint32_t attempt = 0; attempt < most_attempts; ++attempt) {
    const RandomStream normals{.seed = seed,
                               .purpose = Purpose::variational_posterior,
                               .replicate = static_cast<std::uint32_t>(row),
                               .iteration = attempt};
    if (possible(q.draw(normals.normals(q.dimension() + q.rank())), normals)) return;
  }
  throw InvalidArgument("draws", "cannot be made: hidden layers are impossible a hundred times in a row");
}

PosteriorDraws draw_posterior(const VariationalGaussian& q, const std::shared_ptr<const LayerPrior>& prior,
                              const std::shared_ptr<const Data>& data, Index draws, std::uint64_t seed,
                              const MonitoredInputs& inputs) {
  PosteriorDraws made = PosteriorDraws::allocate(*prior, data->outputs(), 1, draws, inputs);
  const auto record = [&](CollapsedDensity& density, Index row) {
    draw_possible(q, seed, row, [&](const Vector& xi, const RandomStream& normals) {
      made.log_likelihood(row) = density(xi);
      if (!std::isfinite(made.log_likelihood(row))) return false;
      made.evaluations(row) = normals.iteration + 1;
      RandomStream of_z = normals;
      of_z.purpose = Purpose::chain_coordinates;
      density.record_place(made, row, of_z, inputs);
      return true;
    });
  };
  parallel_for(
      draws, [&] { return std::make_unique<CollapsedDensity>(prior, data); },
      [&](const std::unique_ptr<CollapsedDensity>& density, Index row) { record(*density, row); });
  return made;
}

}  // namespace ridgelet
