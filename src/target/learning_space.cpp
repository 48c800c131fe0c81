#include "learning_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {

namespace {

// All of these in units of the data; see learning.hpp.
constexpr double shortest_length = 1e-3, longest_length = 1e4;
constexpr double smallest_amplitude = 1e-3, largest_amplitude = 1e3;
constexpr double smallest_noise = 1e-4, largest_noise = 10;
constexpr double smallest_shape = 1e-2, largest_shape = 1e3;
constexpr double largest_coefficient = 1e6;

/// Noise where nothing is given, and of the other starts by turns.
constexpr double much_noise = 0.3, little_noise = 0.03;
constexpr double spread_of_lengthscales = 0.7;

/// Scales of the priors, of log lengthscale below and above its location and of log noise.
constexpr double short_lengthscale_scale = std::numbers::sqrt3, long_lengthscale_scale = 8;
constexpr double noise_prior_location = 0.1, noise_prior_scale = 5;

/// Standard deviations of the columns; 1 for a column that does not vary.
Vector standard_deviations(const MatrixView& values) {
  const Vector sd = ((values.rowwise() - values.colwise().mean()).colwise().squaredNorm() /
                     static_cast<double>(values.rows()))
                        .cwiseSqrt();
  return (sd.array() > 0).select(sd, 1);
}

Vector values_of(const std::vector<KernelParameter>& parameters) {
  Vector values(static_cast<Index>(parameters.size()));
  std::ranges::transform(parameters, values.begin(), &KernelParameter::value);
  return values;
}

/// The factor on every amplitude with which the process has this variance, on average over the rows: by bisection,
/// since a term has as many amplitudes as it has factors.
double amplitude_factor(const Kernel& kernel, const MatrixView& X, double variance) {
  constexpr Index most_rows = 100;
  const Matrix rows = X.topRows(std::min(X.rows(), most_rows));
  const std::vector<KernelParameter> parameters = kernel.parameters();
  const Vector given = values_of(parameters);
  double low = -40, high = 40;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    Vector values = given;
    for (Index p = 0; p < values.size(); ++p)
      if (parameters[static_cast<std::size_t>(p)].unit == ParameterUnit::response)
        values(p) *= std::exp(middle);
    (kernel.with_parameters(values).diagonal(rows).mean() < variance ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

/// The noise of each output: as given, or much of the sd of y.
Vector starting_noise(const std::optional<Vector>& noise, const Vector& output_sd) {
  if (!noise) return much_noise * output_sd;
  if (noise->size() == 1) return Vector::Constant(output_sd.size(), (*noise)(0));
  if (noise->size() != output_sd.size())
    throw InvalidArgument("noise", fmt::format("must be one number or {}, one for each output, got {}",
                                               output_sd.size(), noise->size()));
  return *noise;
}

}  // namespace

LearningSpace::LearningSpace(GaussianProcess given, const MatrixView& X, const MatrixView& Y,
                             const LearningOptions& options)
    : given_(std::move(given)),
      column_sd_(standard_deviations(X)),
      output_sd_(standard_deviations(Y)),
      seed_(options.seed) {
  noise_ = starting_noise(options.noise, output_sd_);
  for (const double each : noise_) require_positive(each, "noise");
  if (options.parts.kernel) add_kernel(X, options);
  if (options.parts.mean) add_mean();
  if (options.parts.noise) add_noise(options);
  lower_.resize(size());
  upper_.resize(size());
  std::ranges::transform(numbers_, lower_.begin(), &Number::lower);
  std::ranges::transform(numbers_, upper_.begin(), &Number::upper);
}

void LearningSpace::add(Number number) {
  number.lower = std::min(number.lower, number.given);
  number.upper = std::max(number.upper, number.given);
  numbers_.push_back(std::move(number));
}

void LearningSpace::add_kernel(const MatrixView& X, const LearningOptions& options) {
  const std::vector<KernelParameter> parameters = given_.kernel.parameters();
  const double inputs = static_cast<double>(column_sd_.size());
  const double factor =
      amplitude_factor(given_.kernel, X, output_sd_.squaredNorm() / static_cast<double>(output_sd_.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const KernelParameter& parameter = parameters[p];
    const double given = std::log(parameter.value);
    Number number{.part = Part::kernel,
                  .index = static_cast<Index>(p),
                  .name = parameter.name,
                  .given = given,
                  .other = given,
                  .lower = 0,
                  .upper = 0};
    if (parameter.unit == ParameterUnit::response) {
      number.other = given + std::log(factor);
      number.lower = number.other + std::log(smallest_amplitude);
      number.upper = number.other + std::log(largest_amplitude);
    } else if (parameter.unit == ParameterUnit::inputs) {
      // One that several inputs share is measured in the geometric mean of their units.
      const double unit = column_sd_(parameter.inputs.columns(column_sd_.size())).array().log().mean();
      number.lower = unit + std::log(shortest_length);
      number.upper = unit + std::log(longest_length);
      if (parameter.kind == "period") {
        if (options.hold_periods) continue;
      } else {
        number.other = unit + std::log(inputs) / 2;
        number.spread = spread_of_lengthscales;
        number.location = unit + std::sqrt(2) + std::log(inputs) / 2;
        number.scale_below = options.priors ? short_lengthscale_scale : 0;
        number.scale_above = options.priors ? long_lengthscale_scale : 0;
      }
    } else {
      number.lower = std::log(smallest_shape);
      number.upper = std::log(largest_shape);
    }
    add(std::move(number));
  }
}

void LearningSpace::add_mean() {
  const Vector coefficients = given_.mean.coefficients();
  const double reach = largest_coefficient * std::max(output_sd_.maxCoeff(), 1.0);
  for (Index c = 0; c < coefficients.size(); ++c) {
    const double given = coefficients(c), room = reach * std::max(std::abs(given), 1.0);
    add({.part = Part::mean,
         .index = c,
         .name = fmt::format("mean[{}]", c + 1),
         .given = given,
         .other = given,
         .lower = given - room,
         .upper = given + room});
  }
}

void LearningSpace::add_noise(const LearningOptions& options) {
  for (Index j = 0; j < noise_.size(); ++j) {
    const double unit = std::log(output_sd_(j)), given = std::log(noise_(j));
    add({.part = Part::noise,
         .index = j,
         .name = fmt::format("noise[{}]", j + 1),
         .given = given,
         .other = unit,
         .lower = unit + std::log(smallest_noise),
         .upper = unit + std::log(largest_noise),
         .location = unit + std::log(noise_prior_location),
         .scale_below = options.priors ? noise_prior_scale : 0,
         .scale_above = options.priors ? noise_prior_scale : 0});
  }
}

Vector LearningSpace::start(Index i) const {
  Vector t(size());
  const Vector z =
      RandomStream{
          .seed = seed_, .purpose = Purpose::learning_starts, .replicate = static_cast<std::uint32_t>(i)}
          .normals(size());
  const double noise = std::log(i % 2 == 1 ? little_noise : much_noise);
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    const double other = number.other + (number.part == Part::noise ? noise : number.spread * z(n));
    t(n) = i == 0 ? number.given : std::clamp(other, number.lower, number.upper);
  }
  return t;
}

GaussianProcess LearningSpace::process(const Vector& t) const {
  Vector parameters = values_of(given_.kernel.parameters()), coefficients = given_.mean.coefficients();
  bool kernel = false, mean = false;
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    if (number.part == Part::kernel) parameters(number.index) = std::exp(t(n));
    if (number.part == Part::mean) coefficients(number.index) = t(n);
    kernel = kernel || number.part == Part::kernel;
    mean = mean || number.part == Part::mean;
  }
  return {.kernel = kernel ? given_.kernel.with_parameters(parameters) : given_.kernel,
          .mean = mean ? given_.mean.with_coefficients(coefficients) : given_.mean};
}

Vector LearningSpace::noise(const Vector& t) const {
  Vector noise = noise_;
  for (Index n = 0; n < size(); ++n)
    if (const Number& number = numbers_[static_cast<std::size_t>(n)]; number.part == Part::noise)
      noise(number.index) = std::exp(t(n));
  return noise;
}

Vector LearningSpace::slope(const Evidence& evidence) const {
  Vector slope(size());
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    const Vector& of_part = number.part == Part::kernel ? evidence.kernel_slope
                            : number.part == Part::mean ? evidence.mean_slope
                                                        : evidence.noise_slope;
    slope(n) = of_part(number.index);
  }
  return slope;
}

double LearningSpace::add_log_prior(const Vector& t, Vector& slope) const {
  double log_prior = 0;
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    const double scale = t(n) < number.location ? number.scale_below : number.scale_above;
    if (scale == 0) continue;
    const double u = (t(n) - number.location) / scale;
    log_prior -= u * u / 2;
    slope(n) -= u / scale;
  }
  return log_prior;
}

std::vector<BoundHit> LearningSpace::at_bounds(const Vector& t) const {
  constexpr double near = 1e-6;
  std::vector<BoundHit> hits;
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    const double room = near * (number.upper - number.lower);
    const bool upper = t(n) >= number.upper - room;
    if (upper || t(n) <= number.lower + room)
      hits.push_back({.parameter = number.name,
                      .value = number.part == Part::mean ? t(n) : std::exp(t(n)),
                      .upper = upper});
  }
  return hits;
}

}  // namespace ridgelet
