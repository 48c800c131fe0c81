"""A small prior for the tests that need one, and scikit-learn's checks of an estimator."""

import unittest

import pytest

import ridgelet as rl


@pytest.fixture
def nodes():
    return rl.grid(half_width=6, points_per_axis=24, support=5)


@pytest.fixture
def prior(nodes):
    return rl.Prior(rl.kernel("matern32(lengthscale=1.5)"), mean="0.3*x", nodes=nodes, units=40, ridge=1e-3)


@pytest.fixture
def given(prior):
    return prior.given(*prior.draw_hidden(seed=3))


@pytest.fixture
def run_every_check():
    """Runs all that scikit-learn asks of an estimator; a check that is skipped is a failure."""
    from sklearn.utils.estimator_checks import check_estimator

    def run(estimator):
        checks = list(check_estimator(estimator, generate_only=True))
        assert len(checks) >= 40
        for each, check in checks:
            try:
                check(each)
            except unittest.SkipTest as skipped:
                pytest.fail(f"{check} is skipped: {skipped}")

    return run
