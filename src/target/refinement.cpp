#include "ridgelet/target/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "learning_search.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/target/inducing_evidence.hpp"

namespace ridgelet {

namespace {

/// Log evidence for each row: where the bound may lack more than that, no gain could make up for it.
constexpr double most_lacking = 0.1;

struct InducingPoints {
  Matrix Z;
  double lacking = 0;  ///< trace(K - Q) sum_j 1 / s_j^2, what the bound may lack
};

/// The rows that say most about the others.
InducingPoints inducing_points(const Kernel& kernel, const Vector& noise, const Matrix& X, Index most) {
  const Vector diagonal = kernel.diagonal(X);
  const CovarianceColumns columns{.diagonal = diagonal, .read_column = [&](Index j, Vector& column) {
                                    column = kernel.matrix(X, X.row(j));
                                  }};
  const double variance = noise.minCoeff() * noise.minCoeff();
  const RankRevealingFactor factor = factorise(
      columns, {.tolerance = std::max(rank_tolerance, variance / diagonal.sum()), .most = most}, "kernel");
  const double unexplained = std::max(0.0, diagonal.sum() - factor.L.squaredNorm());
  return {.Z = X(factor.pivots, Eigen::all), .lacking = unexplained * noise.cwiseAbs2().cwiseInverse().sum()};
}

}  // namespace

LearnedTarget refine_target(LearnedTarget learned, const MatrixView& X, const MatrixView& Y,
                            const LearningOptions& learning, const RefinementOptions& options) {
  const Index learned_from = static_cast<Index>(learned.rows.size()), n = std::min(options.rows, X.rows());
  if (!learning.parts.kernel || n <= learned_from) return learned;
  require_memory(InducingEvidence::bytes(n, options.points), "learn_rows",
                 fmt::format("the evidence of {} rows by {} inducing points", n, options.points));
  const std::vector<Index> rows = learning_rows(X, Y, n, learning.seed);
  const Matrix inputs = X(rows, Eigen::all), responses = Y(rows, Eigen::all);
  LearningOptions search = learning;
  search.noise = learned.noise;
  search.hold_periods = learned.hold_periods;
  search.hold_ratios = learned.hold_ratios;
  search.evaluations = options.evaluations;
  const LearningSpace space(learned.process, inputs, standard_deviations(X),
                            gaussian_numbers(responses, search), search);

  Refinement refinement{.rows = n};
  Vector t = space.start(0);  // where learning ended
  for (int round = 0; round < options.rounds; ++round) {
    const InducingPoints points =
        inducing_points(space.process(t).kernel, space.noise(t), inputs, options.points);
    // No point at all: the process is less than the noise of one row, over all rows together.
    if (points.Z.rows() == 0 || points.lacking > most_lacking * static_cast<double>(n)) break;
    InducingEvidence bound(inputs, responses, points.Z);
    Vector end = t;
    const std::optional<double> before = height_at(t, space, bound);
    const LearningStart ended = run_start(end, space, bound, search);
    if (!before || !ended.process || ended.objective - *before <= points.lacking) break;
    t = end;
    refinement.points = points.Z.rows();
    refinement.gain += ended.objective - *before;
  }
  if (refinement.points == 0) return learned;
  const GaussianProcess process = space.process(t);
  const Vector noise = space.noise(t);
  const auto evidence = EvidenceFunction(X(learned.rows, Eigen::all), Y(learned.rows, Eigen::all))
                            .at(process, noise, {.kernel = false, .mean = false, .noise = false});
  if (!evidence) return learned;
  learned.process = process;
  learned.noise = noise;
  learned.log_evidence = evidence->log_evidence;
  Vector slope = Vector::Zero(space.size());
  learned.objective = learned.log_evidence + space.add_log_prior(t, slope);
  learned.at_bounds = space.at_bounds(t);
  learned.refinement = refinement;
  return learned;
}

}  // namespace ridgelet
