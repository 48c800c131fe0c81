"""What a regressor predicts before it has seen data: the process itself, in closed form."""

import numpy as np

from . import _ridgelet
from ._estimator import seed_of


class BeforeFit:
    """A Gaussian process with the noise of new observations, as far as that is known."""

    def __init__(self, kernel, mean, noise):
        if np.ndim(noise):
            raise ValueError("noise: must be one number for a prediction before fit")
        self.process = _ridgelet.GaussianProcess(kernel, mean=mean)
        self.noise = 0.0 if noise is None else noise

    def predict(self, X, return_std, return_cov):
        """The same as RidgeletRegressor.predict."""
        mean, variance = self.process.prior(X)
        if return_cov:
            return mean, self.process.kernel(X) + self.noise**2 * np.eye(len(X))
        return (mean, np.sqrt(variance + self.noise**2)) if return_std else mean

    def sample(self, X, count, random):
        """`count` draws of new observations, one in each column."""
        functions = self.process.sample(X, draws=count, seed=seed_of(random)).T
        return functions + self.noise * random.standard_normal(functions.shape)
