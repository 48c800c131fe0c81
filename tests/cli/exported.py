"""Exported networks evaluated without the program: each format by the plainest means there are."""

import ctypes
import json
import math
import subprocess
import sys
import types
import uuid

import numpy as np
import onnx
import onnx.numpy_helper

C_FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC")
ERF = np.vectorize(math.erf, otypes=[float])


def reduce(function):
    def apply(values, axes, keepdims):
        assert keepdims == 1
        return function(values, tuple(axes))

    return apply


ONNX_OPERATORS = {
    "Abs": np.abs,
    "Add": np.add,
    "Concat": lambda *parts, axis: np.concatenate(parts, axis),
    "Cos": np.cos,
    "Div": np.divide,
    "Erf": lambda z: ERF(z).astype(z.dtype),
    "Exp": np.exp,
    "Log": np.log,
    "MatMul": np.matmul,
    "Max": np.maximum,
    "Mul": np.multiply,
    "ReduceMean": reduce(lambda values, axes: values.mean(axes, keepdims=True)),
    "ReduceSumSquare": reduce(lambda values, axes: (values**2).sum(axes, keepdims=True)),
    "Sign": np.sign,
    "Sin": np.sin,
    "Sqrt": np.sqrt,
    "Sub": np.subtract,
    "Tanh": np.tanh,
}


def of_onnx(path, x):
    """Mean and sd of a model that the checker accepts in full, operator by operator."""
    model = onnx.load(str(path))
    onnx.checker.check_model(model, full_check=True)
    values = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer}
    dtype = next(iter(values.values())).dtype
    assert {array.dtype for array in values.values()} == {dtype}
    values["x"] = np.asarray(x, dtype)
    for node in model.graph.node:
        attributes = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        values[node.output[0]] = ONNX_OPERATORS[node.op_type](*(values[name] for name in node.input), **attributes)
        assert values[node.output[0]].dtype == dtype
    return values["mean"], values["sd"]


def of_c(path, x, outputs):
    """Mean and sd of a C file, compiled with warnings as errors."""
    # A library of the same name would be the one that was loaded before.
    library = path.with_name(f"{uuid.uuid4().hex}.so")
    compiled = subprocess.run(["gcc", *C_FLAGS, str(path), "-o", str(library), "-lm"], capture_output=True, text=True, check=False)
    assert (compiled.returncode, compiled.stderr) == (0, "")
    predict = ctypes.CDLL(str(library)).ridgelet_predict
    predict.argtypes, predict.restype = [np.ctypeslib.ndpointer(float, flags="C")] * 3, None
    mean, sd = np.empty((len(x), outputs)), np.empty((len(x), outputs))
    for row in range(len(x)):
        predict(np.ascontiguousarray(x[row]), mean[row], sd[row])
    return mean, sd


def numpy_in_place_of_torch():
    """As much of torch as an exported file calls, on NumPy's arrays."""
    torch, nn = types.ModuleType("torch"), types.ModuleType("torch.nn")

    class Module:
        def register_buffer(self, name, values):
            setattr(self, name, values)

        def __call__(self, x):
            return self.forward(x)

    nn.Module = Module
    torch.nn, torch.float64, torch.float32 = nn, np.float64, np.float32
    torch.frombuffer = lambda data, dtype: np.frombuffer(data, dtype)
    torch.cat, torch.stack, torch.maximum = np.concatenate, np.stack, np.maximum
    for name in ("abs", "cos", "exp", "expm1", "log", "sin", "sqrt", "tanh"):
        setattr(torch, name, getattr(np, name))
    torch.erf = ERF
    return {"torch": torch, "torch.nn": nn}


def of_torch(path, x):
    """Mean and sd of the module in a Python file, and its metadata; by PyTorch where that is installed."""
    namespace = {}
    try:
        import torch
    except ImportError:
        torch = None
        sys.modules.update(numpy_in_place_of_torch())
    try:
        exec(compile(path.read_text(), str(path), "exec"), namespace)
        network = namespace["RidgeletNetwork"]()
        dtype = namespace["DTYPE"]
        got = network(x.astype(dtype)) if torch is None else network(torch.as_tensor(x, dtype=dtype))
    finally:
        if torch is None:
            del sys.modules["torch"], sys.modules["torch.nn"]
    return *(np.asarray(each) for each in got), namespace["METADATA"]


def phi(facts, z):
    functions = {"abs": np.abs, "cos": np.cos, "erf": ERF, "exp": np.exp, "log": np.log, "max": np.maximum, "sin": np.sin, "tanh": np.tanh}
    return eval(facts["formula"], {"__builtins__": {}}, functions | {"z": z})


def of_json(path, x):
    """Mean and sd by the formulas of docs/export.md."""
    net = json.loads(path.read_text())
    t = (x - net["input_scaling"]["centre"]) / net["input_scaling"]["scale"]
    mu = t @ net["mean"]["slope"] + net["mean"]["constant"]
    means, variances = [], []
    for network in net["networks"]:
        first, *deeper = network["layers"]
        features = phi(net["facts"], t @ np.transpose(first["W"]) + first["b"])
        for layer, bridge in zip(deeper, network["bridges"], strict=True):
            c = features @ np.array(bridge)
            h = phi(net["facts"], c[:, :1] + c[:, 1:] @ np.transpose(layer["W"]) + layer["b"])
            features = np.hstack([h, features]) if net["skip"] else h
        means.append(mu[:, None] + features @ np.array(network["w"]))
        variances.append(np.transpose([((features @ np.array(V)) ** 2).sum(1) for V in network["V"]]) + np.square(net["noise"]))
    centre, scale = net["output_scaling"]["centre"], np.array(net["output_scaling"]["scale"])
    f, v = centre + scale * np.array(means), scale**2 * np.array(variances)
    logarithm = np.array(net["logarithm"])
    m = np.exp(np.where(logarithm, f + v / 2, 0))
    f, v = np.where(logarithm, m, f), np.where(logarithm, m**2 * np.expm1(np.where(logarithm, v, 0)), v)
    return f.mean(0), np.sqrt(v.mean(0) + f.var(0))
