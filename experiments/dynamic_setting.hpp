/// The paper's bandwidths that grow with the number of units.
#pragma once

#include <vector>

#include "experiments/approximation_study.hpp"

namespace ridgelet::experiments {

struct DynamicSetting {
  double sigma_w;
  double sigma_b;
  Index units;
};

/// Fast: a tenth of the units.
inline std::vector<DynamicSetting> dynamic_settings(const ExperimentOptions& options) {
  const Index part = options.fast ? 10 : 1;
  return {{1, 2, 300 / part},
          {2, 6, 1000 / part},
          {3, 12, 3000 / part},
          {4, 20, 10000 / part},
          {5, 30, 30000 / part}};
}

/// Least squares is known well from few hidden layers, and its large ones take long.
inline StudyCase dynamic_case(const char* model, const DynamicSetting& setting, const char* kernel,
                              const ExperimentOptions& options) {
  const Index most = std::string(model) == "ridgelet" ? 1000 : setting.units > 3000 ? 20 : 100;
  return {.model = model,
          .units = setting.units,
          .sigma_w = setting.sigma_w,
          .sigma_b = setting.sigma_b,
          .kernel = kernel,
          .replicates = affordable_replicates(setting.units, most, options)};
}

}  // namespace ridgelet::experiments
