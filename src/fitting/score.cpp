#include "ridgelet/fitting/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet {

namespace {

constexpr Index share_of_rows = 16;

/// E|X| of X ~ N(mean, sd^2).
double mean_absolute(double mean, double sd) {
  if (sd == 0) return std::abs(mean);
  const double z = mean / sd;
  return mean * std::erf(z / std::numbers::sqrt2) +
         sd * std::sqrt(2 / std::numbers::pi) * std::exp(-0.5 * z * z);
}

/// E|X - X'| of two normal components, or of a component and a number (sd 0).
double normal_distance(double mean, double sd, double other_mean, double other_sd) {
  return mean_absolute(mean - other_mean, std::hypot(sd, other_sd));
}

/// The same of exp X and exp X', whose means are m = exp(mean + sd^2 / 2): with s^2 = sd^2 + sd'^2,
///   E|exp X - exp X'| = m (2 Phi((mean - mean' + sd^2) / s) - 1) + m' (2 Phi((mean' - mean + sd'^2) / s) - 1).
double log_normal_distance(double mean, double sd, double other_mean, double other_sd) {
  const double s = std::hypot(sd, other_sd);
  if (s == 0) return std::abs(std::exp(mean) - std::exp(other_mean));
  const auto part = [&](double mu, double own_sd, double other) {
    return std::exp(mu + 0.5 * own_sd * own_sd) *
           std::erf((mu - other + own_sd * own_sd) / (s * std::numbers::sqrt2));
  };
  return part(mean, sd, other_mean) + part(other_mean, other_sd, mean);
}

template <class Distance>
double crps_by(const VectorView& means, const VectorView& sds, double fitted_y, Distance&& distance) {
  const Index S = means.size();
  double to_y = 0, between = 0;
  for (Index s = 0; s < S; ++s) {
    to_y += distance(means(s), sds(s), fitted_y, 0.0);
    between += 0.5 * distance(means(s), sds(s), means(s), sds(s));
    for (Index t = 0; t < s; ++t) between += distance(means(s), sds(s), means(t), sds(t));
  }
  const auto count = static_cast<double>(S);
  return to_y / count - between / (count * count);
}

/// At most `most` components, evenly spaced.
Vector thinned(const VectorView& components, Index most) {
  const Index S = components.size(), kept = std::min(S, most);
  Vector result(kept);
  for (Index i = 0; i < kept; ++i) result(i) = components((2 * i + 1) * S / (2 * kept));
  return result;
}

/// The lower ends of the central intervals of these levels, then the upper ones.
Vector interval_ends(const Vector& levels) {
  Vector probabilities(2 * levels.size());
  probabilities << (1 - levels.array()) / 2, (1 + levels.array()) / 2;
  return probabilities;
}

}  // namespace

double mixture_crps(const VectorView& means, const VectorView& sds, ResponseTransform transform, double y) {
  return transform == ResponseTransform::log ? crps_by(means, sds, std::log(y), log_normal_distance)
                                             : crps_by(means, sds, y, normal_distance);
}

Scoring::Scoring(ScoringOptions options)
    : options_(std::move(options)),
      covered_(Vector::Zero(options_.levels.size())),
      widths_(Vector::Zero(options_.levels.size())) {
  require_at_least(options_.most_components, 1, "most_components");
  for (const double level : options_.levels)
    if (!(level > 0 && level < 1))
      throw InvalidArgument("level", "must be between 0 and 1, got " + std::to_string(level));
}

void Scoring::add(const MatrixView& means, const MatrixView& sds, const VectorView& observed) {
  const Index M = observed.size(), L = options_.levels.size();
  const ResponseTransform transform = options_.transform;
  const ResponseSummary summary = summarise_response(means, sds, transform, interval_ends(options_.levels));
  Vector log_density(M), crps(M), probability(M);
  const auto judge = [&](Index i) {
    const double y = observed(i), f = to_fitted_scale(y, transform);
    const double jacobian = transform == ResponseTransform::log ? -f : 0;
    log_density(i) = mixture_log_density(means.col(i), sds.col(i), f) + jacobian;
    crps(i) = mixture_crps(thinned(means.col(i), options_.most_components),
                           thinned(sds.col(i), options_.most_components), transform, y);
    probability(i) = mixture_cdf(means.col(i), sds.col(i), f);
  };
  parallel_for((M + share_of_rows - 1) / share_of_rows, [&](Index share) {
    const Index end = std::min(M, (share + 1) * share_of_rows);
    for (Index i = share * share_of_rows; i < end; ++i) judge(i);
  });
  for (Index i = 0; i < M; ++i) {
    const double error = observed(i) - summary.mean(i), change = observed(i) - centre_;
    centre_ += change / static_cast<double>(++rows_);
    spread_ += change * (observed(i) - centre_);
    squares_ += error * error;
    absolutes_ += std::abs(error);
    log_density_ += log_density(i);
    crps_ += crps(i);
    for (Index l = 0; l < L; ++l) {
      covered_(l) += std::abs(probability(i) - 0.5) <= options_.levels(l) / 2;
      widths_(l) += summary.quantiles(i, L + l) - summary.quantiles(i, l);
    }
  }
}

Score Scoring::score() const {
  require_at_least(rows_, 1, "rows");
  const double sums = squares_ + spread_ + absolutes_ + log_density_ + crps_ + widths_.sum();
  if (!std::isfinite(sums))
    throw InvalidArgument(
        "data",
        "has responses, or inputs of which predictions are, so large that squares leave the range of "
        "a double; divide the column by a power of ten before the fit");
  const auto M = static_cast<double>(rows_);
  return {.rows = rows_,
          .rmse = std::sqrt(squares_ / M),
          .mae = absolutes_ / M,
          .r2 = spread_ > 0 ? 1 - squares_ / spread_ : std::numeric_limits<double>::quiet_NaN(),
          .log_density = log_density_ / M,
          .crps = crps_ / M,
          .levels = options_.levels,
          .coverage = covered_ / M,
          .width = widths_ / M};
}

TableScoring::TableScoring(const std::vector<ResponseEncoding>& responses) {
  for (const ResponseEncoding& response : responses)
    outputs_.emplace_back(ScoringOptions{.transform = response.transform});
}

void TableScoring::add(const PredictiveMixture& predicted, const Matrix& observed) {
  const Index M = observed.rows();
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const auto column = static_cast<Index>(k);
    outputs_[k].add(predicted.means.middleCols(column * M, M), predicted.sds.middleCols(column * M, M),
                    observed.col(column));
  }
}

std::vector<Score> TableScoring::scores() const {
  std::vector<Score> scores;
  for (const Scoring& output : outputs_) scores.push_back(output.score());
  return scores;
}

}  // namespace ridgelet
