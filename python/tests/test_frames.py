"""Data frames: columns are known by their names, in any order."""

import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import ridgelet as rl

SETTINGS = {"kernel": "se()", "noise": 0.1, "units": 30}


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(3)
    return pd.DataFrame(random.uniform(-2, 2, (40, 2)), columns=["width", "height"])


@pytest.fixture(scope="module")
def price(frame):
    return (np.sin(frame["width"]) + 0.2 * frame["height"]).rename("price")


@pytest.fixture(scope="module")
def fitted(frame, price):
    return rl.fit(frame, price, **SETTINGS)


def test_a_fit_has_the_names_of_its_frame(frame, price, fitted):
    assert fitted.inputs == ["width", "height"] and fitted.outputs == fitted.responses == ["price"]
    plain = rl.fit(frame.to_numpy(), price.to_numpy(), **SETTINGS)
    np.testing.assert_array_equal(fitted.predict(frame.to_numpy())[0], plain.predict(frame.to_numpy())[0])
    both = rl.fit(X=frame, y=pd.DataFrame({"p": price, "q": -price}), **SETTINGS)
    assert both.outputs == ["p", "q"]
    named = rl.fit(frame, price, inputs=["w", "h"], outputs=["p"], **SETTINGS)
    assert (named.inputs, named.outputs) == (["w", "h"], ["p"])


def test_columns_are_taken_by_name(frame, price, fitted):
    swapped = frame[["height", "width"]].assign(other="text")
    for call in (fitted.predict, fitted.interval, fitted.functions, fitted.covariance, fitted.error, fitted.network,
                 fitted.outside, fitted.network.functions):  # fmt: skip
        np.testing.assert_array_equal(call(swapped), call(frame.to_numpy()))
    assert fitted.score(swapped, price) == fitted.score(frame, price)


def test_a_missing_column_is_named(frame, fitted):
    for call in (fitted.predict, fitted.network):
        with pytest.raises(ValueError) as missing:
            call(frame.rename(columns={"width": "breadth"}))
        assert str(missing.value) == "Xs: must have column 'width', as in the fit, got breadth, height"
    crossed = rl.fit(frame.set_axis(["x", "y"], axis=1), np.arange(40.0), **SETTINGS)
    with pytest.raises(ValueError, match="^Xs: must have column 'x', as in the fit, got z, y"):
        crossed.predict(frame.set_axis(["z", "y"], axis=1))


def test_columns_that_are_no_numbers_are_named(frame, fitted):
    for odd, shown in (("wide", "'wide'"), (pd.Timestamp("2024-01-01"), "Timestamp('2024-01-01 00:00:00')"), (1j, "1j")):
        with pytest.raises(ValueError) as wrong:
            fitted.predict(frame.assign(width=odd))
        assert str(wrong.value) == f"Xs: column 'width' must have numbers, got {shown}"
    with pytest.raises(ValueError, match="^Xs: must be finite"):
        fitted.predict(frame.assign(width=pd.array([None] * 40, dtype="Int64")))
    with pytest.raises(ValueError, match="^X: column 'width' must have numbers, got 'wide'"):
        rl.RidgeletRegressor("se()").predict(frame.assign(width="wide"))
    with pytest.raises(ValueError, match="^X: must have columns of different names, got 'a' twice"):
        rl.fit(frame.set_axis(["a", "a"], axis=1), np.ones(40))


def test_a_fit_to_an_array_takes_a_frame_as_it_stands(frame, price):
    plain = rl.fit(frame.to_numpy(), price.to_numpy(), **SETTINGS)
    np.testing.assert_array_equal(plain.predict(frame)[0], plain.predict(frame.to_numpy())[0])
    crossed = frame.set_axis(["x2", "x1"], axis=1)
    np.testing.assert_array_equal(plain.predict(crossed)[0], plain.predict(frame.to_numpy()[:, ::-1])[0])
    with pytest.raises(ValueError, match="^Xs: must have column 'x2'"):
        plain.predict(frame.set_axis(["x1", "z"], axis=1))
    with pytest.raises(ValueError, match="^Xs: must have 2 columns"):
        plain.predict(frame.assign(more=1.0))


@pytest.fixture(scope="module")
def sales():
    random = np.random.default_rng(5)
    table = pd.DataFrame({"size": random.uniform(0, 2, 60), "sale": random.random(60) < 0.4})
    table["colour"] = random.choice(["red", "blue"], 60)
    table["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, 60), unit="D")
    table["price"] = np.sin(2 * table["size"]) - 0.5 * table["sale"] + (table["colour"] == "red")
    return table


def test_a_fit_reads_a_frame_as_the_program_reads_its_table(sales, tmp_path):
    sales.assign(day=sales["day"].dt.strftime("%Y-%m-%d")).to_csv(tmp_path / "data.csv", index=False)
    program = os.environ["RIDGELET_PROGRAM"]
    subprocess.run([program, "fit", "data.csv", "--y=price", "--seed=7", "--quiet"], cwd=tmp_path, check=True)
    X, y = sales.drop(columns="price"), sales["price"]
    fitted = rl.fit(X, y, seed=7)
    assert fitted.inputs == ["size", "sale=False", "sale=True", "colour=blue", "colour=red", "day"]
    fitted.save(tmp_path / "python.nc")
    rl.RidgeletRegressor(random_state=7).fit(X, y).fitted_.save(tmp_path / "estimator.nc")
    expected = (tmp_path / "model.nc").read_bytes()
    assert (tmp_path / "python.nc").read_bytes() == (tmp_path / "estimator.nc").read_bytes() == expected
    loaded = rl.load(tmp_path / "model.nc")
    np.testing.assert_array_equal(loaded.predict(X[X.columns[::-1]])[0], loaded.predict(X)[0])
    with pytest.raises(ValueError, match="^Xs: column 'colour' has 'pink', which was no level of the fit: blue, red"):
        loaded.predict(X.assign(colour="pink"))


def test_true_and_false_are_levels_in_columns_of_any_type(sales):
    X = sales[["size", "sale"]]
    for dtype in (object, "boolean", "category"):
        other = rl.fit(X.assign(sale=X["sale"].astype(dtype)), sales["price"], **SETTINGS)
        assert other.inputs == ["size", "sale=False", "sale=True"]
    with pytest.raises(ValueError, match="column 'sale' has '1', which was no level of the fit: False, True"):
        other.predict(X.assign(sale=1))


def test_a_column_of_a_frame_that_never_changes_is_left_out_and_ignored(frame, price):
    more = frame.assign(country="France", year=2024.0)[["country", "width", "year", "height"]]
    with pytest.warns(UserWarning, match="^X: columns 'country', 'year' are left out: the same value in every row$"):
        fit = rl.fit(more, price, **SETTINGS)
    expected = rl.fit(frame, price, **SETTINGS).predict(frame)
    np.testing.assert_array_equal(fit.predict(more), expected)
    np.testing.assert_array_equal(fit.predict(more.assign(country="Spain", year=1.0)), expected)
    np.testing.assert_array_equal(fit.predict(frame), expected)


def test_learning_reads_a_frame_too(sales):
    learned = rl.learn(sales[["size", "sale"]].assign(noise=np.random.default_rng(3).normal(size=60)), sales["price"])
    assert learned["irrelevant"] == ["noise"]
