"""The bound of Theorem 1 and the measured split, against NumPy and the network's own error."""

import numpy as np
import pytest
import ridgelet as rl


@pytest.fixture(scope="module")
def prior():
    nodes = rl.grid(half_width=6, points_per_axis=60, support=5)
    return rl.Prior(rl.kernel("se(amplitude=1, lengthscale=1.5)"), nodes=nodes, units=200, operator="ridgelet")


def test_the_bound_has_the_four_terms_of_the_theorem():
    w, b, nodes, units, d, delta = 2.0, 9.0, 900, 2000, 2, 0.1
    bound = rl.error_bound(sigma_w=w, sigma_b=b, nodes=nodes, units=units, dimension=d, delta=delta)
    assert bound == pytest.approx({
        "sigma_w": 1 / w,
        "sigma_b": w**d * (w + 1) / b,
        "nodes": b * w**d * (w + 1) / nodes ** (1 / d),
        "units": b * w**d * (w + np.sqrt(np.log(1 / delta))) / np.sqrt(units),
    })


def test_the_split_takes_its_total_from_the_error_of_each_hidden_layer(prior):
    X = np.linspace(-4, 4, 7)[:, None]
    split = rl.error_split(prior, rl.grid(half_width=6, points_per_axis=240, support=5), X, replicates=1, seed=5)
    W, b = prior.draw_hidden(seed=5)
    assert split["total"] == pytest.approx(prior.given(W, b).rmse(X).max())
    assert split["total"] <= sum(split[part] for part in ("sigma_w", "sigma_b", "nodes", "units"))


def test_wrong_settings_raise_value_error_naming_them(prior):
    with pytest.raises(ValueError, match="delta: must be between 0 and 1"):
        rl.error_bound(delta=0)
    with pytest.raises(ValueError, match="X: "):
        rl.error_split(prior, rl.grid(half_width=6, points_per_axis=240, support=5), np.array([[np.nan]]))
