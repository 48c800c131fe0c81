// libFuzzer's side: the target is the one that RIDGELET_FUZZ_TARGET names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "targets.hpp"

namespace {

const ridgelet::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("RIDGELET_FUZZ_TARGET");
  for (const ridgelet::fuzz::Target& each : ridgelet::fuzz::targets())
    if (name && each.name == name) chosen = &each;
  if (chosen) return 0;
  std::fprintf(stderr, "RIDGELET_FUZZ_TARGET must name one of:");
  for (const ridgelet::fuzz::Target& each : ridgelet::fuzz::targets())
    std::fprintf(stderr, " %s", each.name.c_str());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
