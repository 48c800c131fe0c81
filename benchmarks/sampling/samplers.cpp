// Effective draws per second of the two samplers, elliptical slices and the no-U-turn sampler, on the problems of the
// paper's Section 6.2 and on a network of two hidden layers: the table of docs/samplers.md.
//
// Effective draws are the smallest bulk effective sample size (assess/diagnostics.hpp) of the function at inputs that
// are monitored, and log p is the mean log likelihood of the draws; the seconds are those of one processor for the
// whole run, warm-up included.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <numbers>
#include <vector>

#include "experiments/monthly_series.hpp"
#include "ridgelet/assess/diagnostics.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/sampling.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::benchmarks {

namespace {

constexpr double half_width = 5;

/// A posterior, and how many draws each chain of either sampler makes.
struct Case {
  std::string name;
  std::shared_ptr<const RidgeletPrior> prior;
  std::shared_ptr<const Data> data;
  Matrix monitored;
  Index slices, trajectories;
};

Data co2_data() {
  constexpr Index months = 66, seen = 43;
  const experiments::StandardisedSeries series =
      experiments::standardise(experiments::read_monthly_series("mauna_loa_co2.csv", "co2_ppm"), months, 12);
  const Matrix X = series.x.head(seen);
  return {.X = X, .Y = series.y.head(seen) - 0.06 * X.col(0), .noise = Vector::Constant(1, 0.065)};
}

/// The paper's periodic process on 200 nodes.
Case co2(const std::string& op, Index units, Index layers, Index slices = 0, Index trajectories = 0) {
  const PriorOptions options{
      .target = {.kernel = parse_kernel("periodic(amplitude=1, lengthscale=0.75, period=1.8)")},
      .nodes = grid(half_width, 200, 1, half_width),
      .units = units,
      .layers = layers,
      .hidden = {.sigma_w = 3, .sigma_b = 12},
      .op = {.name = op}};
  return {.name = fmt::format("CO2, {}, {} of {} units", op, layers == 1 ? "one layer" : "two layers", units),
          .prior = std::make_shared<const RidgeletPrior>(options),
          .data = std::make_shared<const Data>(co2_data()),
          .monitored = Vector::LinSpaced(20, -half_width, half_width),
          .slices = slices,
          .trajectories = trajectories};
}

/// The paper's in-painting; its own sizes are 50 x 50 pixels, 30 x 30 nodes and 2,000 units.
Case inpainting(const std::string& op, Index edge, Index nodes, Index units, Index slices = 0,
                Index trajectories = 0) {
  const Matrix pixels = evaluation_points(Box::cube(half_width, 2), edge * edge, 0);
  std::vector<Index> known, missing;
  for (Index i = 0; i < pixels.rows(); ++i)
    (pixels.row(i).cwiseAbs().maxCoeff() > half_width / 2 ? known : missing).push_back(i);
  const auto wave = [](double x) { return std::cos(std::numbers::pi * x / 2) + 1; };
  Data data{.X = pixels(known, Eigen::all), .Y = {}, .noise = Vector::Constant(1, 0.1)};
  data.Y = 0.1 * RandomStream{.seed = 1, .purpose = Purpose::predictive_noise}.normals(data.rows());
  for (Index i = 0; i < data.rows(); ++i) data.Y(i, 0) += wave(data.X(i, 0)) * wave(data.X(i, 1));
  const PriorOptions options{
      .target = {.kernel = parse_kernel(
                     "se(amplitude=0.1, lengthscale=0.1) + outer((cos(pi*x1/2)+1)*(cos(pi*x2/2)+1))")},
      .nodes = grid(half_width, nodes, 2, half_width),
      .units = units,
      .hidden = {.sigma_w = 2, .sigma_b = 12},
      .op = {.name = op}};
  return {.name = fmt::format("in-painting, {}, {} x {} pixels, {} units", op, edge, edge, units),
          .prior = std::make_shared<const RidgeletPrior>(options),
          .data = std::make_shared<const Data>(std::move(data)),
          .monitored = pixels(missing, Eigen::all),
          .slices = slices,
          .trajectories = trajectories};
}

/// Trajectories are few where one of them takes a thousand gradients.
std::vector<Case> cases() {
  return {co2("least-squares", 100, 1, 1000, 40), co2("ridgelet", 100, 1, 4000, 60),
          inpainting("ridgelet", 20, 12, 300, 300, 40), co2("least-squares", 40, 2, 4000, 60)};
}

/// At the paper's own sizes a gradient is timed, and no chain is run.
std::vector<Case> cases_of_costs() {
  return {co2("least-squares", 500, 1), co2("ridgelet", 500, 1), co2("least-squares", 100, 2),
          inpainting("least-squares", 50, 30, 2000), inpainting("ridgelet", 50, 30, 2000)};
}

/// Seconds of processor time since the program began: others who use the machine do not count.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Milliseconds of one call: the least of several, after a first that is not timed.
double milliseconds(const std::function<void()>& call) {
  call();
  double least = 1e300;
  for (int turn = 0; turn < 5; ++turn) {
    const double before = processor_seconds();
    call();
    least = std::min(least, 1e3 * (processor_seconds() - before));
  }
  return least;
}

void print_costs(const Case& problem) {
  CollapsedDensity density(problem.prior, problem.data);
  const Vector xi = RandomStream{.seed = 1}.normals(density.dimension());
  Vector gradient;
  const double value = milliseconds([&] { density(xi); });
  const double both = milliseconds([&] { density.value_and_gradient(xi, gradient); });
  fmt::print("{}: {} coordinates; value {:.3g} ms, with its gradient {:.3g} ms, {:.2f} times\n", problem.name,
             density.dimension(), value, both, both / value);
}

void print_run(const Case& problem, Sampler sampler, double part) {
  const Index draws = std::max<Index>(
      8, std::lround(part *
                     static_cast<double>(sampler == Sampler::slice ? problem.slices : problem.trajectories)));
  const SamplingOptions options{.chains = 2, .warmup = draws, .draws = draws, .seed = 1, .sampler = sampler};
  const double before = processor_seconds();
  Sampling run(problem.prior, problem.data, options, {.paths = problem.monitored});
  run.run([] { return false; }, [](Index, Index) {});
  const double seconds = processor_seconds() - before;
  const PosteriorDraws& made = run.draws();
  const WorstDiagnostics worst = worst_diagnostics(problem.monitored.rows(), [&](Index q) -> Matrix {
    return made.functions.col(q).reshaped(draws, options.chains);
  });
  fmt::print(
      "  {:<6} {:>5} draws  {:>7.1f} evaluations a draw  {:>4.0f} diverged  log p {:>8.1f}  R-hat {:>6.3f}  "
      "{:>7.1f} s  "
      "{:>7.1f} "
      "effective  {:>8.3f} a second\n",
      sampler_name(sampler), draws, made.evaluations.mean(), made.diverging.sum(), made.log_likelihood.mean(),
      worst.rhat.value, seconds, worst.bulk.value, worst.bulk.value / seconds);
}

}  // namespace

}  // namespace ridgelet::benchmarks

int main(int argc, char** argv) {
  using namespace ridgelet;
  CLI::App program{"Effective draws per second of both samplers"};
  double part = 1;
  std::string only;
  bool costs = false;
  program.add_option("--part", part, "of the draws");
  program.add_option("--only", only, "cases whose name has this in it");
  program.add_flag("--costs", costs, "the time of a gradient at the paper's sizes, and no chains");
  CLI11_PARSE(program, argc, argv);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // each line as soon as it is known
  const ThreadScope scope(1);
  for (const benchmarks::Case& problem : costs ? benchmarks::cases_of_costs() : benchmarks::cases()) {
    if (problem.name.find(only) == std::string::npos) continue;
    benchmarks::print_costs(problem);
    for (const Sampler sampler : {Sampler::slice, Sampler::nuts})
      if (!costs) benchmarks::print_run(problem, sampler, part);
  }
}
