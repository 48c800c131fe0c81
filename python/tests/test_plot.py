"""ridgelet.plot: what the pictures show is what the numbers say."""

import doctest
import os
import subprocess

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
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


@pytest.fixture(scope="module")
def prices(tmp_path_factory):
    """A fit by the program to log(price), with its table."""
    folder = tmp_path_factory.mktemp("prices")
    random = np.random.default_rng(6)
    table = np.c_[np.arange(40.0), np.exp(3 + 0.05 * np.arange(40) + 0.3 * random.standard_normal(40))]
    np.savetxt(folder / "data.csv", table, delimiter=",", header="week,price", comments="")
    program = os.environ["RIDGELET_PROGRAM"]
    subprocess.run([program, "fit", "data.csv", "--y=log(price)", "--quiet"], cwd=folder, check=True)
    subprocess.run([program, "predict", "model.nc", "data.csv", "--out=new.csv", "--quiet"], cwd=folder, check=True)
    return rl.load(folder / "model.nc"), table, np.genfromtxt(folder / "new.csv", delimiter=",", names=True)


def test_the_band_of_a_logarithm_is_that_of_the_program_in_prices(prices):
    fitted, table, predicted = prices
    ax = plot.band(fitted, table[:, :1], table[:, 1], points=40)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("week", "price")
    ends = ax.collections[0].get_paths()[0].vertices[:, 1]
    np.testing.assert_allclose([ends.min(), ends.max()], [predicted["lower"].min(), predicted["upper"].max()], rtol=1e-9)
    held = np.mean((predicted["lower"] <= table[:, 1]) & (table[:, 1] <= predicted["upper"]))
    assert plot.calibration(fitted, table[:, :1], table[:, 1]).lines[-1].get_ydata()[-1] == held
    mean, sd = fitted.predict(table[:, :1])
    assert np.abs(predicted["lower"] - (mean - 1.959963984540054 * sd)).max() > 0.05 * sd.max()


def test_an_estimator_is_drawn_as_its_fit():
    table = pd.DataFrame({"time": X[:, 0], "same": 1.0})
    regressor = rl.RidgeletRegressor(random_state=0).fit(table, Y)
    line = next(each for each in plot.band(regressor, table, Y, points=40).lines if each.get_label() == "mean")
    np.testing.assert_allclose(line.get_ydata(), regressor.predict(table), rtol=1e-12)
    assert plot.certificate(regressor, table, ax=plt.subplots()[1]).get_xlabel() == "time"
    assert len(plot.calibration(regressor, table, Y, ax=plt.subplots()[1]).lines) == 2


def test_classes_of_an_estimator_are_its_own_names():
    names = np.array(["low", "mid", "top"])[PLACES.astype(int)]
    classifier = rl.RidgeletClassifier("se(amplitude=2)", units=40, random_state=0).fit(GRID, names)
    ax = plot.decision(classifier, GRID, names, points=5)
    assert [len(line.get_xdata()) for line in ax.lines] == [np.sum(PLACES == k) for k in range(3)]
    assert plot.calibration(classifier, GRID, names, ax=plt.subplots()[1]).get_xlabel() == "predicted probability"
    with pytest.raises(ValueError, match="^y: must have classes of the fit, got 'none'"):
        plot.decision(classifier, GRID, np.where(names == "low", "none", names))


def test_paths_of_a_deeper_network_are_refused_in_one_line():
    deep = rl.Prior("se()", nodes=rl.grid(half_width=4, points_per_axis=20, support=3), units=20, layers=2)
    with pytest.raises(ValueError, match="^prior: must have one hidden layer, .* got 2$"):
        plot.paths(deep, X)


GRID = np.random.default_rng(4).uniform(-2, 2, (80, 2))
PLACES = np.digitize(GRID[:, 0] + 0.3 * GRID[:, 1], [-0.6, 0.6]).astype(float)


@pytest.fixture(scope="module")
def three_classes():
    names = ["low", "mid", "top"]
    return rl.fit(GRID, PLACES, kernel="se(amplitude=2)", likelihood="categorical", classes=names, units=40)


@pytest.fixture(scope="module")
def two_classes():
    return rl.fit(GRID, PLACES.clip(max=1), kernel="se()", likelihood="bernoulli", classes=["low", "rest"], units=40)


def test_calibration_of_two_classes_counts_the_second(two_classes):
    y = PLACES.clip(max=1)
    p, _ = two_classes.predict(GRID)
    points = [line for line in plot.calibration(two_classes, GRID, y).lines if line.get_marker() == "o"]
    bins = np.minimum((10 * p).astype(int), 9)
    assert len(points) == len(np.unique(bins))
    assert points[0].get_xdata()[0] == pytest.approx(p[bins == bins.min()].mean())
    assert points[0].get_ydata()[0] == y[bins == bins.min()].mean()


def test_calibration_of_several_classes_counts_all_and_has_bars_of_chance(three_classes):
    P, _ = three_classes.predict(GRID)
    lines = plot.calibration(three_classes, GRID, PLACES).lines
    points, bars = [each for each in lines if each.get_marker() == "o"], lines[1::2]
    inside = np.minimum((10 * P).astype(int), 9) == 3
    s = np.where(inside, P, 0).sum(axis=1)
    middle = s.sum() / inside.sum()
    at = np.argmin([abs(each.get_xdata()[0] - middle) for each in points])
    assert points[at].get_xdata()[0] == pytest.approx(middle)
    assert points[at].get_ydata()[0] == np.mean((PLACES[:, None] == np.arange(3))[inside])
    top = min(1, middle + 1.959963984540054 * np.sqrt(np.sum(s * (1 - s))) / inside.sum())
    assert bars[at].get_ydata()[1] == pytest.approx(top)


def test_a_decision_has_the_colour_of_the_likeliest_class(three_classes):
    ax = plot.decision(three_classes, GRID, PLACES, points=7)
    pixel = ax.images[0].get_array()[0, 0]
    P, _ = three_classes.predict([GRID.min(0)])
    strength = 0.65 * (P[0].max() - 1 / 3) / (2 / 3)
    full = np.array(matplotlib.colors.to_rgb(plot.CLASSES[P[0].argmax()]))
    np.testing.assert_allclose(pixel, 1 + strength * (full - 1))
    assert [len(line.get_xdata()) for line in ax.lines] == [np.sum(PLACES == k) for k in range(3)]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["low", "mid", "top"]


def test_the_trace_is_that_of_the_report():
    fitted = rl.fit(X, Y, kernel="se()", noise=0.1, hidden="variational", units=20)
    steps, average = plot.trace(fitted, window=10).lines[:2]
    np.testing.assert_array_equal(steps.get_ydata(), fitted.report["elbo_trace"])
    assert average.get_ydata()[-1] == pytest.approx(np.mean(fitted.report["elbo_trace"][-10:]))


def test_what_would_not_be_true_of_classes_and_counts_is_refused(fitted, three_classes):
    counts = rl.fit(X, np.arange(40) % 3, kernel="se()", likelihood="poisson", units=20)
    for call, complaint in (
        (lambda: plot.band(counts, X, Y), "fitted: must have Gaussian noise"),
        (lambda: plot.calibration(counts, X, Y), "fitted: must have Gaussian noise"),
        (lambda: plot.decision(fitted, GRID, PLACES), "fitted: must have 2 to 12 classes, got 0"),
        (lambda: plot.trace(fitted), "fitted: must have variational hidden layers, got fixed ones"),
    ):
        with pytest.raises(ValueError, match=complaint):
            call()


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
