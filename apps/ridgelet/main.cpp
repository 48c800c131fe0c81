// The program: reads the command line, does its job, and turns what goes wrong into one line and an exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "messages.hpp"
#include "outcomes.hpp"
#include "processes.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/out_of_memory.hpp"
#include "signals.hpp"

namespace ridgelet::app {

namespace {

/// The last message about what went wrong.
std::string last_words;

int fail(int code, const std::string& message) {
  last_words = one_line(message);
  tell(fmt::format("ridgelet: {}\n", last_words));
  return code;
}

/// If the command ended itself in time, it has the last word; if not, the watch has it and will end the program at any
/// moment.
int end_interrupted(const Interrupted& interruption) {
  while (!SignalWatch::claim_last_line()) ::pause();
  return fail(signalled + interruption.signal(), interruption.what());
}

/// What was printed may have gone to a full disk or a closed pipe.
int printed() {
  const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return whole ? 0 : fail(io_trouble, "cannot write to the standard output");
}

int run(const std::vector<std::string>& words) {
  CommandLine line;
  try {
    const Job job = line.read(words);
    job();
    return printed();
  } catch (const Refused& refused) {
    return fail(bad_input, refused.what());
  } catch (const InvalidArgument& error) {
    return fail(bad_input, line.with_flag(error));
  } catch (const Interrupted& interruption) {
    return end_interrupted(interruption);
  } catch (const NotConverged& error) {
    return fail(not_converged, fmt::format("did not converge: {}", error.what()));
  } catch (const SelftestFailed& error) {
    return fail(untrue, error.what());
  } catch (const IoError& error) {
    return fail(io_trouble, error.what());
  } catch (const OutOfMemory& error) {
    return fail(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(bad_input, "this does not fit in memory; use fewer units, nodes or points");
  } catch (const std::exception& error) {
    return fail(io_trouble, error.what());
  }
}

/// When OpenBLAS is loaded it makes a thread and a buffer for every core, none of which we use. Where the address space
/// is limited, they take up what the work needs, so the program then starts itself again without them.
void begin_without_threads_of_blas(char** argv) {
  constexpr const char* variable = "OPENBLAS_NUM_THREADS";
  const char* const threads = std::getenv(variable);
  if (available_addresses() == std::numeric_limits<double>::infinity() ||
      (threads && threads == std::string("1")))
    return;
  if (::setenv(variable, "1", 1) == 0) ::execv("/proc/self/exe", argv);
}

}  // namespace

}  // namespace ridgelet::app

int main(int argc, char** argv) {
  ridgelet::app::begin_without_threads_of_blas(argv);
  ridgelet::app::hold_standard_streams();
  ridgelet::app::SignalWatch::start();
  // A file that grows past the shell's limit is an ordinary failure to write, and must not kill the program.
  std::signal(SIGXFSZ, SIG_IGN);
  ridgelet::app::join_processes();
  const int code = ridgelet::app::run({argv + std::min(argc, 1), argv + argc});
  return ridgelet::app::leave_processes(code, ridgelet::app::last_words);
}
