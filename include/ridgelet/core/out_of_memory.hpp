/// Memory ran out after work had begun. The message says what to do about it.
///
/// Most work that would not fit is refused before it begins (core/memory.hpp). This is not an InvalidArgument, since
/// nothing is wrong with any argument: code that tries other values after an InvalidArgument, as learning does, must
/// not take it for a failed trial.
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
