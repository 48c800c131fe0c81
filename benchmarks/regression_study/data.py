"""The data sets, their splits, and the rows that an exact process can afford.

Everything here is a function of fixed seeds: two runs, on any machine, see the same rows.
"""

from dataclasses import dataclass

import numpy as np
from sklearn import datasets

SPLITS = 10
HELD_OUT = 0.1
PROCESS_ROWS = 2000
"""The most training rows that the exact process gets: its cost grows with their cube."""

SET_SEED = 1
SPLIT_SEED = 2


@dataclass(frozen=True)
class DataSet:
    name: str
    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Split:
    """Rows to learn from and rows to be judged by, in the table's own units."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    def first(self, rows):
        """The same test with `rows` training rows; rows are in random order, so the first are a random subset."""
        return Split(self.X[:rows], self.y[:rows], self.X_test, self.y_test)


def diabetes(name):
    return DataSet(name, *datasets.load_diabetes(return_X_y=True))


def friedman(name, make, rows, noise=None):
    """If `noise` is None, it is a tenth of the standard deviation of the response without noise, at the same inputs."""
    if noise is None:
        _, clean = make(rows, noise=0, random_state=SET_SEED)
        noise = 0.1 * clean.std()
    return DataSet(name, *make(rows, noise=noise, random_state=SET_SEED))


SMALL = {
    "diabetes": lambda: diabetes("diabetes"),
    "friedman1-500": lambda: friedman("friedman1-500", datasets.make_friedman1, 500, noise=1),
    "friedman2-500": lambda: friedman("friedman2-500", datasets.make_friedman2, 500),
    "friedman3-500": lambda: friedman("friedman3-500", datasets.make_friedman3, 500),
}
LARGE = {
    "friedman1-5000": lambda: friedman("friedman1-5000", datasets.make_friedman1, 5000, noise=1),
    "friedman2-5000": lambda: friedman("friedman2-5000", datasets.make_friedman2, 5000),
    "friedman3-5000": lambda: friedman("friedman3-5000", datasets.make_friedman3, 5000),
}
SETS = SMALL | LARGE
"""Name to maker, small sets first."""


def split(data, number):
    """The `number`-th split of a set: nine tenths to learn from, in random order, one tenth held out."""
    order = np.random.default_rng([SPLIT_SEED, number]).permutation(len(data.y))
    held_out = round(HELD_OUT * len(data.y))
    test, train = order[:held_out], order[held_out:]
    return Split(data.X[train], data.y[train], data.X[test], data.y[test])
