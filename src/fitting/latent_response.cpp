#include "ridgelet/fitting/latent_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/inference/mixture.hpp"
#include "ridgelet/likelihood/smallest_count.hpp"

namespace ridgelet {

namespace {

/// At most this many functions, whose distributions of responses are added up.
constexpr Index most_distributions = 250;

/// Doubles hold every count up to here, 2^53.
constexpr double largest_count = 9'007'199'254'740'992;

/// The quantile of sorted values, interpolated between neighbours.
double sorted_quantile(const Vector& sorted, double probability) {
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<Index>(place);
  const Index above = std::min(below + 1, sorted.size() - 1);
  return sorted(below) + (place - static_cast<double>(below)) * (sorted(above) - sorted(below));
}

struct Interval {
  double lower = 0, upper = 0;
};

Interval interval_of(Vector values, double level) {
  std::ranges::sort(values);
  return {sorted_quantile(values, (1 - level) / 2), sorted_quantile(values, (1 + level) / 2)};
}

Vector thinned(const Vector& values, Index most) {
  if (values.size() <= most) return values;
  Vector some(most);
  for (Index i = 0; i < most; ++i) some(i) = values(i * values.size() / most);
  return some;
}

/// The mixture, over functions f, of the distributions of a response.
class ResponseMixture {
 public:
  ResponseMixture(Vector f, const Likelihood& likelihood) : f_(std::move(f)), likelihood_(likelihood) {}

  Interval interval(double level) const { return {quantile((1 - level) / 2), quantile((1 + level) / 2)}; }

  double cdf(double y) const {
    double sum = 0;
    for (const double each : f_) sum += likelihood_.cdf(y, each);
    return sum / static_cast<double>(f_.size());
  }

 private:
  /// Searched for between the quantiles given the least and the largest function.
  double quantile(double probability) const {
    const double least = f_.minCoeff(), largest = f_.maxCoeff();
    double low = 0, high = 0;
    likelihood_.draw(&least, probability, &low);
    likelihood_.draw(&largest, probability, &high);
    const auto mean_cdf = [&](double y) { return cdf(y); };
    return likelihood_.response() == ResponseKind::count
               ? smallest_count_between(low - 1, high, mean_cdf, probability)
               : quantile_between(low, high, mean_cdf, probability);
  }

  Vector f_;
  const Likelihood& likelihood_;
};

/// The observation and quantiles of the components, `each` of one and some of the tails, between which the distribution
/// function of their mixture hardly bends: sorted, without repeats.
std::vector<double> crps_places(const Vector& f, const Likelihood& likelihood, double y, Index each) {
  std::vector<double> places = {y};
  const auto add = [&](double function, double probability) {
    likelihood.draw(&function, probability, &places.emplace_back());
  };
  for (Index s = 0; s < f.size(); ++s) {
    // Multiples of the golden ratio, less their whole parts, are spread evenly.
    const double turns = (static_cast<double>(s) + 0.5) * std::numbers::phi;
    for (Index q = 0; q < each; ++q)
      add(f(s), (static_cast<double>(q) + turns - std::floor(turns)) / static_cast<double>(each));
  }
  for (double tail = 0.1; tail > 1e-9; tail /= 3) {
    add(f.minCoeff(), tail);
    add(f.maxCoeff(), 1 - tail);
  }
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  return places;
}

/// The integral of (F(t) - 1{t >= y})^2 by Simpson's rule between the places. Of counts, F is constant from each to the
/// next, so it is a sum over counts a <= t < b, for which a trapezoid stands with half of the first term more and half of
/// the last less: exact where b = a + 1.
double integrated_crps(const ResponseMixture& mixture, const std::vector<double>& places, double y,
                       bool counts) {
  double integral = 0, before = mixture.cdf(places.front());
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double low = places[i - 1], high = places[i], after = mixture.cdf(high);
    const auto squared = [&](double probability) { return std::pow(probability - (high <= y ? 0 : 1), 2); };
    const double first = squared(before), last = squared(after);
    integral += counts ? ((high - low) * (first + last) + first - last) / 2
                       : (high - low) * (first + 4 * squared(mixture.cdf((low + high) / 2)) + last) / 6;
    before = after;
  }
  return integral;
}

Index row_count_of(const Matrix& Y, Index code) {
  return (Y.col(0).array() == static_cast<double>(code)).count();
}

bool is_whole(double y) {
  return y >= 0 && y == std::floor(y);
}

bool has_exposure(const Matrix& Y) {
  return Y.cols() > 1;
}

/// Only numbers with Gaussian noise may have several columns.
void require_columns_of(const std::string& likelihood, const TableEncoding& encoding) {
  const std::vector<std::string> names = encoding.response_names();
  if (names.size() < 2) return;
  const auto of_classes = std::ranges::find_if(
      encoding.outputs, [](const ResponseEncoding& response) { return !response.levels.empty(); });
  if (likelihood.empty() && of_classes != encoding.outputs.end())
    throw InvalidArgument(
        "y", fmt::format("'{}' is of classes, as text is, and they must be the only column; name it "
                         "alone, or leave it out",
                         of_classes->column));
  if (!is_gaussian(likelihood))
    throw InvalidArgument("y", fmt::format("must be one column for {}, got {}; fit each by itself",
                                           parse_likelihood(likelihood)->name(), join(names)));
}

[[noreturn]] void refuse_classes(const std::string& likelihood, const ResponseEncoding& response) {
  throw InvalidArgument(
      "likelihood", fmt::format("{} needs a response of numbers, and '{}' is of classes; use {}", likelihood,
                                response.column, default_likelihood(response)));
}

}  // namespace

bool is_gaussian(const std::string& likelihood) {
  return likelihood.empty() || likelihood == "gaussian";
}

bool is_of_counts(const std::string& likelihood) {
  return !likelihood.empty() && parse_likelihood(likelihood)->response() == ResponseKind::count;
}

std::string default_likelihood(const ResponseEncoding& response) {
  if (response.levels.empty()) return "gaussian";
  return response.levels.size() == 2 ? "bernoulli" : "categorical";
}

void require_noise_of(const std::string& likelihood, const std::optional<Vector>& noise) {
  if (noise && !is_gaussian(likelihood))
    throw InvalidArgument("noise",
                          fmt::format("belongs to Gaussian noise, not to --likelihood {}; leave it out",
                                      parse_likelihood(likelihood)->name()));
}

std::string chosen_likelihood(const ModelSettings& model, const TableEncoding& encoding) {
  require_columns_of(model.likelihood, encoding);
  const std::string likelihood =
      model.likelihood.empty() ? default_likelihood(encoding.outputs.front()) : model.likelihood;
  if (is_gaussian(likelihood))
    for (const ResponseEncoding& response : encoding.outputs)
      if (!response.levels.empty()) refuse_classes(likelihood, response);
  require_noise_of(likelihood, model.noise);
  return likelihood;
}

std::optional<std::string> count_complaint(double y, const std::string& column) {
  if (!is_whole(y)) return fmt::format("must be a count 0, 1, 2, ..., got {}", shortest(y));
  if (y > largest_count)
    return fmt::format(
        "must be a count up to 2^53 = 9007199254740992, as far as doubles count, got {}; fit log({}) with "
        "Gaussian noise",
        shortest(y), column);
  return std::nullopt;
}

void require_responses(const Likelihood& likelihood, const MatrixView& Y, const std::string& column,
                       Index first) {
  if (likelihood.response() == ResponseKind::real) return;
  const bool counts = likelihood.response() == ResponseKind::count;
  const auto last_class = static_cast<double>(std::max<Index>(likelihood.functions(), 2) - 1);
  for (Index i = 0; i < Y.rows(); ++i) {
    const double y = Y(i, 0);
    std::optional<std::string> complaint;
    if (counts)
      complaint = count_complaint(y, column);
    else if (!is_whole(y) || y > last_class)
      complaint = fmt::format("must be the place of its class, 0 to {}, got {}", last_class, shortest(y));
    if (complaint)
      throw InvalidArgument("data", fmt::format("row {}, column '{}': {}", first + i, column, *complaint));
  }
}

LikelihoodPointer likelihood_for(const std::string& text, const ResponseEncoding& response) {
  const auto classes = static_cast<Index>(response.levels.size());
  LikelihoodPointer likelihood = parse_likelihood(text, std::max<Index>(classes, 2));
  if (response.transform != ResponseTransform::none && likelihood->name() != "gaussian")
    throw InvalidArgument("likelihood",
                          fmt::format("{} is for the response itself; fit {} with Gaussian noise, or '{}'",
                                      likelihood->name(), response.name(), response.column));
  const ResponseKind kind = likelihood->response();
  const bool wants_classes = kind == ResponseKind::two_classes || kind == ResponseKind::classes;
  if (wants_classes && classes == 0)
    throw InvalidArgument(
        "likelihood",
        fmt::format("{} needs a response of classes, and '{}' has numbers; name them by classes=[...]",
                    likelihood->name(), response.column));
  if (!wants_classes && classes > 0) refuse_classes(likelihood->name(), response);
  if (kind == ResponseKind::two_classes && classes != 2)
    throw InvalidArgument("likelihood",
                          fmt::format("bernoulli needs two classes, and '{}' has {}; use categorical",
                                      response.column, classes));
  if (wants_classes && classes < 2)
    throw InvalidArgument("likelihood",
                          fmt::format("needs at least two classes, and '{}' has one", response.column));
  return likelihood;
}

LikelihoodPointer likelihood_for(const std::string& text, const RegressionTable& table) {
  const std::vector<ResponseEncoding> responses = encoding_of(table).outputs;
  LikelihoodPointer likelihood = likelihood_for(text, responses.front());
  const bool counts = likelihood->response() == ResponseKind::count;
  if (static_cast<Index>(responses.size()) > (counts ? 2 : 1))
    throw InvalidArgument("y", fmt::format("must be one column for {}", likelihood->name()));
  require_responses(*likelihood, table.Y, table.outputs[0]);
  return likelihood;
}

Scaling function_scaling(const Likelihood& likelihood, const RegressionTable& table, bool standardise) {
  const Index K = likelihood.functions();
  Scaling scaling = Scaling::none(K);
  if (!standardise) return scaling;
  const auto rows = static_cast<double>(table.Y.rows());
  switch (likelihood.response()) {
    case ResponseKind::real:
      return table.standardised_outputs();
    case ResponseKind::two_classes: {
      const double second = static_cast<double>(row_count_of(table.Y, 1)) + 0.5;
      scaling.centre(0) = std::log(second / (rows + 1 - second));
      return scaling;
    }
    case ResponseKind::classes:
      for (Index k = 0; k < K; ++k)
        scaling.centre(k) = std::log(static_cast<double>(row_count_of(table.Y, k)) + 0.5);
      scaling.centre.array() -= scaling.centre.mean();
      return scaling;
    case ResponseKind::count: {
      const double exposure = has_exposure(table.Y) ? table.Y.col(1).array().exp().sum() : rows;
      scaling.centre(0) = std::log((table.Y.col(0).sum() + 0.5) / exposure);
      return scaling;
    }
  }
  return scaling;
}

Matrix responses_of(const Likelihood& likelihood, const Matrix& Y, const Scaling& functions) {
  if (likelihood.response() == ResponseKind::real) return functions.apply(Y.leftCols(1));
  if (likelihood.response() != ResponseKind::classes) return Y.leftCols(1);
  Matrix one_hot(Y.rows(), likelihood.functions());
  for (Index k = 0; k < one_hot.cols(); ++k)
    one_hot.col(k) = (Y.col(0).array() == static_cast<double>(k)).cast<double>();
  return one_hot;
}

Matrix offsets_of(const Likelihood& likelihood, const Matrix& Y, const Scaling& functions) {
  if (likelihood.response() == ResponseKind::real) return Matrix::Zero(Y.rows(), 1);
  Matrix offsets = functions.centre.transpose().replicate(Y.rows(), 1);
  if (has_exposure(Y)) offsets.col(0) += Y.col(1);
  return offsets;
}

namespace {

/// The information -d^2 log p / d f^2 that one row has of its functions, on average, where these are what best explains
/// all rows without their inputs. Of counts it is their mean under Poisson's law.
double information_of_a_row(const Likelihood& likelihood, const RegressionTable& table) {
  const Scaling functions = function_scaling(likelihood, table, true);
  const Matrix Y = responses_of(likelihood, table.Y, functions),
               F = offsets_of(likelihood, table.Y, functions);
  double sum = 0;
  Vector curvature(F.cols());
  for (Index i = 0; i < F.rows(); ++i) {
    const Vector y = Y.row(i), f = F.row(i);
    likelihood.normal_curvature(y.data(), f.data(), curvature.data());
    sum += curvature.maxCoeff();
  }
  return sum / static_cast<double>(F.rows());
}

}  // namespace

double noise_of_a_row(const Likelihood& likelihood, const RegressionTable& table) {
  for (const LikelihoodParameter& parameter : likelihood.parameters())
    if (parameter.is_scale) return parameter.value;
  return 1 / std::sqrt(information_of_a_row(likelihood, table));
}

LikelihoodPointer in_own_units(const Likelihood& likelihood, const Scaling& functions) {
  const std::vector<LikelihoodParameter> parameters = likelihood.parameters();
  Vector values(static_cast<Index>(parameters.size()));
  for (Index p = 0; p < values.size(); ++p) {
    const LikelihoodParameter& parameter = parameters[static_cast<std::size_t>(p)];
    values(p) = parameter.value * (parameter.is_scale ? functions.scale(0) : 1);
  }
  return likelihood.with_parameters(values);
}

PredictiveSummary summarise_functions(const MatrixView& F, const Likelihood& likelihood, double level,
                                      bool latent) {
  const Index S = F.rows(), K = likelihood.functions(), M = F.cols() / K;
  const ResponseKind kind = likelihood.response();
  const bool expectation = latent || kind == ResponseKind::two_classes || kind == ResponseKind::classes;
  PredictiveSummary summary{Matrix(M, K), Matrix(M, K), Matrix(M, K), Matrix(M, K)};
  parallel_for(M, [&](Index i) {
    Matrix means(S, K);
    Vector f(K), of_draw(K), noise = Vector::Zero(K);
    for (Index s = 0; s < S; ++s) {
      for (Index k = 0; k < K; ++k) f(k) = F(s, k * M + i);
      likelihood.mean(f.data(), of_draw.data());
      means.row(s) = of_draw;
      if (expectation) continue;
      likelihood.variance(f.data(), of_draw.data());
      noise += of_draw / static_cast<double>(S);
    }
    summary.mean.row(i) = means.colwise().mean();
    const Matrix centred = means.rowwise() - summary.mean.row(i);
    summary.sd.row(i) =
        (centred.colwise().squaredNorm() / static_cast<double>(S) + noise.transpose()).cwiseSqrt();
    for (Index k = 0; k < K; ++k) {
      const Interval interval =
          expectation ? interval_of(means.col(k), level)
                      : ResponseMixture(thinned(F.col(i), most_distributions), likelihood).interval(level);
      summary.lower(i, k) = interval.lower;
      summary.upper(i, k) = interval.upper;
    }
  });
  return summary;
}

PredictiveSummary summarise_average(const MatrixView& F, const Likelihood& likelihood, double level) {
  const Index S = F.rows(), K = likelihood.functions(), M = F.cols() / K;
  Matrix averages(S, K);
  parallel_for(S, [&](Index s) {
    Vector f(K), mean(K), sum = Vector::Zero(K);
    for (Index i = 0; i < M; ++i) {
      for (Index k = 0; k < K; ++k) f(k) = F(s, k * M + i);
      likelihood.mean(f.data(), mean.data());
      sum += mean;
    }
    averages.row(s) = sum / static_cast<double>(M);
  });
  PredictiveSummary summary{averages.colwise().mean(), Matrix(1, K), Matrix(1, K), Matrix(1, K)};
  for (Index k = 0; k < K; ++k) {
    const Interval interval = interval_of(averages.col(k), level);
    summary.sd(0, k) = std::sqrt((averages.col(k).array() - summary.mean(0, k)).square().mean());
    summary.lower(0, k) = interval.lower;
    summary.upper(0, k) = interval.upper;
  }
  return summary;
}

Vector response_crps(const MatrixView& F, const Likelihood& likelihood, const VectorView& y) {
  constexpr Index most_functions = 50;
  const bool counts = likelihood.response() == ResponseKind::count;
  Vector scores(y.size());
  parallel_for(y.size(), [&](Index i) {
    const Vector f = thinned(F.col(i), most_functions);
    const std::vector<double> places = crps_places(f, likelihood, y(i), counts ? 2 : 1);
    scores(i) = integrated_crps(ResponseMixture(f, likelihood), places, y(i), counts);
  });
  return scores;
}

Vector log_predictive_density(const MatrixView& F, const Likelihood& likelihood, const Matrix& Y) {
  const Index S = F.rows(), K = likelihood.functions(), M = Y.rows();
  Vector densities(M);
  parallel_for(M, [&](Index i) {
    Vector f(K), y = Y.row(i), each(S);
    for (Index s = 0; s < S; ++s) {
      for (Index k = 0; k < K; ++k) f(k) = F(s, k * M + i);
      each(s) = likelihood.log_density(y.data(), f.data());
    }
    const double top = each.maxCoeff();
    densities(i) = top + std::log((each.array() - top).exp().mean());
  });
  return densities;
}

}  // namespace ridgelet
