/// A fit of a response that is not Gaussian, small and with a kernel that is given.
#pragma once

#include <string>
#include <utility>

#include "ridgelet/fitting/fit.hpp"

namespace ridgelet::testing {

inline FittedModel small_latent_fit(RegressionTable table, const std::string& kernel,
                                    const std::string& likelihood) {
  FitSettings settings;
  settings.regression.model.kernel = kernel;
  settings.regression.model.units = 40;
  settings.regression.model.standardise = true;
  settings.regression.model.likelihood = likelihood;
  return fit(std::move(table), settings).model;
}

}  // namespace ridgelet::testing
