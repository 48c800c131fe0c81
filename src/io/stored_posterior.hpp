/// The posterior of a results file: draws of hidden layers, or networks whose hidden layers are fixed.
///
/// W is stored over (unit, input), row by row, as people read it; in memory it is stored column by column.
#pragma once

#include <vector>

#include "ridgelet/fitting/fit_view.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

/// Whichever posterior the model has, with its dimensions.
void write_posterior(NetcdfWriter& file, const FittedModel& model);

/// What write_posterior() wrote, for a model with this regression. These functions refuse arrays that do not fit the
/// regression, or each other.
PosteriorDraws read_draws(const NetcdfReader& file, const Regression& regression);
std::vector<ClosedFormNetwork> read_networks(const NetcdfReader& file, const Regression& regression);
std::vector<LatentNetwork> read_latent_networks(const NetcdfReader& file, const Regression& regression);

}  // namespace ridgelet
