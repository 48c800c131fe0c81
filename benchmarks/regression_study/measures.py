"""What is measured: errors, log density, coverage, and two kinds of seconds."""

import time
from dataclasses import dataclass

import numpy as np

NORMAL_95 = 1.959963984540054
"""Half the width of a normal distribution's central 95 %, in standard deviations."""


@dataclass(frozen=True)
class Prediction:
    """Mean and, from models that have one, standard deviation of a new response, noise included.

    `log_likelihood` is what the model reached when it learned its parameters (see `models.process`).
    """

    mean: np.ndarray
    sd: np.ndarray | None = None
    log_likelihood: float | None = None


def accuracy(prediction, y):
    """Root mean square error; with a standard deviation also mean log density and share in the 95 % interval."""
    residual = y - prediction.mean
    numbers = {"rmse": float(np.sqrt(np.mean(residual**2)))}
    if prediction.sd is not None:
        z = residual / prediction.sd
        numbers["log_density"] = float(np.mean(-0.5 * z**2 - np.log(prediction.sd) - 0.5 * np.log(2 * np.pi)))
        numbers["coverage"] = float(np.mean(np.abs(z) <= NORMAL_95))
    if prediction.log_likelihood is not None:
        numbers["log_likelihood"] = float(prediction.log_likelihood)
    return numbers


class Stopwatch:
    """Wall seconds, and processor seconds of all threads together.

    On a machine that others use too, only the second say what a model costs.
    """

    def __enter__(self):
        self._wall, self._processor = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *exception):
        self.wall = time.perf_counter() - self._wall
        self.processor = time.process_time() - self._processor
