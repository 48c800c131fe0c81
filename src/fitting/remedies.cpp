#include "ridgelet/fitting/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/node_rules.hpp"

namespace ridgelet {

namespace {

constexpr Index times = 3;

/// A remedy must take off at least this part of the error to be named.
constexpr double worthwhile = 0.1;

/// A remedy is measured if its units times the square of its nodes are at most this: some seconds' work.
constexpr double most_work = 2.5e9;

struct Change {
  std::string flags;
  std::function<void(ModelSettings&)> apply;
  Index units, nodes;     ///< that the network would have at most
  bool was_open = false;  ///< whether nobody had set what changes

  double work() const { return static_cast<double>(units) * std::pow(static_cast<double>(nodes), 2); }
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

/// The rules that were not taken: one that fills the domain, and the data.
std::vector<std::string> other_rules(const Regression& chosen) {
  const std::string filling = chosen.data().X.cols() <= 2 ? "grid" : "sobol";
  const std::string& taken = *chosen.settings().model.nodes;
  if (taken == "data") return {filling};
  return taken == filling ? std::vector<std::string>{"data"} : std::vector<std::string>{filling, "data"};
}

/// The number of nodes that a rule takes by default; where the kernel decides, that of the network.
Index nodes_of(const std::string& rule, const Regression& chosen) {
  if (rule == "data") return chosen.prior().options().nodes.size();
  const Box& domain = chosen.domain();
  return make_nodes(rule, {.domain = domain, .margin = 0.1 * (domain.upper - domain.lower)}).size();
}

std::vector<Change> changes(const ModelSettings& wanted, const Regression& chosen) {
  std::vector<Change> all;
  const Index units = chosen.prior().units(), nodes = chosen.prior().options().nodes.size();
  const auto units_on = [&](Index D) { return wanted.units ? units : std::max(units, 2 * D); };
  if (operator_traits(wanted.operator_name).integrates) {
    for (const std::string& name : operator_names())
      if (!operator_traits(name).integrates)
        all.push_back({"--operator " + name,
                       [=](ModelSettings& settings) {
                         settings.operator_name = name;
                         choose_bandwidths(settings);
                       },
                       units_on(nodes), nodes});
  } else if (has_given_bandwidths(wanted)) {
    all.push_back({"--sigma-w auto --sigma-b auto --ridge auto", choose_bandwidths, units_on(nodes), nodes});
  }
  all.push_back({fmt::format("--units {}", times * units),
                 [=](ModelSettings& settings) { settings.units = times * units; }, times * units, nodes,
                 !wanted.units});
  const Index points = more_points(chosen);
  all.push_back({fmt::format("--points {}", points),
                 [=](ModelSettings& settings) { settings.points = points; }, units_on(times * nodes),
                 times * nodes, !wanted.points});
  for (const std::string& rule : other_rules(chosen)) {
    const Index D = nodes_of(rule, chosen);
    all.push_back({"--nodes " + rule + (wanted.points ? " --points auto" : ""),
                   [=](ModelSettings& settings) {
                     settings.nodes = rule;
                     settings.points.reset();
                   },
                   units_on(D), D, !wanted.nodes && !wanted.points});
  }
  return all;
}

}  // namespace

std::vector<Remedy> measure_remedies(const RegressionSettings& wanted, const Regression& chosen,
                                     const ReplicateOptions& options,
                                     const std::function<void(const std::string&)>& before) {
  std::vector<Remedy> remedies;
  for (const Change& change : changes(wanted.model, chosen)) {
    if (change.work() > most_work) continue;
    if (before) before(change.flags);
    RegressionSettings changed = wanted;
    change.apply(changed.model);
    try {
      const auto candidate = std::make_shared<const Regression>(std::move(changed), chosen.table());
      if (change.flags.starts_with("--points") &&
          candidate->prior().options().nodes.size() == chosen.prior().options().nodes.size())
        continue;
      remedies.push_back({.flags = change.flags,
                          .certificate = certify(candidate->prior(), candidate->data().X, options),
                          .network = change.was_open ? candidate : nullptr});
    } catch (const InvalidArgument&) {
      // Too large for the memory, or for its rule.
    }
  }
  std::ranges::sort(remedies, {}, [](const Remedy& remedy) { return remedy.certificate.worst(); });
  return remedies;
}

std::optional<Remedy> take_remedy(std::vector<Remedy>& remedies, const Certificate& now) {
  const bool hopeless = now.worst() >= hopeless_relative_error;
  const double good = hopeless ? hopeless_relative_error : std::min(large_relative_error, now.worst() / 2);
  const auto best =
      std::ranges::find_if(remedies, [](const Remedy& remedy) { return remedy.network != nullptr; });
  if (best == remedies.end() || best->certificate.worst() >= good) return std::nullopt;
  Remedy taken = std::move(*best);
  remedies.erase(best);
  return taken;
}

std::string advice_text(const std::vector<Remedy>& remedies, const Certificate& now) {
  std::vector<std::string> texts;
  for (const Remedy& remedy : remedies) {
    if (remedy.certificate.worst() > (1 - worthwhile) * now.worst()) continue;
    texts.push_back(fmt::format("{} {}{}", remedy.flags, texts.empty() ? "would make that " : "",
                                percent(remedy.certificate.worst())));
  }
  if (!texts.empty()) return join(texts);
  if (remedies.empty()) return "more --units or --points may help, and are too many to try at once";
  std::vector<std::string> tried;
  for (const Remedy& remedy : remedies) tried.push_back(remedy.flags);
  return fmt::format(
      "tried without much effect: {}; the process is rougher than a network of this size can be",
      join(tried));
}

}  // namespace ridgelet
