#include "experiments/settings_study.hpp"

#include <algorithm>
#include <iterator>

#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

Contestant run_make(const Make& make, const Vector& x, const ExperimentOptions& options) {
  return {.name = make.name,
          .ridgelet = run_cases(make.ridgelet, x, options),
          .least_squares = run_cases(make.least_squares, x, options),
          .process = run_process(make.ridgelet.front().prior.kernel, x, options)};
}

std::vector<StudyOutcome> networks(const std::vector<Contestant>& contestants) {
  std::vector<StudyOutcome> all;
  for (const Contestant& each : contestants) {
    std::ranges::copy(each.ridgelet, std::back_inserter(all));
    std::ranges::copy(each.least_squares, std::back_inserter(all));
  }
  return all;
}

/// The rows of the table.
std::vector<StudyOutcome> networks_and_processes(const std::vector<Contestant>& contestants) {
  std::vector<StudyOutcome> all;
  for (auto each = contestants.begin(); each != contestants.end(); ++each) {
    for (const StudyOutcome& outcome : networks({*each}))
      if (std::ranges::find(all, outcome.setting, &StudyOutcome::setting) == all.end())
        all.push_back(outcome);
    const auto next = std::next(each);
    if (next == contestants.end() || next->process.setting != each->process.setting)
      all.push_back(each->process);
  }
  return all;
}

/// The kernel is part of the task if all makes have the same.
nlohmann::ordered_json task_json(const std::vector<Contestant>& contestants,
                                 const ExperimentOptions& options) {
  nlohmann::ordered_json task;
  const PriorSetting& first = contestants.front().process.setting;
  if (std::ranges::all_of(contestants, [&](const Contestant& each) { return each.process.setting == first; }))
    task["kernel"] = first.kernel;
  task["fast"] = options.fast;
  task["seed"] = options.seed;
  return task;
}

}  // namespace

ExperimentResult run_study(const SettingsStudy& study, const ExperimentOptions& options) {
  const Vector x = study_points(options);
  ExperimentResult result;
  std::vector<Contestant> all;
  for (const StudyPart& part : study.parts) {
    std::vector<Contestant> contestants;
    for (const Make& make : part.makes) contestants.push_back(run_make(make, x, options));
    result.json[part.key] = study_json(networks(contestants));
    result.report += paragraph(part.words) + study_report(networks(contestants), study.heading, study.entry);
    std::ranges::copy(contestants, std::back_inserter(all));
  }
  result.json["task"] = task_json(all, options);
  result.table = study_table(networks_and_processes(all));
  result.figure = study.figure(all);
  return result;
}

}  // namespace ridgelet::experiments
