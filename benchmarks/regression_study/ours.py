"""Ours: one call without a setting, on the unchanged table."""

import functools
import importlib
import subprocess
import sys
from pathlib import Path

from regression_study.measures import Prediction

LEARN_ROWS = 1000
"""Rows that `fit` learns the kernel on, unless told otherwise; the network then learns from all rows."""

ROOT = Path(__file__).resolve().parents[2]
BUILT_PACKAGE = ROOT / "build" / "release" / "python"


class NotBuilt(Exception):
    """There is no package to measure."""


def package():
    """The package on PYTHONPATH or, failing that, the one built in this tree."""
    if str(BUILT_PACKAGE) not in sys.path:
        sys.path.append(str(BUILT_PACKAGE))
    try:
        return importlib.import_module("ridgelet")
    except ImportError:
        raise NotBuilt("the Python package is not built: run ./quickstart, or name others by --models") from None


@functools.cache
def code():
    """Which code is measured: its commit, with "-dirty" where there are changes beyond it. Unknown outside a clone."""
    describe = ["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=7"]
    found = subprocess.run(describe, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def fit(X, y, X_test, seed):
    fitted = package().fit(X, y, seed=seed)
    mean, sd = fitted.predict(X_test)
    return Prediction(mean, sd, learned_log_likelihood(fitted) if len(y) <= LEARN_ROWS else None)


def learn_on_all_rows(X, y, X_test, seed):
    """The kernel learned on as many rows as scikit-learn's process has, so that the likelihoods can be compared."""
    fitted = package().fit(X, y, seed=seed, learn_rows=len(y))
    mean, sd = fitted.predict(X_test)
    return Prediction(mean, sd, learned_log_likelihood(fitted))


def learned_log_likelihood(fitted):
    """log p(y | kernel, noise) of the exact process at the learned parameters, for standardised columns.

    To be compared with scikit-learn's `log_marginal_likelihood_value_` it must be the likelihood alone, without the
    priors of the parameters, of all training rows, with inputs and response divided by the standard deviation with
    divisor n (as `Scaling::standardising` does) and nothing added for that change of units.
    """
    return fitted.learned["log_evidence"]
