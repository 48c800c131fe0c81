"""The models. Each is a function (X, y, X_test, seed) -> Prediction, in the table's own units.

Rivals are scikit-learn's with its own defaults, except where a line below says otherwise. Inputs are standardised for
all of them; so is the response for those that are not indifferent to its scale. Ours gets the table unchanged.
"""

import os
import warnings
from dataclasses import dataclass
from typing import Callable

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import BayesianRidge
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from regression_study import ours
from regression_study.data import PROCESS_ROWS
from regression_study.measures import Prediction

THREADS = int(os.environ.get("OPENBLAS_NUM_THREADS", os.cpu_count()))
"""Threads of the rivals: of OpenBLAS, and of the forest."""

RESTARTS = 5
NYSTROEM_COMPONENTS = 500


class Standardised:
    """Columns brought to mean 0 and standard deviation 1 (divisor n) over the training rows, and back."""

    def __init__(self, X, y):
        self.columns = StandardScaler().fit(X)
        self.centre, self.scale = y.mean(), y.std()
        self.X, self.y = self.columns.transform(X), (y - self.centre) / self.scale

    def back(self, mean, sd=None):
        return Prediction(self.centre + self.scale * mean, None if sd is None else self.scale * sd)


def process(X, y, X_test, seed):
    """The exact Gaussian process, its parameters the best of one start and five restarts.

    Its log likelihood is that of the standardised training rows: normalize_y, too, divides by the standard deviation
    with divisor n.
    """
    data = Standardised(X, y)
    kernel = ConstantKernel() * RBF(np.ones(X.shape[1])) + WhiteKernel()
    model = GaussianProcessRegressor(kernel, n_restarts_optimizer=RESTARTS, normalize_y=True, random_state=seed)
    model.fit(data.X, y)
    mean, sd = model.predict(data.columns.transform(X_test), return_std=True)
    return Prediction(mean, sd, model.log_marginal_likelihood_value_)


def nystroem(X, y, X_test, seed):
    """Without an intercept, which the standardised response does not need.

    With one, BayesianRidge takes its standard deviations at features that are not centred, and they are far too large.
    """
    data = Standardised(X, y)
    features = Nystroem(n_components=min(NYSTROEM_COMPONENTS, len(y)), random_state=seed)
    model = make_pipeline(features, BayesianRidge(fit_intercept=False)).fit(data.X, data.y)
    return data.back(*model.predict(data.columns.transform(X_test), return_std=True))


def forest(X, y, X_test, seed):
    data = Standardised(X, y)
    model = RandomForestRegressor(random_state=seed, n_jobs=THREADS).fit(data.X, data.y)
    return data.back(model.predict(data.columns.transform(X_test)))


def perceptron(X, y, X_test, seed):
    data = Standardised(X, y)
    model = MLPRegressor(random_state=seed).fit(data.X, data.y)
    return data.back(model.predict(data.columns.transform(X_test)))


@dataclass(frozen=True)
class Model:
    learn: Callable
    most_rows: int | None = None
    """Learns from at most this many training rows, the first ones."""
    least_rows: int = 0
    """Has nothing to add unless there are more training rows than this."""
    slow: bool = False
    """Takes minutes where there are thousands of rows: left until everything else is done."""

    def rows(self, available):
        return available if self.most_rows is None else min(available, self.most_rows)


MODELS = {
    "ridgelet": Model(ours.fit, most_rows=PROCESS_ROWS),
    "ridgelet-all": Model(ours.fit, least_rows=PROCESS_ROWS),
    "ridgelet-learn": Model(ours.learn_on_all_rows, most_rows=PROCESS_ROWS, least_rows=ours.LEARN_ROWS),
    "nystroem": Model(nystroem),
    "forest": Model(forest),
    "mlp": Model(perceptron),
    "process": Model(process, most_rows=PROCESS_ROWS, slow=True),
}
RIVALS = [name for name in MODELS if not name.startswith("ridgelet")]


def predict(model, split, seed):
    """`model` learns from those rows of a split that it takes, and predicts the rows held out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parameters at a bound, iterations at their limit: the numbers say it
        return model.learn(split.X, split.y, split.X_test, seed)
