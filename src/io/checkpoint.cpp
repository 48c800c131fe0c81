#include "ridgelet/io/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "ridgelet/core/checksum.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/model_file.hpp"
#include "ridgelet/io/output_file.hpp"

namespace ridgelet {

namespace {

constexpr std::string_view first_line = "ridgelet checkpoint 3\n";
constexpr std::string_view first_words = "ridgelet checkpoint ";  ///< of any version

enum class Kind : std::uint64_t { run = 1, draw = 2, snapshot = 3 };

std::uint64_t checksum_of(const Matrix& values) {
  Checksum sum;
  sum.add(reinterpret_cast<const char*>(values.data()),
          static_cast<std::size_t>(values.size()) * sizeof(double));
  return sum.value();
}

/// Numbers and text on their way into a record.
class Payload {
 public:
  Payload& add(std::uint64_t value) { return add_bytes(&value, sizeof value); }
  Payload& add(double value) { return add_bytes(&value, sizeof value); }
  template <class Derived>
  Payload& add_all(const Eigen::DenseBase<Derived>& values) {
    for (Index i = 0; i < values.size(); ++i) add(static_cast<double>(values.derived().coeff(i)));
    return *this;
  }
  Payload& add_text(std::string_view text) {
    bytes_ += text;
    return *this;
  }

  /// The record: kind, size, bytes, checksum.
  std::string record(Kind kind) const {
    Payload whole;
    whole.add(static_cast<std::uint64_t>(kind)).add(static_cast<std::uint64_t>(bytes_.size()));
    whole.bytes_ += bytes_;
    Checksum sum;
    sum.add(whole.bytes_.data(), whole.bytes_.size());
    return whole.add(sum.value()).bytes_;
  }

 private:
  Payload& add_bytes(const void* from, std::size_t count) {
    bytes_.append(static_cast<const char*>(from), count);
    return *this;
  }

  std::string bytes_;
};

/// The records of a file, one after the other.
class Records {
 public:
  explicit Records(const std::filesystem::path& path) : path_(path), stream_(path, std::ios::binary) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);
    if (!stream_ || error)
      throw IoError(fmt::format("cannot read '{}': {}", path.string(), std::strerror(errno)));
    std::string line(first_line.size(), '\0');
    stream_.read(line.data(), static_cast<std::streamsize>(line.size()));
    if (!stream_ || line != first_line) refuse("is not a checkpoint of this version of ridgelet");
    end_ = first_line.size();
  }

  /// Moves to the next record; false at the end of the file, even if that cuts a record off.
  bool next() {
    constexpr std::size_t head = 2 * sizeof(std::uint64_t), tail = sizeof(std::uint64_t);
    bytes_.resize(head);
    if (size_ - end_ < head + tail || !read(0, head)) return false;
    const std::uint64_t count = number_at(sizeof(std::uint64_t));
    if (count > size_ - end_ - head - tail) return false;
    bytes_.resize(head + count + tail);
    if (!read(head, count + tail)) return false;
    Checksum sum;
    sum.add(bytes_.data(), head + count);
    if (sum.value() != number_at(head + count)) refuse("is damaged; leave --resume out to start anew");
    kind_ = static_cast<Kind>(number_at(0));
    at_ = head;
    left_ = count;
    end_ += bytes_.size();
    return true;
  }

  Kind kind() const { return kind_; }
  std::string text() const { return bytes_.substr(at_, left_); }

  std::uint64_t whole_number() {
    require(sizeof(std::uint64_t));
    return number_at(std::exchange(at_, at_ + sizeof(std::uint64_t)));
  }

  template <class Derived>
  void read_all(Eigen::DenseBase<Derived> const& target) {
    auto& values = const_cast<Eigen::DenseBase<Derived>&>(target).derived();
    for (Index i = 0; i < values.size(); ++i) {
      require(sizeof(double));
      double value = 0;
      std::memcpy(&value, bytes_.data() + at_, sizeof value);
      at_ += sizeof value;
      values.coeffRef(i) = value;
    }
  }

  /// Bytes of the file up to the last whole record.
  std::uintmax_t end() const { return end_; }

  [[noreturn]] void refuse(const std::string& complaint) const {
    throw InvalidArgument("resume", fmt::format("'{}' {}", path_.string(), complaint));
  }

 private:
  bool read(std::size_t from, std::size_t count) {
    return static_cast<bool>(stream_.read(bytes_.data() + from, static_cast<std::streamsize>(count)));
  }

  void require(std::size_t count) {
    if (count > left_) refuse("has a record of another size than its run");
    left_ -= count;
  }

  std::uint64_t number_at(std::size_t place) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + place, sizeof value);
    return value;
  }

  std::filesystem::path path_;
  std::ifstream stream_;
  std::uintmax_t size_ = 0, end_ = 0;
  std::string bytes_;
  Kind kind_ = Kind::run;
  std::size_t at_ = 0, left_ = 0;
};

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

/// Refuses a file of another run. Names the first setting of this run that differs, or else one that only the other run
/// has.
void require_same_run(Records& records, const std::string& run) {
  if (!records.next() || records.kind() != Kind::run)
    records.refuse("does not say which run it is of; leave --resume out to start anew");
  const Settings now = settings_of(run), then = settings_of(records.text());
  for (const Settings* settings : {&now, &then})
    for (const auto& [name, ignored] : *settings)
      if (value_of(now, name) != value_of(then, name))
        records.refuse(
            fmt::format("is of another run, whose {} was {} and now is {}; give the same options, or leave "
                        "--resume out to start anew",
                        name, value_of(then, name), value_of(now, name)));
}

/// Calls visit(part) for this row of every array of the draws, in the order of a record: one row is one draw.
template <class Draws, class Visit>
void for_each_part(Draws& draws, Index row, Visit&& visit) {
  visit(draws.layers.row(row));
  visit(draws.coordinates.row(row));
  visit(draws.log_likelihood.segment(row, 1));
  visit(draws.evaluations.segment(row, 1));
  visit(draws.diverging.segment(row, 1));
  visit(draws.functions.row(row));
  visit(draws.means.row(row));
  visit(draws.sds.row(row));
}

std::string draw_record(const PosteriorDraws& draws, Index chain, Index draw) {
  Payload payload;
  payload.add(static_cast<std::uint64_t>(chain)).add(static_cast<std::uint64_t>(draw));
  for_each_part(draws, chain * draws.draws_per_chain() + draw,
                [&](const auto& part) { payload.add_all(part); });
  return payload.record(Kind::draw);
}

Vector numbers_of(const StepSize& size) {
  return Vector{{size.log_step, size.log_start, size.error, size.average, size.trajectories}};
}

StepSize step_size_of(const Vector& numbers) {
  return {.log_step = numbers(0),
          .log_start = numbers(1),
          .error = numbers(2),
          .average = numbers(3),
          .trajectories = numbers(4)};
}

std::string snapshot_record(Index chain, const Sampling::Snapshot& snapshot) {
  Payload payload;
  payload.add(static_cast<std::uint64_t>(chain)).add(static_cast<std::uint64_t>(snapshot.iteration));
  return payload.add_all(snapshot.position).add_all(numbers_of(snapshot.step_size)).record(Kind::snapshot);
}

}  // namespace

std::string describe_run(const RegressionTable& table, const FitSettings& settings) {
  const RegressionSettings& regression = settings.regression;
  const SamplingOptions& sampling = settings.sampling;
  return model_file_text(regression.model) +
         fmt::format(
             "learn = {}\nlearn-rows = {}\npriors = {}\nperiod = {}\nnetwork-mean = {}\nsampler = {}\n"
             "chains = {}\nwarmup = {}\ndraws = {}\nseed = {}\nx = {}\ny = {}\n"
             "data = {} rows with checksum {:016x}\n",
             settings.learning.learn, settings.learning.most_rows(), settings.learning.priors,
             settings.learning.period ? shortest(*settings.learning.period) : "none", regression.network_mean,
             sampler_name(sampling.sampler), sampling.chains, sampling.warmup, sampling.draws, sampling.seed,
             join(table.inputs), join(table.outputs), table.X.rows(),
             checksum_of(table.X) ^ (checksum_of(table.Y) << 1));
}

Checkpoint::Checkpoint(std::filesystem::path path, std::string run)
    : path_(std::move(path)), run_(std::move(run)) {}

void Checkpoint::require_replaceable() const {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path_, ignored)) return;  // it is written to, not replaced
  std::ifstream stream(path_, std::ios::binary);
  std::string words(first_words.size(), '\0');
  stream.read(words.data(), static_cast<std::streamsize>(words.size()));
  if (!stream || words != first_words)
    throw IoError(
        fmt::format("cannot write '{}': it is there and not a checkpoint of ridgelet's; move it away, or "
                    "choose another name for the results",
                    path_.string()));
}

void Checkpoint::resume(Sampling& sampling) {
  Records records(path_);
  require_same_run(records, run_);
  const auto chains = static_cast<std::uint64_t>(sampling.options().chains);
  const auto most_draws = static_cast<std::uint64_t>(sampling.options().draws);
  PosteriorDraws draws = sampling.draws();
  std::vector<Sampling::Snapshot> state;
  for (Index i = 0; i < sampling.options().chains; ++i) state.push_back(sampling.snapshot(i));
  draws_saved_.assign(state.size(), 0);
  while (records.next()) {
    const std::uint64_t chain = records.whole_number(), count = records.whole_number();
    if (chain >= chains) records.refuse("has another number of chains than its run");
    if (records.kind() == Kind::draw) {
      if (count >= most_draws) records.refuse("has made more steps than its run");
      for_each_part(draws, static_cast<Index>(chain * most_draws + count),
                    [&](const auto& part) { records.read_all(part); });
      draws_saved_[chain] = static_cast<Index>(count) + 1;
    } else if (records.kind() == Kind::snapshot) {
      Sampling::Snapshot& snapshot = state[chain];
      snapshot.iteration = static_cast<Index>(count);
      records.read_all(snapshot.position);
      Vector step_size = numbers_of({});
      records.read_all(step_size);
      snapshot.step_size = step_size_of(step_size);
      if (sampling.draws_by(snapshot) != draws_saved_[chain])
        records.refuse("says where a chain was without the draws that it had made by then");
    }
  }
  // Draws after the last snapshot of their chain will be made, and saved, again.
  for (std::size_t i = 0; i < state.size(); ++i) draws_saved_[i] = sampling.draws_by(state[i]);
  try {
    sampling.resume(state, std::move(draws));
  } catch (const InvalidArgument&) {
    records.refuse("has chains where no chain of its run can be");
  }
  std::error_code error;
  std::filesystem::resize_file(path_, records.end(), error);
  if (error) throw IoError(fmt::format("cannot write '{}': {}", path_.string(), error.message()));
  begun_ = true;
}

std::vector<Index> Checkpoint::write_new(const Sampling& sampling, std::ostream& stream) const {
  std::vector<Index> saved = draws_saved_;
  for (Index chain = 0; chain < sampling.options().chains; ++chain) {
    const Sampling::Snapshot snapshot = sampling.snapshot(chain);
    Index& done = saved[static_cast<std::size_t>(chain)];
    for (; done < sampling.draws_by(snapshot); ++done) stream << draw_record(sampling.draws(), chain, done);
    stream << snapshot_record(chain, snapshot);
  }
  return saved;
}

void Checkpoint::begin(const Sampling& sampling) {
  draws_saved_.assign(static_cast<std::size_t>(sampling.options().chains), 0);
  OutputFile file(path_);
  file.stream() << first_line << Payload().add_text(run_).record(Kind::run);
  std::vector<Index> saved = write_new(sampling, file.stream());
  file.commit();
  draws_saved_ = std::move(saved);
  begun_ = true;
}

void Checkpoint::append(const Sampling& sampling) {
  const std::uintmax_t before = std::filesystem::file_size(path_);
  try {
    errno = 0;
    std::ofstream stream(path_, std::ios::binary | std::ios::app);
    std::vector<Index> saved = write_new(sampling, stream);
    stream.close();
    if (!stream)
      throw IoError(fmt::format("cannot write '{}': {}", path_.string(),
                                errno != 0 ? std::strerror(errno) : "the disk may be full"));
    keep_on_disk(path_, path_);
    draws_saved_ = std::move(saved);
  } catch (const IoError&) {
    std::error_code ignored;
    std::filesystem::resize_file(path_, before, ignored);
    throw;
  }
}

void Checkpoint::save(const Sampling& sampling) {
  // Somebody may have removed the file while tidying up the folder; that must not end the run.
  std::error_code ignored;
  begun_&& std::filesystem::exists(path_, ignored) ? append(sampling) : begin(sampling);
}

void Checkpoint::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace ridgelet
