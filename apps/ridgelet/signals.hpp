/// SIGINT, SIGTERM and SIGHUP end every command within a second: partial files are removed, one line is printed, and
/// the exit code is 128 + the number of the signal. One that was ignored when the program began stays ignored.
///
/// The handler only passes the number on, through a pipe, to a thread that does nothing else. So the end does
/// not depend on the threads that work, which may be deep in a factorisation or hang in an allocation.
#pragma once

#include <atomic>
#include <string_view>

namespace ridgelet::app {

class SignalWatch {
 public:
  /// Watches from here to the end of the program. Called once, at the beginning of main().
  static void start();

  /// The signal that came, or 0.
  static int signal();
  static bool stop_requested() { return stop_flag(); }

  /// True once a signal came; for a CancellationScope.
  static const std::atomic<bool>& stop_flag();

  /// The program ends with one line: true for the one thread that may print it.
  static bool claim_last_line();
};

/// While alive, the command itself looks at SignalWatch::stop_requested() and ends in its own way, by
/// throwing Interrupted after it has saved what it has. It has 0.8 s; then, or when a second signal comes, the
/// program ends with `last_line` ("interrupted; ..."). Without a GracefulStop a signal ends the program at
/// once.
class GracefulStop {
 public:
  explicit GracefulStop(std::string_view last_line);
  ~GracefulStop();
  GracefulStop(const GracefulStop&) = delete;
  GracefulStop& operator=(const GracefulStop&) = delete;
};

}  // namespace ridgelet::app
