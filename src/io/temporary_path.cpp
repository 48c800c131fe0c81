#include "ridgelet/io/temporary_path.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

std::mutex registry;
TemporaryPath* latest = nullptr;

/// How often removing is tried at most: another program may put a file into a directory just before it is removed.
constexpr int laps = 100;

}  // namespace

std::filesystem::path temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  const std::filesystem::path folder = named && *named ? named : "/tmp";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    throw IoError("cannot make a directory for temporary files; does TMPDIR exist?");
  return folder;
}

TemporaryPath::TemporaryPath(std::filesystem::path path) : path_(std::move(path)) {
  const std::lock_guard lock(registry);
  previous_ = latest;
  if (previous_) previous_->next_ = this;
  latest = this;
}

TemporaryPath::~TemporaryPath() {
  const std::lock_guard lock(registry);
  if (!moved_) std::remove(path_.c_str());
  if (previous_) previous_->next_ = next_;
  (next_ ? next_->previous_ : latest) = previous_;
}

std::error_code TemporaryPath::move_to(const std::filesystem::path& place) {
  const std::lock_guard lock(registry);
  std::error_code error;
  std::filesystem::rename(path_, place, error);
  moved_ = !error;
  return error;
}

void TemporaryPath::remove_all() noexcept {
  registry.lock();  // for ever: see the header
  bool again = true;
  for (int lap = 0; again && lap < laps; ++lap) {
    again = false;
    for (const TemporaryPath* each = latest; each; each = each->previous_)
      again |= !each->moved_ && std::remove(each->path_.c_str()) != 0 && errno == ENOTEMPTY;
  }
}

}  // namespace ridgelet
