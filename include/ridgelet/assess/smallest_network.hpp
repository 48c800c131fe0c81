/// The smallest network that is close enough to its process.
///
/// A width is good enough if the MRMSE, the greatest rmse(x) over points of the domain, averaged over hidden layers
/// (replicates.hpp), is at most `error` times the process's standard deviation. Widths are doubled until one is good
/// enough; the whole numbers between the last that was not and the first that was are then bisected. Bandwidths and
/// ridge are tuned anew for each width (tuning.hpp), since narrow layers need other values than wide ones, and where
/// the tuned ridge misses the target, the others are tried as well; a number given by hand stays. All widths share
/// their random numbers, and the first units of a wide layer are those of a narrow one, so errors of neighbouring
/// widths can be compared. They fall with the width except for ripples, of a few per cent in one input, and larger in
/// two inputs where there are about as many units as nodes. So the answer is good enough and the width just below it
/// is not, but a narrower one may have been missed.
///
/// No width goes below the kriging floor: what the values at the nodes leave open (target/process_at_points.hpp). Such
/// a target is refused at once, and needs more nodes.
///
/// Cost: about 2 log2(N) widths, each at the cost of tune() and of `replicates` networks for every ridge that is tried.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ridgelet/assess/tuning.hpp"

namespace ridgelet {

/// One width that was tried, with the numbers tuned for it.
struct TriedWidth {
  Index units = 0;
  HiddenDistribution hidden;
  double ridge = 0;
  double error = 0;  ///< MRMSE relative to the process
};

struct WidthSearch {
  double error = 0.05;  ///< relative MRMSE to be reached, between 0 and 1
  Matrix points;        ///< of the domain, where the error is measured
  Index first_units = 8;
  Index most_units = 2000;
  Index replicates = 5;
  std::function<void(const TriedWidth&)> tried = nullptr;  ///< called after each width
};

struct SmallestNetwork {
  TriedWidth chosen;  ///< the smallest that reaches the error, or else the one with the least error
  bool reached = false;
  double floor = 0;       ///< greatest kriging floor, relative to the process
  double process_sd = 0;  ///< what errors are relative to
  std::vector<TriedWidth> path;
};

/// With request.units false, the width of the model is the only one tried. The smallest network is the model of the
/// request with the numbers of `chosen`. Throws InvalidArgument about "error" unless it is between the floor and 1, and
/// about "first_units", "most_units" or "points".
SmallestNetwork smallest_network(const TuningRequest& request, const WidthSearch& search);

/// The model with the numbers of a width.
PriorOptions with_width(PriorOptions model, const TriedWidth& width);

}  // namespace ridgelet
