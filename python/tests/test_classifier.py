"""RidgeletClassifier as an estimator of scikit-learn, and its scores beside those of scikit-learn and the program."""

import json
import os
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

import ridgelet as rl
from ridgelet import RidgeletClassifier


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    return train_test_split(X, np.array(["setosa", "versicolor", "virginica"])[y], random_state=0, stratify=y)


@pytest.fixture(scope="module")
def fitted(flowers):
    X, _, y, _ = flowers
    return RidgeletClassifier(random_state=0).fit(X, y)


def test_it_passes_scikit_learn_s_checks_and_none_is_skipped(run_every_check):
    run_every_check(RidgeletClassifier())


def test_probabilities_of_three_classes_are_good_and_add_up_to_one(flowers, fitted):
    _, X, _, y = flowers
    P = fitted.predict_proba(X)
    assert P.shape == (len(X), 3)
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)
    assert list(fitted.classes_) == ["setosa", "versicolor", "virginica"]
    assert log_loss(y, P) < 0.2
    assert (fitted.predict(X) == y).mean() > 0.9


def clouds(classes, seed):
    """Points of classes that overlap, so that no score is perfect."""
    random = np.random.default_rng(seed)
    codes = random.integers(classes, size=150)
    angles = 2 * np.pi * codes / classes
    X = np.column_stack([np.cos(angles), np.sin(angles)]) + random.normal(size=(150, 2))
    return X, np.array(["ash", "birch", "cedar"])[codes]


def calibration_error(P, codes, bins=15):
    """The distance between accuracy and confidence in each bin of the confidence, weighted by its share of rows."""
    confidence, right = P.max(axis=1), P.argmax(axis=1) == codes
    bin_of = np.digitize(confidence, np.linspace(0, 1, bins + 1), right=True)
    inside = [bin_of == each for each in np.unique(bin_of)]
    return sum(rows.mean() * abs(right[rows].mean() - confidence[rows].mean()) for rows in inside)


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_are_those_of_scikit_learn(classes, tmp_path):
    classifier = RidgeletClassifier(random_state=0).fit(*clouds(classes, seed=1))
    X, y = clouds(classes, seed=2)
    codes = np.searchsorted(classifier.classes_, y)
    P = classifier.predict_proba(X)
    of_two = classes == 2
    expected = {
        "log_loss": log_loss(y, P),
        "accuracy": (classifier.predict(X) == y).mean(),
        "auc": roc_auc_score(y, P[:, 1]) if of_two else roc_auc_score(y, P, multi_class="ovr", average="macro"),
        "brier": brier_score_loss(codes, P[:, 1]) if of_two else np.mean(np.sum((P - np.eye(3)[codes]) ** 2, axis=1)),
        "ece": calibration_error(P, codes),
    }
    classifier.fitted_.save(str(tmp_path / "model.nc"))
    pd.DataFrame({"x1": X[:, 0], "x2": X[:, 1], "y": y}).to_csv(tmp_path / "new.csv", index=False, float_format="%.17g")
    command = [os.environ["RIDGELET_PROGRAM"], "score", "model.nc", "new.csv", "--json"]
    of_program = json.loads(subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout)
    for score in (classifier.fitted_.score(X, codes), of_program):
        assert {name: score[name] for name in expected} == pytest.approx(expected, rel=1e-9)
    assert 0.5 < expected["auc"] < 0.99 and expected["ece"] > 0.01


def test_two_classes_are_one_function(flowers):
    X, Xs, y, ys = flowers
    two, others = y != "setosa", ys != "setosa"
    classifier = RidgeletClassifier(random_state=0).fit(X[two], y[two])
    assert classifier.fitted_.likelihood == "bernoulli"
    P = classifier.predict_proba(Xs[others])
    assert P.shape == (others.sum(), 2)
    assert log_loss(ys[others], P) < 0.4


def test_it_survives_pickling_and_cloning(flowers, fitted):
    _, X, _, _ = flowers
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert clone(fitted).get_params() == fitted.get_params()


def test_a_saved_fit_predicts_the_same_and_knows_its_classes(flowers, fitted, tmp_path):
    _, X, _, _ = flowers
    fitted.fitted_.save(str(tmp_path / "flowers.nc"))
    loaded = rl.load(str(tmp_path / "flowers.nc"))
    assert loaded.classes == ["setosa", "versicolor", "virginica"]
    np.testing.assert_array_equal(loaded.predict(X)[0], fitted.predict_proba(X))


def test_the_same_seed_gives_the_same_probabilities_and_another_nearly_those(flowers, fitted):
    X, Xs, y, _ = flowers
    same = RidgeletClassifier(random_state=0).fit(X, y).predict_proba(Xs)
    other = RidgeletClassifier(random_state=1).fit(X, y).predict_proba(Xs)
    np.testing.assert_array_equal(same, fitted.predict_proba(Xs))
    assert 0 < np.abs(other - same).max() < 0.25


def test_text_columns_of_a_frame_become_levels():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"colour": random.choice(["red", "blue"], 80), "size": random.normal(size=80)})
    y = (frame["colour"] == "red") & (frame["size"] > -1)
    classifier = RidgeletClassifier(random_state=0).fit(frame, y.rename("wanted"))
    assert classifier.fitted_.inputs == ["colour=blue", "colour=red", "size"]
    assert classifier.fitted_.outputs == ["wanted"]
    assert classifier.score(frame, y) > 0.9
    with pytest.raises(ValueError, match="green"):
        classifier.predict(pd.DataFrame({"colour": ["green"], "size": [0.0]}))


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least two classes"):
        RidgeletClassifier().fit(np.arange(6.0)[:, None], np.zeros(6))


def test_counts_have_rates_and_exposure():
    random = np.random.default_rng(1)
    X = random.uniform(-2, 2, (200, 1))
    exposure = random.uniform(0.5, 4, 200)
    y = random.poisson(exposure * np.exp(1 + np.sin(2 * X[:, 0])))
    fitted = rl.fit(X, y, likelihood="poisson", exposure=exposure, seed=0)
    grid = np.linspace(-1.8, 1.8, 20)[:, None]
    rate, sd = fitted.predict(grid, latent=True)
    truth = np.exp(1 + np.sin(2 * grid[:, 0]))
    assert np.abs(np.log(rate / truth)).max() < 0.3
    count, spread = fitted.predict(grid)
    np.testing.assert_allclose(count, rate, rtol=1e-12)
    assert (spread > sd).all()
    scores = fitted.score(X, y, exposure=exposure)
    assert scores["deviance"] < 1.5
    assert scores["crps"] < scores["mae"]
    assert scores == fitted.score(X, np.column_stack([y, exposure]))
    with pytest.raises(ValueError, match="exposure: must be given: the fit was of counts with an exposure"):
        fitted.score(X, y)
    with pytest.raises(ValueError, match="exposure: must be a positive number for each row"):
        fitted.score(X, y, exposure=-exposure)
    with pytest.raises(ValueError, match="exposure: must be a positive number for each row"):
        fitted.score(X, np.column_stack([y, -exposure]))


def test_classes_and_counts_are_one_column_of_y_by_themselves():
    X, Y = np.linspace(-1, 1, 30)[:, None], np.arange(60).reshape(30, 2) // 3 % 2
    with pytest.raises(ValueError, match="^y: 'y1' is of classes, as text is, and they must be the only column"):
        rl.fit(X, Y, classes=["a", "b"], kernel="se()")
    with pytest.raises(ValueError, match="^y: must be one column for poisson, got y1, y2; fit each by itself"):
        rl.fit(X, Y, likelihood="poisson", kernel="se()")
    with pytest.raises(ValueError, match="^noise: belongs to Gaussian noise, not to likelihood poisson; leave it out"):
        rl.fit(X, Y[:, 0], likelihood="poisson", noise=0.1)


def test_heavy_tails_ignore_gross_errors():
    random = np.random.default_rng(2)
    X = np.sort(random.uniform(-3, 3, (150, 1)), axis=0)
    truth = np.sin(1.5 * X[:, 0])
    y = truth + 0.1 * random.standard_normal(150)
    y[::15] += 8
    robust = rl.fit(X, y, likelihood="student", seed=0).predict(X, latent=True)[0]
    plain = rl.fit(X, y, seed=0).predict(X, latent=True)[0]
    assert np.sqrt(np.mean((robust - truth) ** 2)) < 0.08
    assert np.sqrt(np.mean((plain - truth) ** 2)) > 0.3


@pytest.mark.parametrize(("classes", "likelihood"), [(["a", "b"], "bernoulli"), (["a", "b", "c"], "categorical")])
def test_codes_that_are_no_place_in_classes_are_refused(classes, likelihood):
    X = np.linspace(-1, 1, 30)[:, None]
    codes = np.arange(30) % len(classes)
    settings = dict(likelihood=likelihood, classes=classes, kernel="se()", units=20)
    rule = f"must be the place of its class, 0 to {len(classes) - 1}, got "
    fitted = rl.fit(X, codes, **settings)
    for wrong in (codes + 1, codes + 0.5, codes - 1):
        with pytest.raises(ValueError, match=rule):
            rl.fit(X, wrong, **settings)
        with pytest.raises(ValueError, match=rule):
            fitted.score(X, wrong)


# Two or three values, in an order that is not theirs, and the classes that they are.
NAMED_BY_Y = {
    "0 and 1": ([1, 0], ["0", "1"]),
    "numbers": ([7.0, 3.0], ["3", "7"]),
    "sizes": ([10, 9, -0.1], ["-0.1", "9", "10"]),
    "extremes": ([1e16, 1e-6, -0.0], ["0", "1e-06", "1e+16"]),
    "texts": (["birch", "ash", "Elm"], ["Elm", "ash", "birch"]),
    "texts of numbers": (["10", "9", "9.0"], ["9", "10"]),
    "texts of numbers and others": (["9", "10", "x"], ["10", "9", "x"]),
    "truths": ([True, False], ["False", "True"]),
}


def fit_by_program(folder, x, y, *options):
    """The file of a fit to a table, of numbers alone or with texts."""
    if y.dtype.kind in "if":
        np.save(folder / "data.npy", np.rec.fromarrays([x, y], names="x,y").view(np.ndarray))
    else:
        pd.DataFrame({"x": x, "y": y}).to_csv(folder / "data.csv", index=False, float_format="%.17g")
    table = next(folder.glob("data.*")).name
    command = [os.environ["RIDGELET_PROGRAM"], "fit", table, "--x=x", "--y=y", *options, "--quiet", "--force"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "model.nc"


@pytest.mark.parametrize(("values", "classes"), NAMED_BY_Y.values(), ids=NAMED_BY_Y)
def test_y_names_its_classes_as_a_table_of_the_program_does(values, classes, tmp_path):
    random = np.random.default_rng(5)
    x = random.uniform(-2, 2, 60)
    ranks = np.argsort(np.argsort(np.sin(2 * x) + 0.5 * random.normal(size=60)))
    y = np.array(values)[ranks * len(values) // 60]
    if 0.0 in values:
        y[:3] = [-0.0, 0.0, -0.0]
    likelihood = "bernoulli" if len(classes) == 2 else "categorical"
    options = [f"--likelihood={likelihood}", "--kernel=se()", "--units=20", "--seed=3"]
    path = fit_by_program(tmp_path, x, y, *options)
    settings = {"inputs": ["x"], "likelihood": likelihood, "kernel": "se()", "units": 20, "seed": 3, "force": True}
    fitted = rl.fit(x[:, None], y, **settings)
    assert fitted.classes == rl.load(path).classes == classes
    np.testing.assert_array_equal(fitted.predict(x[:, None])[0], rl.load(path).predict(x[:, None])[0])
    fitted.save(tmp_path / "python.nc")
    assert (tmp_path / "python.nc").read_bytes() == path.read_bytes()
    frame = rl.fit(x[:, None], pd.DataFrame({"kind": y}), **settings)
    assert (frame.outputs, frame.classes) == (["kind"], classes)


def test_what_cannot_be_classes_is_refused_by_the_name_of_y():
    X = np.linspace(-1, 1, 150)[:, None]
    among = "must have texts or numbers in all its rows, got {} among texts"
    refused = {
        "has 150 different values, too many for classes; if they are classes, name them by classes=": X[:, 0],
        among.format("None in row 2"): ["a", None, "b"] * 50,
        among.format("1 in row 3"): ["a", "b", 1] * 50,
        "must have no masked entries": np.ma.masked_array(np.arange(150) % 3, mask=X[:, 0] > 0.9),
        "must be finite, got nan in row 1": [np.nan, 0.0, 1.0] * 50,
        "must be an array of real numbers": [None, 0.0, 10**400] * 50,
        "must be one column for categorical, got y1, y2": np.arange(300).reshape(150, 2) % 3,
        "must have 150 rows, got 3": ["a", "b", "c"],
    }
    for complaint, y in refused.items():
        with pytest.raises(ValueError, match=f"^y: {complaint}"):
            rl.fit(X, y, likelihood="categorical", kernel="se()", units=20)
    with pytest.raises(ValueError, match="^likelihood: bernoulli needs two classes, and 'y' has 3; use categorical"):
        rl.fit(X, ["a", "b", "c"] * 50, likelihood="bernoulli", kernel="se()")
    for settings in ({"classes": ["a", "b", "c"]}, {"likelihood": "poisson"}):
        with pytest.raises(ValueError, match="^y: must be numbers, got the text 'a'; for classes use "):
            rl.fit(X, ["a", "b", "c"] * 50, kernel="se()", **settings)


def test_scores_take_the_texts_of_classes_or_their_places():
    X, y = clouds(3, seed=4)
    fitted = rl.fit(X, y, likelihood="categorical", kernel="se()", units=20, force=True)
    expected = fitted.score(X, np.searchsorted(fitted.classes, y))
    for texts in (y, y.tolist(), y[:, None], pd.Series(y, dtype="category"), pd.DataFrame({"tree": y})):
        assert fitted.score(X, texts) == fitted.score(X=X, y=texts) == expected
    with pytest.raises(ValueError, match="^y: 'oak' in row 2 is no class of the fit, which had ash, birch, cedar$"):
        fitted.score(X[:3], ["ash", "oak", "cedar"])
    with pytest.raises(ValueError, match="^y: must have texts or numbers in all its rows, got None in row 2"):
        fitted.score(X[:3], ["ash", None, "cedar"])
    with pytest.raises(ValueError, match="^y: must have 150 rows, got 3$"):
        fitted.score(X, y[:3])


def test_scores_of_classes_that_are_numbers_take_texts_numbers_or_places():
    X, y = clouds(3, seed=4)
    sizes = np.array([10.0, 9.0, -1.0])[np.searchsorted(["ash", "birch", "cedar"], y)]
    fitted = rl.fit(X, sizes, likelihood="categorical", kernel="se()", units=20, force=True)
    assert fitted.classes == ["-1", "9", "10"]
    expected = fitted.score(X, np.searchsorted([-1.0, 9.0, 10.0], sizes))
    assert fitted.score(X, sizes.astype(int).astype(str)) == fitted.score(X, sizes.astype(str)) == expected
    assert fitted.score(X, sizes) == fitted.score(X, sizes.tolist()) == expected
    with pytest.raises(ValueError, match="must be the place of its class, 0 to 2, got (10|11)"):
        fitted.score(X, sizes + 1)
    counted = rl.fit(X, np.searchsorted([-1.0, 9.0, 10.0], sizes) + 1, likelihood="categorical", kernel="se()", units=20)
    assert counted.classes == ["1", "2", "3"]
    from_one = np.searchsorted([-1.0, 9.0, 10.0], sizes) + 1
    assert counted.score(X, from_one) == counted.score(X, from_one - 1) == counted.score(X, from_one.astype(str))
    first = from_one < 3
    with pytest.raises(ValueError, match="^y: has numbers that may be classes of the fit, which had 1, 2, 3, or places"):
        counted.score(X[first], from_one[first])
    places = (sizes > 9).astype(int)
    alike = rl.fit(X, places, classes=["1", "1.0"], kernel="se()", units=20, force=True)
    assert alike.score(X, np.array(["1", "1.0"])[places]) == alike.score(X, places)


def test_counts_that_are_none_are_not_scored():
    X = np.linspace(-1, 1, 30)[:, None]
    fitted = rl.fit(X, np.arange(30) % 4, likelihood="poisson", kernel="se()", units=20)
    with pytest.raises(ValueError, match="row 1, column 'y': must be a count 0, 1, 2, ..., got 0.5"):
        fitted.score(X, np.arange(30) % 4 + 0.5)
