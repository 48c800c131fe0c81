/// What is learned as one vector t: logarithms of kernel parameters and noise, coefficients of the mean; with bounds,
/// priors and starting values in units of the data.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/target/learning.hpp"

namespace ridgelet {

class LearningSpace {
 public:
  /// Process and noise as they are given.
  LearningSpace(GaussianProcess given, const MatrixView& X, const MatrixView& Y,
                const LearningOptions& options);

  Index size() const { return static_cast<Index>(numbers_.size()); }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }

  /// t where start i begins: 0 at the values given, the others as learning.hpp says.
  Vector start(Index i) const;

  GaussianProcess process(const Vector& t) const;
  Vector noise(const Vector& t) const;

  /// The slope of the log evidence in t.
  Vector slope(const Evidence& evidence) const;

  /// -1/2 sum ((t - location) / scale)^2 over the numbers with a prior, whose scale may differ below and above its
  /// location; adds its slope to `slope`.
  double add_log_prior(const Vector& t, Vector& slope) const;

  std::vector<BoundHit> at_bounds(const Vector& t) const;

 private:
  enum class Part { kernel, mean, noise };

  struct Number {
    Part part;
    Index index;  ///< within its part
    std::string name;
    double given;       ///< in t
    double other;       ///< in t: where starts other than the first begin, but for a random factor
    double spread = 0;  ///< sd of that factor's logarithm
    double lower, upper;
    double location = 0, scale_below = 0, scale_above = 0;  ///< of the prior; no prior if the scales are 0
  };

  void add_kernel(const MatrixView& X, const LearningOptions& options);
  void add_mean();
  void add_noise(const LearningOptions& options);
  void add(Number number);

  GaussianProcess given_;
  Vector noise_;      ///< as given
  Vector column_sd_;  ///< of X
  Vector output_sd_;  ///< of Y
  std::uint64_t seed_;
  std::vector<Number> numbers_;
  Vector lower_, upper_;
};

}  // namespace ridgelet
