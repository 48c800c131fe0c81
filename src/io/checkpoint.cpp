#include "ridgelet/io/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

namespace {

std::uint64_t checksum(const Matrix& values) {
  // FNV-1a, 64 bits, over the bytes of the numbers.
  std::uint64_t hash = 14695981039346656037u;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(values.size()) * sizeof(double));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

std::string joined(const Vector& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(shortest(value));
  return join(texts);
}

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The "name = value" lines, in order.
Settings settings_of(const std::string& run) {
  Settings settings;
  for (std::size_t begin = 0; begin < run.size();) {
    const std::size_t end = std::min(run.find('\n', begin), run.size());
    const std::string line = run.substr(begin, end - begin);
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos) settings.emplace_back(line.substr(0, equals), line.substr(equals + 3));
    begin = end + 1;
  }
  return settings;
}

std::string value_of(const Settings& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &Settings::value_type::first);
  return found == settings.end() ? "not given" : found->second;
}

/// Names the first setting of this run that differs, or else one that only the other run has.
void require_same_run(const NetcdfReader& file, const std::string& run) {
  const Settings now = settings_of(run), then = settings_of(file.text("", "run"));
  for (const Settings* settings : {&now, &then})
    for (const auto& [name, ignored] : *settings)
      if (value_of(now, name) != value_of(then, name))
        file.refuse(
            fmt::format("is of another run, whose {} was {} and now is {}; give the same options, or leave "
                        "--resume out to start anew",
                        name, value_of(then, name), value_of(now, name)));
}

/// Rows of the draws made so far, chain after chain.
std::vector<Index> rows_made(const SamplingOptions& options, const Vector& iterations) {
  std::vector<Index> rows;
  for (Index chain = 0; chain < options.chains; ++chain)
    for (Index draw = 0; draw < static_cast<Index>(iterations(chain)) - options.warmup; ++draw)
      rows.push_back(chain * options.draws + draw);
  return rows;
}

}  // namespace

std::string describe_run(const Regression& regression, const SamplingOptions& sampling) {
  const RegressionSettings& settings = regression.settings();
  const RegressionTable& table = regression.table();
  return model_file_text(settings.model) +
         fmt::format(
             "noise = {}\nstandardise = {}\nnetwork-mean = {}\nchains = {}\nwarmup = {}\ndraws = {}\nseed = "
             "{}\n"
             "x = {}\ny = {}\ndata = {} rows with checksum {:016x}\n",
             joined(settings.noise), settings.standardise, settings.network_mean, sampling.chains,
             sampling.warmup, sampling.draws, sampling.seed, join(table.inputs), join(table.outputs),
             table.X.rows(), checksum(table.X) ^ (checksum(table.Y) << 1));
}

void write_checkpoint(const std::filesystem::path& path, const std::string& run, const Sampling& sampling) {
  const Sampling::State state = sampling.state();
  const PosteriorDraws& draws = sampling.draws();
  const std::vector<Index> rows = rows_made(sampling.options(), state.iterations);
  NetcdfWriter file;
  file.dimension("chain", state.positions.rows());
  file.dimension("parameter", state.positions.cols());
  file.dimension("coordinate", draws.coordinates.cols());
  file.dimension("made", static_cast<Index>(rows.size()));
  file.attribute("", "format", checkpoint_format);
  file.attribute("", "run", run);
  file.matrix("state", "position", {"chain", "parameter"}, "where each chain is", 1, state.positions);
  file.vector("state", "iteration", "chain", "steps made", state.iterations);
  const auto keep = [&](const std::string& name, const DimensionNames& dimensions, const Matrix& values) {
    file.array("draws", name, dimensions, "of each draw made so far", 1,
               [&](Index i, Vector& slab) { slab = values.row(rows[static_cast<std::size_t>(i)]); });
  };
  // A dimension of size 0 would be an unlimited one.
  if (!rows.empty()) {
    keep("layers", {"made", "parameter"}, draws.layers);
    keep("coordinates", {"made", "coordinate"}, draws.coordinates);
    keep("log_likelihood", {"made"}, draws.log_likelihood);
    keep("evaluations", {"made"}, draws.evaluations);
  }
  file.commit(path);
}

void resume_from(const std::filesystem::path& path, const std::string& run, Sampling& sampling) {
  const NetcdfReader file(path, "resume");
  if (!file.has_attribute("", "format") || file.text("", "format") != checkpoint_format)
    file.refuse("is not a checkpoint of ridgelet");
  require_same_run(file, run);
  const Sampling::State state{.positions = file.matrix("state", "position", 1),
                              .iterations = file.vector("state", "iteration")};
  const SamplingOptions& options = sampling.options();
  PosteriorDraws draws = sampling.draws();
  if (state.iterations.size() != options.chains) file.refuse("has another number of chains than its run");
  const std::vector<Index> rows = rows_made(options, state.iterations);
  const auto read = [&](const std::string& name, auto& values) {
    const Matrix kept = file.matrix("draws", name, 1);
    if (kept.rows() != static_cast<Index>(rows.size()) || kept.cols() != values.cols())
      file.refuse(fmt::format("has {} of another size than its run", name));
    for (std::size_t i = 0; i < rows.size(); ++i) values.row(rows[i]) = kept.row(static_cast<Index>(i));
  };
  const bool within = state.iterations.minCoeff() >= 0 &&
                      state.iterations.maxCoeff() <= static_cast<double>(options.warmup + options.draws);
  if (!within) file.refuse("has made more steps than its run");
  if (!rows.empty()) {
    read("layers", draws.layers);
    read("coordinates", draws.coordinates);
    read("log_likelihood", draws.log_likelihood);
    read("evaluations", draws.evaluations);
  }
  sampling.resume(state, std::move(draws));
}

}  // namespace ridgelet
