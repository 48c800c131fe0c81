/// A fitted network on its way out: all that it computes, and what a person elsewhere must know of it.
///
/// From the posterior of z given the data, N(zbar, C C^T), and the output weights w = B (m + L z)
/// (prior/given_hidden.hpp), the fitted network (network/predictive_network.hpp) has
///   w = B (m + L zbar),     V = B L C
/// for each network of a fit with fixed hidden layers, or for each of a chosen number of draws of hidden layers that
/// were sampled: given its layers, a draw is such a network too. For counts and heavy tails zbar and C C^T are the mean
/// and covariance of the draws; the network then predicts the rate of counts for one unit of exposure, with its sd, or
/// a number with the sd of its tails. For classes the network holds the draws themselves, so that its probabilities are
/// those of the fit.
#pragma once

#include <optional>
#include <string>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/cubature/box.hpp"
#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/network/predictive_network.hpp"
#include "ridgelet/network/rank_cut.hpp"

namespace ridgelet {

struct ShippedNetwork {
  PredictiveNetwork network;
  TableEncoding columns;                ///< how a table becomes the network's inputs
  std::string kernel;                   ///< of the process, in the network's units
  Box domain;                           ///< where the network resembles the process, in a person's units
  Certificate certificate;              ///< how well it does
  std::string likelihood = "gaussian";  ///< with its parameters, in the units of the response
  std::optional<std::string> exposure = std::nullopt;  ///< the column over which counts were made
  /// What the network's mean and sd are those of.
  std::string quantity = "new observations, noise included";
  /// The loss at the data, if the rank was cut or, for classes, networks were left out.
  std::optional<CutLoss> loss = std::nullopt;

  /// For counts, of which mean and sd leave by the formula of a log-normal rate: the largest difference from those that
  /// FittedModel::predict() finds by averaging over the draws, as a part of them; at the data, and outside, half as far
  /// again from the middle of each input's range.
  struct RateDifference {
    double mean = 0, sd = 0;
  };
  struct RateDifferences {
    RateDifference data, outside;
  };
  std::optional<RateDifferences> rate_differences = std::nullopt;

  bool of_classes() const { return network.link != ClassLink::none; }

  /// What the loss is called: "sd_loss", or "probability_loss" for classes.
  std::string loss_name() const { return of_classes() ? "probability_loss" : "sd_loss"; }
};

struct ShippingOptions {
  /// How many of the networks are shipped, evenly spaced, where the hidden layers are not fixed; at most all there are.
  /// By default all, but 20 with Gaussian noise, where each has a factor of its own.
  std::optional<Index> draws = std::nullopt;
  std::optional<Index> rank = std::nullopt;  ///< columns of V to keep (for classes, draws); by default all
};

inline constexpr Index usual_draws = 20;

/// Throws InvalidArgument about "draws", also where hidden layers are fixed, or "rank". Cost of each network of sampled
/// hidden layers: a pass over the data.
ShippedNetwork ship_network(const FittedModel& model, const ShippingOptions& options = {});

}  // namespace ridgelet
