// One likelihood or one fit in closed form, on one thread: the work that `benchmarks/instructions` counts.
// Usage: counted ridgelet|least-squares|fit. Only counted_work() is counted.
#include <fmt/format.h>

#include <hwy/targets.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/row_spectrum.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::benchmarks {

namespace {

Matrix normals(Index rows, Index cols, std::uint64_t seed) {
  return RandomStream{.seed = seed, .purpose = Purpose::target_process}.normals(rows, cols);
}

/// log p(y | hidden layer) in the setting of the paper's CO2 forecast, 200 nodes, 500 units, 43 data; its memory is
/// allocated before.
std::function<double()> likelihood(const std::string& op) {
  const auto prior = std::make_shared<const RidgeletPrior>(
      PriorOptions{.target = {.kernel = parse_kernel("periodic(amplitude=1, lengthscale=0.75, period=1.8)")},
                   .nodes = grid(5, 200, 1, 5),
                   .units = 500,
                   .hidden = {.sigma_w = 3, .sigma_b = 12},
                   .op = {.name = op}});
  const auto data = std::make_shared<const Data>(Data{
      .X = Vector::LinSpaced(66, -5, 5).head(43), .Y = normals(43, 1, 1), .noise = Vector::Constant(1, 0.1)});
  const auto density = std::make_shared<CollapsedLikelihood>(*prior, *data);
  (*density)(prior->draw_hidden(1, 0));
  // The density keeps references to the other two.
  return [prior, data, density, layers = prior->draw_hidden(1, 1)] { return (*density)(layers); };
}

/// log p(y) after the pass over 4000 rows of 5 inputs, 200 units on 100 nodes.
std::function<double()> closed_form_fit() {
  const RidgeletPrior prior({.target = {.kernel = parse_kernel("se(lengthscale=2)")},
                             .nodes = {.points = normals(100, 5, 2), .weights = Vector::Ones(100)},
                             .units = 200,
                             .hidden = {.sigma_w = 0.5, .sigma_b = 1.5}});
  const auto data = std::make_shared<const Data>(
      Data{.X = normals(4000, 5, 3), .Y = normals(4000, 1, 4), .noise = Vector::Constant(1, 0.1)});
  return [=, layers = prior.draw_hidden(1)] {
    GivenHidden output(prior, layers);
    return row_spectrum(output, *data).log_evidence(0, 0.1);
  };
}

}  // namespace

}  // namespace ridgelet::benchmarks

/// The name that callgrind looks for.
extern "C" [[gnu::noinline]] void counted_work(const std::function<double()>& work, double* value) {
  *value = work();
}

int main(int argc, char** argv) {
  using namespace ridgelet::benchmarks;
  // The same vector code on every processor.
  hwy::SetSupportedTargetsForTest(HWY_SSSE3);
  const ridgelet::ThreadScope one_thread(1);
  const std::string job = argc > 1 ? argv[1] : "";
  double value = 0;
  counted_work(job == "fit" ? closed_form_fit() : likelihood(job), &value);
  fmt::print("{}\n", value);
  return std::isfinite(value) ? 0 : 1;
}
