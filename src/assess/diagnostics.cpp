#include "ridgelet/assess/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

void validate_draws(const MatrixView& draws) {
  if (draws.rows() < 4 || draws.cols() < 1)
    throw InvalidArgument("draws", fmt::format("must be at least 4 draws of at least 1 chain, got {} x {}",
                                               draws.rows(), draws.cols()));
}

bool is_constant(const MatrixView& x) {
  return x.maxCoeff() == x.minCoeff();
}

/// The halves of every chain, side by side; the middle draw of an odd number is left out.
Matrix split_chains(const MatrixView& draws) {
  const Index half = draws.rows() / 2;
  Matrix halves(half, 2 * draws.cols());
  halves << draws.topRows(half), draws.bottomRows(half);
  return halves;
}

/// Each column less its mean. The first entry is subtracted first, so that a constant column becomes exactly 0.
Matrix centred(const MatrixView& x) {
  const Matrix shifted = x.rowwise() - x.row(0);
  return shifted.rowwise() - shifted.colwise().mean();
}

double variance(const VectorView& x) {
  return centred(x).squaredNorm() / static_cast<double>(x.size() - 1);
}

Vector sorted(const MatrixView& x) {
  Vector values = x.reshaped();
  std::sort(values.begin(), values.end());
  return values;
}

double median(const MatrixView& x) {
  const Vector values = sorted(x);
  const Index half = values.size() / 2;
  return values.size() % 2 == 1 ? values(half) : (values(half - 1) + values(half)) / 2;
}

/// The quantile that interpolates linearly between order statistics (Hyndman and Fan's type 7).
double quantile(const MatrixView& x, double probability) {
  const Vector values = sorted(x);
  // Counted from 1 as R does, so that the fraction is rounded alike.
  const double position = 1 + static_cast<double>(values.size() - 1) * probability;
  const double below = values(static_cast<Index>(std::floor(position)) - 1);
  const double above = values(static_cast<Index>(std::ceil(position)) - 1);
  const double fraction = position - std::floor(position);
  // Between equal values interpolation could round to below both, and the indicator x <= quantile would flip.
  return below == above ? below : (1 - fraction) * below + fraction * above;
}

/// |x - median|: wide chains become chains of large values.
Matrix folded(const MatrixView& x) {
  return (x.array() - median(x)).abs();
}

/// Phi^{-1}((r - 3/8) / (S + 1/4)), r the rank of each entry among all S, equal entries sharing their average.
Matrix rank_normalised(const MatrixView& x) {
  const Vector values = x.reshaped();
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) { return values(i) < values(j); });

  Matrix z(x.rows(), x.cols());
  const boost::math::normal standard_normal;
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](Index i) { return values(i) != values(*first); });
    // The ranks of a run of equals are first + 1, ..., last.
    const double rank = static_cast<double>((first - order.begin()) + 1 + (last - order.begin())) / 2;
    const double p = (rank - 0.375) / (static_cast<double>(x.size()) + 0.25);
    const double score = boost::math::quantile(standard_normal, p);
    for (; first != last; ++first) z(*first) = score;
  }
  return z;
}

/// sqrt(V / W) of half-chains; infinite where they are constant but differ.
double potential_scale_reduction(const MatrixView& x) {
  if (is_constant(x)) return undefined;
  const double N = static_cast<double>(x.rows()), M = static_cast<double>(x.cols());
  const double within = centred(x).squaredNorm() / (M * (N - 1));
  const double between = variance(x.colwise().mean().transpose());
  return std::sqrt(between / within + (N - 1) / N);
}

/// tau by Geyer's initial monotone sequence.
double autocorrelation_time(const MatrixView& x) {
  const Index N = x.rows();
  const Matrix y = centred(x);
  const auto autocovariance = [&](Index lag) {
    return y.topRows(N - lag).cwiseProduct(y.bottomRows(N - lag)).sum() / static_cast<double>(y.size());
  };
  const double within = autocovariance(0) * static_cast<double>(N) / static_cast<double>(N - 1);
  const double total = autocovariance(0) + variance(x.colwise().mean().transpose());
  const auto rho = [&](Index lag) { return 1 - (within - autocovariance(lag)) / total; };

  Index lag = 0;
  double even = 1, odd = rho(1), sum = 0, smallest_pair = even + odd;
  while (lag < N - 5 && even + odd > 0) {
    smallest_pair = std::min(smallest_pair, even + odd);
    sum += smallest_pair;
    lag += 2;
    even = rho(lag);
    odd = rho(lag + 1);
  }
  // Too few lags to add, or draws that alternate exactly: the R package then has tau = 2.
  if (lag == 0) return 2;
  // The even term of the pair that ended the sum still counts, which steadies the estimate for antithetic chains.
  const double last = even > 0 || even + odd >= 0 ? even : 0;
  return -1 + 2 * sum + last;
}

/// S / tau of half-chains, at most S log10 S.
double effective_sample_size(const MatrixView& x) {
  if (x.rows() < 3 || is_constant(x)) return undefined;
  const double S = static_cast<double>(x.size());
  return S / std::max(autocorrelation_time(x), 1 / std::log10(S));
}

double quantile_effective_sample_size(const MatrixView& draws, double probability) {
  const double q = quantile(draws, probability);
  return effective_sample_size(split_chains((draws.array() <= q).cast<double>().matrix()));
}

/// Whether a is larger than b, with NaN larger than every number.
bool exceeds(double a, double b) {
  return !std::isnan(b) && (std::isnan(a) || a > b);
}

/// Whether a is smaller than b, with NaN smaller than every number.
bool undercuts(double a, double b) {
  return exceeds(-a, -b);
}

std::string rhat_warning(double value, const std::string& name, Index chains) {
  if (std::isnan(value))
    return fmt::format("R-hat is undefined for {}: constant or not finite; look at the draws", name);
  // A value that two decimals would show as the threshold itself gets four.
  return fmt::format(
      "R-hat is {:.{}f} for {}, above {}: the {} disagree; run longer with --warmup and --draws, or use "
      "more --units",
      value, value < rhat_threshold + 0.005 ? 4 : 2, name, rhat_threshold,
      chains == 1 ? "halves of the chain" : "chains");
}

/// `part` is "bulk" or "tail"; `estimates` are what is imprecise if the effective sample size is small.
std::string size_warning(const char* part, double value, const std::string& name, double least,
                         const char* estimates) {
  const std::string size = fmt::format("{} effective sample size", part);
  if (std::isnan(value))
    return fmt::format("{} is undefined for {}: too few, tied or not finite; look at the draws", size, name);
  return fmt::format(
      "{} is {:.0f} for {}, below {:.0f} ({:.0f} a chain): {} are imprecise; run longer with --draws", size,
      std::floor(value), name, least, effective_samples_per_chain, estimates);
}

}  // namespace

double rhat(const MatrixView& draws) {
  validate_draws(draws);
  if (!draws.allFinite()) return undefined;
  const double bulk = potential_scale_reduction(rank_normalised(split_chains(draws)));
  const double fold = potential_scale_reduction(rank_normalised(split_chains(folded(draws))));
  return exceeds(fold, bulk) ? fold : bulk;
}

double bulk_effective_sample_size(const MatrixView& draws) {
  validate_draws(draws);
  if (!draws.allFinite()) return undefined;
  return effective_sample_size(rank_normalised(split_chains(draws)));
}

double tail_effective_sample_size(const MatrixView& draws) {
  validate_draws(draws);
  if (!draws.allFinite() || is_constant(draws)) return undefined;
  const double lower = quantile_effective_sample_size(draws, 0.05);
  const double upper = quantile_effective_sample_size(draws, 0.95);
  return undercuts(upper, lower) ? upper : lower;
}

double mean_standard_error(const MatrixView& draws) {
  validate_draws(draws);
  if (!draws.allFinite()) return undefined;
  // Relative to the first draw: means of draws far from 0 would lose the digits that tell chains apart.
  const Matrix near_zero = draws.array() - draws(0, 0);
  return std::sqrt(variance(near_zero.reshaped()) / effective_sample_size(split_chains(near_zero)));
}

ConvergenceDiagnostics diagnose(const MatrixView& draws) {
  return {.rhat = rhat(draws),
          .bulk = bulk_effective_sample_size(draws),
          .tail = tail_effective_sample_size(draws),
          .standard_error = mean_standard_error(draws)};
}

WorstDiagnostics worst_diagnostics(Index quantities, const std::function<Matrix(Index)>& draws_of) {
  require_at_least(quantities, 1, "quantities");
  WorstDiagnostics worst;
  for (Index i = 0; i < quantities; ++i) {
    const Matrix draws = draws_of(i);
    if (i == 0) worst.chains = draws.cols();
    if (draws.cols() != worst.chains)
      throw InvalidArgument(
          "draws", fmt::format("must have {} chains for every quantity, got {} for quantity {}", worst.chains,
                               draws.cols(), i + 1));
    const ConvergenceDiagnostics found = diagnose(draws);
    if (i == 0 || exceeds(found.rhat, worst.rhat.value)) worst.rhat = {found.rhat, i};
    if (i == 0 || undercuts(found.bulk, worst.bulk.value)) worst.bulk = {found.bulk, i};
    if (i == 0 || undercuts(found.tail, worst.tail.value)) worst.tail = {found.tail, i};
  }
  return worst;
}

WorstDiagnostics worst_diagnostics(const std::vector<Matrix>& draws) {
  return worst_diagnostics(static_cast<Index>(draws.size()),
                           [&](Index i) { return draws[static_cast<std::size_t>(i)]; });
}

std::vector<std::string> convergence_warnings(const WorstDiagnostics& worst,
                                              const std::function<std::string(Index)>& name_of) {
  const double least = effective_samples_per_chain * static_cast<double>(worst.chains);
  std::vector<std::string> warnings;
  if (exceeds(worst.rhat.value, rhat_threshold))
    warnings.push_back(rhat_warning(worst.rhat.value, name_of(worst.rhat.quantity), worst.chains));
  if (undercuts(worst.bulk.value, least))
    warnings.push_back(
        size_warning("bulk", worst.bulk.value, name_of(worst.bulk.quantity), least, "means and medians"));
  if (undercuts(worst.tail.value, least))
    warnings.push_back(
        size_warning("tail", worst.tail.value, name_of(worst.tail.quantity), least, "5% and 95% quantiles"));
  return warnings;
}

}  // namespace ridgelet
