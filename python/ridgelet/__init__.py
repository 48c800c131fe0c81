"""Say it as a Gaussian process, ship it as a neural network.

    import ridgelet as rl
    k = rl.kernel("se(amplitude=1, lengthscale=1.5)")
    prior = rl.Prior(k, nodes=rl.grid(half_width=6, points_per_axis=200, support=5), units=300)
    net = prior.sample(seed=0)          # net(X) -> outputs

Points are rows of float64 arrays. Wrong shapes, NaN and infinities raise ValueError naming the argument.
"""

from ._ridgelet import (
    ActivationPair,
    Assumptions,
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
    gaussian_mmd2,
    grid,
    kernel,
    kernel_names,
    mollifier,
)

__all__ = [
    "ActivationPair",
    "Assumptions",
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
    "gaussian_mmd2",
    "grid",
    "kernel",
    "kernel_names",
    "mollifier",
]
