"""Small fits, and the exact process with which they are compared."""

import numpy as np

KERNEL = "se(amplitude=1, lengthscale=1.5)"


def flags(**values):
    return tuple(word for name, value in values.items() for word in ("--" + name, value))


def small(**changes):
    """Flags of a small model and a short run."""
    return flags(**({"kernel": KERNEL, "units": 60, "points": 40, "chains": 2, "warmup": 20, "draws": 50} | changes))


SHORT = flags(chains=2, warmup=20, draws=50)
ACCURATE = small(units=100, points=60)
WAVE = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.1)


def se(a, b, amplitude=1.0, lengthscale=1.5):
    return amplitude**2 * np.exp(-0.5 * ((a[:, None] - b[None, :]) / lengthscale) ** 2)


def exact_process(x, y, noise, new, mean=lambda x: 0 * x):
    """Posterior mean and standard deviation of GP(mean, se), without noise."""
    weights = np.linalg.solve(se(x, x) + noise**2 * np.eye(len(x)), se(x, new))
    return mean(new) + weights.T @ (y - mean(x)), np.sqrt(1 - np.sum(weights * se(x, new), axis=0))


def succeeded(run):
    assert run.code == 0, run.err
    return run
