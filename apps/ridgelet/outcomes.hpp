/// How a command ends: exit codes, and the outcomes that are neither success nor anybody's fault.
#pragma once

#include <stdexcept>
#include <string>

namespace ridgelet::app {

constexpr int untrue = 1;  ///< a rung of `selftest` does not hold
constexpr int bad_input = 2;
constexpr int io_trouble = 3;
constexpr int not_converged = 4;
constexpr int signalled = 128;  ///< plus the number of the signal, as shells report it

/// A signal stopped the run, which can be resumed.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int signal, const std::string& message) : std::runtime_error(message), signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// The chains did not converge, and --strict was given.
class NotConverged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something that must hold does not hold on this machine.
class SelftestFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ridgelet::app
