#include "signals.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "messages.hpp"
#include "outcomes.hpp"
#include "processes.hpp"
#include "ridgelet/io/temporary_path.hpp"

namespace ridgelet::app {

namespace {

constexpr int grace_milliseconds = 800;
/// The thread's functions need little, but its stack also holds the thread-local data of the libraries.
constexpr std::size_t stack_bytes = 256 << 10;
constexpr std::array watched_signals = {SIGINT, SIGTERM, SIGHUP};

std::array<int, 2> channel{};  ///< the two ends of the handler's pipe: to read from, to write to
std::atomic<int> received{0};
std::atomic<bool> stop{false};
std::atomic<bool> last_line_claimed{false};
std::atomic<bool> graceful{false};
std::array<char, 1024> graceful_line{};  ///< never freed, so that it can be read at any time

void pass_on(int signal) {
  const int before = errno;
  const auto number = static_cast<unsigned char>(signal);
  // If the pipe is full, it already holds signals enough.
  [[maybe_unused]] const ssize_t written = ::write(channel[1], &number, 1);
  errno = before;
}

int next_signal() {
  unsigned char number = 0;
  while (::read(channel[0], &number, 1) != 1) {
  }
  return number;
}

/// Waits until another signal comes or the time is over.
void wait_for_the_command() {
  pollfd readable{.fd = channel[0], .events = POLLIN, .revents = 0};
  while (::poll(&readable, 1, grace_milliseconds) == -1 && errno == EINTR) {
  }
}

[[noreturn]] void end_program(int signal, const char* line) {
  TemporaryPath::remove_all();
  if (SignalWatch::claim_last_line() && !another_failed()) {
    if (::isatty(STDERR_FILENO)) tell("\r\033[K");
    tell("ridgelet: ");
    tell(line);
    tell("\n");
  }
  ::_exit(signalled + signal);
}

void* watch(void*) {
  const int signal = next_signal();
  received = signal;
  stop = true;
  if (!graceful) end_program(signal, "interrupted");
  wait_for_the_command();
  end_program(signal, graceful_line.data());
}

/// As under nohup, or in the background of a script: whoever started the program wants it to go on.
bool ignored(int signal) {
  struct sigaction before {};
  return ::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
}

bool start_thread() {
  pthread_attr_t attributes;
  pthread_t thread;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, stack_bytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const bool started = ::pthread_create(&thread, &attributes, watch, nullptr) == 0;
  ::pthread_attr_destroy(&attributes);
  return started;
}

}  // namespace

void SignalWatch::start() {
  // Without a pipe or a thread, the signals end this program as they would any other.
  if (::pipe2(channel.data(), O_CLOEXEC) != 0 || !start_thread()) return;
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  for (const int signal : watched_signals)
    if (!ignored(signal)) ::sigaction(signal, &action, nullptr);
}

int SignalWatch::signal() {
  return received;
}

const std::atomic<bool>& SignalWatch::stop_flag() {
  return stop;
}

bool SignalWatch::claim_last_line() {
  return !last_line_claimed.exchange(true);
}

GracefulStop::GracefulStop(std::string_view last_line) {
  const std::size_t length = std::min(last_line.size(), graceful_line.size() - 1);
  *std::copy_n(last_line.begin(), length, graceful_line.begin()) = '\0';
  graceful = true;
}

GracefulStop::~GracefulStop() {
  graceful = false;
}

}  // namespace ridgelet::app
