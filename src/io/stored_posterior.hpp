/// The posterior of a results file: draws of hidden layers, or networks whose layers stay.
///
/// W is stored over (unit, input), as people read it; in memory its columns stand one after the other.
#pragma once

#include <vector>

#include "ridgelet/fitting/fit_view.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

/// Whichever posterior the model has, with its dimensions.
void write_posterior(NetcdfWriter& file, const FittedModel& model);

/// What it wrote, of a model with this regression. They refuse arrays that do not fit it, or each other.
PosteriorDraws read_draws(const NetcdfReader& file, const Regression& regression);
std::vector<ClosedFormNetwork> read_networks(const NetcdfReader& file, const Regression& regression);
std::vector<LatentNetwork> read_latent_networks(const NetcdfReader& file, const Regression& regression);

}  // namespace ridgelet
