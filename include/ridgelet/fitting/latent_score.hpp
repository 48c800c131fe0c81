/// How good predictions of classes, counts and other responses are, judged by what was observed.
///
/// With P_ik the predicted probability of class k at row i, y_ik 1 for the class that was observed and 0 otherwise, and
/// for numbers predictive means m_i and densities p_i:
///
/// | score       | of       | formula                                                              | good       |
/// |-------------|----------|----------------------------------------------------------------------|------------|
/// | log_loss    | classes  | - mean log P_i,observed                                              | small      |
/// | brier       | classes  | mean (P_i - y_i)^2 of two; mean sum_k (P_ik - y_ik)^2 of several     | small      |
/// | accuracy    | classes  | part of rows whose likeliest class was observed                      | near 1     |
/// | auc         | classes  | P(a row of the class is rated above one that is not); of several the | near 1     |
/// |             |          | mean over the classes that were observed                             |            |
/// | ece         | classes  | mean |part that was right - mean probability| over 15 bins of the    | near 0     |
/// |             |          | likeliest class's probability, by rows                               |            |
/// | rmse        | numbers  | sqrt(mean (y_i - m_i)^2)                                             | small      |
/// | log_density | numbers  | mean log p_i(y_i)                                                    | large      |
/// | crps        | numbers  | as in score.hpp, of the mixture over functions                       | small      |
/// | deviance    | counts   | 2 mean (log p(y_i | mean y_i) - log p(y_i | mean m_i)); of Poisson's | small      |
/// |             |          | 2 mean (y_i log(y_i / m_i) - y_i + m_i)                              |            |
/// | coverage    | numbers  | part of the y_i in the central interval of a level                   | that level |
/// | width       | numbers  | mean width of that interval                                          | small      |
///
/// Intervals of counts hold at least their level, since counts come in steps.
/// References: Gneiting and Raftery (2007) for log loss and Brier's score; C. Guo et al., On calibration of modern
/// neural networks (ICML 2017), for the expected calibration error.
#pragma once

#include <optional>

#include "ridgelet/fitting/fitted_model.hpp"

namespace ridgelet {

struct LatentScore {
  ResponseKind response = ResponseKind::real;
  std::string likelihood = {};  ///< its name
  Index rows = 0;

  // Of classes.
  double log_loss = 0;
  double brier = 0;
  double accuracy = 0;
  double auc = 0;  ///< not a number where one class alone was observed
  double ece = 0;

  // Of numbers.
  double rmse = 0;
  double mae = 0;
  double r2 = 0;  ///< NaN if the observations are all the same
  double log_density = 0;
  double crps = 0;
  double deviance = 0;  ///< of counts
  Vector levels = {};   ///< of the central intervals
  Vector coverage = {};
  Vector width = {};
};

/// Adds up scores over blocks of rows. For classes it keeps the probabilities of all rows, for numbers no row.
class LatentScoring {
 public:
  explicit LatentScoring(const FittedModel& model, Vector levels = Vector{{0.5, 0.8, 0.95}});

  /// Rows with their responses: classes by their places, and counts with their exposure, if there is one, in the column
  /// after them (itself, not its logarithm). Throws what require_responses() throws (latent_response.hpp).
  void add(const Matrix& X, const Matrix& Y);

  /// The score of all rows so far. Throws InvalidArgument about "rows" if there are none.
  LatentScore score() const;

 private:
  void add_classes(const Matrix& F, const Matrix& Y);
  void add_numbers(Matrix F, const Matrix& Y);

  const FittedModel& model_;
  LikelihoodPointer likelihood_;
  Vector levels_;
  Matrix probabilities_;  ///< rows x classes (the second of two)
  std::vector<Index> observed_;
  Index rows_ = 0;
  double log_density_ = 0, squares_ = 0, absolutes_ = 0, crps_ = 0, deviance_ = 0;
  double centre_ = 0, spread_ = 0;
  Vector covered_, widths_;
};

/// The part of all pairs of a row of the class and a row that is not, in which the first has the larger value; ties
/// count one half.
double area_under_curve(const VectorView& values, const std::vector<bool>& of_class);

/// `confidence` are the probabilities of the likeliest classes, and `right` says whether those were observed.
double expected_calibration_error(const VectorView& confidence, const std::vector<bool>& right,
                                  Index bins = 15);

/// The score at all rows of a table, which is on the scale of a fit, `row_block` of them at a time; by default
/// model.rows_per_block().
LatentScore latent_score_at(const FittedModel& model, const RegressionTable& observed,
                            const std::optional<Index>& row_block = std::nullopt);

}  // namespace ridgelet
