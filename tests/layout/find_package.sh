#!/usr/bin/env bash
# Installs into an empty folder and builds examples/find_package against it, as a stranger's project would.
set -euo pipefail
source=$1 build=$2 compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
cmake -S "$source/examples/find_package" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/prefix"
cmake --build "$scratch/build"
"$scratch/build/first_prior" | tee "$scratch/output"
grep -q 'largest error' "$scratch/output"
"$scratch/build/fit_table" "$source/data/airline_passengers.csv" year passengers | tee "$scratch/output"
[ "$(grep -c '^1949: .* +- ' "$scratch/output")" = 3 ]
