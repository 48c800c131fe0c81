#include "ridgelet/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridgelet {

namespace {

/// Edit distance with swaps of neighbours counted once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t m = a.size(), n = b.size();
  std::vector<std::vector<std::size_t>> cost(m + 1, std::vector<std::size_t>(n + 1));
  for (std::size_t i = 0; i <= m; ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= n; ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      const std::size_t replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[m][n];
}

}  // namespace

std::string shortest(double value) {
  return fmt::format("{}", value);
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  const std::size_t allowed = word.size() < 5 ? 1 : 2;
  std::string nearest;
  std::size_t least = allowed + 1;
  for (const std::string& candidate : candidates) {
    // Each edit changes the length by one at most, so most candidates are out without a table of distances.
    const auto [shorter, longer] = std::minmax({word.size(), candidate.size()});
    if (longer - shorter > allowed) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string unknown_name_complaint(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(word, candidates);
  const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
  return fmt::format("must be one of {}, got '{}'{}", join(candidates), word, hint);
}

}  // namespace ridgelet
