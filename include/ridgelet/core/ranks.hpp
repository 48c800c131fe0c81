/// The processes that share a run: one, or as many as `mpirun` started.
///
/// Every process, called a rank, reads its own share of a table, and what they found is put together by one operation:
/// reduce() combines what neighbouring ranks have, in their order, and gives everybody the result. All else is computed
/// by each rank for itself, from the same numbers by the same steps.
///
/// An exception on one rank must not leave the others waiting for it: shared() carries it to all of them.
///
/// Cost of reduce(): log2(ranks) messages one after another, and as many to tell everybody.
#pragma once

#include <functional>
#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

class Ranks {
 public:
  /// Bytes of ranks a .. b and of b + 1 .. c become those of a .. c.
  using Combine = std::function<std::string(std::string earlier, std::string later)>;

  virtual ~Ranks() = default;
  virtual Index size() const = 0;
  virtual Index rank() const = 0;  ///< from 0

  /// All ranks must call it, and each gets what `combine` makes of the bytes of all.
  virtual std::string reduce(std::string mine, const Combine& combine) const = 0;

  bool first() const { return rank() == 0; }

  /// reduce() of what `work` returns on each rank. If it throws on some ranks, all ranks throw what the first of those
  /// threw. With several ranks InvalidArgument, IoError and Cancelled keep their types; any other std::exception
  /// becomes a std::runtime_error with its message.
  std::string shared(const std::function<std::string()>& work, const Combine& combine) const;

  /// Calls `work` on the first rank alone. If it throws there, all ranks throw.
  void on_first(const std::function<void()>& work) const;
};

/// The one process of a run that is not shared.
const Ranks& alone();

/// The tiles first .. end - 1.
struct TileRange {
  Index first = 0;
  Index end = 0;
};

/// The tiles of a rank, which follow one another. Ranks differ in their number of tiles by one, or by a few per cent.
/// Where there are many tiles, a range begins at a multiple of a power of two, so that a sum over it is a few nodes of
/// a tree (pairwise.hpp).
TileRange share_of(Index tiles, const Ranks& ranks);

}  // namespace ridgelet
