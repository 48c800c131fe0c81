"""What the estimators of scikit-learn share: columns of a data frame, their names, settings of a fit, and new inputs."""

import inspect
import numbers

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from . import _ridgelet
from .columns import Columns, constant_columns

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator, X, y="no_validation", **rules):
        return estimator._validate_data(X, y, **rules)


class Estimator(BaseEstimator):
    """A fit of this package to the rows of an array or a data frame."""

    @property
    def network_(self):
        if not hasattr(self, "fitted_"):
            raise AttributeError("network_ is there after fit")
        return self.fitted_.network

    def _read(self, X, y, **rules):
        """X and y as arrays that obey scikit-learn's rules, with numbers in the place of texts and dates."""
        self._columns = Columns(X)
        return validate_data(self, self._columns.coded(X), y, dtype=np.float64, ensure_min_samples=2, **rules)

    def _fit(self, X, y, **settings):
        """The fit of X and y as they were read."""
        self._used = self._columns_used(X)
        inputs = self._columns.expanded(X, self._used)
        # In a search over settings a network that is far from its process has a poor score; it does not end the search.
        settings["force"] = settings.get("hidden", "fixed") == "fixed"
        self.fitted_ = _ridgelet.fit(inputs, y.astype(np.float64), **self._input_names(), **settings)
        self.kernel_ = self.fitted_.kernel
        self.certificate_ = self.fitted_.certificate

    def _new_inputs(self, X):
        """Rows to predict at, coded as those of the fit."""
        coded = validate_data(self, self._columns.coded(X), dtype=np.float64, reset=False)
        return self._columns.expanded(coded, self._used)

    def _settings_of(self, cls):
        """The parameters of cls as fit takes them; a class derived from it may have others of its own."""
        settings = {name: getattr(self, name) for name in inspect.signature(cls).parameters}
        settings["seed"] = seed_of(settings.pop("random_state"))
        return settings

    def _learns_kernel(self):
        return self.kernel is None or (isinstance(self.kernel, str) and self.kernel == "best")

    def _columns_used(self, X):
        """All, but for those that say nothing where the kernel is learned: with another one they may have a place."""
        if not self._learns_kernel():
            return np.ones(X.shape[1], dtype=bool)
        varying = ~constant_columns(X)
        if not varying.any():
            raise ValueError("X: must have a column that is not the same in every row")
        return varying

    def _input_names(self):
        """What a results file calls the columns of X."""
        if not self._columns.names:
            return {}
        inputs = [name for name, used in zip(self._columns.names, self._used) if used]
        return {
            "inputs": [str(name) for name in inputs],
            "levels": {str(name): levels for name, levels in self._columns.levels.items() if name in inputs},
            "dates": [str(name) for name in self._columns.dates if name in inputs],
        }


def output_names(y):
    """Names of the columns of y, where it has any."""
    if getattr(y, "columns", None) is not None:
        return [str(name) for name in y.columns]
    name = getattr(y, "name", None)
    return None if name is None else [str(name)]


def seed_of(random_state):
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
