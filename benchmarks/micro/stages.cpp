// The hot stages one by one, by Google Benchmark: `benchmarks/stages`. Sizes are those of the CO2 likelihood (200
// nodes, 500 units, 43 data), of the pass over rows (2048 rows at a time, 1000 units, rank 500) and of learning (1000
// rows of 10 inputs), on one thread.
#include <benchmark/benchmark.h>

#include <sstream>
#include <vector>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/table_stream.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/square_root.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/evidence.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/transform/feature_product.hpp"
#include "ridgelet/transform/operator.hpp"
#include "ridgelet/transform/single_feature_product.hpp"

namespace ridgelet::benchmarks {

namespace {

Matrix normals(Index rows, Index cols, double scale = 1) {
  return scale * RandomStream{.seed = 1, .purpose = Purpose::target_process}.normals(rows, cols);
}

/// values[i] = f(z[i]) for as many numbers as fit into the first cache, with the spread that the paper's networks have.
template <class Function>
void evaluate_function(benchmark::State& state, Function&& f) {
  const Matrix z = normals(1024, 1, 12);
  std::vector<double> values(static_cast<std::size_t>(z.size()));
  for (auto _ : state) {
    f(std::span<const double>(z.data(), values.size()), std::span<double>(values));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * z.size());
}

void phi(benchmark::State& state, const char* name) {
  const Activation activation(name);
  evaluate_function(state, [&](auto z, auto values) { activation.phi(z, values); });
}

void psi(benchmark::State& state, const char* name) {
  const ActivationPair pair(name, 1);
  evaluate_function(state, [&](auto z, auto values) { pair.psi(z, values); });
}

/// The prior of the CO2 forecast, and data at its months that are noise.
struct Forecast {
  RidgeletPrior prior;
  HiddenLayers layers;
  Data data;

  explicit Forecast(const std::string& op)
      : prior({.target = {.kernel = parse_kernel("periodic(amplitude=1, lengthscale=0.75, period=1.8)")},
               .nodes = grid(5, 200, 1, 5),
               .units = 500,
               .hidden = {.sigma_w = 3, .sigma_b = 12},
               .op = {.name = op}}),
        layers(prior.draw_hidden(1)),
        data{.X = Vector::LinSpaced(66, -5, 5).head(43),
             .Y = normals(43, 1),
             .noise = Vector::Constant(1, 0.065)} {}
};

void condition(benchmark::State& state, const char* op) {
  const Forecast forecast(op);
  GivenHidden given(forecast.prior);
  for (auto _ : state) benchmark::DoNotOptimize(given.condition(forecast.layers));
}

void weights(benchmark::State& state, const char* op) {
  const Forecast forecast(op);
  GivenHidden given(forecast.prior, forecast.layers);
  Matrix BF(given.path().at_nodes().units(), 1 + given.rank());
  WeightBlocks blocks;
  for (auto _ : state) blocks.fill(given.path().op(), given.path().at_nodes(), given.path().mixed(), BF);
}

void likelihood(benchmark::State& state, const char* op) {
  const Forecast forecast(op);
  CollapsedLikelihood log_likelihood(forecast.prior, forecast.data);
  for (auto _ : state) benchmark::DoNotOptimize(log_likelihood(forecast.layers));
}

void gradient(benchmark::State& state, const char* op) {
  const Forecast forecast(op);
  CollapsedLikelihood log_likelihood(forecast.prior, forecast.data);
  for (auto _ : state) benchmark::DoNotOptimize(log_likelihood.value_and_gradient(forecast.layers));
}

/// One step of learning: the evidence with its slopes in ten lengthscales, amplitude and noise.
void evidence(benchmark::State& state) {
  EvidenceFunction log_evidence(normals(1000, 10), normals(1000, 1));
  const GaussianProcess process{.kernel = parse_kernel("se(lengthscale=[3, 3, 3, 3, 3, 3, 3, 3, 3, 3])")};
  const Vector noise = Vector::Constant(1, 0.3);
  for (auto _ : state) benchmark::DoNotOptimize(log_evidence.at(process, noise));
}

/// Sizes of the pass over rows; its stages report flops per second.
constexpr Index rows = 2048, units = 1000, rank = 500;

void set_flops(benchmark::State& state, double flops) {
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

/// The network's sum over its units, in double or in single precision.
template <class Product>
void feature_product(benchmark::State& state) {
  const HiddenLayer layer{.W = normals(units, 10, 0.3), .b = normals(units, 1)};
  const Matrix X = normals(rows, 10), w = normals(units, 1 + rank);
  const Preactivations seen(layer, X);
  Matrix values = Matrix::Zero(rows, 1 + rank);
  Product product;
  for (auto _ : state) product.accumulate("tanh", seen, w, values);
  set_flops(state, 2.0 * rows * units * (1 + rank));
}

void transposed_gram(benchmark::State& state) {
  const Matrix G = normals(rows, rank);
  Matrix C = Matrix::Zero(rank, rank);
  for (auto _ : state) accumulate_transposed_gram(C, G);
  set_flops(state, 1.0 * rows * rank * (rank + 1));
}

/// The same rows by roots: what they add to the triangular factor of [G, r].
void root_pass(benchmark::State& state) {
  const Matrix all = normals(rows, 1 + rank);
  Matrix scratch(all.rows(), all.cols());
  StackedFactor factor;
  factor.start(all.cols());
  for (auto _ : state) {
    scratch = all;
    factor.append(scratch);
  }
  set_flops(state, 2.0 * rows * (1 + rank) * (1 + rank));
}

void gram(benchmark::State& state) {
  const Matrix features = normals(200, 256);
  Matrix S = Matrix::Zero(200, 200);
  for (auto _ : state) accumulate_gram(S, features);
  set_flops(state, 256.0 * 200 * 201);
}

void cholesky(benchmark::State& state) {
  const Matrix F = normals(200, 400), K = F * F.transpose();
  Cholesky factor;
  for (auto _ : state) benchmark::DoNotOptimize(factor.compute(K));
  set_flops(state, 200.0 * 200 * 200 / 3);
}

/// 20,000 rows of 11 columns with 17 digits.
std::string table_text() {
  std::ostringstream text;
  std::vector<std::string> header;
  for (int k = 0; k < 10; ++k) header.push_back("x" + std::to_string(k));
  header.emplace_back("y");
  write_csv(text, header, normals(20'000, 11));
  return text.str();
}

/// Finding out what the columns are: the ends of lines, and all cells once.
void table_survey(benchmark::State& state) {
  const std::string text = table_text();
  for (auto _ : state) TableStream(table_source_of(text, "t.csv"), {.inputs = {}, .outputs = {"y"}});
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

/// Reading the numbers of all cells.
void table_rows(benchmark::State& state) {
  const std::string text = table_text();
  const TableStream table(table_source_of(text, "t.csv"), {.inputs = {}, .outputs = {"y"}});
  for (auto _ : state)
    for (Index tile = 0; tile < table.tiles(); ++tile) benchmark::DoNotOptimize(table.tile(tile));
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}

BENCHMARK(table_survey);
BENCHMARK(table_rows);
BENCHMARK_CAPTURE(phi, tanh, "tanh");
BENCHMARK_CAPTURE(phi, relu, "relu");
BENCHMARK_CAPTURE(psi, tanh, "tanh");
BENCHMARK_CAPTURE(psi, gaussian, "gaussian");
BENCHMARK_CAPTURE(condition, ridgelet, "ridgelet");
BENCHMARK_CAPTURE(condition, least_squares, "least-squares");
BENCHMARK_CAPTURE(weights, ridgelet, "ridgelet");
BENCHMARK_CAPTURE(weights, least_squares, "least-squares");
BENCHMARK_CAPTURE(likelihood, ridgelet, "ridgelet");
BENCHMARK_CAPTURE(likelihood, least_squares, "least-squares");
BENCHMARK_CAPTURE(gradient, ridgelet, "ridgelet");
BENCHMARK_CAPTURE(gradient, least_squares, "least-squares");
BENCHMARK(evidence);
BENCHMARK(gram);
BENCHMARK(cholesky);
BENCHMARK(feature_product<FeatureProduct>)->Name("feature_product");
BENCHMARK(feature_product<SingleFeatureProduct>)->Name("single_feature_product");
BENCHMARK(transposed_gram);
BENCHMARK(root_pass);

}  // namespace

}  // namespace ridgelet::benchmarks

int main(int argc, char** argv) {
  const ridgelet::ThreadScope one_thread(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
