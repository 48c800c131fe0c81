/// Section 6.3: what becomes of the prior as the network grows deeper.
///
/// L = 1 .. 5 hidden layers of N units; D = 50 nodes; the process is a squared exponential of lengthscale
/// 1.5. Networks and process are compared by MMD^2 (assess/mmd.hpp) from draws at 50 inputs on [-5, 5], repeatedly,
/// with fresh draws of both; the null compares the process with itself.
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace ridgelet::experiments {

/// One kind of network at every depth.
struct DepthSeries {
  std::string op;
  Index units = 0;
  Matrix mmd2;                ///< repeats x L
  Vector sd;                  ///< L: of the outputs, over draws and inputs
  std::vector<Matrix> paths;  ///< for each depth, inputs of the figure x paths
  double seconds = 0;         ///< for every depth together: one walk serves all
};

struct DepthStudy {
  Index draws = 0;    ///< in a sample
  Index repeats = 0;  ///< samples
  Index inputs = 0;
  Vector null;     ///< MMD^2 of the process against itself, for each repeat
  Matrix x;        ///< inputs of the figure
  Matrix process;  ///< paths with the coordinates z of the networks' paths
  std::vector<DepthSeries> series;

  Index depths() const { return series.front().mmd2.cols(); }
};

FigureScript depth_figure(const DepthStudy& study);

}  // namespace ridgelet::experiments
