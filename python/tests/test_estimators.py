"""What both estimators share."""

import json

import numpy as np
import pandas as pd
import pytest

from ridgelet import RidgeletClassifier, RidgeletRegressor

X = np.linspace(-2, 2, 30)[:, None]
Y = np.sin(X[:, 0])
SIDE = np.where(X[:, 0] > 0, "right", "left")
GIVEN = {"kernel": "se()", "units": 20, "random_state": 0}
REFUSED = "must have no masked entries"


def masked(values, row=3):
    """The values with nonsense in one row, under a mask."""
    hidden = np.ma.masked_array(values.copy(), mask=np.zeros(values.shape, dtype=bool))
    hidden[row] = np.ma.masked
    hidden.data[row] = "none" if values.dtype.kind == "U" else 1e6
    return hidden


@pytest.mark.parametrize(("estimator", "y"), [(RidgeletRegressor(noise=0.1, **GIVEN), Y), (RidgeletClassifier(**GIVEN), SIDE)])
def test_masked_entries_are_refused_by_the_name_of_their_argument(estimator, y):
    with pytest.raises(ValueError, match=f"^X: {REFUSED}"):
        estimator.fit(masked(X), y)
    with pytest.raises(ValueError, match=f"^y: {REFUSED}"):
        estimator.fit(X, masked(y))
    with pytest.raises(ValueError, match=f"^y: {REFUSED}"):
        estimator.fit(X, list(masked(y)))
    estimator.fit(np.ma.masked_array(X, mask=False), np.ma.masked_array(y, mask=False))
    with pytest.raises(ValueError, match=f"^X: {REFUSED}"):
        estimator.predict(masked(X))


def test_masked_entries_are_refused_before_fit_and_in_draws():
    for call in (RidgeletRegressor("se()").predict, RidgeletRegressor("se()").sample_y):
        with pytest.raises(ValueError, match=f"^X: {REFUSED}"):
            call(masked(X))


@pytest.mark.parametrize("y", [Y, SIDE], ids=["numbers", "classes"])
def test_columns_that_are_left_out_leave_the_numbers_of_the_others(y, tmp_path):
    wide = np.c_[X, np.full(30, 3.0), X**2]
    estimator = (RidgeletRegressor if y is Y else RidgeletClassifier)(random_state=0).fit(wide, y)
    assert estimator.fitted_.inputs == estimator.network_.inputs == ["x1", "x3"]
    estimator.network_.export(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["facts"]["inputs"] == ["x1", "x3"]
    assert estimator.network_(wide[:, [0, 2]])[0].shape == (30,)
    with pytest.raises(ValueError, match="^Xs: "):
        estimator.network_(wide)


def test_a_mean_of_columns_needs_all_of_them():
    wide = np.c_[np.full(30, 3.0), X]
    with pytest.raises(ValueError, match="^mean: speaks of columns by their numbers, and column 1 of X is the same"):
        RidgeletRegressor(mean="2*x1").fit(wide, Y)
    assert RidgeletRegressor(mean="exp(1)", random_state=0).fit(wide, Y).fitted_.inputs == ["x2"]


def test_the_network_of_an_estimator_takes_the_frame_that_it_predicts_at():
    frame = pd.DataFrame({"a": X[:, 0], "same": 3.0, "side": SIDE, "flag": X[:, 0] > 1})
    regressor = RidgeletRegressor(random_state=0).fit(frame, Y)
    assert regressor.fitted_.inputs == ["a", "side=left", "side=right", "flag=False", "flag=True"]
    np.testing.assert_allclose(regressor.network_(frame)[0], regressor.predict(frame), rtol=1e-9, atol=1e-12)
