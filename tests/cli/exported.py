"""Exported networks evaluated without the program: each format by the plainest means there are."""

import ctypes
import json
import math
import os
import re
import subprocess
import sys
import types
import uuid
from pathlib import Path

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


def onnx_outputs(path, x):
    """All outputs by name, evaluated operator by operator; the checker must accept the model in full."""
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
    return {output.name: values[output.name] for output in model.graph.output}


def of_onnx(path, x):
    """Mean and sd."""
    outputs = onnx_outputs(path, x)
    return outputs["mean"], outputs["sd"]


def c_function(path, name, arguments):
    """A function of a C file that takes so many arrays, compiled with warnings as errors."""
    # The name must be new: under an old name, the library that was loaded before would be used again.
    library = path.with_name(f"{uuid.uuid4().hex}.so")
    compiled = subprocess.run(["gcc", *C_FLAGS, str(path), "-o", str(library), "-lm"], capture_output=True, text=True, check=False)
    assert (compiled.returncode, compiled.stderr) == (0, "")
    function = getattr(ctypes.CDLL(str(library)), name)
    function.argtypes, function.restype = [np.ctypeslib.ndpointer(float, flags="C")] * arguments, None
    return function


def of_c(path, x, outputs):
    """Mean and sd."""
    predict = c_function(path, "ridgelet_predict", 3)
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
    torch.softmax = lambda f, axis: (p := np.exp(f - f.max(axis, keepdims=True))) / p.sum(axis, keepdims=True)
    return {"torch": torch, "torch.nn": nn}


def of_torch(path, x, method="__call__"):
    """What the module in a Python file returns, mean and sd, and its metadata; by PyTorch if that is installed."""
    namespace = {}
    try:
        import torch
    except ImportError:
        torch = None
        sys.modules.update(numpy_in_place_of_torch())
    try:
        exec(compile(path.read_text(), str(path), "exec"), namespace)
        network = getattr(namespace["RidgeletNetwork"](), method)
        dtype = namespace["DTYPE"]
        got = network(x.astype(dtype)) if torch is None else network(torch.as_tensor(x, dtype=dtype))
        got = got if isinstance(got, tuple) else (got,)
    finally:
        if torch is None:
            del sys.modules["torch"], sys.modules["torch.nn"]
    return *(np.asarray(each) for each in got), namespace["METADATA"]


def of_json(path, x, function="predict"):
    """Mean and sd, or probabilities, by the program that docs/export.md prints."""
    page = (Path(os.environ["RIDGELET_SOURCE"]) / "docs" / "export.md").read_text()
    namespace = {}
    exec(re.search(r"```python\n(.*?)```", page, re.S)[1], namespace)
    return namespace[function](json.loads(path.read_text()), x)


def probabilities(path, to, x, classes):
    """rows x classes."""
    if to == "onnx":
        return onnx_outputs(path, x)["probability"]
    if to == "torch":
        return of_torch(path, x, "probability")[0]
    if to == "json":
        return of_json(path, x, "probability")
    probability = c_function(path, "ridgelet_probability", 2)
    values = np.empty((len(x), classes))
    for row in range(len(x)):
        probability(np.ascontiguousarray(x[row]), values[row])
    return values
