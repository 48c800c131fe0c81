#include "messages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "ridgelet/io/csv_records.hpp"

namespace ridgelet::app {

namespace {

/// While alive, writing to a broken pipe fails in this thread instead of ending the program.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() noexcept {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec at_once{};
    if (!::sigismember(&before_, SIGPIPE))
      while (::sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
      }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
};

}  // namespace

namespace {

bool still = false;

}  // namespace

void keep_still() noexcept {
  still = true;
}

void tell(std::string_view text) noexcept {
  if (!still) tell_in_any_case(text);
}

void tell_in_any_case(std::string_view text) noexcept {
  const WithoutPipeSignal guard;
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string one_line(const std::string& complaint) {
  constexpr std::size_t longest = 4000;
  return shown(complaint, longest);
}

void warn(const std::string& message) {
  tell("warning: " + message + "\n");
}

std::string dropped_text(std::int64_t dropped, std::int64_t rows) {
  return fmt::format("{} of {} rows {} left out: a missing value", dropped, rows,
                     dropped == 1 ? "is" : "are");
}

void warn_about_dropped(std::int64_t dropped, std::int64_t rows) {
  if (dropped > 0) warn(dropped_text(dropped, rows));
}

void hold_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
}

}  // namespace ridgelet::app
