#!/usr/bin/env bash
# Installs into an empty folder, builds the examples against it as a stranger's project would, and runs the examples of
# all three languages: each step must print the same numbers.
set -euo pipefail
source=$1 build=$2 compiler=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
for installed in bin/ridgelet share/man/man1/ridgelet.1 share/bash-completion/completions/ridgelet; do
  [ -s "$prefix/$installed" ] || { echo "not installed: $installed"; exit 1; }
done
cmake -S "$source/examples/find_package" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/build"

cd "$source"
export PATH=$prefix/bin:$PATH PYTHONPATH=$build/python
mkdir "$scratch"/{sh,cpp,py}
for step in belief table ship; do
  examples/$step.sh "$scratch/sh" >"$scratch/sh/$step"
  "$scratch/build/$step" "$scratch/cpp" >"$scratch/cpp/$step"
  /usr/bin/python3 examples/$step.py "$scratch/py" >"$scratch/py/$step"
  for language in cpp py; do
    /usr/bin/python3 tests/layout/same_numbers.py "$scratch/sh/$step" "$scratch/$language/$step"
  done
done
for language in sh cpp py; do
  [ -s "$scratch/$language/model.onnx" ] || { echo "no model.onnx of $language"; exit 1; }
  cmp "$scratch/sh/model.c" "$scratch/$language/model.c"
done
