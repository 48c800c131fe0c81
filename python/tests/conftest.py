"""A small prior for the tests that need any."""

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
