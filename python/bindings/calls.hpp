/// How a call from Python does its work in C++.
///
/// A binding converts its arguments while it holds Python's lock (the GIL), gives the rest to run(), and converts
/// what comes back:
///
///   [](const GivenHidden& given, const py::object& X) {
///     const Matrix x = matrix_from(X, "X");
///     return run([&] { return given.mean(x); });
///   }
///
/// The work must not touch Python's objects: other threads of Python go on meanwhile. It runs in a thread of its
/// own, with all cores, while the calling thread looks after signals, so Ctrl-C cancels the work
/// (core/cancellation.hpp) and raises KeyboardInterrupt. Exceptions keep their type.
///
/// Starting a thread takes some 30 microseconds, and more when the cores are busy. A call that may be shorter than
/// that says how many evaluations of a function it needs, run(evaluations, work); if they are few, the calling thread
/// makes them itself, without starting another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ridgelet::python {

/// A message of the library in the words of Python: "use more --draws, or --force" becomes "use more draws, or force=True".
std::string in_words_of_python(const std::string& message);
std::vector<std::string> in_words_of_python(const std::vector<std::string>& messages);

void run_work(const std::function<void()>& work);

template <class Work>
auto run(Work&& work) {
  using Result = std::invoke_result_t<Work&>;
  if constexpr (std::is_void_v<Result>) {
    run_work(work);
  } else {
    std::optional<Result> result;
    run_work([&] { result.emplace(work()); });
    return std::move(*result);
  }
}

/// So many evaluations take less time than starting a thread.
inline constexpr double few_evaluations = 2000;

template <class Work>
auto run(double evaluations, Work&& work) {
  return evaluations > few_evaluations ? run(work) : work();
}

}  // namespace ridgelet::python
