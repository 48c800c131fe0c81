"""Tables that can be followed with hardly any noise: because there is none, or because there are few rows."""

import numpy as np
import pytest


@pytest.fixture
def scored(ridgelet, write_table, tmp_path):
    """scored(f, inputs, rows, noise): the scores of a fit without a setting, on 500 rows it has not seen."""

    def score(f, inputs, rows, noise):
        random = np.random.default_rng(0)
        X = random.uniform(-2, 2, (rows + 500, inputs))
        y = f(X) + noise * random.standard_normal(len(X))
        for name, part in (("fit.csv", slice(rows)), ("new.csv", slice(rows, None))):
            columns = {f"x{k + 1}": X[part, k] for k in range(inputs)}
            write_table(tmp_path / name, columns | {"y": y[part]})
        run = ridgelet("fit", "fit.csv", "--y", "y", "--quiet")
        assert run.code == 0, run.err
        return ridgelet("score", "model.nc", "new.csv", "--json").json

    return score


def smooth(X):
    return np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] * X[:, 2] + 0.2 * X[:, 3] ** 2


def test_few_rows_in_many_inputs_leave_room_for_noise(scored):
    score = scored(lambda X: X @ np.linspace(-1, 1, 10), 10, 30, 0.2)
    assert score["coverage"]["95"] > 0.75
    assert score["log_density"] > -2


@pytest.mark.parametrize(("f", "inputs", "rows", "rmse"), [
    (lambda X: np.sin(15 * X[:, 0]), 1, 200, 0.005),
    (lambda X: X[:, 0] ** 2, 1, 20, 0.005),
    (smooth, 5, 500, 0.01),
], ids=["wave", "parabola", "five inputs"])  # fmt: skip
def test_data_without_noise_are_followed_closely(scored, f, inputs, rows, rmse):
    score = scored(f, inputs, rows, 0)
    assert score["rmse"] < rmse
    assert score["coverage"]["95"] > 0.85


def test_noise_below_the_bound_of_learning_is_said_to_have_been_polished(ridgelet, write_table, tmp_path):
    x = np.linspace(-1, 1, 60)
    write_table(tmp_path / "line.csv", {"x": x, "y": 2 * x})
    run = ridgelet("fit", "line.csv", "--y", "y", "--kernel", "linear()", "--learn", "--no-priors", "--standardise")
    assert run.code == 0, run.err
    assert "learning ended with noise at its lower bound, 0.0001 in standardised columns\n" in run.out
    noise = ridgelet("summary", "model.nc", "--json").json["noise"]
    assert noise < 1e-4
    assert f"noise and amplitudes were then polished for the network, also beyond their bounds: noise {noise:.3g}\n" in run.out
    assert "noise[1]" not in run.out


CONSTANT = ("--kernel", "constant(amplitude=1e6) + se()", "--noise", 0.01)
TIGHT = ("--kernel", "se()", "--noise", 0.001)


@pytest.mark.parametrize(("offset", "noise", "model", "advice", "remedies"), [
    (1e6, 0.01, CONSTANT, "--standardise, or a --mean of the size of the response", [("--standardise",), ("--mean", "1000000")]),
    (0, 0.1, TIGHT, "--nodes grid, or a --noise of the size by which the data scatter", [("--nodes", "grid", "--units", 1000)]),
], ids=["a large constant", "more scatter than noise"])  # fmt: skip
def test_means_that_are_far_in_standard_deviations_are_a_warning_whose_advice_helps(
    ridgelet, write_table, tmp_path, offset, noise, model, advice, remedies
):
    """The differences are small beside the response's sd, but the exact process knows it far better than that."""
    random = np.random.default_rng(0)
    x = np.sort(random.uniform(-3, 3, 40))
    write_table(tmp_path / "t.csv", {"x": x, "y": offset + np.sin(x) + noise * random.standard_normal(40)})
    fit = ("fit", "t.csv", "--y", "y", *model, "--json")
    (warning,) = ridgelet(*fit).json["warnings"]
    assert "standard deviations of a prediction away from those of the exact process, where 0.5 is little" in warning
    assert warning.endswith(f"; use {advice}")
    for remedy in remedies:
        assert ridgelet(*fit, *remedy).json["warnings"] == []


@pytest.mark.parametrize("rows", [60, 1000])
def test_a_response_that_is_a_sum_of_columns_is_fitted_without_a_noise_to_be_named(ridgelet, write_table, tmp_path, rows):
    a, b = np.random.default_rng(0).uniform(1, 10, (2, rows + 100))
    write_table(tmp_path / "t.csv", {"a": a[100:], "b": b[100:], "total": (a + b)[100:]})
    write_table(tmp_path / "new.csv", {"a": a[:100], "b": b[:100], "total": (a + b)[:100]})
    report = ridgelet("fit", "t.csv", "--y", "total", "--json").json
    assert any("the noise is raised to" in text for text in report["learned"])
    assert report["warnings"] == []
    score = ridgelet("score", "model.nc", "new.csv", "--json").json
    assert score["rmse"] < 1e-3 * np.std(a + b) and score["coverage"]["95"] >= 0.92
    models = ridgelet("compare", "t.csv", "--y", "total", "--json").json
    assert [each["model"] for each in models] == ["gp", "iid", "ridgelet"]
