/// Independent pieces of work over the OpenMP threads, each thread with a workspace of its own.
///
/// An exception may not leave a parallel region: the first one is kept and thrown again afterwards. Inside
/// another parallel region the pieces run one after the other.
#pragma once

#include <exception>
#include <optional>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Calls body(workspace, i) for i = 0 .. count - 1, in any order; make() makes a thread's workspace.
template <class Make, class Body>
void parallel_for(Index count, Make&& make, Body&& body) {
  std::exception_ptr failure;
  const auto guarded = [&](auto&& action) {
    try {
      action();
    } catch (...) {
#pragma omp critical(ridgelet_parallel_for)
      if (!failure) failure = std::current_exception();
    }
  };
#pragma omp parallel
  {
    // Every thread reaches the loop, with or without a workspace: a thread that left would keep the others
    // waiting.
    std::optional<decltype(make())> workspace;
    guarded([&] { workspace.emplace(make()); });
#pragma omp for schedule(dynamic)
    for (Index i = 0; i < count; ++i)
      if (workspace) guarded([&] { body(*workspace, i); });
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls body(i) for i = 0 .. count - 1, in any order.
template <class Body>
void parallel_for(Index count, Body&& body) {
  struct Nothing {};
  parallel_for(
      count, [] { return Nothing{}; }, [&](Nothing, Index i) { body(i); });
}

}  // namespace ridgelet
