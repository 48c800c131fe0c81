#include "ridgelet/fitting/latent_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

/// Twice the logarithm of how much likelier a count is if its own value is the mean. If that is 0, it is certain.
double deviance(const Likelihood& likelihood, double y, double mean) {
  const double own = std::log(y), f = std::log(mean);
  return 2 * ((y > 0 ? likelihood.log_density(&y, &own) : 0) - likelihood.log_density(&y, &f));
}

}  // namespace

double area_under_curve(const VectorView& values, const std::vector<bool>& of_class) {
  std::vector<Index> order(of_class.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return values(i); });
  // The sum of the ranks of the class, where those that are tied share theirs.
  double ranks = 0, count = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values(order[last]) == values(order[first])) ++last;
    const double rank = 0.5 * static_cast<double>(first + last + 1);
    for (; first < last; ++first)
      if (of_class[static_cast<std::size_t>(order[first])]) {
        ranks += rank;
        ++count;
      }
  }
  const double others = static_cast<double>(of_class.size()) - count;
  if (count == 0 || others == 0) return std::numeric_limits<double>::quiet_NaN();
  return (ranks - count * (count + 1) / 2) / (count * others);
}

double expected_calibration_error(const VectorView& confidence, const std::vector<bool>& right, Index bins) {
  Vector difference = Vector::Zero(bins);
  for (Index i = 0; i < confidence.size(); ++i) {
    const Index bin = std::clamp(static_cast<Index>(std::ceil(confidence(i) * static_cast<double>(bins))) - 1,
                                 Index{0}, bins - 1);
    difference(bin) += (right[static_cast<std::size_t>(i)] ? 1 : 0) - confidence(i);
  }
  return difference.cwiseAbs().sum() / static_cast<double>(confidence.size());
}

LatentScoring::LatentScoring(const FittedModel& model, Vector levels)
    : model_(model),
      likelihood_(model.likelihood()),
      levels_(std::move(levels)),
      covered_(Vector::Zero(levels_.size())),
      widths_(Vector::Zero(levels_.size())) {}

void LatentScoring::add(const Matrix& X, const Matrix& Y) {
  require_responses(*likelihood_, Y, model_.regression().table().outputs[0], rows_ + 1);
  if (Y.cols() > 1 && !(Y.col(1).array() > 0).all())
    throw InvalidArgument("exposure", "must be a positive number for each row");
  const Matrix F = model_.latent_functions(X);
  const ResponseKind kind = likelihood_->response();
  if (kind == ResponseKind::classes || kind == ResponseKind::two_classes)
    add_classes(F, Y);
  else
    add_numbers(F, Y);
  rows_ += X.rows();
}

void LatentScoring::add_classes(const Matrix& F, const Matrix& Y) {
  constexpr double any_level = 0.5;
  const Matrix P = summarise_functions(F, *likelihood_, any_level, false).mean;
  probabilities_.conservativeResize(rows_ + P.rows(), P.cols());
  probabilities_.bottomRows(P.rows()) = P;
  for (const double place : Y.col(0)) observed_.push_back(static_cast<Index>(place));
  log_density_ +=
      log_predictive_density(F, *likelihood_, responses_of(*likelihood_, Y, Scaling::none(P.cols()))).sum();
}

void LatentScoring::add_numbers(Matrix F, const Matrix& Y) {
  if (Y.cols() > 1) F.rowwise() += Y.col(1).array().log().matrix().transpose();
  const Vector y = Y.col(0);
  for (Index l = 0; l < levels_.size(); ++l) {
    const PredictiveSummary summary = summarise_functions(F, *likelihood_, levels_(l), false);
    covered_(l) += static_cast<double>(
        ((y.array() >= summary.lower.col(0).array()) && (y.array() <= summary.upper.col(0).array())).count());
    widths_(l) += (summary.upper - summary.lower).sum();
    if (l > 0) continue;
    for (Index i = 0; i < y.size(); ++i) {
      const double error = y(i) - summary.mean(i, 0);
      squares_ += error * error;
      absolutes_ += std::abs(error);
      if (likelihood_->response() == ResponseKind::count)
        deviance_ += deviance(*likelihood_, y(i), summary.mean(i, 0));
      const double before = centre_;
      centre_ += (y(i) - centre_) / static_cast<double>(rows_ + i + 1);
      spread_ += (y(i) - before) * (y(i) - centre_);
    }
  }
  log_density_ += log_predictive_density(F, *likelihood_, y).sum();
  crps_ += response_crps(F, *likelihood_, y).sum();
}

LatentScore LatentScoring::score() const {
  require_at_least(rows_, 1, "rows");
  const auto M = static_cast<double>(rows_);
  LatentScore score{.response = likelihood_->response(),
                    .likelihood = likelihood_->name(),
                    .rows = rows_,
                    .log_density = log_density_ / M};
  if (observed_.empty()) {
    score.rmse = std::sqrt(squares_ / M);
    score.mae = absolutes_ / M;
    score.r2 = spread_ > 0 ? 1 - squares_ / spread_ : std::numeric_limits<double>::quiet_NaN();
    score.crps = crps_ / M;
    score.deviance = deviance_ / M;
    score.levels = levels_;
    score.coverage = covered_ / M;
    score.width = widths_ / M;
    return score;
  }
  score.log_loss = -log_density_ / M;
  Matrix P = probabilities_;
  if (P.cols() == 1) {
    P.resize(rows_, 2);
    P << (1 - probabilities_.array()).matrix(), probabilities_;
  }
  Vector confidence(rows_);
  std::vector<bool> right;
  for (Index i = 0; i < rows_; ++i) {
    const Index observed = observed_[static_cast<std::size_t>(i)];
    Index likeliest = 0;
    confidence(i) = P.row(i).maxCoeff(&likeliest);
    right.push_back(likeliest == observed);
    const double squares = (P.row(i) - Vector::Unit(P.cols(), observed).transpose()).squaredNorm();
    score.brier += (P.cols() == 2 ? squares / 2 : squares) / M;
  }
  score.accuracy = static_cast<double>(std::ranges::count(right, true)) / M;
  score.ece = expected_calibration_error(confidence, right);
  double areas = 0;
  Index rated = 0;
  for (Index k = P.cols() == 2 ? 1 : 0; k < P.cols(); ++k) {
    std::vector<bool> of_class;
    for (const Index each : observed_) of_class.push_back(each == k);
    const double area = area_under_curve(P.col(k), of_class);
    if (std::isnan(area)) continue;
    areas += area;
    ++rated;
  }
  score.auc = rated > 0 ? areas / static_cast<double>(rated) : std::numeric_limits<double>::quiet_NaN();
  return score;
}

LatentScore latent_score_at(const FittedModel& model, const RegressionTable& observed,
                            const std::optional<Index>& row_block) {
  LatentScoring scoring(model);
  const Index block = row_block.value_or(model.rows_per_block());
  require_at_least(block, 1, "row_block");
  for (Index first = 0; first < observed.X.rows(); first += block) {
    const Index rows = std::min(block, observed.X.rows() - first);
    Matrix Y = observed.Y.middleRows(first, rows);
    if (Y.cols() > 1) Y.col(1) = Y.col(1).array().exp();
    scoring.add(observed.X.middleRows(first, rows), Y);
  }
  return scoring.score();
}

}  // namespace ridgelet
