#!/usr/bin/env bash
# Every C++ file is as .clang-format says. To mend: git ls-files '*.hpp' '*.cpp' | xargs clang-format -i
set -euo pipefail
cd "$1"
find include src apps benchmarks experiments fuzz python tests examples \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 clang-format --dry-run --Werror
