#include "processes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "messages.hpp"

#ifdef RIDGELET_MPI
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>
#endif

namespace ridgelet::app {

bool any_process(bool value) {
  if (ranks().size() == 1) return value;
  return ranks().reduce(value ? "y" : "n", [](std::string earlier, std::string later) {
    return std::max(earlier, later);
  }) == "y";
}

#ifdef RIDGELET_MPI

namespace {

/// Looks for what `mpirun` and its like set for the processes that they start. A program that is started on its own
/// does without MPI, whose start takes longer than a small fit.
bool started_by_mpirun() {
  constexpr std::array names = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  return std::ranges::any_of(names, [](const char* name) { return std::getenv(name) != nullptr; });
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int granted = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &granted);
    any_thread_ = granted == MPI_THREAD_MULTIPLE;
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }

  Index size() const override { return size_; }
  Index rank() const override { return rank_; }

  std::string reduce(std::string mine, const Combine& combine) const override {
    for (int step = 1; step < size_; step *= 2) {
      if (rank_ % (2 * step) == step) {
        send(mine, rank_ - step);
        break;
      }
      if (rank_ + step < size_) mine = combine(std::move(mine), receive(rank_ + step));
    }
    broadcast(mine);
    return mine;
  }

  /// True once all processes have arrived here; false if some have not after a while.
  bool all_are_here() const {
    using namespace std::chrono_literals;
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (const auto end = std::chrono::steady_clock::now() + 5s; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(1ms)) {
      int here = 0;
      MPI_Test(&request, &here, MPI_STATUS_IGNORE);
      if (here != 0) return true;
    }
    return false;
  }

  /// Tells the first process that this one is about to end it by a signal.
  void announce_failure() const {
    if (!first()) MPI_Send(nullptr, 0, MPI_BYTE, 0, failure, MPI_COMM_WORLD);
  }

  /// Whether a failure has been announced. If MPI allows only one thread, it cannot be asked, and the answer is no.
  bool failure_was_announced() const {
    int over = 0, found = 0;
    MPI_Finalized(&over);
    if (any_thread_ && !over) MPI_Iprobe(MPI_ANY_SOURCE, failure, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return found != 0;
  }

 private:
  enum Tag : int { bytes_of_a_sum, failure };

  /// At most so many bytes in one message: MPI counts them by an int.
  static constexpr std::size_t most_bytes = 1 << 30;

  template <class Transfer>
  static void in_pieces(std::string& bytes, Transfer&& transfer) {
    for (std::size_t at = 0; at < bytes.size(); at += most_bytes)
      transfer(bytes.data() + at, static_cast<int>(std::min(most_bytes, bytes.size() - at)));
  }

  static void send(std::string& bytes, int to) {
    std::uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, bytes_of_a_sum, MPI_COMM_WORLD);
    in_pieces(bytes, [&](char* piece, int count) {
      MPI_Send(piece, count, MPI_BYTE, to, bytes_of_a_sum, MPI_COMM_WORLD);
    });
  }

  static std::string receive(int from) {
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, bytes_of_a_sum, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::string bytes(size, '\0');
    in_pieces(bytes, [&](char* piece, int count) {
      MPI_Recv(piece, count, MPI_BYTE, from, bytes_of_a_sum, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    return bytes;
  }

  static void broadcast(std::string& bytes) {
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    in_pieces(bytes, [](char* piece, int count) { MPI_Bcast(piece, count, MPI_BYTE, 0, MPI_COMM_WORLD); });
  }

  int size_ = 1, rank_ = 0;
  bool any_thread_ = false;
};

std::unique_ptr<MpiRanks> processes;

}  // namespace

void join_processes() {
  if (!started_by_mpirun()) return;
  processes = std::make_unique<MpiRanks>();
  if (processes->first()) return;
  keep_still();
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

const Ranks& ranks() {
  return processes ? static_cast<const Ranks&>(*processes) : alone();
}

bool another_failed() {
  return processes && processes->failure_was_announced();
}

int leave_processes(int code, const std::string& last_words) {
  if (!processes) return code;
  if (code == 0 || processes->all_are_here()) {
    MPI_Finalize();
    return processes->first() ? code : 0;
  }
  if (!processes->first())
    tell_in_any_case("ridgelet: process " + std::to_string(processes->rank()) + ": " + last_words + "\n");
  processes->announce_failure();
  MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

#else

void join_processes() {}

const Ranks& ranks() {
  return alone();
}

bool another_failed() {
  return false;
}

int leave_processes(int code, const std::string&) {
  return code;
}

#endif

}  // namespace ridgelet::app
