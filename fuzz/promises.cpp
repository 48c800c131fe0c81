#include "promises.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ridgelet::fuzz {

void require(bool holds, const char* promise, std::string_view bytes) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::fwrite(bytes.data(), 1, bytes.size(), stderr);
  std::abort();
}

void require_a_line(std::string_view complaint, std::string_view bytes) {
  require(!complaint.empty() && complaint.size() < 20'000, "a complaint is not endless", bytes);
  require(complaint.find('\n') == std::string::npos, "a complaint is one line", bytes);
}

ScratchFile::ScratchFile(std::string_view bytes, const std::string& name) {
  const std::filesystem::path memory = "/dev/shm";
  path_ = (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
          ("ridgelet-fuzz-" + std::to_string(::getpid()) + "-" + name);
  std::ofstream(path_, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::string ScratchFile::bytes() const {
  std::ifstream file(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ridgelet::fuzz
