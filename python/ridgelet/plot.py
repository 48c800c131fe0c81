"""Pictures of priors and fits, by matplotlib, in the colours of the program's own pictures.

    paths(prior, X)              networks drawn from a prior, on the paths of the process that made them
    band(fitted, X, y)           a fit of one input: data, mean, 50 and 95 % of new observations
    certificate(fitted, X)       where the network follows its process, over the range of one or two inputs
    calibration(fitted, X, y)    how many observations the intervals hold, against how many they should; for classes,
                                 how often they were observed, against how probable they were
    decision(fitted, X, y)       the likeliest class over two inputs, paler where it is less probable
    trace(fitted)                the ELBO of hidden="variational" at every step

A fit is what `rl.fit` or `rl.load` returned, or an estimator after its fit; with an estimator, X and y are what its own
`predict` and `fit` take. Each function draws on `ax`, or on the current axes, and returns the axes.
"""

from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb

from . import _ridgelet

NETWORK, PROCESS, DATA = "#0072B2", "#BBBBBB", "#303030"
CLASSES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
CLASSES += ["#882255", "#999933", "#332288", "#F0E442", "#44AA99", "#AA4499"]
NORMAL_95 = NormalDist().inv_cdf(0.975)


def paths(prior, X, draws=4, seed=0, ax=None):
    """Networks at the rows of X (one input), on top of the paths of the process whose values at the nodes made them.

    A path of the process is drawn at the nodes and at X together; the network's output weights are the prior's operator
    applied to its values at the nodes.

    >>> import numpy as np, ridgelet as rl
    >>> prior = rl.Prior("se()", nodes=rl.grid(half_width=4, points_per_axis=40, support=3), units=60)
    >>> len(paths(prior, np.linspace(-3, 3, 50)[:, None], draws=3, ax=plt.subplots()[1]).lines)
    6
    """
    if prior.layers != 1:
        raise ValueError(f"prior: must have one hidden layer, whose output weights its operator makes, got {prior.layers}")
    ax, X = _axes(ax), _one_input(X)
    process = _ridgelet.GaussianProcess(prior.kernel, mean=prior.mean)
    nodes = prior.nodes.points
    for draw in range(draws):
        W, b = prior.draw_hidden(seed + draw)
        values = process.sample(np.vstack([nodes, X]), draws=1, seed=seed + draw)[0]
        weights = prior.given(W, b).operator() @ values[: len(nodes)]
        network = _ridgelet.Activation(prior.activation).phi(X @ W.T + b) @ weights
        ax.plot(X[:, 0], values[len(nodes) :], color=PROCESS, lw=4, label="Gaussian process" if draw == 0 else None)
        ax.plot(X[:, 0], network, color=NETWORK, lw=1.2, label="network made of it" if draw == 0 else None)
    return _finish(ax, "x", "f(x)")


def band(fitted, X, y, points=200, ax=None):
    """The fit over the range of X (one input), with the rows of X and y.

    >>> import numpy as np, ridgelet as rl
    >>> X = np.linspace(-3, 3, 20)[:, None]
    >>> fitted = rl.fit(X, np.sin(X[:, 0]), kernel="se()", noise=0.1)
    >>> len(band(fitted, X, np.sin(X[:, 0]), ax=plt.subplots()[1]).collections)
    2
    """
    fitted, X, y = _by_the_fit(fitted, X, y)
    _require_gaussian(fitted)
    ax, X = _axes(ax), _one_input(X)
    at = np.linspace(X.min(), X.max(), points)
    for level, alpha in ((0.95, 0.15), (0.5, 0.3)):
        ends = fitted.interval(at[:, None], level)
        ax.fill_between(at, *ends, color=NETWORK, alpha=alpha, lw=0, label=f"{100 * level:g} %")
    ax.plot(at, fitted.predict(at[:, None])[0], color=NETWORK, lw=2, label="mean")
    ax.plot(X[:, 0], y, ".", color=DATA, ms=4, label="data")
    return _finish(ax, fitted.inputs[0], fitted.responses[0])


def certificate(fitted, X, points=50, ax=None):
    """The network's error against its process, relative to the process's sd, over the range of X (one or two inputs).

    >>> import numpy as np, ridgelet as rl
    >>> X = np.linspace(-3, 3, 20)[:, None]
    >>> fitted = rl.fit(X, np.sin(X[:, 0]), kernel="se()", noise=0.1)
    >>> certificate(fitted, X).get_ylabel()
    'error / process sd'
    """
    fitted, X, _ = _by_the_fit(fitted, X)
    ax, X = _axes(ax), np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] not in (1, 2):
        raise ValueError(f"X: must have one or two columns, got shape {X.shape}")
    axes = [np.linspace(low, high, points) for low, high in zip(X.min(0), X.max(0))]
    if X.shape[1] == 1:
        ax.semilogy(axes[0], fitted.error(axes[0][:, None]), color=NETWORK, lw=2)
        return _finish(ax, fitted.inputs[0], "error / process sd")
    grid = np.stack([each.ravel() for each in np.meshgrid(*axes)], axis=1)
    shown = ax.pcolormesh(*axes, fitted.error(grid).reshape(points, points), cmap="Oranges", shading="nearest", vmin=0)
    ax.figure.colorbar(shown, ax=ax, label="error / process sd")
    ax.plot(*X.T, ".", color=DATA, ms=3)
    return _finish(ax, *fitted.inputs)


def calibration(fitted, X, y, ax=None):
    """The share of the observations that central intervals hold, against their levels: on the diagonal if the intervals
    keep their word. Intervals are those of `fitted.interval`, of one output.

    For classes, whose places are in y: the share observed against the probability predicted, in ten bins, for all
    classes or for the second of two. If the probabilities are right, about 95 % of the points lie on the bars.

    >>> import numpy as np, ridgelet as rl
    >>> X = np.linspace(-3, 3, 20)[:, None]
    >>> fitted = rl.fit(X, np.sin(X[:, 0]), kernel="se()", noise=0.1)
    >>> calibration(fitted, X, np.sin(X[:, 0])).get_xlabel()
    'level of the interval'
    """
    fitted, X, y = _by_the_fit(fitted, X, y)
    ax, y = _axes(ax), np.asarray(y, dtype=float)
    mean, _ = fitted.predict(X)
    if y.shape != mean.shape[:1] or mean.ndim > 1 and not fitted.classes:
        raise ValueError(f"y: must have one number for each row of X, got shape {y.shape}")
    if fitted.classes:
        return _class_calibration(fitted, mean, y, ax)
    _require_gaussian(fitted)
    levels = np.linspace(0.05, 0.95, 19)
    held = [np.mean((lower <= y) & (y <= upper)) for lower, upper in (fitted.interval(X, level) for level in levels)]
    ax.plot([0, 1], [0, 1], "--", color="black", lw=1)
    ax.plot(levels, held, "o-", color=NETWORK, ms=4)
    return _finish(ax, "level of the interval", "part of the observations in it")


def decision(fitted, X, y, points=100, ax=None):
    """The likeliest class over the range of X (two inputs) by its colour, paler where it is less probable, with the rows
    of X and the places of their classes in y. At most twelve classes.

    >>> import numpy as np, ridgelet as rl
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> y = (X.sum(axis=1) > 0).astype(float)
    >>> fitted = rl.fit(X, y, kernel="se()", likelihood="bernoulli", classes=["below", "above"])
    >>> [text.get_text() for text in decision(fitted, X, y, points=10, ax=plt.subplots()[1]).get_legend().get_texts()]
    ['below', 'above']
    """
    fitted, X, y = _by_the_fit(fitted, X, y)
    ax, X, y = _axes(ax), np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"X: must have two columns, got shape {X.shape}")
    if y.shape != X.shape[:1]:
        raise ValueError(f"y: must have one number for each row of X, got shape {y.shape}")
    if not 2 <= len(fitted.classes) <= len(CLASSES):
        raise ValueError(f"fitted: must have 2 to {len(CLASSES)} classes, got {len(fitted.classes)}")
    axes = [np.linspace(low, high, points) for low, high in zip(X.min(0), X.max(0))]
    grid = np.stack([each.ravel() for each in np.meshgrid(*axes)], axis=1)
    P = _of_every_class(fitted.predict(grid)[0])
    least = 1 / len(fitted.classes)
    strength = 0.65 * (P.max(axis=1, keepdims=True) - least) / (1 - least)
    colours = np.array([to_rgb(each) for each in CLASSES])
    shown = 1 + strength * (colours[P.argmax(axis=1)] - 1)
    edges = [end for each in axes for end in (each[0], each[-1])]
    ax.imshow(shown.reshape(points, points, 3), origin="lower", extent=edges, aspect="auto", interpolation="bilinear")
    for place, name in enumerate(fitted.classes):
        ax.plot(*X[y == place].T, "o", color=CLASSES[place], mec="white", mew=0.6, ms=5, label=name)
    _finish(ax, *fitted.inputs)
    ax.grid(False)
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def trace(fitted, window=100, ax=None):
    """The ELBO of hidden="variational" at every step, its mean over `window` steps, and those of the fit and the prior.

    >>> import numpy as np, ridgelet as rl
    >>> X = np.linspace(-3, 3, 20)[:, None]
    >>> fitted = rl.fit(X, np.sin(X[:, 0]), kernel="se()", noise=0.1, hidden="variational")
    >>> trace(fitted, ax=plt.subplots()[1]).get_ylabel()
    'ELBO'
    """
    fitted = getattr(fitted, "fitted_", fitted)
    steps = fitted.report.get("elbo_trace")
    if steps is None:
        raise ValueError(f"fitted: must have variational hidden layers, got {fitted.report['hidden']} ones")
    ax, window = _axes(ax), min(window, len(steps))
    ax.plot(np.arange(1, len(steps) + 1), steps, color=NETWORK, lw=0.6, alpha=0.4, label="each step")
    average = np.convolve(steps, np.full(window, 1 / window), mode="valid")
    ax.plot(np.arange(window, len(steps) + 1), average, color=NETWORK, lw=2, label=f"mean of {window} steps")
    ax.axhline(fitted.report["elbo"], color="black", ls="--", lw=1, label="of the fit")
    ax.axhline(fitted.report["elbo_of_prior"], color="black", ls=":", lw=1, label="of the prior")
    return _finish(ax, "step", "ELBO")


def _class_calibration(fitted, mean, y, ax, bins=10):
    """A bin's count is a sum over rows of numbers that are 1 with probability s, the sum of the row's probabilities in
    the bin; its variance is the sum of s (1 - s)."""
    P = mean[:, None] if mean.ndim == 1 else mean
    observed = y[:, None] == (1 if mean.ndim == 1 else np.arange(P.shape[1]))
    bin_of = np.minimum((P * bins).astype(int), bins - 1)
    ax.plot([0, 1], [0, 1], "--", color="black", lw=1)
    for each in np.unique(bin_of):
        inside = bin_of == each
        s, count = np.where(inside, P, 0).sum(axis=1), inside.sum()
        reach = NORMAL_95 * np.sqrt(np.sum(s * (1 - s))) / count
        predicted = s.sum() / count
        ax.plot([predicted] * 2, [max(0, predicted - reach), min(1, predicted + reach)], color="#d8d8d8", lw=5, zorder=1)
        ax.plot(predicted, observed[inside].mean(), "o", color=NETWORK, ms=5)
    name = f"P({fitted.classes[1]})" if mean.ndim == 1 else "probability"
    return _finish(ax, f"predicted {name}", "part observed")


def _of_every_class(probabilities):
    """The probability of every class; of two classes, only that of the second is given."""
    return np.stack([1 - probabilities, probabilities], axis=1) if probabilities.ndim == 1 else probabilities


def _by_the_fit(fitted, X, y=None):
    """A fit, with X and y in the form that it takes; an estimator and its X and y are translated."""
    if not hasattr(fitted, "fitted_"):
        return fitted, X, y
    if y is not None and hasattr(fitted, "classes_"):
        places = {name: place for place, name in enumerate(fitted.classes_)}
        unknown = [name for name in y if name not in places]
        if unknown:
            raise ValueError(f"y: must have classes of the fit, got {unknown[0]!r}")
        y = [places[name] for name in y]
    return fitted.fitted_, fitted._new_inputs(X), y


def _require_gaussian(fitted):
    if fitted.likelihood != "gaussian":
        raise ValueError(f"fitted: must have Gaussian noise, on y or on log(y), got {fitted.likelihood}")


def _axes(ax):
    return plt.gca() if ax is None else ax


def _one_input(X):
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] != 1 or len(X) == 0:
        raise ValueError(f"X: must have rows and one column, got shape {X.shape}")
    return X


def _finish(ax, x, y):
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(color="#e4e4e4", lw=0.5)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False)
    return ax
