/// Random numbers without state: each is a function of (seed, stream, index).
///
/// The generator is Philox-4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1,
/// 2, 3" (SC 2011), from Random123. The seed is its key; purpose, replicate, iteration and index are its
/// counter. Any thread can compute any number at any time, so results do not depend on the number of threads,
/// and the first 100 units of a network with 1000 units are those of the network with 100.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// What the numbers are for. Two purposes never share a number.
enum class Purpose : std::uint8_t {
  hidden_weights = 1,
  hidden_biases = 2,
  output_weights = 3,
  target_process = 4,
  evaluation_points = 5,
  comparison_process = 6,
  chain_start = 7,
  chain_ellipse = 8,
  chain_slice = 9,
  chain_coordinates = 10,
  predictive_noise = 11,
  hidden_points = 12,
  node_points = 13,
  node_candidates = 14,
  learning_rows = 15,
  learning_starts = 16,
  held_out_rows = 17,
  latent_coordinates = 18,
  likely_inputs = 19,
  chain_momentum = 24,
  chain_tree = 25,
  variational_draws = 26,
  variational_posterior = 27,
};

/// One stream: purpose (8 bits), replicate or chain (24 bits) and iteration (32 bits) under a seed.
struct RandomStream {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::hidden_weights;
  std::uint32_t replicate = 0;
  std::uint32_t iteration = 0;

  /// Uniform on (0, 1): neither end is ever returned.
  double uniform(std::uint64_t index) const;

  /// `count` of the numbers 0 .. n - 1 without repetition, in increasing order, or all of them if n <= count: the first
  /// steps of a Fisher-Yates shuffle, sorted. Cost n.
  std::vector<Index> subset(Index n, Index count) const;

  /// Standard normal by Box and Muller; indices 2k and 2k + 1 share a counter.
  double normal(std::uint64_t index) const;

  /// Standard logistic, log(u / (1 - u)): density e^-x / (1 + e^-x)^2.
  double logistic(std::uint64_t index) const;

  /// A rows x cols matrix of normals, filled row by row from index `first`: asking for more rows does not change the
  /// earlier ones.
  Matrix normals(Index rows, Index cols, std::uint64_t first = 0) const;

  Vector normals(Index size) const { return normals(size, 1).col(0); }
};

}  // namespace ridgelet
