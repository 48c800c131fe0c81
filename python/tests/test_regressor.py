"""RidgeletRegressor as an estimator of scikit-learn, and compared with the program on the same table."""

import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ridgelet as rl
from ridgelet import RidgeletRegressor

GIVEN = {"kernel": "se(lengthscale=1.2)", "noise": 0.1, "random_state": 1}


@pytest.fixture(scope="module")
def wave():
    random = np.random.default_rng(11)
    X = np.sort(random.uniform(-3, 3, (40, 1)), axis=0)
    return X, np.sin(1.5 * X[:, 0]) + 0.1 * random.standard_normal(40)


@pytest.fixture(scope="module")
def regressor(wave):
    return RidgeletRegressor(**GIVEN).fit(*wave)


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(12)
    size = random.uniform(0, 2, 60)
    colour = random.choice(["red", "blue", "green"], 60)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, 60), unit="D")
    price = np.sin(2 * size) + (colour == "red") + 0.002 * (day - day.min()).days + 0.05 * random.standard_normal(60)
    return pd.DataFrame({"size": size, "colour": colour, "day": day, "price": price})


def test_it_passes_scikit_learn_s_checks_and_none_is_skipped(run_every_check):
    run_every_check(RidgeletRegressor())


def test_newer_versions_of_scikit_learn_find_their_tags():
    class Tags:
        requires_fit = True

    class Newer:
        def __sklearn_tags__(self):
            return Tags()

    class Regressor(RidgeletRegressor, Newer):
        pass

    assert Regressor().__sklearn_tags__().requires_fit is False


def test_it_is_the_fit_of_the_package(wave, regressor):
    X, y = wave
    fitted = rl.fit(X, y, kernel="se(lengthscale=1.2)", noise=0.1, seed=1)
    mean, sd = regressor.predict(X, return_std=True)
    for got, expected in zip((mean, sd), fitted.predict(X), strict=True):
        np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(regressor.predict(X), mean)
    assert regressor.kernel_ == fitted.kernel and regressor.noise_ == 0.1
    assert regressor.certificate_ == fitted.certificate
    assert regressor.log_marginal_likelihood() == fitted.report["log_evidence"]
    assert regressor.score(X, y) == pytest.approx(fitted.score(X, y)["r2"])


def test_the_covariance_has_the_squared_sds_on_its_diagonal_and_is_that_of_draws(wave, regressor):
    Xs = wave[0][::4]
    mean, covariance = regressor.predict(Xs, return_cov=True)
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), regressor.predict(Xs, return_std=True)[1], rtol=1e-9)
    draws = regressor.sample_y(Xs, n_samples=4000, random_state=2)
    assert draws.shape == (10, 4000)
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert np.abs((np.cov(draws) - covariance) / scale).max() < 6 / np.sqrt(4000)
    assert np.abs((draws.mean(axis=1) - mean) / np.sqrt(np.diag(covariance) / 4000)).max() < 4.5
    with pytest.raises(ValueError, match="return_std and return_cov"):
        regressor.predict(Xs, return_std=True, return_cov=True)


def test_the_covariance_of_several_networks_or_draws_agrees_with_their_sds(wave):
    X, y = wave
    for settings in ({"networks": 3}, {"hidden": "sampled", "chains": 2, "warmup": 10, "draws": 20}):
        regressor = RidgeletRegressor(**GIVEN, units=20, **settings).fit(X, y)
        sd = regressor.predict(X, return_std=True)[1]
        covariance = regressor.predict(X, return_cov=True)[1]
        np.testing.assert_allclose(np.sqrt(np.diag(covariance)), sd, rtol=1e-7)
        assert np.linalg.eigvalsh(covariance).min() > 0
        assert regressor.sample_y(X, n_samples=50, random_state=0).shape == (40, 50)


def test_draws_are_repeated_with_their_random_state_only(wave, regressor):
    draw = lambda state: regressor.sample_y(wave[0], 3, random_state=state)  # noqa: E731
    np.testing.assert_array_equal(draw(5), draw(5))
    assert np.abs(draw(5) - draw(6)).max() > 0.01
    generator = np.random.RandomState(5)
    assert np.abs(draw(generator) - draw(generator)).max() > 0.01


def test_before_fit_it_predicts_by_the_process():
    X = np.linspace(-1, 1, 5)[:, None]
    prior = RidgeletRegressor(kernel="se(amplitude=2)", noise=0.5, mean="3*x")
    mean, sd = prior.predict(X, return_std=True)
    np.testing.assert_allclose(mean, 3 * X[:, 0])
    np.testing.assert_allclose(sd, np.sqrt(4 + 0.25))
    np.testing.assert_allclose(np.diag(prior.predict(X, return_cov=True)[1]), 4.25)
    draws = prior.sample_y(X, n_samples=4000)
    assert np.abs(draws.std(axis=1) / np.sqrt(4.25) - 1).max() < 4.5 / np.sqrt(2 * 4000)
    np.testing.assert_allclose(RidgeletRegressor(4.0 * RBF()).predict(X, return_std=True)[1], 2)
    np.testing.assert_allclose(RidgeletRegressor().predict(np.zeros((2, 3)), return_std=True)[1], 1)
    with pytest.raises(NotFittedError):
        prior.log_marginal_likelihood()
    assert not hasattr(prior, "network_")


def test_several_outputs_are_columns(wave):
    X, y = wave
    both = RidgeletRegressor(kernel="se()", noise=[0.1, 0.2], random_state=0).fit(X, np.c_[y, -2 * y])
    mean, sd = both.predict(X[:7], return_std=True)
    assert mean.shape == sd.shape == (7, 2) and list(both.noise_) == [0.1, 0.2]
    covariance = both.predict(X[:7], return_cov=True)[1]
    assert covariance.shape == (7, 7, 2)
    np.testing.assert_allclose(np.sqrt(np.diagonal(covariance)).T, sd, rtol=1e-9)
    draws = both.sample_y(X[:7], n_samples=2000, random_state=1)
    assert draws.shape == (7, 2, 2000)
    assert np.abs((draws.mean(axis=2) - mean) / (sd / np.sqrt(2000))).max() < 4.5
    assert abs(np.corrcoef(draws[3, 0], draws[3, 1])[0, 1]) < 4.5 / np.sqrt(2000)


def test_a_copy_by_pickle_predicts_the_same(wave, regressor, tmp_path):
    copy = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(regressor))))
    for got, expected in zip(
        copy.predict(wave[0], return_std=True), regressor.predict(wave[0], return_std=True), strict=True
    ):
        np.testing.assert_allclose(got, expected, rtol=1e-9)
    assert copy.kernel_ == regressor.kernel_
    copy.fitted_.save(str(tmp_path / "copy.nc"))
    regressor.fitted_.save(str(tmp_path / "first.nc"))
    assert (tmp_path / "copy.nc").read_bytes() == (tmp_path / "first.nc").read_bytes()


def test_it_can_be_cloned_tuned_and_put_into_a_pipeline(wave):
    X, y = wave
    unfitted = clone(RidgeletRegressor(rl.kernel("se()"), noise=0.1, units=20, random_state=0).fit(X, y))
    assert unfitted.kernel == rl.kernel("se()") and not hasattr(unfitted, "fitted_")
    folds = KFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(unfitted, {"kernel": ["se(lengthscale=1)", "se(lengthscale=100)"]}, cv=folds).fit(X, y)
    assert search.best_params_["kernel"] == "se(lengthscale=1)"
    nested = RidgeletRegressor(1.0 * RBF(), noise=0.1).set_params(kernel__k2__length_scale=0.5)
    assert nested.kernel.k2.length_scale == 0.5
    assert cross_val_score(make_pipeline(StandardScaler(), unfitted), X, y, cv=folds, n_jobs=2).mean() > 0.9


def test_a_derived_class_keeps_the_settings_and_may_have_its_own(wave, regressor):
    class Named(RidgeletRegressor):
        def __init__(self, label="wave"):
            super().__init__(**GIVEN)
            self.label = label

    named = Named().fit(*wave)
    assert named.get_params() == {"label": "wave"} and named.kernel_ == regressor.kernel_
    np.testing.assert_array_equal(named.predict(wave[0]), regressor.predict(wave[0]))


def test_columns_of_a_frame_are_known_by_name(frame):
    X, y = frame.drop(columns="price"), frame["price"]
    regressor = RidgeletRegressor(random_state=0).fit(X, y)
    assert regressor.n_features_in_ == 3 and list(regressor.feature_names_in_) == ["size", "colour", "day"]
    assert regressor.fitted_.inputs == ["size", "colour=blue", "colour=green", "colour=red", "day"]
    assert regressor.fitted_.outputs == ["price"]
    assert regressor.score(X, y) > 0.97
    coded = X.assign(colour=X["colour"].astype("category"))
    np.testing.assert_array_equal(regressor.predict(coded), regressor.predict(X))
    with pytest.raises(ValueError, match="feature names should match"):
        regressor.predict(X[["colour", "size", "day"]])
    with pytest.raises(ValueError, match="X: column 'colour' has 'pink', which was no level"):
        regressor.predict(X.assign(colour="pink"))
    with pytest.raises(ValueError, match="X: column 'colour' has a missing value in row 1"):
        regressor.predict(X.assign(colour=None))
    with pytest.raises(ValueError, match="X: column 'day' must have dates"):
        regressor.predict(X.assign(day=1.0))
    with pytest.raises(ValueError, match="X: column 'colour' must have texts or numbers"):
        RidgeletRegressor().fit(X.assign(colour=["red", 1] * 30), y)
    with pytest.raises(ValueError, match="X: column 'colour' has 101 different texts"):
        RidgeletRegressor().fit(pd.DataFrame({"colour": [f"c{i}" for i in range(101)]}), np.arange(101))


def test_dates_as_text_are_dates(frame):
    X, y = frame.drop(columns="price"), frame["price"]
    as_text = X.assign(day=X["day"].dt.strftime("%Y-%m-%d"))
    regressor = RidgeletRegressor(random_state=0).fit(as_text, y)
    assert regressor.fitted_.inputs == ["size", "colour=blue", "colour=green", "colour=red", "day"]
    np.testing.assert_array_equal(regressor.predict(as_text), RidgeletRegressor(random_state=0).fit(X, y).predict(X))
    with pytest.raises(ValueError, match="X: column 'day' must have dates, as in the fit, got 'soon' in row 1"):
        regressor.predict(as_text.assign(day="soon"))


def test_the_program_leaves_the_same_file_for_the_same_table(frame, tmp_path):
    X, y = frame.drop(columns="price"), frame["price"]
    frame.assign(day=frame["day"].dt.strftime("%Y-%m-%d")).to_csv(tmp_path / "data.csv", index=False)
    program = os.environ["RIDGELET_PROGRAM"]
    subprocess.run([program, "fit", "data.csv", "--y=price", "--seed=7", "--quiet"], cwd=tmp_path, check=True)
    regressor = RidgeletRegressor(random_state=7).fit(X, y)
    regressor.fitted_.save(str(tmp_path / "python.nc"))
    assert (tmp_path / "python.nc").read_bytes() == (tmp_path / "model.nc").read_bytes()
    subprocess.run([program, "predict", "python.nc", "data.csv", "--out=new.csv"], cwd=tmp_path, check=True)
    predicted = pd.read_csv(tmp_path / "new.csv")
    mean, sd = regressor.predict(X, return_std=True)
    np.testing.assert_allclose(predicted["mean"], mean, rtol=1e-9)
    np.testing.assert_allclose(predicted["sd"], sd, rtol=1e-9)


@pytest.mark.parametrize("settings", [{"random_state": 0}, GIVEN], ids=["learned", "given"])
def test_a_column_that_says_nothing_is_left_out(wave, settings):
    X, y = wave
    wide = np.c_[np.full(40, 3.0), X]
    regressor = RidgeletRegressor(**settings).fit(wide, y)
    np.testing.assert_array_equal(regressor.predict(wide), RidgeletRegressor(**settings).fit(X, y).predict(X))
    assert regressor.n_features_in_ == 2


def test_columns_that_say_nothing_are_refused_where_others_would_take_their_numbers(wave):
    X, y = wave
    wide = np.c_[np.full(40, 3.0), X]
    with pytest.raises(ValueError, match="^kernel: speaks of columns by their numbers, and column 1 of X"):
        RidgeletRegressor(kernel="se(lengthscale=[1, 2])", noise=0.1).fit(wide, y)
    with pytest.raises(ValueError, match="^X: must have a column that is not the same"):
        RidgeletRegressor().fit(np.ones((10, 2)), np.arange(10))


def test_text_is_read_with_columns_that_have_no_names_of_text(frame):
    X = frame[["size", "colour"]].set_axis([0, 1], axis=1)
    assert RidgeletRegressor(random_state=0).fit(X, frame["price"]).fitted_.inputs[1] == "1=blue"


@pytest.mark.parametrize(
    ("settings", "argument"),
    [({"kernel": "sse()"}, "kernel"), ({"units": 0}, "units"), ({"hidden": "free"}, "hidden"), ({"noise": -1}, "noise"),
     ({"activation": "tahn"}, "activation")],
)  # fmt: skip
def test_a_bad_setting_is_refused_by_name(wave, settings, argument):
    with pytest.raises(ValueError, match=f"^{argument}: "):
        RidgeletRegressor(**settings).fit(*wave)


def test_sampled_hidden_layers_have_no_evidence(wave):
    sampled = RidgeletRegressor(**GIVEN, hidden="sampled", units=15, chains=2, warmup=5, draws=10).fit(*wave)
    with pytest.raises(ValueError, match="^hidden: "):
        sampled.log_marginal_likelihood()


def test_without_scikit_learn_the_rest_of_the_package_works():
    program = """
        import sys
        sys.modules["sklearn"] = None
        import ridgelet as rl
        print(rl.kernel("se()"))
        try:
            rl.RidgeletRegressor
        except ImportError as missing:
            print(missing)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first == "se(amplitude=1, lengthscale=1)" and "needs scikit-learn" in second
