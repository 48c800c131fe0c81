"""Say it as a Gaussian process, ship it as a neural network.

    import ridgelet as rl
    k = rl.kernel("se(amplitude=1, lengthscale=1.5)")
    prior = rl.Prior(k, nodes=rl.grid(half_width=6, points_per_axis=200, support=5), units=300)
    net = prior.sample(seed=0)          # net(X) -> outputs
    fitted = rl.fit(X, y, kernel=k, noise=0.1)
    mean, sd = fitted.predict(Xs)

Points are rows of float64 arrays. Wrong shapes, NaN and infinities raise ValueError naming the argument.
"""

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
    Prior,
    activation_names,
    error_bound,
    error_split,
    fit,
    gaussian_mmd2,
    grid,
    kernel,
    kernel_names,
    load,
    mollifier,
    ridgelet_activation_names,
    sobol,
)

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
    "Prior",
    "activation_names",
    "error_bound",
    "error_split",
    "fit",
    "gaussian_mmd2",
    "grid",
    "kernel",
    "kernel_names",
    "load",
    "mollifier",
    "ridgelet_activation_names",
    "sobol",
]


def __getattr__(name):
    if name != "RidgeletRegressor":
        raise AttributeError(f"module 'ridgelet' has no attribute '{name}'")
    try:
        from .regressor import RidgeletRegressor
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] != "sklearn":
            raise
        raise ImportError("ridgelet.RidgeletRegressor needs scikit-learn (Debian: python3-sklearn)") from missing
    return RidgeletRegressor
