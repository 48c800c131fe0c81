#!/bin/sh
# A fitted network as C and as ONNX: ship.sh FOLDER, after table.sh FOLDER. Compiles the C and calls it.
set -eu
ridgelet export "$1/model.nc" --to c --out "$1/model.c" --quiet
ridgelet export "$1/model.nc" --to onnx --out "$1/model.onnx" --quiet
cc -std=c99 -O2 examples/predict_one.c "$1/model.c" -o "$1/predict_one" -lm
"$1/predict_one" 1956
