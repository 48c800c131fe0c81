/// An experiment is one figure of the paper: it is run once and gives numbers, a figure and a few lines to
/// read.
///
/// To add one: a file here that defines a function `Experiment name()`, and its line in registry.cpp.
/// `ridgelet reproduce NAME` runs it and writes NAME.csv, NAME.json, NAME.svg and NAME.png.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/long_table.hpp"
#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet::experiments {

/// Called from one thread at a time; `stage` says what is counted ("steps of ridgelet, 500 units").
using ProgressHandler = std::function<void(const std::string& stage, Index done, Index total)>;

struct ExperimentOptions {
  bool fast = false;  ///< a small version of the same: seconds instead of a minute
  std::uint64_t seed = 0;
  std::string without = "";  ///< a model that is left out, one of Experiment::may_lack
  ProgressHandler progress = nullptr;
};

/// What gnuplot draws: a script without terminal and output.
struct FigureScript {
  std::string script;
  int width = 1000;
  int height = 700;
};

struct ExperimentResult {
  LongTable table;
  nlohmann::ordered_json json;
  FigureScript figure;
  std::string report;  ///< a short table for people, and what they should know about it
};

/// Of a number that is measured repeatedly: mean, standard deviation, standard error.
using Estimate = OverReplicates;

struct Experiment {
  std::string name;
  std::string description;  ///< one line
  std::function<ExperimentResult(const ExperimentOptions&)> run;
  std::vector<std::string> may_lack = {};  ///< models that can be left out
};

/// The registry, in the order of the paper.
const std::vector<Experiment>& experiments();

/// Throws InvalidArgument about "NAME" with the nearest name.
const Experiment& find_experiment(const std::string& name);

}  // namespace ridgelet::experiments
