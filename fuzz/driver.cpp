// libFuzzer's side: the target is the one that RIDGELET_FUZZ_TARGET names. Inputs that the target makes for itself are
// written to the folder RIDGELET_FUZZ_SEEDS before libFuzzer looks there.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "targets.hpp"

namespace {

const ridgelet::fuzz::Target* chosen = nullptr;

void write_seeds(const std::filesystem::path& folder) {
  const std::vector<std::string> seeds = chosen->seeds ? chosen->seeds() : std::vector<std::string>();
  for (std::size_t i = 0; i < seeds.size(); ++i)
    std::ofstream(folder / std::to_string(i), std::ios::binary) << seeds[i];
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("RIDGELET_FUZZ_TARGET");
  for (const ridgelet::fuzz::Target& each : ridgelet::fuzz::targets())
    if (name && each.name == name) chosen = &each;
  const char* folder = std::getenv("RIDGELET_FUZZ_SEEDS");
  if (chosen && folder) write_seeds(folder);
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
