/// How good predictions are, judged by what was observed.
///
/// All scores are in the units of the response y itself, also where log y was fitted. With predictive means m_i,
/// distribution functions F_i and densities p_i at M observations:
///
/// | score       | formula                                                        | good            |
/// |-------------|----------------------------------------------------------------|-----------------|
/// | rmse        | sqrt(mean (y_i - m_i)^2)                                       | small           |
/// | mae         | mean |y_i - m_i|                                               | small           |
/// | r2          | 1 - sum (y_i - m_i)^2 / sum (y_i - mean y)^2                   | near 1          |
/// | log_density | mean log p_i(y_i)                                              | large           |
/// | crps        | mean of E|Y - y_i| - E|Y - Y'| / 2,  Y, Y' ~ F_i independent   | small           |
/// | coverage    | part of the y_i in the central interval of a level             | that level      |
/// | width       | mean width of that interval                                    | small           |
///
/// The log density is per unit of y: for y in euros it is log 100 larger than for y in cents. The CRPS is in units of
/// y, and for a point prediction it is the absolute error.
///
/// References: T. Gneiting and A. E. Raftery, Strictly proper scoring rules, JASA 102 (2007); E. P. Grimit et al., The
/// continuous ranked probability score for circular variables and its application to mesoscale forecast ensemble
/// verification, QJRMS 132 (2006), for mixtures of normal distributions; S. Baran and S. Lerch, Log-normal distribution
/// based ensemble model output statistics models for probabilistic wind-speed forecasting, QJRMS 141 (2015), for the
/// log-normal.
#pragma once

#include <vector>

#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/inference/mixture.hpp"

namespace ridgelet {

/// The CRPS of one prediction, in closed form. With A(m, v) = E|N(m, v)| it is
///   (1/S) sum_s A(y - mu_s, s_s^2) - (1/(2 S^2)) sum_{s,t} A(mu_s - mu_t, s_s^2 + s_t^2)
/// for a mixture of normal distributions, and likewise for log-normal ones. Cost S^2.
double mixture_crps(const VectorView& means, const VectorView& sds, ResponseTransform transform, double y);

struct Score {
  Index rows = 0;
  double rmse = 0;
  double mae = 0;
  double r2 = 0;  ///< NaN if the observations are all the same
  double log_density = 0;
  double crps = 0;
  Vector levels;  ///< of the central intervals
  Vector coverage;
  Vector width;
};

struct ScoringOptions {
  ResponseTransform transform = ResponseTransform::none;
  Vector levels = Vector{{0.5, 0.8, 0.95}};

  /// At most this many components, evenly spaced, are used for the CRPS: its cost is their square.
  Index most_components = 50;
};

/// Adds up scores over blocks of rows.
class Scoring {
 public:
  explicit Scoring(ScoringOptions options = {});

  /// Predictions, S x M on the scale of the fit, and what was observed, which must be positive where that scale is a
  /// logarithm. In parallel over the rows; sums do not depend on the number of threads.
  void add(const MatrixView& means, const MatrixView& sds, const VectorView& observed);

  /// The score of all rows so far. Throws InvalidArgument about "rows" if there are none, and about "data" if a sum
  /// overflows.
  Score score() const;

 private:
  ScoringOptions options_;
  Index rows_ = 0;
  double squares_ = 0, absolutes_ = 0, log_density_ = 0, crps_ = 0;
  double centre_ = 0, spread_ = 0;  ///< mean of the observations, and their sum of squares about it
  Vector covered_, widths_;
};

/// The same for every output of a table.
class TableScoring {
 public:
  explicit TableScoring(const std::vector<ResponseEncoding>& responses);

  /// Predictions of all outputs on the scale of the fit, and the responses themselves, a column each.
  void add(const PredictiveMixture& predicted, const Matrix& observed);

  /// A score for each output. Throws as Scoring::score() does.
  std::vector<Score> scores() const;

 private:
  std::vector<Scoring> outputs_;
};

}  // namespace ridgelet
