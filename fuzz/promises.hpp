/// What every target promises, and what is needed to check that it keeps its promise.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ridgelet/core/errors.hpp"

namespace ridgelet::fuzz {

/// Ends the process if a promise does not hold.
void require(bool holds, const char* promise, std::string_view bytes);

/// A complaint is one line of moderate length.
void require_a_line(std::string_view complaint, std::string_view bytes);

/// Whether `read` read what it was given, and did not refuse it. Any other exception is passed on and ends the process.
template <class Read>
bool read_or_refuse(std::string_view bytes, Read&& read) {
  try {
    read();
    return true;
  } catch (const InvalidArgument& refusal) {
    require_a_line(refusal.what(), bytes);
  } catch (const IoError&) {
  }
  return false;
}

/// A file of this process with these bytes, in memory where the system has such a place; it is removed with the object.
class ScratchFile {
 public:
  ScratchFile(std::string_view bytes, const std::string& name);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string bytes() const;

 private:
  std::filesystem::path path_;
};

}  // namespace ridgelet::fuzz
