"""A fitted network as C and as ONNX: ship.py FOLDER, after table.py FOLDER."""

import sys

import ridgelet as rl

folder = sys.argv[1]
network = rl.load(folder + "/model.nc").network
network.export(folder + "/model.c")
network.export(folder + "/model.onnx")
mean, sd = network([[1956.0]])
print("mean", mean[0])
print("sd", sd[0])
