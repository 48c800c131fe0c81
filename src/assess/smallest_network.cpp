#include "ridgelet/assess/smallest_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

class Search {
 public:
  Search(const TuningRequest& request, const WidthSearch& search)
      : request_(request), search_(search), first_(request.model) {
    found_.process_sd = process_sd(first_, search.points);
    found_.floor = first_.kriging(search.points).floor.maxCoeff() / found_.process_sd;
    require_above_floor();
  }

  SmallestNetwork run() {
    if (request_.units)
      bisect(double_until_reached());
    else
      reaches(request_.model.units);
    choose();
    return std::move(found_);
  }

 private:
  /// The widest that is too narrow, and the narrowest that is not; the latter is beyond the budget if there is none.
  struct Bracket {
    Index narrow = 0;
    Index wide = 0;
  };

  void require_above_floor() const {
    if (search_.error > found_.floor) return;
    throw InvalidArgument(
        "error",
        fmt::format("is below the kriging floor: the {} nodes leave {:.2g} of the process's sd open, and no "
                    "width helps, got {}; add nodes (points) or ask for a larger error",
                    request_.model.nodes.size(), found_.floor, shortest(search_.error)));
  }

  Bracket double_until_reached() {
    Bracket bracket{.narrow = 0, .wide = std::min(search_.first_units, search_.most_units)};
    while (!reaches(bracket.wide)) {
      bracket.narrow = bracket.wide;
      if (bracket.wide == search_.most_units) return {.narrow = bracket.wide, .wide = bracket.wide + 1};
      bracket.wide = std::min(2 * bracket.wide, search_.most_units);
    }
    return bracket;
  }

  void bisect(Bracket bracket) {
    while (bracket.wide - bracket.narrow > 1) {
      const Index middle = bracket.narrow + (bracket.wide - bracket.narrow) / 2;
      (reaches(middle) ? bracket.wide : bracket.narrow) = middle;
    }
  }

  bool reaches(Index units) {
    found_.path.push_back(at_width(units));
    if (search_.tried) search_.tried(found_.path.back());
    return found_.path.back().error <= search_.error;
  }

  TriedWidth at_width(Index units) const {
    TuningRequest request = request_;
    request.units = false;
    request.model.units = units;
    const Tuned tuned = tune(request, first_.node_factor());
    const TriedWidth tried = with_error({.units = units, .hidden = tuned.hidden, .ridge = tuned.ridge});
    return request_.ridge ? with_other_ridges(tried) : tried;
  }

  /// Tuning takes the ridge that is best on average, which need not be best where the error is greatest. A width that
  /// misses the target is therefore tried with the other ridges, until one of them reaches it.
  TriedWidth with_other_ridges(const TriedWidth& tuned) const {
    TriedWidth best = tuned;
    for (const double ridge : request_.ridges) {
      if (best.error <= search_.error) break;
      if (ridge == tuned.ridge) continue;
      const TriedWidth other = with_ridge(tuned, ridge);
      if (other.error < best.error) best = other;
    }
    return best;
  }

  /// Its error is infinite if there is no such network in double precision.
  TriedWidth with_ridge(TriedWidth width, double ridge) const {
    width.ridge = ridge;
    try {
      return with_error(width);
    } catch (const InvalidArgument&) {
      width.error = std::numeric_limits<double>::infinity();
      return width;
    }
  }

  TriedWidth with_error(TriedWidth width) const {
    const RidgeletPrior prior(with_width(request_.model, width), first_.node_factor());
    const ReplicateOptions options{.replicates = search_.replicates, .seed = request_.seed};
    width.error = error_over_replicates(prior, search_.points, options).largest().mean / found_.process_sd;
    return width;
  }

  void choose() {
    found_.chosen = *std::ranges::min_element(found_.path, {}, &TriedWidth::error);
    found_.reached = found_.chosen.error <= search_.error;
    for (const TriedWidth& width : found_.path)
      if (width.error <= search_.error && width.units < found_.chosen.units) found_.chosen = width;
  }

  const TuningRequest& request_;
  const WidthSearch& search_;
  RidgeletPrior first_;  ///< whose process at the nodes all widths share
  SmallestNetwork found_;
};

}  // namespace

SmallestNetwork smallest_network(const TuningRequest& request, const WidthSearch& search) {
  if (!(search.error > 0 && search.error < 1))
    throw InvalidArgument("error", "must be greater than 0 and less than 1, got " + shortest(search.error));
  require_at_least(search.first_units, 1, "first_units");
  require_at_least(search.most_units, 1, "most_units");
  require_nonempty(search.points, "points");
  return Search(request, search).run();
}

PriorOptions with_width(PriorOptions model, const TriedWidth& width) {
  model.units = width.units;
  model.hidden = width.hidden;
  model.op.ridge = width.ridge;
  return model;
}

}  // namespace ridgelet
