/// Ranks that are threads of the test, so that what MPI shares can be tested without it.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "ridgelet/core/ranks.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet::testing {

/// Calls body(ranks) on `count` threads at once, each of which is a rank; throws what the first rank that failed threw.
template <class Body>
void on_ranks(Index count, Body&& body) {
  struct Meeting {
    std::mutex mutex;
    std::condition_variable all_came;
    std::vector<std::string> bytes;
    Index came = 0, left = 0;
    std::string result;
  };
  class ThreadRanks : public Ranks {
   public:
    ThreadRanks(Meeting& meeting, Index size, Index rank) : meeting_(meeting), size_(size), rank_(rank) {}
    Index size() const override { return size_; }
    Index rank() const override { return rank_; }

    std::string reduce(std::string mine, const Combine& combine) const override {
      std::unique_lock lock(meeting_.mutex);
      // Not before everybody has left the last meeting.
      meeting_.all_came.wait(lock, [&] { return meeting_.left == 0; });
      meeting_.bytes.resize(static_cast<std::size_t>(size_));
      meeting_.bytes[static_cast<std::size_t>(rank_)] = std::move(mine);
      if (++meeting_.came == size_) {
        meeting_.result = reduced(0, size_, combine);
        meeting_.left = size_;
        meeting_.all_came.notify_all();
      }
      meeting_.all_came.wait(lock, [&] { return meeting_.left > 0; });
      std::string result = meeting_.result;
      if (--meeting_.left == 0) {
        meeting_.came = 0;
        meeting_.all_came.notify_all();
      }
      return result;
    }

   private:
    /// As in MPI, neighbours first.
    std::string reduced(Index first, Index end, const Combine& combine) const {
      if (end - first == 1) return meeting_.bytes[static_cast<std::size_t>(first)];
      Index half = 1;
      while (2 * half < end - first) half *= 2;
      return combine(reduced(first, first + half, combine), reduced(first + half, end, combine));
    }

    Meeting& meeting_;
    Index size_, rank_;
  };

  Meeting meeting;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (Index rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      const ThreadScope one(1);
      try {
        body(static_cast<const Ranks&>(ThreadRanks(meeting, count, rank)));
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ridgelet::testing
