#include "predicted_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "new_table.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet::app {

namespace {

const std::vector<std::string> of_every_row = {"error", "outside"};

/// "lower" and "upper", or "lower_50" and so on for each of several levels; of a class "lower_red", "lower_red_50".
std::vector<std::string> interval_names(const Vector& levels, const std::string& of_class = "") {
  std::vector<std::string> names;
  for (const double level : levels) {
    const std::string suffix = of_class + (levels.size() == 1 ? "" : fmt::format("_{:.12g}", 100 * level));
    names.insert(names.end(), {"lower" + suffix, "upper" + suffix});
  }
  return names;
}

/// Classes have no noise apart from their probability.
void require_not_latent(const WantedPredictions& wanted) {
  if (wanted.latent)
    throw InvalidArgument("latent",
                          "is not for classes, whose probabilities are without noise; leave it out");
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<std::string> draw_names(Index draws) {
  std::vector<std::string> names;
  for (Index i = 1; i <= draws; ++i) names.push_back(fmt::format("draw_{}", i));
  return names;
}

void require_draws(Index there, Index wanted) {
  if (there < wanted)
    throw InvalidArgument("draws",
                          fmt::format("must be at most {}, as many as the fit has, got {}", there, wanted));
}

/// Responses with Gaussian noise, or the logarithms of those.
class GaussianColumns final : public PredictedColumns {
 public:
  GaussianColumns(const FittedModel& model, WantedPredictions wanted, const std::vector<std::string>& taken)
      : PredictedColumns(model),
        wanted_(std::move(wanted)),
        responses_(encoding_of(model.regression().table()).outputs) {
    choose_names(taken);
  }

 private:
  std::vector<std::string> quantities() const override {
    return joined(joined({"mean", "sd"}, interval_names(wanted_.levels)), draw_names(wanted_.draws));
  }

  Matrix values_at(const EncodedRows& block) const override {
    const Matrix& X = block.X;
    const PredictiveMixture mixture = model_.mixture(X, !wanted_.latent);
    const Index M = X.rows(), L = wanted_.levels.size(), width = 2 + 2 * L + wanted_.draws;
    Vector probabilities(2 * L);
    for (Index l = 0; l < L; ++l)
      probabilities.segment(2 * l, 2) << (1 - wanted_.levels(l)) / 2, (1 + wanted_.levels(l)) / 2;
    Matrix values(M, width * static_cast<Index>(responses_.size()));
    for (Index k = 0; k < static_cast<Index>(responses_.size()); ++k) {
      const ResponseSummary summary =
          summarise_response(mixture.means.middleCols(k * M, M), mixture.sds.middleCols(k * M, M),
                             responses_[static_cast<std::size_t>(k)].transform, probabilities);
      values.middleCols(k * width, 2 + 2 * L) << summary.mean, summary.sd, summary.quantiles;
      if (wanted_.draws > 0) values.middleCols(k * width + 2 + 2 * L, wanted_.draws) = draws_at(X, k);
    }
    return values;
  }

  /// Functions of the posterior at the rows, in the response's own units: the same functions in every block.
  Matrix draws_at(const Matrix& X, Index response) const {
    Matrix functions = model_.functions(X, wanted_.draws, model_.seed(), response).transpose();
    require_draws(functions.cols(), wanted_.draws);
    if (responses_[static_cast<std::size_t>(response)].transform == ResponseTransform::log)
      functions = functions.array().exp();
    return functions;
  }

  WantedPredictions wanted_;
  std::vector<ResponseEncoding> responses_;
};

/// Probabilities of several classes with their intervals, and the likeliest.
class ClassColumns final : public PredictedColumns {
 public:
  ClassColumns(const FittedModel& model, const WantedPredictions& wanted,
               const std::vector<std::string>& taken)
      : PredictedColumns(model),
        levels_(wanted.levels),
        classes_(encoding_of(model.regression().table()).outputs.front().levels) {
    if (wanted.draws > 0) throw InvalidArgument("draws", "are not for classes; leave it out");
    require_not_latent(wanted);
    choose_names(taken);
    words_[static_cast<Index>(quantities().size()) - 1] = classes_;
  }

 private:
  std::vector<std::string> quantities() const override {
    std::vector<std::string> names;
    for (const std::string& each : classes_) names.push_back("p_" + each);
    for (const std::string& each : classes_)
      names = joined(std::move(names), interval_names(levels_, "_" + each));
    names.push_back("class");
    return names;
  }

  Matrix values_at(const EncodedRows& block) const override {
    const Matrix F = model_.latent_functions(block.X);
    const auto K = static_cast<Index>(classes_.size()), L = levels_.size();
    Matrix values(block.X.rows(), K + 2 * K * L + 1);
    for (Index l = 0; l < L; ++l) {
      const PredictiveSummary summary = summarise_functions(F, *model_.likelihood(), levels_(l), false);
      values.leftCols(K) = summary.mean;
      for (Index k = 0; k < K; ++k)
        values.middleCols(K + 2 * (k * L + l), 2) << summary.lower.col(k), summary.upper.col(k);
    }
    for (Index i = 0; i < values.rows(); ++i) {
      Index likeliest = 0;
      values.row(i).head(K).maxCoeff(&likeliest);
      values(i, values.cols() - 1) = static_cast<double>(likeliest);
    }
    return values;
  }

  Vector levels_;
  std::vector<std::string> classes_;
};

/// One function: the probability of the second of two classes, or a count or number.
class ResponseColumns final : public PredictedColumns {
 public:
  ResponseColumns(const FittedModel& model, WantedPredictions wanted, const std::vector<std::string>& taken)
      : PredictedColumns(model),
        wanted_(std::move(wanted)),
        likelihood_(model.likelihood()),
        two_classes_(likelihood_->response() == ResponseKind::two_classes) {
    require_draws(model.components(), wanted_.draws);
    if (two_classes_) require_not_latent(wanted_);
    choose_names(taken);
  }

 private:
  std::vector<std::string> quantities() const override {
    const std::vector<std::string> first =
        two_classes_ ? std::vector<std::string>{"probability"} : std::vector<std::string>{"mean", "sd"};
    return joined(joined(first, interval_names(wanted_.levels)), draw_names(wanted_.draws));
  }

  Matrix values_at(const EncodedRows& block) const override {
    const Matrix F = model_.latent_functions(block.X);
    Matrix values(block.X.rows(), static_cast<Index>(quantities().size()));
    Index column = two_classes_ ? 1 : 2;
    for (const double level : wanted_.levels) {
      const PredictiveSummary summary = summarise_functions(F, *likelihood_, level, wanted_.latent);
      values.col(0) = summary.mean;
      if (!two_classes_) values.col(1) = summary.sd;
      values.middleCols(column, 2) << summary.lower, summary.upper;
      column += 2;
    }
    if (wanted_.draws > 0) values.rightCols(wanted_.draws) = draws_of(F, block.rows);
    return values;
  }

  /// Draws of probabilities, of rates with --latent, or else of new responses, with random numbers that belong to the
  /// rows of the table.
  Matrix draws_of(const Matrix& F, const std::vector<Index>& rows) const {
    const std::vector<Index> chosen = spread_rows(F.rows(), wanted_.draws);
    Matrix draws(F.cols(), wanted_.draws);
    for (Index s = 0; s < wanted_.draws; ++s) {
      const RandomStream stream{.seed = model_.seed(),
                                .purpose = Purpose::predictive_noise,
                                .iteration = static_cast<std::uint32_t>(s)};
      for (Index i = 0; i < F.cols(); ++i) {
        const double f = F(chosen[static_cast<std::size_t>(s)], i);
        if (two_classes_ || wanted_.latent)
          likelihood_->mean(&f, &draws(i, s));
        else
          likelihood_->draw(&f, stream.uniform(static_cast<std::uint64_t>(rows[static_cast<std::size_t>(i)])),
                            &draws(i, s));
      }
    }
    return draws;
  }

  WantedPredictions wanted_;
  LikelihoodPointer likelihood_;
  bool two_classes_;
};

}  // namespace

std::vector<std::string> PredictedColumns::names_with(const std::string& prefix, bool of_response) const {
  // Without Gaussian noise there is one response, however many columns describe it; with it there may be several.
  std::vector<ResponseEncoding> responses = encoding_of(model_.regression().table()).outputs;
  if (model_.latent()) responses.resize(1);
  std::vector<std::string> names;
  for (const ResponseEncoding& response : responses)
    for (const std::string& quantity : quantities())
      names.push_back(prefix + (of_response ? response.column + "_" : "") + quantity);
  const bool one_renamed = of_response && responses.size() == 1;
  for (const std::string& of_row : of_every_row)
    names.push_back(prefix + (one_renamed ? responses.front().column + "_" : "") + of_row);
  return names;
}

void PredictedColumns::choose_names(const std::vector<std::string>& taken) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(taken, name) != taken.end();
  };
  const bool several = !model_.latent() && model_.regression().data().outputs() > 1;
  names_ = names_with("", several);
  const std::vector<std::string> plain = names_;
  // A response called `class` or `mean` is usual, and what else is said of it keeps its names.
  if (model_.latent())
    for (std::string& name : names_)
      while (is_taken(name)) name.insert(0, "predicted_");
  for (std::string prefix; std::ranges::any_of(names_, is_taken); prefix += "predicted_")
    names_ = names_with(prefix, true);
  renamed_ = !several && names_ != plain;
  words_[static_cast<Index>(names_.size()) - 1] = {"no", "yes"};
}

Matrix PredictedColumns::at(const EncodedRows& block, const std::string& file) const {
  const auto width = static_cast<Index>(names_.size());
  Matrix values(block.X.rows(), width);
  values.leftCols(error_column()) = values_at(block);
  values.col(error_column()) = model_.relative_error(block.X);
  const std::vector<bool> outside = rows_outside(block, model_);
  for (Index i = 0; i < values.rows(); ++i)
    values(i, width - 1) = outside[static_cast<std::size_t>(i)] ? 1 : 0;
  require_finite(block, values, file);
  return values;
}

void PredictedColumns::require_finite(const EncodedRows& block, const Matrix& values,
                                      const std::string& file) const {
  const Regression& regression = model_.regression();
  for (Index i = 0; i < values.rows(); ++i) {
    // The error may be infinite, since it is relative to the process, which may not vary there.
    const bool has_error = !std::isnan(values(i, error_column()));
    if (has_error && values.row(i).head(error_column()).allFinite()) continue;
    const Matrix x = block.X.row(i);
    const bool has_mean = regression.offset()(regression.input_scaling().apply(x)).allFinite();
    throw InvalidArgument(
        "data", fmt::format("'{}', row {}: has no finite prediction, since {}", file,
                            block.rows[static_cast<std::size_t>(i)],
                            !has_mean ? "the mean '" + regression.offset().text() + "' is not finite there"
                            : regression.rows_outside_domain(x) > 0
                                ? "it lies too far outside of the domain of the fit"
                                : "the numbers leave the range of a double"));
  }
}

std::unique_ptr<PredictedColumns> predicted_columns(const FittedModel& model, const WantedPredictions& wanted,
                                                    const std::vector<std::string>& taken) {
  if (!model.latent()) return std::make_unique<GaussianColumns>(model, wanted, taken);
  if (model.likelihood()->response() == ResponseKind::classes)
    return std::make_unique<ClassColumns>(model, wanted, taken);
  return std::make_unique<ResponseColumns>(model, wanted, taken);
}

}  // namespace ridgelet::app
