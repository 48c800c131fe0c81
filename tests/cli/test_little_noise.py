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
