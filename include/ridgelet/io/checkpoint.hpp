/// What an interrupted run needs to go on: a file that grows with the run.
///
/// After a first line that names the format come records, each
///   kind, number of bytes n (8 bytes each, little-endian), n bytes, Checksum of all that (8 bytes),
/// of three kinds: the description of the run, which must match for the run to go on; a draw of a chain; and where a
/// chain was after some step. Nothing written is ever changed, so the cost of saving depends only on what is new. A
/// record that is cut off by the end of the file, as after a crash, counts as not written; a damaged one is refused.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {

/// One line for each setting, "name = value": everything that the draws depend on. The data appear as a checksum.
std::string describe_run(const RegressionTable& table, const FitSettings& settings);

class Checkpoint {
 public:
  Checkpoint(std::filesystem::path path, std::string run);

  /// Throws IoError if there is a file that is not a checkpoint, of whichever run: save() and remove() would destroy it.
  void require_replaceable() const;

  /// Puts the chains where the file says. Throws InvalidArgument about "resume" if the file is damaged or of another
  /// run, naming the first setting that differs; IoError if it cannot be read.
  void resume(Sampling& sampling);

  /// Appends what is new since the last call, and waits until the disk has it. Without resume() the first call replaces
  /// the file; a file that somebody has removed is written anew. If saving fails (on a full disk, say), throws IoError
  /// and leaves the file as it was before the call. A fit saves on a thread of its own, so that no chain waits for the
  /// disk.
  void save(const Sampling& sampling);

  /// Whether the file is there and of this run.
  bool saved() const { return begun_; }

  /// Removes the file, at the end of a run.
  void remove();

 private:
  /// The records that the file lacks, and how many draws of each chain it then has.
  std::vector<Index> write_new(const Sampling& sampling, std::ostream& stream) const;
  void begin(const Sampling& sampling);
  void append(const Sampling& sampling);

  std::filesystem::path path_;
  std::string run_;
  std::vector<Index> draws_saved_;  ///< of each chain
  bool begun_ = false;
};

}  // namespace ridgelet
