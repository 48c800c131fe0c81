/// A fitted network with fewer columns in its sd factor, and what that costs.
///
/// The variance at x is |phi(x)^T V|^2 with V of N x R. Let G = Phi V be phi(x)^T V at the rows of the data, and
/// G = Q diag(g) U^T its singular value decomposition. With the first r columns U_r of U, the factor is
///   V_r = V U_r      (N x r).
/// The sum of variances over the rows then falls by sum_{j > r} g_j^2, the least that any factor of r columns can
/// achieve. Every variance becomes smaller or stays the same; with r = R nothing changes. The loss is
///   loss(x) = (sd(x) - sd_r(x)) / sd(x)
/// of predictions with noise, in a person's units.
///
/// For classes V holds draws (predictive_network.hpp): r of them are kept, evenly spaced, and the loss is the change
/// |p(x) - p_r(x)| of the probabilities.
#pragma once

#include "ridgelet/network/predictive_network.hpp"

namespace ridgelet {

/// The loss over all rows and all outputs, or all classes.
struct CutLoss {
  double largest = 0;
  double root_mean_square = 0;
};

/// The network with factors of `rank` columns, chosen by its features at the rows of X. Throws InvalidArgument about
/// "rank" unless it is from 1 to R. Cost M R (N + R) and R^3 for each component and output; for classes N r.
PredictiveNetwork cut_rank(PredictiveNetwork network, Index rank, const MatrixView& X);

/// By how much `cut` understates the sd at the rows of X or, for classes, misstates the probabilities.
CutLoss cut_loss(const PredictiveNetwork& whole, const PredictiveNetwork& cut, const MatrixView& X);

}  // namespace ridgelet
