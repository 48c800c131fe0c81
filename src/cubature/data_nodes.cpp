#include "ridgelet/cubature/data_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/gap_inputs.hpp"
#include "ridgelet/cubature/likely_inputs.hpp"
#include "ridgelet/cubature/rare_inputs.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"
#include "ridgelet/target/lengthscales.hpp"
#include "ridgelet/target/process_at_points.hpp"

namespace ridgelet {

namespace {

constexpr Index most_rows = 10'000;
constexpr Index filling_points_of_one_input = 200, filling_points_of_two_inputs = 900;
constexpr Index candidates_in_many_inputs = 1024, candidates_of_a_rare_level = 64;
constexpr Index candidates_of_a_gap = 6, candidates_of_all_gaps = 256;

/// Points all over the box or, in many inputs where there are data, where more of them might be.
Matrix filling_points(const Box& box, const Matrix& rows, std::uint64_t seed) {
  const Index d = box.dimension();
  if (d == 1) return evaluation_points(box, filling_points_of_one_input, seed);
  if (d == 2) return evaluation_points(box, filling_points_of_two_inputs, seed);
  if (rows.rows() == 0) return sobol_points_of(box, candidates_in_many_inputs, seed);
  const Matrix rare = rare_inputs(rows, candidates_of_a_rare_level, candidates_in_many_inputs, seed),
               gaps = gap_inputs(rows, candidates_of_a_gap, candidates_of_all_gaps, seed),
               likely =
                   likely_inputs(rows, std::max<Index>(candidates_in_many_inputs - rows.rows(), 0), seed);
  Matrix points(rare.rows() + gaps.rows() + likely.rows(), d);
  points << rare, gaps, likely;
  return points;
}

/// Whether a term is zero between the point where its variance is largest and all others, even one next to it.
bool is_white_noise(const Kernel& term, const MatrixView& points) {
  Index largest = 0;
  if (!(term.diagonal(points).maxCoeff(&largest) > 0)) return false;
  const Matrix x = points.row(largest);
  constexpr double hardly = 1e-9;
  const Matrix near =
      x.unaryExpr([](double value) { return value + hardly * std::max(1.0, std::abs(value)); });
  if (term.matrix(near, x)(0, 0) != 0) return false;
  const Vector covariance = term.matrix(points, x);
  for (Index i = 0; i < points.rows(); ++i)
    if (covariance(i) != 0 && points.row(i) != x.row(0)) return false;
  return true;
}

struct Choice {
  Index candidate;
  double variance;  ///< that it explains of itself, relative to the mean of its group
};

/// The pivots of a group of terms.
void append_choices(const Kernel& group, const Matrix& candidates, const RankLimit& limit,
                    const Vector& importance, std::vector<Choice>& choices) {
  const Vector variance = group.diagonal(candidates);
  const CovarianceColumns columns{
      .diagonal = variance.cwiseProduct(importance.cwiseAbs2()), .read_column = [&](Index j, Vector& column) {
        column = importance(j) * importance.cwiseProduct(Vector(group.matrix(candidates, candidates.row(j))));
      }};
  // The tolerance is a part of the process's own variance, whatever candidates count.
  const double mean = variance.mean();
  const double tolerance = limit.tolerance * mean / std::max(columns.diagonal.mean(), 1e-300);
  const RankRevealingFactor factor =
      factorise(columns, {.tolerance = tolerance, .most = limit.most}, "kernel");
  for (Index r = 0; r < factor.rank(); ++r) {
    const Index pivot = factor.pivots[static_cast<std::size_t>(r)];
    choices.push_back({.candidate = pivot, .variance = factor.L(pivot, r) * factor.L(pivot, r) / mean});
  }
}

/// The kernel without white noise, of which no node tells anything about another point.
Kernel part_that_nodes_tell_of(const Kernel& kernel, const Matrix& candidates) {
  const std::optional<Kernel> smooth = without_white_noise(kernel, candidates);
  if (!smooth)
    throw InvalidArgument(
        "kernel", "must have a term besides white noise for nodes to be chosen by it, got " + kernel.text() +
                      "; use --nodes grid, or add a term");
  return *smooth;
}

}  // namespace

Kernel with_network_pinned(const Kernel& kernel, const Matrix& candidates, const Box& box) {
  constexpr double eps = 1e-2;  // above the ratio that would make it a group of its own
  constexpr Index points = 50;
  require_nonempty(candidates, "candidates");
  kernel.validate_dimension(candidates.cols());
  const Kernel smooth = part_that_nodes_tell_of(kernel, candidates);
  const double variance = groups_of_terms(smooth, candidates).back().diagonal(candidates).mean();
  if (!(variance > 0)) return smooth;
  const Vector lengths =
      turning_lengths(smooth, subset_of_rows(candidates, points, 0), box.upper - box.lower);
  SquaredExponential pin{.amplitude = std::sqrt(eps * variance), .lengthscale = std::vector<double>()};
  for (Index i = 0; i < lengths.size(); ++i) {
    if (std::isinf(lengths(i))) continue;
    pin.active.inputs.push_back(i + 1);
    pin.lengthscale.values.push_back(lengths(i));
  }
  return pin.active.inputs.empty() ? smooth : smooth + Kernel(pin);
}

Matrix subset_of_rows(const Matrix& rows, Index most, std::uint64_t seed) {
  const RandomStream stream{.seed = seed, .purpose = Purpose::node_candidates};
  return sorted_rows(rows)(stream.subset(rows.rows(), most), Eigen::all);
}

Matrix node_candidates(const Box& box, const Matrix& inputs, std::uint64_t seed) {
  validate(box, "domain");
  const Index d = box.dimension();
  const bool with_data = inputs.rows() > 0;
  if (with_data) require_columns(inputs, d, "inputs");
  const Matrix rows = with_data ? subset_of_rows(inputs, most_rows, seed) : Matrix(0, d);
  const Matrix filling = filling_points(box, rows, seed);
  Matrix candidates(rows.rows() + filling.rows(), d);
  candidates << rows, filling;
  return candidates;
}

std::optional<Kernel> without_white_noise(const Kernel& kernel, const MatrixView& points) {
  const std::vector<Kernel> terms = kernel.terms();
  std::optional<Kernel> rest;
  bool changed = false;
  for (const Kernel& term : terms) {
    if (is_white_noise(term, points))
      changed = true;
    else
      rest = rest ? *rest + term : term;
  }
  return changed ? rest : kernel;
}

std::vector<Index> choose_nodes(const Kernel& kernel, const Matrix& candidates, const RankLimit& limit,
                                const Vector& importance) {
  require_nonempty(candidates, "candidates");
  const Vector all_alike = Vector::Ones(candidates.rows());
  if (importance.size() > 0) require_rows(importance, candidates.rows(), "importance");
  kernel.validate_dimension(candidates.cols());
  require_at_least(limit.most, 1, "points");
  require_positive(limit.tolerance, "tolerance");
  const auto most = static_cast<double>(std::min(limit.most, candidates.rows()));
  require_memory(8 * 3 * static_cast<double>(candidates.rows()) * most, "points",
                 fmt::format("a choice of {} nodes from {} candidates", most, candidates.rows()));
  std::vector<Choice> choices;
  for (const Kernel& group : groups_of_terms(part_that_nodes_tell_of(kernel, candidates), candidates))
    append_choices(group, candidates, limit, importance.size() > 0 ? importance : all_alike, choices);
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.variance > b.variance; });
  std::vector<Index> nodes;
  std::set<Index> taken;
  for (const Choice& choice : choices)
    if (static_cast<Index>(nodes.size()) < limit.most && taken.insert(choice.candidate).second)
      nodes.push_back(choice.candidate);
  return nodes;
}

Nodes data_nodes(const Kernel& kernel, const Matrix& candidates, const RankLimit& limit,
                 const Vector& importance) {
  const std::vector<Index> chosen = choose_nodes(kernel, candidates, limit, importance);
  return {.points = candidates(chosen, Eigen::all),
          .weights = Vector::Ones(static_cast<Index>(chosen.size()))};
}

}  // namespace ridgelet
