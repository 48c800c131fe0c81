#include "ridgelet/target/learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "learning_search.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/row_order.hpp"
#include "ridgelet/target/laplace_evidence.hpp"

namespace ridgelet {

namespace {

void validate(const LearningOptions& options) {
  require_at_least(options.rows, 2, "learn_rows");
  require_at_least(options.starts, 1, "starts");
  require_at_least(options.evaluations, 1, "evaluations");
}

}  // namespace

double LearnedTarget::score() const {
  return log_evidence - 0.5 * std::log(static_cast<double>(rows.size())) * static_cast<double>(learned);
}

std::vector<Index> learning_rows(const MatrixView& X, const MatrixView& Y, Index rows, std::uint64_t seed) {
  Matrix contents(X.rows(), X.cols() + Y.cols());
  contents << X, Y;
  const std::vector<Index> order = order_by_contents(contents);
  std::vector<Index> chosen =
      RandomStream{.seed = seed, .purpose = Purpose::learning_rows}.subset(X.rows(), rows);
  for (Index& row : chosen) row = order[static_cast<std::size_t>(row)];
  return chosen;
}

namespace {

std::vector<Index> all_of(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<Index> evenly_spaced(Index rows, Index count) {
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) chosen.push_back(i * rows / count);
  return chosen;
}

/// Runs the starts `which` from their places. Ranks share the starts in turn, and each rank fills in where those of the
/// others ended. The result is in the order of `which`.
std::vector<LearningStart> run_starts(std::vector<Vector>& places, const std::vector<Index>& which,
                                      const LearningSpace& space, const ProcessEvidence& evidence,
                                      const LearningOptions& options) {
  const Ranks& ranks = options.ranks ? *options.ranks : alone();
  const auto place = [&](std::size_t k) -> Vector& { return places[static_cast<std::size_t>(which[k])]; };
  std::vector<LearningStart> ends(which.size());
  std::vector<std::size_t> mine;
  for (auto k = static_cast<std::size_t>(ranks.rank()); k < which.size();
       k += static_cast<std::size_t>(ranks.size()))
    mine.push_back(k);
  const auto run_mine = [&] {
    std::mutex reporting;
    Index done = 0;
    const auto count = static_cast<Index>(mine.size());
    parallel_for(count, [&](Index i) {
      const std::size_t k = mine[static_cast<std::size_t>(i)];
      ends[k] = run_start(place(k), space, evidence, options);
      const std::lock_guard lock(reporting);
      ++done;
      if (options.progress) options.progress(done, count);
    });
  };
  if (ranks.size() == 1) {
    run_mine();
    return ends;
  }
  const auto packed_mine = [&] {
    run_mine();
    Packer packer;
    for (const std::size_t k : mine) {
      packer.put(k);
      packer.put(ends[k].process.has_value());
      packer.put_matrix(place(k));
      packer.put(ends[k].log_evidence);
      packer.put(ends[k].objective);
      packer.put(ends[k].evaluations);
      packer.put(ends[k].converged);
      packer.put_text(ends[k].message);
    }
    return packer.take();
  };
  const std::string all =
      ranks.shared(packed_mine, [](std::string earlier, std::string later) { return earlier + later; });
  for (Unpacker unpacker(all); !unpacker.at_end();) {
    const auto k = unpacker.get<std::size_t>();
    const bool found = unpacker.get<bool>();
    place(k) = unpacker.get_matrix();
    LearningStart& end = ends[k];
    end.log_evidence = unpacker.get<double>();
    end.objective = unpacker.get<double>();
    end.evaluations = unpacker.get<Index>();
    end.converged = unpacker.get<bool>();
    end.message = unpacker.get_text();
    if (!found) continue;
    end.process = space.process(place(k));
    end.noise = space.noise(place(k));
  }
  return ends;
}

/// Whether the starts should first look for their modes at fewer rows.
bool thinning_pays(const ProcessEvidence& evidence, const LearningSpace& space,
                   const LearningOptions& options) {
  constexpr Index fewest_inputs = 3;
  return options.thinned_rows > 0 && evidence.X().rows() >= 2 * options.thinned_rows &&
         evidence.X().cols() >= fewest_inputs && options.starts > 1 && space.size() > 0;
}

/// For each start, its leader: the first one that ended at the same height, itself or an earlier one.
std::vector<Index> leaders_of(const std::vector<LearningStart>& ends) {
  constexpr double same_height = 0.02;
  std::vector<Index> leaders;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    std::size_t leader = 0;
    const auto same = [&](std::size_t j) {
      return ends[i].process && ends[j].process &&
             std::abs(ends[i].objective - ends[j].objective) < same_height;
    };
    while (leader < i && !same(leader)) ++leader;
    leaders.push_back(static_cast<Index>(leader));
  }
  return leaders;
}

/// More rows may have a mode that few rows do not show. The first start that met another on the thinned rows is
/// therefore run from its beginning on twice as many, beside the one that it met; where it ends higher, it goes on by
/// itself.
void begin_one_anew(std::vector<Index>& leaders, std::vector<Vector>& places, const LearningSpace& space,
                    const ProcessEvidence& evidence, const LearningOptions& options) {
  const auto met =
      std::ranges::find_if(leaders, [&](const Index& leader) { return leader != &leader - leaders.data(); });
  if (met == leaders.end()) return;
  const auto own = static_cast<std::size_t>(met - leaders.begin()), other = static_cast<std::size_t>(*met);
  const Index rows = std::min(2 * options.thinned_rows, evidence.X().rows());
  const std::unique_ptr<ProcessEvidence> more = evidence.of_rows(evenly_spaced(evidence.X().rows(), rows));
  std::vector<Vector> both{space.start(static_cast<Index>(own)), places[other]};
  const std::vector<LearningStart> ends = run_starts(both, {0, 1}, space, *more, options);
  if (!ends[0].process || (ends[1].process && ends[0].objective < ends[1].objective + worth_mentioning))
    return;
  *met = static_cast<Index>(own);
  places[own] = both[0];
}

/// In one or two inputs the rows may be a series of many waves, and every lengthscale near sqrt(d) ends in a mode that takes
/// them for noise. Looks at 1/2, 1/4, ... of the lengthscales of the third start, and returns a place for one more
/// start if the best of them are far shorter.
std::optional<Vector> start_of_short_waves(const std::vector<Vector>& places, const LearningSpace& space,
                                           const ProcessEvidence& evidence, const LearningOptions& options) {
  constexpr std::size_t third = 2;
  constexpr Index halvings = 10, far_shorter = 3, most_inputs = 2;
  if (!options.parts.kernel || places.size() <= third || evidence.X().cols() > most_inputs)
    return std::nullopt;
  const Index all = evidence.X().rows();
  const Index rows = options.thinned_rows > 0 ? std::min(all, 2 * options.thinned_rows) : all;
  const std::unique_ptr<ProcessEvidence> some = evidence.of_rows(evenly_spaced(all, rows));
  const auto shorter = [&](Index k) {
    return space.with_lengthscales_times(places[third], std::pow(2.0, -static_cast<double>(k)));
  };
  Vector heights(halvings + 1);
  constexpr double none = -std::numeric_limits<double>::infinity();
  parallel_for(halvings + 1,
               [&](Index k) { heights(k) = height_at(shorter(k), space, *some->copy()).value_or(none); });
  Index best = 0;
  heights.maxCoeff(&best);
  return best >= far_shorter ? std::optional(shorter(best)) : std::nullopt;
}

/// Enters where the starts `apart`, which were run on, have ended; every other start ends where its leader does.
void follow(std::vector<LearningStart>& ends, const std::vector<LearningStart>& run_on,
            const std::vector<Index>& apart, const std::vector<Index>& leaders, std::vector<Vector>& places) {
  for (std::size_t k = 0; k < apart.size(); ++k) {
    LearningStart& end = ends[static_cast<std::size_t>(apart[k])];
    const Index before = end.evaluations;
    end = run_on[k];
    end.evaluations += before;
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto leader = static_cast<std::size_t>(leaders[i]);
    if (leader == i) continue;
    const Index evaluations = ends[i].evaluations;
    ends[i] = ends[leader];
    ends[i].evaluations = evaluations;
    ends[i].message = fmt::format("met start {} at fewer rows", leader + 1);
    places[i] = places[leader];
  }
}

}  // namespace

namespace {

/// The starts of one evidence, which is that of the rows `rows`. Throws `no_evidence` if it is finite from none of them.
LearnedTarget climb(const ProcessEvidence& evidence, const LearningSpace& space, std::vector<Index> rows,
                    const LearningOptions& options, const InvalidArgument& no_evidence) {
  std::vector<Vector> places;
  for (Index i = 0; i < options.starts; ++i) places.push_back(space.start(i));
  if (const auto waves = start_of_short_waves(places, space, evidence, options)) places.push_back(*waves);
  const auto starts = static_cast<Index>(places.size());
  std::vector<LearningStart> ends;
  if (thinning_pays(evidence, space, options)) {
    const std::vector<Index> few = evenly_spaced(evidence.X().rows(), options.thinned_rows);
    const std::unique_ptr<ProcessEvidence> thinned = evidence.of_rows(few);
    LearningOptions quietly = options;
    quietly.progress = {};
    ends = run_starts(places, all_of(starts), space, *thinned, quietly);
    std::vector<Index> leaders = leaders_of(ends);
    begin_one_anew(leaders, places, space, evidence, quietly);
    std::vector<Index> apart;
    for (Index i = 0; i < starts; ++i)
      if (leaders[static_cast<std::size_t>(i)] == i) apart.push_back(i);
    follow(ends, run_starts(places, apart, space, evidence, options), apart, leaders, places);
  } else {
    ends = run_starts(places, all_of(starts), space, evidence, options);
  }

  std::size_t best = ends.size();
  double worst = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i].process) continue;
    worst = best == ends.size() ? ends[i].objective : std::min(worst, ends[i].objective);
    if (best == ends.size() || ends[i].objective > ends[best].objective) best = i;
  }
  if (best == ends.size()) throw no_evidence;
  const LearningStart& winner = ends[best];
  return {.process = *winner.process,
          .noise = winner.noise,
          .log_evidence = winner.log_evidence,
          .objective = winner.objective,
          .rows = std::move(rows),
          .learned = space.size(),
          .hold_periods = options.hold_periods,
          .hold_ratios = options.hold_ratios,
          .starts = ends,
          .best = best,
          .at_bounds = space.at_bounds(places[best]),
          .disagreement = winner.objective - worst};
}

/// The rows to learn from. Throws if data or options break a rule, or memory does not suffice.
std::vector<Index> rows_to_learn(const GaussianProcess& given, const MatrixView& X, const MatrixView& Y,
                                 const LearningOptions& options,
                                 const std::function<double(Index rows)>& bytes) {
  validate(options);
  require_nonempty(X, "X");
  require_rows(Y, X.rows(), "y");
  given.validate_dimension(X.cols());
  std::vector<Index> rows = learning_rows(X, Y, options.rows, options.seed);
  const double side_by_side = static_cast<double>(std::min<Index>(options.starts, team_size(options.starts)));
  require_memory(side_by_side * bytes(static_cast<Index>(rows.size())), "learn_rows",
                 fmt::format("the evidence of {} rows from {} starts", rows.size(), options.starts));
  return rows;
}

}  // namespace

LearnedTarget learn_target(const GaussianProcess& given, const MatrixView& X, const MatrixView& Y,
                           const LearningOptions& options) {
  if (!options.parts.noise && !options.noise)
    throw InvalidArgument("noise", "must be given where it is not learned");
  std::vector<Index> rows = rows_to_learn(given, X, Y, options, EvidenceFunction::bytes);
  const EvidenceFunction evidence(X(rows, Eigen::all), Y(rows, Eigen::all));
  const LearningSpace space(given, evidence.X(), standard_deviations(X),
                            gaussian_numbers(evidence.Y(), options), options);
  return climb(evidence, space, std::move(rows), options,
               {"noise",
                "must be larger, or the kernel another: the covariance of the data is not positive "
                "definite in double precision from any start"});
}

LearnedTarget learn_target(const GaussianProcess& given, const MatrixView& X, const LatentResponse& response,
                           const LearningOptions& options) {
  const Index K = response.likelihood->functions();
  std::vector<Index> rows =
      rows_to_learn(given, X, response.Y, options, [K](Index n) { return LaplaceEvidence::bytes(n, K); });
  const LaplaceEvidence evidence(response.likelihood, X(rows, Eigen::all), response.Y(rows, Eigen::all),
                                 response.offset(rows, Eigen::all));
  const LearningSpace space(given, evidence.X(), standard_deviations(X),
                            likelihood_numbers(*response.likelihood, response.Y), options);
  const bool counts = response.likelihood->response() == ResponseKind::count;
  return climb(evidence, space, std::move(rows), options,
               {"likelihood",
                fmt::format("{} has no evidence in double precision for this response, from any start{}",
                            response.likelihood->name(),
                            counts ? ": the counts are too large; fit their logarithm with Gaussian noise"
                                   : "; use another --kernel")});
}

}  // namespace ridgelet
