#include "ridgelet/io/checkpoint.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "scratch.hpp"
#include "stand_in_disk.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::content;

RegressionTable table() {
  const Vector x = Vector::LinSpaced(8, -2, 2);
  return {.inputs = {"x"}, .outputs = {"y"}, .X = x, .Y = x.array().sin()};
}

FitSettings settings() {
  FitSettings wanted;
  wanted.regression.model.kernel = "se()";
  wanted.regression.model.units = 5;
  wanted.regression.model.points = 6;
  wanted.regression.model.noise = Vector::Constant(1, 0.1);
  wanted.sampling = {.chains = 2, .warmup = 3, .draws = 5};
  return wanted;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class CheckpointTest : public testing::WithDirectory {
 protected:
  std::filesystem::path path() const { return directory / "run.checkpoint"; }
  Checkpoint checkpoint() const { return Checkpoint(path(), describe_run(table(), settings())); }

  Sampling chains(Sampler sampler = Sampler::slice) const {
    SamplingOptions options = settings().sampling;
    options.sampler = sampler;
    return Sampling(regression_->shared_prior(), regression_->shared_data(), options, inputs_);
  }

  static void run(Sampling& sampling, int steps) {
    const ThreadScope one(1);
    int asked = 0;
    sampling.run([&] { return asked++ >= steps; }, [](Index, Index) {});
  }

  void expect_same_end(Sampling& resumed) const {
    Sampling whole = chains(resumed.options().sampler);
    run(whole, 1000);
    run(resumed, 1000);
    EXPECT_EQ(resumed.draws().layers, whole.draws().layers);
    EXPECT_EQ(resumed.draws().coordinates, whole.draws().coordinates);
    EXPECT_EQ(resumed.draws().functions, whole.draws().functions);
    EXPECT_EQ(resumed.draws().sds, whole.draws().sds);
  }

  std::shared_ptr<const Regression> regression_ =
      std::make_shared<const Regression>(settings().regression, table());
  MonitoredInputs inputs_{.paths = Vector::LinSpaced(3, -1, 1), .points = Vector::LinSpaced(2, -1, 1)};
};

TEST_F(CheckpointTest, TakesThePlaceOfACheckpointOnly) {
  const auto require = [&] { checkpoint().require_replaceable(); };
  EXPECT_NO_THROW(require());
  write(path(), "ridgelet checkpoint 1\nof an earlier version");
  EXPECT_NO_THROW(require());
  for (const std::string theirs : {"", "somebody's notes about a ridgelet checkpoint", "ridgelet"}) {
    write(path(), theirs);
    EXPECT_THROW(require(), IoError) << theirs;
    EXPECT_EQ(content(path()), theirs);
  }
}

TEST_F(CheckpointTest, GoesOnAsIfNothingHadHappened) {
  for (const Sampler sampler : {Sampler::slice, Sampler::nuts})
    for (const int steps : {0, 2, 5, 11, 16}) {
      Sampling first = chains(sampler);
      run(first, steps);
      checkpoint().save(first);
      Sampling second = chains(sampler);
      checkpoint().resume(second);
      EXPECT_EQ(second.steps_done(), steps);
      expect_same_end(second);
    }
}

TEST_F(CheckpointTest, GrowsByWhatIsNewAndLeavesTheRestAsItWas) {
  Checkpoint growing = checkpoint();
  Sampling sampling = chains();
  std::string before;
  for (int steps = 0; steps < 16; steps += 3) {
    growing.save(sampling);
    const std::string now = content(path());
    EXPECT_GT(now.size(), before.size());
    EXPECT_EQ(now.substr(0, before.size()), before);
    before = now;
    run(sampling, 3);
  }
  Sampling resumed = chains();
  checkpoint().resume(resumed);
  expect_same_end(resumed);
}

TEST_F(CheckpointTest, IsAppendedToAfterARunWasResumed) {
  Sampling first = chains();
  run(first, 6);
  checkpoint().save(first);
  Sampling second = chains();
  Checkpoint again = checkpoint();
  again.resume(second);
  run(second, 5);
  again.save(second);
  Sampling third = chains();
  checkpoint().resume(third);
  EXPECT_EQ(third.steps_done(), 11);
  expect_same_end(third);
}

TEST_F(CheckpointTest, ServesUpToItsLastWholeRecordWhereverItIsCutOff) {
  Checkpoint growing = checkpoint();
  Sampling sampling = chains();
  for (int i = 0; i < 3; ++i) {
    run(sampling, 5);
    growing.save(sampling);
  }
  const std::string whole = content(path());
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    write(path(), whole.substr(0, size));
    Sampling resumed = chains();
    if (!complaint_of([&] { checkpoint().resume(resumed); }).empty()) {
      EXPECT_LT(size, 1000u);  // within the description of the run
      continue;
    }
    expect_same_end(resumed);
  }
}

TEST_F(CheckpointTest, NeverGoesOnFromChangedBytes) {
  Sampling sampling = chains();
  run(sampling, 13);
  checkpoint().save(sampling);
  const std::string whole = content(path());
  for (std::size_t place = 0; place < whole.size(); place += 41) {
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ 4);
    write(path(), changed);
    Sampling resumed = chains();
    // Refused, or cut off where a changed size leads past the end.
    if (complaint_of([&] { checkpoint().resume(resumed); }).empty()) expect_same_end(resumed);
  }
}

TEST_F(CheckpointTest, OfAnotherRunIsRefusedByTheNameOfTheSetting) {
  Sampling sampling = chains();
  checkpoint().save(sampling);
  FitSettings other = settings();
  other.sampling.seed = 9;
  EXPECT_NE(complaint_of([&] {
              Checkpoint(path(), describe_run(table(), other)).resume(sampling);
            }).find("is of another run, whose seed was 0 and now is 9"),
            std::string::npos);
  FitSettings periodic = settings();
  periodic.learning.period = 2;
  EXPECT_NE(complaint_of([&] {
              Checkpoint(path(), describe_run(table(), periodic)).resume(sampling);
            }).find("is of another run, whose period was none and now is 2"),
            std::string::npos);
}

TEST_F(CheckpointTest, StaysAsItWasWhenTheDiskIsFull) {
  Checkpoint growing = checkpoint();
  Sampling sampling = chains();
  growing.save(sampling);
  const std::string before = content(path());
  run(sampling, 9);

  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit full{.rlim_cur = before.size() + 10, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  EXPECT_THROW(growing.save(sampling), IoError);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);

  EXPECT_EQ(content(path()), before);
  growing.save(sampling);
  Sampling resumed = chains();
  checkpoint().resume(resumed);
  expect_same_end(resumed);
}

TEST_F(CheckpointTest, IsWrittenAnewWhereSomebodyRemovedIt) {
  Checkpoint growing = checkpoint();
  Sampling sampling = chains();
  run(sampling, 9);
  growing.save(sampling);
  std::filesystem::remove(path());
  run(sampling, 3);
  growing.save(sampling);
  Sampling resumed = chains();
  checkpoint().resume(resumed);
  EXPECT_EQ(resumed.steps_done(), 12);
  expect_same_end(resumed);
}

TEST_F(CheckpointTest, IsOnTheDiskAfterEverySaveOrAsItWasBefore) {
  Checkpoint growing = checkpoint();
  Sampling sampling = chains();
  growing.save(sampling);
  const std::string before = content(path());
  run(sampling, 9);
  {
    const testing::StandInDisk failing([](const std::filesystem::path&) { return EIO; });
    EXPECT_THROW(growing.save(sampling), IoError);
    EXPECT_EQ(content(path()), before);
  }
  std::string on_disk;
  const testing::StandInDisk attentive([&](const std::filesystem::path& what) {
    on_disk = content(what);
    return 0;
  });
  growing.save(sampling);
  EXPECT_GT(on_disk.size(), before.size());
  EXPECT_EQ(on_disk, content(path()));
}

}  // namespace
}  // namespace ridgelet
