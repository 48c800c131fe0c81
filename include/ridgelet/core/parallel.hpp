/// The one way in which work is spread over threads.
///
/// parallel_for(count, body) calls body(i) for i = 0 .. count - 1 in any order, on a team of at most team_threads()
/// members of which the caller is one. It returns when all calls have. Inside a body, team_threads() is the member's
/// share of the threads, so teams nest: four chains on eight threads run side by side with two threads each.
///
/// If a body throws, no further items are begun. If several items had begun and failed, the caller gets the exception
/// of the first of them. Cancellation (core/cancellation.hpp) is looked at before each item.
///
/// Threads are kept between calls and sleep meanwhile. After a fork the child starts its own.
/// Cost: about a microsecond to wake a member that has just finished, a few tens for one that is asleep.
#pragma once

#include <optional>
#include <vector>

#include "ridgelet/core/threads.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Members of a team for `count` items.
int team_size(Index count);

namespace detail {

using TeamBody = void (*)(void* context, int member, Index item);
void run_team(Index count, TeamBody body, void* context);

}  // namespace detail

/// Calls body(member, i), where member is a number from 0 to team_size(count) - 1 that no other call has at the same
/// time: an index for scratch memory of the member's own.
template <class Body>
void parallel_for_members(Index count, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  detail::run_team(
      count, [](void* context, int member, Index item) { (*static_cast<Plain*>(context))(member, item); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

/// Calls body(i).
template <class Body>
void parallel_for(Index count, Body&& body) {
  parallel_for_members(count, [&](int, Index i) { body(i); });
}

/// Calls body(workspace, i) with a workspace of the member's own, made by make() when it is first needed.
template <class Make, class Body>
void parallel_for(Index count, Make&& make, Body&& body) {
  std::vector<std::optional<decltype(make())>> workspaces(static_cast<std::size_t>(team_size(count)));
  parallel_for_members(count, [&](int member, Index i) {
    auto& workspace = workspaces[static_cast<std::size_t>(member)];
    if (!workspace) workspace.emplace(make());
    body(*workspace, i);
  });
}

}  // namespace ridgelet
