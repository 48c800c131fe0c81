#include "experiments/prior_setting.hpp"

#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

RidgeletPrior make_prior(const PriorSetting& setting) {
  return RidgeletPrior({.target = {.kernel = parse_kernel(setting.kernel)},
                        .nodes = grid(6, setting.nodes, 1, paper_domain),
                        .activation = setting.activation,
                        .units = setting.units,
                        .layers = setting.layers,
                        .hidden = {.sigma_w = setting.sigma_w, .sigma_b = setting.sigma_b},
                        .op = {.name = setting.model}});
}

}  // namespace ridgelet::experiments
