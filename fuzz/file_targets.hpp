/// Targets that read files with checksums. Damage rarely gets past those, so a checkpoint is read a second time with
/// its checksums put right, and for results a second target changes what an intact file says. (Damaged results with a
/// right seal would be read by HDF5, which does not survive all of them.) Inputs to start from are made by the library
/// itself, since stored ones would be of an older format one day.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgelet::fuzz {

/// A results file.
bool results(std::string_view bytes);
std::vector<std::string> whole_results();

/// A results file whose content another program changed. The first byte chooses the fit, and each four bytes that
/// follow are an edit: what is done, to what, at which place in it, and the new value.
bool edited_results(std::string_view bytes);
std::vector<std::string> no_edits();

/// A checkpoint; then the same with the checksum of each record put right.
bool checkpoint(std::string_view bytes);
std::vector<std::string> whole_checkpoints();

}  // namespace ridgelet::fuzz
