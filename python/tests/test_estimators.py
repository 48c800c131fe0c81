"""What both estimators share."""

import numpy as np
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
