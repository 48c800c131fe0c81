"""Say it as a Gaussian process, ship it as a neural network.

A belief about a function, stated as a Gaussian process, becomes a prior over the weights of a Bayesian neural network.
The package says how good the translation is, fits the network to data, and hands it over.

A table to a network
    fit(X, y)              the whole job: what is not given is learned or chosen
    RidgeletRegressor      the same as an estimator of scikit-learn
    RidgeletClassifier     likewise for classes: predict_proba
    Fitted                 what fit returns: predict, score, functions, covariance, error, certificate, network, save
    PredictiveNetwork      the network of a fit, without its prior: mean, sd = network(Xs); export to ONNX, C, ...
    load(path)             a fit from its file, which the program `ridgelet` reads and writes too
    learn(X, y)            only kernel, mean and noise
    plot                   a module of its own, with matplotlib: paths, band, certificate, calibration
    setting_names          settings of a model that fit and learn take by keyword

A belief and its network
    kernel(text)           a Kernel: se, rq, periodic, matern32, ... (kernel_names); + and * combine
    GaussianProcess        the exact process, to compare with
    grid, sobol, Nodes     where the process is evaluated
    Prior                  the network prior that resembles the process; sample(seed) draws a Network
                           (activation_names, and ridgelet_activation_names for the paper's operator)
    GivenHidden            the prior given its hidden layer: everything is Gaussian, the error is exact

Its theory
    Activation, ActivationPair, Assumptions, mollifier, gaussian_mmd2, error_bound, error_split

An example
    >>> import numpy as np, ridgelet as rl
    >>> X = np.linspace(-3, 3, 20)[:, None]
    >>> fitted = rl.fit(X, np.sin(X[:, 0]), noise=0.05)
    >>> mean, sd = fitted.predict([[0.5]])
    >>> bool(abs(mean[0] - np.sin(0.5)) < 0.05)
    True

Points are rows of arrays; arrays of float64 are read in place. Noise is a standard deviation. Predictions of a Fitted
or a RidgeletRegressor include it and give standard deviations; those of a GaussianProcess or GivenHidden do not include
it and give variances. Wrong shapes, NaN and infinities raise ValueError naming the argument; trouble with files raises
IoError, which is an OSError. Other threads of Python can go on during long calls, and Ctrl-C ends these calls.
"""

import importlib
import importlib.util

from . import _calls, _ridgelet, _settings, columns
from ._examples import EXAMPLES
from ._ridgelet import (
    Activation,
    ActivationPair,
    Assumptions,
    Fitted,
    GaussianProcess,
    GivenHidden,
    IoError,
    Kernel,
    Network,
    Nodes,
    PredictiveNetwork,
    Prior,
    __version__,
)

_CLASSES = [
    Activation, ActivationPair, Assumptions, Fitted, GaussianProcess, GivenHidden, Kernel, Network, Nodes, PredictiveNetwork,
    Prior,
]  # fmt: skip
for _class in _CLASSES:
    _calls.improve_class(_class, EXAMPLES, {"Fitted.score": columns.score_arguments})
IoError.__module__ = "ridgelet"
IoError.__doc__ = "Trouble with a file.\n" + EXAMPLES["IoError"]


def _improved(name, more_keywords=(), prepare=None, look_at=None):
    return _calls.improve(getattr(_ridgelet, name), name, EXAMPLES[name], more_keywords, prepare, look_at)


def _fit_arguments(args, kwargs):
    _settings.require_use(kwargs)
    return columns.fit_arguments(args, kwargs)


def _learn_arguments(args, kwargs):
    _settings.require_use_of_period(kwargs)
    return columns.fit_arguments(args, kwargs)


activation_names = _improved("activation_names")
error_bound = _improved("error_bound")
error_split = _improved("error_split")
fit = _improved("fit", _ridgelet.setting_names(), _fit_arguments, _calls.warn_of)
gaussian_mmd2 = _improved("gaussian_mmd2")
grid = _improved("grid")
kernel = _improved("kernel")
kernel_names = _improved("kernel_names")
learn = _improved("learn", _ridgelet.setting_names(), _learn_arguments)
load = _improved("load")
mollifier = _improved("mollifier")
ridgelet_activation_names = _improved("ridgelet_activation_names")
setting_names = _improved("setting_names")
sobol = _improved("sobol")

__all__ = [
    "Activation",
    "ActivationPair",
    "Assumptions",
    "Fitted",
    "GaussianProcess",
    "GivenHidden",
    "IoError",
    "Kernel",
    "Network",
    "Nodes",
    "PredictiveNetwork",
    "Prior",
    "activation_names",
    "error_bound",
    "error_split",
    "fit",
    "gaussian_mmd2",
    "grid",
    "kernel",
    "kernel_names",
    "learn",
    "load",
    "mollifier",
    "ridgelet_activation_names",
    "setting_names",
    "sobol",
]


# Modules that need more than NumPy are imported when they are first asked for.
_ESTIMATORS = {"RidgeletRegressor": "regressor", "RidgeletClassifier": "classifier"}
_NEEDED = {"sklearn": "scikit-learn (Debian: python3-sklearn)", "matplotlib": "matplotlib (Debian: python3-matplotlib)"}

if importlib.util.find_spec("sklearn") is not None:
    __all__ += _ESTIMATORS


def __getattr__(name):
    if name not in _ESTIMATORS and name != "plot":
        raise AttributeError(f"module 'ridgelet' has no attribute '{name}'")
    try:
        module = importlib.import_module(f".{_ESTIMATORS.get(name, name)}", __name__)
    except ModuleNotFoundError as missing:
        package = str(missing.name).split(".")[0]
        if package not in _NEEDED:
            raise
        raise ImportError(f"ridgelet.{name} needs {_NEEDED[package]}") from missing
    return getattr(module, name) if name in _ESTIMATORS else module


def __dir__():
    return [*__all__, "plot", "__version__"]
