#include <algorithm>

#include "experiments/experiment.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet::experiments {

// Each is defined in the file of its name.
Experiment co2();
Experiment airline();
Experiment depth();

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      co2(),
      airline(),
      depth(),
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
