"""What both estimators share: masked entries, parameters, keywords, seeds, and columns that are left out."""

import inspect
import json

import numpy as np
import pandas as pd
import pytest

import ridgelet as rl
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


OF_THE_TABLE = {"X", "y", "inputs", "outputs", "levels", "dates", "left_out", "classes", "exposure", "likelihood"}
NOT_OF_NUMBERS = {"coordinates", "function_draws"}
NOT_OF_CLASSES = {"noise", "precision", "sampler", "period"}  # settings of Gaussian noise


@pytest.mark.parametrize(
    ("estimator", "left_out"), [(RidgeletRegressor, NOT_OF_NUMBERS), (RidgeletClassifier, NOT_OF_CLASSES)]
)
def test_an_estimator_has_the_settings_of_fit_with_the_same_defaults(estimator, left_out):
    of_fit = {
        name: each.default
        for name, each in inspect.signature(rl.fit).parameters.items()
        if each.kind is not each.VAR_KEYWORD and name not in OF_THE_TABLE | left_out
    }
    of_model = set(rl.setting_names()) - OF_THE_TABLE - left_out
    own = {name: each.default for name, each in inspect.signature(estimator).parameters.items()}
    assert own.keys() == (of_fit.keys() | of_model | {"random_state"}) - {"seed"}
    differ = {name for name in of_fit.keys() & own.keys() if own[name] != of_fit[name]}
    assert differ == ({"learn"} if estimator is RidgeletRegressor else set())
    assert estimator().get_params() == own


def test_the_settings_of_an_estimator_reach_the_fit():
    settings = {"layers": 2, "skip": True, "layer_scale": 0.5, "layer_bias": 0.25, "units_from": "sobol",
                "density": "logistic", "mean": "x^2", "network_mean": True}  # fmt: skip
    regressor = RidgeletRegressor(noise=0.1, **GIVEN, **settings).fit(X, Y)
    fitted = rl.fit(X, Y, kernel="se()", units=20, noise=0.1, **settings)
    np.testing.assert_array_equal(regressor.predict(X), fitted.predict(X)[0])
    plain = RidgeletRegressor(noise=0.1, **GIVEN).fit(X, Y)
    assert np.abs(regressor.predict(X) - plain.predict(X)).max() > 1e-6
    assert regressor.network_.to_numpy()["mean"]["constant"] == 0  # the mean is in the network, which can be exported


def test_hidden_layers_of_a_classifier_may_be_sampled():
    classifier = RidgeletClassifier(hidden="sampled", chains=2, warmup=5, draws=10, **GIVEN).fit(X, SIDE)
    assert classifier.fitted_.report["hidden"] == "sampled" and classifier.score(X, SIDE) > 0.9
    with pytest.raises(ValueError, match="^hidden: must be 'fixed'"):
        classifier.log_marginal_likelihood()


@pytest.mark.parametrize("estimator", [RidgeletRegressor, RidgeletClassifier])
def test_a_misspelt_keyword_and_an_impossible_seed_are_named(estimator):
    with pytest.raises(TypeError) as wrong:
        estimator(kernl="se()")
    assert str(wrong.value) == f"{estimator.__name__}() has no argument 'kernl'; did you mean 'kernel'?"
    with pytest.raises(ValueError) as wrong:
        estimator("se()", random_state=-1).fit(X, SIDE == "left")
    assert str(wrong.value) == "random_state: must be from 0 to 2^64 - 1, got -1"


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
