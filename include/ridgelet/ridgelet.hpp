/// Everything, in the order in which data flow.
#pragma once

// core, linalg: types, errors, random streams; factors, Gaussians, blocked products
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/gaussian.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
// target: what you believe
#include "ridgelet/target/covariance/constant.hpp"
#include "ridgelet/target/covariance/cosine.hpp"
#include "ridgelet/target/covariance/linear.hpp"
#include "ridgelet/target/covariance/matern12.hpp"
#include "ridgelet/target/covariance/matern32.hpp"
#include "ridgelet/target/covariance/matern52.hpp"
#include "ridgelet/target/covariance/outer.hpp"
#include "ridgelet/target/covariance/periodic.hpp"
#include "ridgelet/target/covariance/rational_quadratic.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"
#include "ridgelet/target/covariance/white.hpp"
#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/target/kernel_expression.hpp"
// cubature: where you look
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/cubature/mollifier.hpp"
// activation: the pair (phi, psi)
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/activation/gaussian_bump.hpp"
#include "ridgelet/activation/relu.hpp"
#include "ridgelet/activation/sigmoid.hpp"
#include "ridgelet/activation/tanh.hpp"
// transform: functions to weights
#include "ridgelet/transform/feature_product.hpp"
#include "ridgelet/transform/hidden_walk.hpp"
#include "ridgelet/transform/least_squares_operator.hpp"
#include "ridgelet/transform/ridgelet_operator.hpp"
// prior: over the weights
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/hidden_path.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
// network: the thing you ship
#include "ridgelet/network/network.hpp"
// inference: belief meets data
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/inference/elliptical_slice.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/inference/posterior.hpp"
#include "ridgelet/inference/sampling.hpp"
// assess: how good is it
#include "ridgelet/assess/approximation.hpp"
#include "ridgelet/assess/diagnostics.hpp"
#include "ridgelet/assess/mmd.hpp"
// io: in and out
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/model_settings.hpp"
#include "ridgelet/io/netcdf.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/sample_paths_figure.hpp"
