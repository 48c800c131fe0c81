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
constexpr double shortest_length = 1e-3, longest_length = 1e5;
constexpr double smallest_amplitude = 1e-3, largest_amplitude = 1e3;
constexpr double smallest_noise = 1e-4, largest_noise = 10;
constexpr double smallest_shape = 1e-2, largest_shape = 1e3;
constexpr double largest_coefficient = 1e6;

/// Noise at which starts begin: much in the first if none is given, and one or the other by turns in those after it.
constexpr double much_noise = 0.3, little_noise = 0.03;
constexpr double spread_of_lengthscales = 0.7;

/// The start that takes most of the response for noise: its number, and the part of the response's standard deviation
/// that it leaves to the function.
constexpr Index start_mostly_noise = 4;
constexpr double little_function = 0.3;

/// Standard deviation that the logit of a probability, or the logarithm of a rate, begins with.
constexpr double sd_of_latent_functions = 1.5;

/// Of the priors: the scales of log lengthscales below and above their location.
constexpr double short_lengthscale_scale = std::numbers::sqrt3, long_lengthscale_scale = 8;

/// The scale of the prior of log amplitudes, for logits and log rates.
constexpr double amplitude_prior_scale = 1;

Vector values_of(const std::vector<KernelParameter>& parameters) {
  Vector values(static_cast<Index>(parameters.size()));
  std::ranges::transform(parameters, values.begin(), &KernelParameter::value);
  return values;
}

/// The factor on every amplitude with which a term has this variance, on average over the rows: by bisection, since it has
/// as many amplitudes as it has factors. 1 for a term without variance at these rows.
double amplitude_factor(const Kernel& kernel, const MatrixView& rows, double variance) {
  if (!(kernel.diagonal(rows).mean() > 0)) return 1;
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

/// For each parameter the factor of its term, with which all terms of the kernel have the same part of the variance. One
/// factor for all would leave next to nothing to a term of unit variance beside linear() of dates.
std::vector<double> amplitude_factors(const Kernel& kernel, const MatrixView& X, double variance) {
  constexpr Index most_rows = 100;
  const Matrix rows = X.topRows(std::min(X.rows(), most_rows));
  const std::vector<Kernel> terms = kernel.summands();
  std::vector<double> factors;
  for (const Kernel& term : terms)
    factors.insert(factors.end(), term.parameters().size(),
                   amplitude_factor(term, rows, variance / static_cast<double>(terms.size())));
  return factors;
}

/// Whether both stand in one list, as "se.lengthscale[1]" and "se.lengthscale[2]" do.
bool of_one_list(const KernelParameter& a, const KernelParameter& b) {
  const std::size_t list = a.name.find('[');
  return list != std::string::npos && b.name.find('[') == list &&
         a.name.compare(0, list, b.name, 0, list) == 0;
}

}  // namespace

Vector standard_deviations(const MatrixView& values) {
  constexpr double rounding = 1e-12;
  const Vector sd = ((values.rowwise() - values.colwise().mean()).colwise().squaredNorm() /
                     static_cast<double>(values.rows()))
                        .cwiseSqrt();
  const Vector size = values.cwiseAbs().colwise().maxCoeff().transpose();
  return (sd.array() > rounding * size.array()).select(sd, 1);
}

double NoisePrior::log_density(double ratio) {
  const double deviation = std::log(ratio) / (ratio < 1 ? scale_below : scale_above);
  return -0.5 * deviation * deviation;
}

ResponseNumbers gaussian_numbers(const MatrixView& Y, const LearningOptions& options) {
  const Vector sd = standard_deviations(Y);
  const Index outputs = sd.size();
  if (options.noise && options.noise->size() != 1 && options.noise->size() != outputs)
    throw InvalidArgument(
        "noise", fmt::format("must be one number or {}, one for each output, got a list of {}", outputs,
                             options.noise->size()));
  ResponseNumbers numbers{.process_sd = std::sqrt(sd.squaredNorm() / static_cast<double>(outputs)),
                          .noise = {}};
  for (Index j = 0; j < outputs; ++j) {
    const double given =
        !options.noise ? much_noise * sd(j) : (*options.noise)(options.noise->size() == 1 ? 0 : j);
    require_positive(given, "noise");
    numbers.noise.push_back({.name = outputs == 1 ? "noise" : fmt::format("noise[{}]", j + 1),
                             .given = given,
                             .unit = sd(j),
                             .lower = smallest_noise,
                             .upper = largest_noise,
                             .few = little_noise,
                             .many = much_noise,
                             .location = NoisePrior::location,
                             .scale_below = NoisePrior::scale_below,
                             .scale_above = NoisePrior::scale_above});
  }
  return numbers;
}

ResponseNumbers likelihood_numbers(const Likelihood& likelihood, const MatrixView& Y) {
  const bool real = likelihood.response() == ResponseKind::real;
  const double sd = real ? standard_deviations(Y)(0) : 1;
  ResponseNumbers numbers{.process_sd = real ? sd : sd_of_latent_functions,
                          .amplitude_scale = real ? 0 : amplitude_prior_scale,
                          .noise = {}};
  for (const LikelihoodParameter& parameter : likelihood.parameters()) {
    NoiseNumber number{.name = parameter.name,
                       .given = parameter.value,
                       .unit = parameter.is_scale ? sd : 1,
                       .lower = parameter.lower,
                       .upper = parameter.upper};
    if (parameter.is_scale) {
      number.few = little_noise;
      number.many = much_noise;
      number.location = NoisePrior::location;
      number.scale_below = NoisePrior::scale_below;
      number.scale_above = NoisePrior::scale_above;
    }
    numbers.noise.push_back(std::move(number));
  }
  return numbers;
}

LearningSpace::LearningSpace(GaussianProcess given, const MatrixView& X, Vector column_sd,
                             ResponseNumbers response, const LearningOptions& options)
    : given_(std::move(given)),
      response_(std::move(response)),
      column_sd_(std::move(column_sd)),
      seed_(options.seed) {
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
  const std::vector<double> factors =
      amplitude_factors(given_.kernel, X, response_.process_sd * response_.process_sd);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const KernelParameter& parameter = parameters[p];
    const double given = std::log(parameter.value);
    const Index index = static_cast<Index>(p);
    Number number{.part = Part::kernel,
                  .members = {{index}},
                  .name = parameter.name,
                  .given = given,
                  .other = given,
                  .mostly_noise = given,
                  .lower = 0,
                  .upper = 0};
    if (parameter.unit == ParameterUnit::response) {
      number.other = given + std::log(factors[p]);
      number.mostly_noise = number.other + std::log(little_function);
      number.lower = number.other + std::log(smallest_amplitude);
      number.upper = number.other + std::log(largest_amplitude);
      number.location = std::log(2 * response_.process_sd);
      number.scale_below = number.scale_above = options.priors ? response_.amplitude_scale : 0;
    } else if (parameter.unit == ParameterUnit::inputs && parameter.kind == "period") {
      if (options.hold_periods) continue;
      const double unit = log_unit(parameter.inputs.columns(column_sd_.size()));
      number.lower = unit + std::log(shortest_length);
      number.upper = unit + std::log(longest_length);
    } else if (parameter.unit == ParameterUnit::inputs) {
      std::vector<Index> which{index};
      while (options.hold_ratios && p + 1 < parameters.size() && of_one_list(parameter, parameters[p + 1]))
        which.push_back(static_cast<Index>(++p));
      add_lengthscale(parameters, which, options);
      continue;
    } else {
      number.lower = std::log(smallest_shape);
      number.upper = std::log(largest_shape);
    }
    add(std::move(number));
  }
}

double LearningSpace::log_unit(const std::vector<Index>& columns) const {
  return column_sd_(columns).array().log().mean();
}

void LearningSpace::add_lengthscale(const std::vector<KernelParameter>& parameters,
                                    const std::vector<Index>& which, const LearningOptions& options) {
  std::vector<Index> inputs;
  double given = 0;
  for (const Index p : which) {
    const KernelParameter& parameter = parameters[static_cast<std::size_t>(p)];
    const std::vector<Index> columns = parameter.inputs.columns(column_sd_.size());
    inputs.insert(inputs.end(), columns.begin(), columns.end());
    given += std::log(parameter.value) / static_cast<double>(which.size());
  }
  const double unit = log_unit(inputs), root_of_inputs = std::log(static_cast<double>(column_sd_.size())) / 2;
  const double location = unit + std::sqrt(2) + root_of_inputs;
  // The density of as many equal lengthscales as there are inputs that share this one.
  const double narrower = options.priors ? 1 / std::sqrt(static_cast<double>(inputs.size())) : 0;
  Number number{.part = Part::kernel,
                .members = {},
                .name = parameters[static_cast<std::size_t>(which.front())].name,
                .given = given,
                .other = unit + root_of_inputs,
                .spread = spread_of_lengthscales,
                .mostly_noise = location,
                .lower = unit + std::log(shortest_length),
                .upper = unit + std::log(longest_length),
                .location = location,
                .scale_below = short_lengthscale_scale * narrower,
                .scale_above = long_lengthscale_scale * narrower};
  for (const Index p : which)
    number.members.push_back({p, std::log(parameters[static_cast<std::size_t>(p)].value) - given});
  add(std::move(number));
}

void LearningSpace::add_mean() {
  const Vector coefficients = given_.mean.coefficients();
  const double reach = largest_coefficient * std::max(response_.process_sd, 1.0);
  for (Index c = 0; c < coefficients.size(); ++c) {
    const double given = coefficients(c), room = reach * std::max(std::abs(given), 1.0);
    add({.part = Part::mean,
         .members = {{c}},
         .name = fmt::format("mean[{}]", c + 1),
         .given = given,
         .other = given,
         .mostly_noise = given,
         .lower = given - room,
         .upper = given + room});
  }
}

void LearningSpace::add_noise(const LearningOptions& options) {
  for (std::size_t j = 0; j < response_.noise.size(); ++j) {
    const NoiseNumber& noise = response_.noise[j];
    const double unit = std::log(noise.unit), given = std::log(noise.given);
    const bool by_turns = noise.few > 0;
    const bool prior = options.priors && noise.location > 0;
    add({.part = Part::noise,
         .members = {{static_cast<Index>(j)}},
         .name = noise.name,
         .given = given,
         .other = by_turns ? unit : given,
         .turns = {by_turns ? std::log(noise.many) : 0, by_turns ? std::log(noise.few) : 0},
         .mostly_noise = by_turns ? unit : given,
         .lower = unit + std::log(noise.lower),
         .upper = unit + std::log(noise.upper),
         .location = prior ? unit + std::log(noise.location) : 0,
         .scale_below = prior ? noise.scale_below : 0,
         .scale_above = prior ? noise.scale_above : 0});
  }
}

Vector LearningSpace::start(Index i) const {
  Vector t(size());
  const Vector z =
      RandomStream{
          .seed = seed_, .purpose = Purpose::learning_starts, .replicate = static_cast<std::uint32_t>(i)}
          .normals(size());
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    const double other = number.other + number.turns[i % 2] + number.spread * z(n);
    const double begin = i == start_mostly_noise ? number.mostly_noise : other;
    t(n) = i == 0 ? number.given : std::clamp(begin, number.lower, number.upper);
  }
  return t;
}

Vector LearningSpace::with_noise_times(Vector t, double factor) const {
  for (Index i = 0; i < size(); ++i)
    if (numbers_[static_cast<std::size_t>(i)].part == Part::noise)
      t(i) = std::clamp(t(i) + std::log(factor), lower_(i), upper_(i));
  return t;
}

Vector LearningSpace::with_lengthscales_times(Vector t, double factor) const {
  for (Index i = 0; i < size(); ++i) {
    const Number& number = numbers_[static_cast<std::size_t>(i)];
    const bool is_lengthscale = number.spread > 0;
    if (is_lengthscale) t(i) = std::clamp(t(i) + std::log(factor), lower_(i), upper_(i));
  }
  return t;
}

GaussianProcess LearningSpace::process(const Vector& t) const {
  Vector parameters = values_of(given_.kernel.parameters()), coefficients = given_.mean.coefficients();
  bool kernel = false, mean = false;
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    for (const Member& member : number.members) {
      if (number.part == Part::kernel) parameters(member.index) = std::exp(t(n) + member.offset);
      if (number.part == Part::mean) coefficients(member.index) = t(n);
    }
    kernel = kernel || number.part == Part::kernel;
    mean = mean || number.part == Part::mean;
  }
  return {.kernel = kernel ? given_.kernel.with_parameters(parameters) : given_.kernel,
          .mean = mean ? given_.mean.with_coefficients(coefficients) : given_.mean};
}

Vector LearningSpace::noise(const Vector& t) const {
  Vector noise(static_cast<Index>(response_.noise.size()));
  std::ranges::transform(response_.noise, noise.begin(), &NoiseNumber::given);
  for (Index n = 0; n < size(); ++n)
    if (const Number& number = numbers_[static_cast<std::size_t>(n)]; number.part == Part::noise)
      noise(number.members.front().index) = std::exp(t(n));
  return noise;
}

Vector LearningSpace::slope(const Evidence& evidence) const {
  Vector slope = Vector::Zero(size());
  for (Index n = 0; n < size(); ++n) {
    const Number& number = numbers_[static_cast<std::size_t>(n)];
    const Vector& of_part = number.part == Part::kernel ? evidence.kernel_slope
                            : number.part == Part::mean ? evidence.mean_slope
                                                        : evidence.noise_slope;
    for (const Member& member : number.members) slope(n) += of_part(member.index);
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
