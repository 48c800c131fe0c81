"""Few rows in many inputs: a network says of new rows what its process says."""

import numpy as np
import pytest

import ridgelet as rl


def linear(X):
    return X @ np.linspace(-1, 1, X.shape[1])


def two_of_many(X):
    return np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] ** 2


@pytest.mark.parametrize("rows, inputs, function", [(30, 40, linear), (60, 10, two_of_many)])
def test_new_rows_are_predicted_as_the_exact_process_predicts_them(rows, inputs, function):
    random = np.random.default_rng(rows + inputs)
    X, new = random.normal(size=(rows, inputs)), random.normal(size=(300, inputs))
    y = function(X) + 0.3 * random.normal(size=rows)
    fitted = rl.fit(X, y)
    mean, sd = fitted.predict(new)
    centre, scale = y.mean(), y.std()
    noise = float(np.ravel(fitted.noise)[0])
    process = rl.GaussianProcess(fitted.kernel)
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    exact, variance = process.predict(
        standardised, (y - centre) / scale, noise, (new - X.mean(axis=0)) / X.std(axis=0)
    )
    exact_sd = scale * np.sqrt(np.ravel(variance) + noise**2)
    off = (mean - centre - scale * np.ravel(exact)) / exact_sd
    assert np.sqrt(np.mean(off**2)) < 0.2
    assert np.sqrt(np.mean(np.log(sd / exact_sd) ** 2)) < 0.1
    assert fitted.certificate["between"] < 0.05


def test_a_response_without_any_effect_is_fitted_as_noise():
    random = np.random.default_rng(3)
    X, y = random.normal(size=(200, 10)), random.normal(size=200)
    fitted = rl.fit(X, y)
    assert float(np.ravel(fitted.noise)[0]) > 0.95
    assert any("nearly all of it is noise" in note for note in fitted.learned["notes"])
    mean, sd = fitted.predict(random.normal(size=(50, 10)))
    assert np.abs(mean - y.mean()).max() < 0.1 * y.std() and np.allclose(sd, y.std(), rtol=0.1)
