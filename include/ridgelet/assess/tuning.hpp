/// Bandwidths, ridge and width that follow the kernel: what nobody should have to know.
///
/// A hidden unit must turn over the same lengths as the process, so the bandwidths are tied to its lengthscales:
///   sigma_w,k = c / lengthscale_k,      sigma_b^2 = 1 + sum_k (sigma_w,k h_k)^2
/// with h_k the half-width of input k, so that units reach to the edges. No single c is right: 0.5 suits many smooth
/// inputs, 1 a single smooth input, and 4 to 8 rough kernels. So a few are tried, and so are a few values of the ridge.
/// The judge is the exact error of the network against its process (given_hidden.hpp) at points that are not nodes,
/// with the same random numbers for all. No data are used, so nothing is fitted too closely.
///
/// The width is twice the rank of the process at the nodes, and at least 50: with a smooth activation the error is then
/// within a factor of about two of what the nodes leave. Where it is not, more nodes may help (fitting/model_settings.hpp),
/// and more units may: widen() doubles the width. With many
/// nodes the trials use the first `most_nodes` of them, with units in proportion; starting from the best of these,
/// larger bandwidths are tried with all nodes as long as they help. A trial costs two networks, N D^2 each, with N at
/// most `most_units`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/lengthscales.hpp"

namespace ridgelet {

/// sigma_w, as above. Along an input for which the process has no lengthscale, the half-width takes its place.
Bandwidth sigma_w_for(const Kernel& kernel, const VectorView& half_widths, double c);

/// sigma_b, as above.
double sigma_b_for(const Bandwidth& sigma_w, const VectorView& half_widths);

/// The width, as above, before any doubling.
Index width_for(Index rank);

/// What is left to choose; a number that is given stays.
struct TuningRequest {
  PriorOptions model;  ///< hidden, op.ridge and units hold the numbers that are given
  bool sigma_w = true;
  bool sigma_b = true;
  bool ridge = true;
  bool units = true;
  Vector half_widths;
  Matrix held_out;  ///< points at which the error is measured
  std::uint64_t seed = 0;
  double good_error = 0.005;  ///< relative to the process: a width that reaches it is not doubled
  Index most_nodes = 256;
  Index most_units = 10'000;  ///< of a trial: a wider network takes what is best for one of this width
  std::vector<double> factors = {0.25, 0.5, 1, 2, 4, 8};
  std::vector<double> ridges = {1e-8, 1e-6, 1e-4, 1e-2};
};

/// One trial. The error does not include what the nodes leave, which is the same for all trials.
struct TuningTrial {
  double factor = 0;
  double ridge = 0;
  double error = 0;  ///< relative, beyond the floor; infinite if there is no such network in double precision
};

struct Tuned {
  HiddenDistribution hidden;
  double ridge = 0;
  Index units = 0;
  std::vector<TuningTrial> trials;

  /// The model with these numbers.
  PriorOptions applied_to(PriorOptions model) const;
};

/// `factor` is that of the process at the nodes of the model. Where bandwidths and ridge are given nothing is tried. A
/// width that is free is width_for() the rank.
Tuned tune(const TuningRequest& request, const FactorAtPoints& factor);

/// The error that more units could take away, relative to the process: that of the points held out at which the nodes leave
/// less than half of it, and less than half of the process. Points where the nodes leave much do not hide those where they
/// leave little.
double error_of_width(const TuningRequest& request, const FactorAtPoints& factor, const Tuned& tuned);

/// The width of `tuned`, doubled, up to 2,000, until error_of_width() is good: activations with a kink need more units than
/// smooth ones. Where it never is, the narrowest of these widths whose error is at most a twentieth above the least.
Index widen(const TuningRequest& request, const FactorAtPoints& factor, Tuned tuned);

}  // namespace ridgelet
