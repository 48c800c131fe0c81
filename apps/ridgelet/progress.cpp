#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "messages.hpp"

namespace ridgelet::app {

Progress::Progress(std::string unit, bool quiet)
    : unit_(std::move(unit)),
      shown_(!quiet && ::isatty(STDERR_FILENO)),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (written_) tell("\r\033[K");
}

void Progress::update(Index done, Index total) {
  using namespace std::chrono_literals;
  if (!first_) first_ = done - 1;
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - start_ < 1s || now - last_ < 200ms) return;
  last_ = now;
  written_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done - *first_) / elapsed;
  tell(fmt::format("\r\033[K{} of {} {}, {:.3g} a second, about {:.0f} s left", done, total, unit_, rate,
                   static_cast<double>(total - done) / rate));
}

}  // namespace ridgelet::app
