/// One table, one split, three answers: what the network costs and what it is worth.
///
/// | model      | is                                                                                               |
/// |------------|--------------------------------------------------------------------------------------------------|
/// | `gp`       | the exact process with the kernel, mean and noise of the fit as they were learned or given; up to |
/// |            | 5,000 rows, since its cost is M^3 / 3                                                            |
/// | `iid`      | a network of the same width and activation whose weights are all independent, on standardised     |
/// |            | columns: W, b ~ N(0, 1) and w ~ N(0, a^2 / N), with a and the noise chosen on all rows            |
/// | `ridgelet` | what fit() leaves                                                                                |
///
/// The first and the last have the same process, so the difference between them is due to the network; the seconds of
/// both contain the time that learning took. Everything is judged at the same rows, which no model has seen.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/fitting/holdout.hpp"

namespace ridgelet {

struct ComparisonSettings {
  FitSettings fit = {};
  double holdout = 0.1;
  Index most_process_rows = 5000;
};

struct ComparedModel {
  std::string model;          ///< "gp", "iid" or "ridgelet"
  double seconds = 0;         ///< to fit and to predict
  std::vector<Score> scores;  ///< of each output
};

struct Comparison {
  std::vector<ResponseEncoding> responses;
  Index rows = 0;      ///< that were fitted
  Index held_out = 0;  ///< that the models are judged by
  Index units = 0;     ///< of both networks
  std::vector<ComparedModel> models = {};
  std::vector<std::string> warnings = {};  ///< of the fit of the ridgelet network
};

/// Throws what hold_out() and fit() throw, and InvalidArgument about "likelihood" unless the noise is Gaussian. The
/// exact process is left out where there are too many rows for it, or double precision does not suffice.
Comparison compare(const RegressionTable& table, const ComparisonSettings& settings,
                   const FitHandlers& handlers = {});

}  // namespace ridgelet
