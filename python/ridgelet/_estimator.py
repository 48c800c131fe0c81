"""What the estimators of scikit-learn share: columns of a data frame, their names, settings of a fit, and new inputs."""

import inspect
import numbers

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from . import _ridgelet, sklearn_kernels
from ._calls import require_seed, warn_of
from .columns import Columns, varying_columns

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator, X, y="no_validation", **rules):
        return estimator._validate_data(X, y, **rules)


class Estimator(BaseEstimator):
    """A fit of this package to the rows of an array or a data frame."""

    @property
    def network_(self):
        """The posterior as a network that needs neither kernel nor data."""
        if not hasattr(self, "fitted_"):
            raise AttributeError("network_ is there after fit")
        return self.fitted_.network

    def _remember(self, parameters):
        """Keeps the parameters of a constructor, which are its locals(), unchanged."""
        vars(self).update((name, value) for name, value in parameters.items() if name != "self")

    def _read(self, X, y, **rules):
        """X and y as arrays that obey scikit-learn's rules, with numbers in place of texts and dates."""
        _ridgelet.require_unmasked(X, "X")
        _ridgelet.require_unmasked(y, "y")
        self._columns = Columns.of(X)
        return validate_data(self, self._columns.coded(X), y, dtype=np.float64, ensure_min_samples=2, **rules)

    def _fit(self, X, y, **settings):
        """Fits X and y, which _read() has returned. Warnings are about the line that called the caller, fit()."""
        self._used = varying_columns(X, vars(self))
        inputs = self._columns.expanded(X, self._used)
        # In a search over settings, a network that is far from its process must get a poor score, not end the search.
        settings["force"] = settings.get("force", False) or settings.get("hidden", "fixed") == "fixed"
        self.fitted_ = _ridgelet.fit(inputs, y.astype(np.float64), **self._columns.settings(self._used), **settings)
        self.kernel_ = self.fitted_.kernel
        self.certificate_ = self.fitted_.certificate
        warn_of(self.fitted_, stacklevel=4)

    def _new_inputs(self, X):
        """Rows at which to predict, coded like those of the fit."""
        coded = self._validated(self._columns.coded(X))
        return self._columns.expanded(coded, self._used)

    def _validated(self, X):
        """Rows of numbers that have the columns of the fit."""
        _ridgelet.require_unmasked(X, "X")
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _settings_of(self, cls):
        """The parameters of `cls` in the form that fit takes; a class derived from it may have others of its own."""
        settings = {name: getattr(self, name) for name in inspect.signature(cls).parameters}
        settings["seed"] = seed_of(settings.pop("random_state"))
        return settings

    def _kernel_settings(self):
        """Kernel and whether it is learned, as fit takes them, and the white noise in a kernel of scikit-learn."""
        if not sklearn_kernels.is_sklearn_kernel(self.kernel):
            return {"kernel": self.kernel, "learn": bool(self.learn)}, None
        kernel, white, learn = sklearn_kernels.translate(self.kernel)
        learn = learn if self.learn is None else self.learn
        if learn is None:
            raise ValueError("kernel: has fixed numbers beside free ones; say learn=True or learn=False for all of them")
        return {"kernel": kernel, "learn": learn}, white

    def _learns_kernel(self):
        return self.kernel is None or (isinstance(self.kernel, str) and self.kernel == "best")


def seed_of(random_state):
    if isinstance(random_state, numbers.Integral):
        require_seed("random_state", random_state)
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
