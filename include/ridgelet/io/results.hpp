/// The results file of a fit: NetCDF, with ArviZ's groups and `target_gp` for the process that was asked for.
///
/// | group                | holds                                                                       |
/// |----------------------|-----------------------------------------------------------------------------|
/// | (file)               | format and version, the model as TOML text, settings of the run             |
/// | constant_data        | x and y of all rows, or of 10,000 of them and a summary of each column over |
/// |                      | all rows; noise, scaling, inputs of the groups below, L                     |
/// | observed_data        | y at the rows that are watched (fitting/fit_view.hpp): all, or up to 1,000  |
/// | posterior            | W, b, z of every draw (W2, b2 of a second layer); f at the watched rows     |
/// | posterior_predictive | y at the watched rows                                                       |
/// | log_likelihood       | of y in observed_data, row by row, given f                                  |
/// | prior                | f of networks drawn from the prior at the watched rows                      |
/// | prior_predictive     | y of the same                                                               |
/// | predictions          | mean, sd, lower, upper (95 %, with noise) over the domain                   |
/// | target_gp            | the exact process: its prior, and up to 2,000 rows its posterior            |
/// | sample_stats         | log likelihood and evaluations of every draw; what `fit` reported           |
///
/// Where the response is not Gaussian given the functions, f, the scaling of outputs, predictions and target_gp have
/// one entry for each function (named by its class where there are classes), and z is that of every function drawn.
/// Where the response is a class, y is its index, counted from 0, and predictions are the probabilities of the classes.
///
/// Inputs and outputs are named by their columns, and observations by their rows, counted from 0, in every group.
/// Functions, x, y and predictions are in the table's own units; W, b, z and noise are the model's. The file
/// holds all that prediction needs. It holds no time, so the same fit gives the same bytes.
#pragma once

#include <filesystem>

#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {

/// Throws IoError.
void write_results(const std::filesystem::path& path, const Fit& fitted);

/// Throws InvalidArgument about "model" for a file that is cut off, of another version or not of ridgelet;
/// IoError if it cannot be read.
FittedModel read_results(const std::filesystem::path& path);

}  // namespace ridgelet
