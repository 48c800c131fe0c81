#include <algorithm>

#include "experiments/experiment.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet::experiments {

// Those from bandwidths() to covariances() are in settings.cpp, every other one in the file of its name.
Experiment bnn_priors();
Experiment weight_covariance();
Experiment sample_paths();
Experiment mollifier();
Experiment approximation();
Experiment co2();
Experiment airline();
Experiment inpainting();
Experiment depth();
Experiment mmd();
Experiment bandwidths();
Experiment dynamic_bandwidths();
Experiment activations();
Experiment covariances();
Experiment hidden_points();

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      bnn_priors(),  weight_covariance(), sample_paths(),  mollifier(), approximation(), co2(),
      airline(),     inpainting(),        depth(),         mmd(),       bandwidths(),    dynamic_bandwidths(),
      activations(), covariances(),       hidden_points(),
  };
  return all;
}

const Experiment& find_experiment(const std::string& name) {
  const std::vector<Experiment>& all = experiments();
  const auto found = std::ranges::find(all, name, &Experiment::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Experiment& each : all) names.push_back(each.name);
  throw InvalidArgument("NAME", unknown_name_complaint(name, names));
}

}  // namespace ridgelet::experiments
