#include "experiments/depth_walk.hpp"
#include "experiments/prior_paths.hpp"
#include "experiments/experiment.hpp"
#include <chrono>
#include <fmt/core.h>
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/cubature/evaluation.hpp"
namespace ridgelet::experiments {
Experiment depth() {
  return {.name="depth", .description = "d", .run=[](const ExperimentOptions& o) -> ExperimentResult {
    auto X = evaluation_points(Box::cube(5,1), 50, 0);
    for (Index n : {1000, 10000}) for (std::string op : {"ridgelet", "least-squares"}) {
      auto p = make_prior({.op=op,.units=n,.layers=5,.nodes=50});
      auto t = std::chrono::steady_clock::now();
      Index count = 20;
      parallel_for(count, [&](Index i){ outputs_by_depth(p, X, o.seed, (std::uint32_t)i); });
      fmt::print("{} {} {}\n", n, op, std::chrono::duration<double>(std::chrono::steady_clock::now()-t).count()/(double)count);
    }
    return {};
  }};
}
}
