/// What is learned as one vector t: logarithms of kernel parameters and noise, coefficients of the mean; with bounds,
/// priors and starting values in units of the data.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/target/learning.hpp"

namespace ridgelet {

/// A positive number that describes the noise: a standard deviation if it is Gaussian, else a likelihood's parameter.
struct NoiseNumber {
  std::string name;
  double given = 1;
  double unit = 1;  ///< in which the numbers below are stated
  double lower = 0, upper = 0;
  double few = 0, many = 0;  ///< where starts after the first begin, by turns; at `given` if 0
  double location = 0;       ///< median of its log-normal prior; none if 0
  double scale_below = 0, scale_above = 0;
};

/// What learning must know of a response: the standard deviation of the process behind it, and its noise.
struct ResponseNumbers {
  double process_sd = 1;
  double amplitude_scale = 0;  ///< of the prior of log amplitudes, about log(2 process_sd); none if 0
  std::vector<NoiseNumber> noise;
};

/// For y = f + noise: one standard deviation for each column of Y.
ResponseNumbers gaussian_numbers(const MatrixView& Y, const LearningOptions& options);

/// For a likelihood, whose numbers are where the first start begins.
ResponseNumbers likelihood_numbers(const Likelihood& likelihood, const MatrixView& Y);

/// Standard deviations of the columns; 1 for a column that does not vary but for rounding.
Vector standard_deviations(const MatrixView& values);

class LearningSpace {
 public:
  /// The first start begins at `given` and `response`; X has the rows to learn from. `column_sd` has the units of the
  /// inputs: standard deviations over all rows of the data, since a column may hardly vary over a few of them.
  LearningSpace(GaussianProcess given, const MatrixView& X, Vector column_sd, ResponseNumbers response,
                const LearningOptions& options);

  Index size() const { return static_cast<Index>(numbers_.size()); }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }

  /// t where start i begins: start 0 at the values given, the others as learning.hpp says.
  Vector start(Index i) const;

  /// t with this factor on all noise that is learned, as far as its bounds allow.
  Vector with_noise_times(Vector t, double factor) const;

  /// t with this factor on all lengthscales that are learned, as far as their bounds allow.
  Vector with_lengthscales_times(Vector t, double factor) const;

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

  /// A parameter of a part and what is added to t for it: 0, except for lengthscales that keep their ratios.
  struct Member {
    Index index;
    double offset = 0;
  };

  struct Number {
    Part part;
    std::vector<Member> members;
    std::string name;
    double given;              ///< in t
    double other;              ///< in t: where starts other than the first begin, but for a random factor
    double spread = 0;         ///< sd of that factor's logarithm
    double turns[2] = {0, 0};  ///< added to `other` in even and odd starts
    double mostly_noise;       ///< in t: where the start begins that takes most of the response for noise
    double lower, upper;
    double location = 0, scale_below = 0, scale_above = 0;  ///< of the prior; no prior if the scales are 0
  };

  void add_kernel(const MatrixView& X, const LearningOptions& options);
  /// One number for the parameters `which`, all of them lengthscales: the logarithm of their geometric mean.
  void add_lengthscale(const std::vector<KernelParameter>& parameters, const std::vector<Index>& which,
                       const LearningOptions& options);
  /// The logarithm of the unit of lengths over these inputs: the mean of those of the columns' standard deviations.
  double log_unit(const std::vector<Index>& columns) const;
  void add_mean();
  void add_noise(const LearningOptions& options);
  void add(Number number);

  GaussianProcess given_;
  ResponseNumbers response_;
  Vector column_sd_;
  std::uint64_t seed_;
  std::vector<Number> numbers_;
  Vector lower_, upper_;
};

}  // namespace ridgelet
