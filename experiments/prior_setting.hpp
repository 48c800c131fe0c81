/// The setting that Sections 3, 6.1 and 6.3 of the paper and its appendix share; a figure varies a part of it.
#pragma once

#include <string>

#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet::experiments {

inline constexpr double paper_domain = 5;  ///< x runs over [-5, 5]
inline constexpr const char* squared_exponential = "se(amplitude=1, lengthscale=1.5)";

/// Units of one activation with weights N(0, sigma_w^2) and biases N(0, sigma_b^2); nodes are the left-endpoint grid on
/// [-6, 6], mollified to [-5, 5]; the process has mean 0.
struct PriorSetting {
  /// "ridgelet" or "least-squares"; "gp" where the process is listed beside networks.
  std::string model = "ridgelet";
  Index units = 1000;
  Index layers = 1;
  Index nodes = 200;
  double sigma_w = 3;
  double sigma_b = 12;
  std::string activation = "tanh";
  std::string kernel = squared_exponential;

  bool operator==(const PriorSetting&) const = default;
};

RidgeletPrior make_prior(const PriorSetting& setting);

}  // namespace ridgelet::experiments
