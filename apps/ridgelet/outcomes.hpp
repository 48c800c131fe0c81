/// How a command ends when it neither succeeds nor is at fault.
#pragma once

#include <stdexcept>
#include <string>

namespace ridgelet::app {

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

}  // namespace ridgelet::app
