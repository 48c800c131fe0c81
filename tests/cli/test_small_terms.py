"""A kernel whose terms differ greatly in size: the small one counts as it would alone."""

import numpy as np
import pytest
from fits import WAVE, se, small, succeeded


def with_unknown_level(x, y, noise, new):
    """Mean and sd of a + g(x), where g has kernel se with lengthscale 1 and nothing is known of the level a."""
    C = se(x, x, lengthscale=1) + noise**2 * np.eye(len(x))
    k, ones = se(x, new, lengthscale=1), np.ones(len(x))
    precision = ones @ np.linalg.solve(C, ones)
    level = ones @ np.linalg.solve(C, y) / precision
    weights = np.linalg.solve(C, k)
    variance = 1 - np.sum(weights * k, axis=0) + (1 - ones @ weights) ** 2 / precision
    return level + weights.T @ (y - level), np.sqrt(variance)


@pytest.mark.parametrize("level", [0, 3000])
def test_a_constant_of_a_million_leaves_the_other_term_as_it_is(ridgelet, wave, write_table, predict, tmp_path, level):
    x, y = wave["x"], wave["y"] + level
    write_table(tmp_path / "data.csv", {"x": x, "y": y})
    kernel = "constant(amplitude=1e6) + se(lengthscale=1)"
    succeeded(ridgelet(*WAVE, *small(kernel=kernel, units=100, points=60), "--force", "--quiet"))
    new = np.linspace(-3, 3, 41)
    got = predict("model.nc", {"x": new}, "--latent")
    mean, sd = with_unknown_level(x, y, 0.1, new)
    # What is left is the network's own error; without a factor for each term the mean would be off by 13 sd.
    assert np.abs((got["mean"] - mean) / sd).max() < 0.05
    np.testing.assert_allclose(got["sd"], sd, rtol=0.02)
