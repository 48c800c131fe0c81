#include "ridgelet/fitting/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

constexpr Index times = 3;

/// A remedy must take off at least this part of the error to be named.
constexpr double worthwhile = 0.1;

struct Change {
  std::string flags;
  std::function<void(ModelSettings&)> apply;
};

void choose_bandwidths(ModelSettings& settings) {
  settings.sigma_w.reset();
  settings.sigma_b.reset();
  settings.ridge.reset();
}

bool has_given_bandwidths(const ModelSettings& settings) {
  return settings.sigma_w || settings.sigma_b || settings.ridge;
}

/// Three times as many nodes, as --points counts them.
Index more_points(const Regression& chosen) {
  const auto nodes = static_cast<double>(chosen.prior().options().nodes.size());
  if (chosen.settings().model.nodes != "grid") return times * static_cast<Index>(nodes);
  const double axes = static_cast<double>(chosen.data().X.cols());
  return static_cast<Index>(std::ceil(std::pow(times * nodes, 1 / axes)));
}

std::vector<Change> changes(const ModelSettings& wanted, const Regression& chosen) {
  std::vector<Change> all;
  if (wanted.operator_name != "least-squares")
    all.push_back({"--operator least-squares", [](ModelSettings& settings) {
                     settings.operator_name = "least-squares";
                     choose_bandwidths(settings);
                   }});
  else if (has_given_bandwidths(wanted))
    all.push_back({"--sigma-w auto --sigma-b auto --ridge auto", choose_bandwidths});
  const Index units = times * chosen.prior().units(), points = more_points(chosen);
  all.push_back({fmt::format("--units {}", units), [=](ModelSettings& settings) { settings.units = units; }});
  all.push_back(
      {fmt::format("--points {}", points), [=](ModelSettings& settings) { settings.points = points; }});
  return all;
}

}  // namespace

std::vector<Remedy> measure_remedies(const RegressionSettings& wanted, const Regression& chosen,
                                     const ReplicateOptions& options) {
  std::vector<Remedy> remedies;
  for (const Change& change : changes(wanted.model, chosen)) {
    RegressionSettings changed = wanted;
    change.apply(changed.model);
    try {
      const Regression candidate(std::move(changed), chosen.table());
      if (change.flags.starts_with("--points") &&
          candidate.prior().options().nodes.size() == chosen.prior().options().nodes.size())
        continue;
      remedies.push_back(
          {.flags = change.flags, .certificate = certify(candidate.prior(), candidate.data().X, options)});
    } catch (const InvalidArgument&) {
      // Too large for the memory, or for its rule.
    }
  }
  std::ranges::sort(remedies, {}, [](const Remedy& remedy) { return remedy.certificate.worst(); });
  return remedies;
}

std::string advice_text(const std::vector<Remedy>& remedies, const Certificate& now) {
  std::vector<std::string> texts;
  for (const Remedy& remedy : remedies) {
    if (remedy.certificate.worst() > (1 - worthwhile) * now.worst()) continue;
    texts.push_back(fmt::format("{} {}{}", remedy.flags, texts.empty() ? "would make that " : "",
                                percent(remedy.certificate.worst())));
  }
  if (texts.empty())
    return "neither more units nor more nodes help: the process is rougher than a network of this size can "
           "be";
  return join(texts);
}

}  // namespace ridgelet
