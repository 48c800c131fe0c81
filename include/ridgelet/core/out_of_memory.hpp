/// Memory that was not there when it was taken, with what to do about it.
///
/// Most work is refused before it begins (core/memory.hpp). This is no InvalidArgument, since nothing is wrong with any
/// argument: whoever tries another one, as learning does, must not take it for a failed trial.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>

namespace ridgelet {

class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::string complaint)
      : complaint_(std::make_shared<const std::string>(std::move(complaint))) {}
  const char* what() const noexcept override { return complaint_->c_str(); }

 private:
  std::shared_ptr<const std::string> complaint_;  ///< copies of an exception must not throw
};

}  // namespace ridgelet
