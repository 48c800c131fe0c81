/// Targets that read files with checksums. Damage rarely gets past those, so a checkpoint is read a second time with
/// its checksums put right, and of results a second target changes what a whole file says. (Damaged results with a
/// right seal would be HDF5's to read, which does not survive them all.) Inputs to start from are made by the library
/// itself, since stored ones would be of an older format one day.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgelet::fuzz {

/// A results file.
bool results(std::string_view bytes);
std::vector<std::string> whole_results();

/// A results file whose content another program changed: the first byte chooses the fit, and each four that follow are
/// an edit: what is done, where, at which place of that, and the new value.
bool edited_results(std::string_view bytes);
std::vector<std::string> no_edits();

/// A checkpoint; then the same with a checksum of each record that is right.
bool checkpoint(std::string_view bytes);
std::vector<std::string> whole_checkpoints();

}  // namespace ridgelet::fuzz
