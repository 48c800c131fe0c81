"""ridgelet.plot: what the pictures show is what the numbers say."""

import doctest

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

import ridgelet as rl
from ridgelet import plot

X = np.linspace(-3, 3, 40)[:, None]
Y = np.sin(X[:, 0]) + 0.1 * np.random.default_rng(1).standard_normal(40)


@pytest.fixture(scope="module")
def fitted():
    return rl.fit(X, Y, kernel="se()", noise=0.1, inputs=["time"], outputs=["height"])


@pytest.fixture(autouse=True)
def figure():
    yield plt.figure()
    plt.close("all")


def test_every_example_works():
    results = doctest.testmod(plot)
    assert results.attempted > 10 and results.failed == 0


def test_networks_lie_on_the_paths_of_the_process_that_made_them():
    prior = rl.Prior("se(lengthscale=1.5)", nodes=rl.grid(half_width=4, points_per_axis=80, support=3.5), units=200)
    lines = plot.paths(prior, X, draws=3, seed=5).lines
    processes, networks = lines[0::2], lines[1::2]
    for process, network in zip(processes, networks, strict=True):
        assert np.abs(process.get_ydata() - network.get_ydata()).max() < 0.05
    assert np.abs(processes[0].get_ydata() - processes[1].get_ydata()).max() > 0.5


def test_the_band_is_that_of_new_observations(fitted):
    ax = plot.band(fitted, X, Y, points=40)
    mean, sd = fitted.predict(X)
    line = next(each for each in ax.lines if each.get_label() == "mean")
    np.testing.assert_allclose(line.get_ydata(), mean)
    outer = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert outer.max() == pytest.approx((mean + 1.959963984540054 * sd).max())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time", "height")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["95 %", "50 %", "mean", "data"]


def test_the_certificate_is_the_error_of_the_fit(fitted):
    line = plot.certificate(fitted, X, points=40).lines[0]
    np.testing.assert_allclose(line.get_ydata(), fitted.error(X))


def test_the_certificate_of_two_inputs_is_a_map():
    grid = np.random.default_rng(2).uniform(-2, 2, (60, 2))
    two = rl.fit(grid, np.sin(grid[:, 0]) + grid[:, 1], kernel="se(lengthscale=2)", noise=0.1)
    ax = plot.certificate(two, grid, points=9)
    axes = [np.linspace(low, high, 9) for low, high in zip(grid.min(0), grid.max(0))]
    corner = two.error([[axes[0][-1], axes[1][0]]])[0]
    assert ax.collections[0].get_array().reshape(9, 9)[0, -1] == pytest.approx(corner)


def test_calibration_counts_the_observations_in_each_interval(fitted):
    line = plot.calibration(fitted, X, Y).lines[1]
    mean, sd = fitted.predict(X)
    held = dict(zip(np.round(line.get_xdata(), 2), line.get_ydata()))
    assert held[0.95] == np.mean(np.abs(Y - mean) <= 1.959963984540054 * sd)
    assert np.all(np.diff(line.get_ydata()) >= 0)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda fitted: plot.band(fitted, np.ones((3, 2)), np.ones(3)), "X: must have rows and one column"),
        (lambda fitted: plot.certificate(fitted, np.ones((3, 3))), "X: must have one or two columns"),
        (lambda fitted: plot.calibration(fitted, X, np.ones(3)), "y: must have one number for each row"),
    ],
)
def test_wrong_shapes_are_refused_by_name(fitted, call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(fitted)
