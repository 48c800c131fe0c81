"""fit, Fitted and load: the same fit as `ridgelet fit`, from arrays."""

import os
import pickle
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import ridgelet as rl

RUN = {"hidden": "sampled", "chains": 2, "warmup": 10, "draws": 30}
MODEL = {"kernel": "se(lengthscale=1.5)", "units": 40, "points": 30, "nodes": "grid"}


@pytest.fixture(scope="module")
def wave():
    random = np.random.default_rng(7)
    x = np.sort(random.uniform(-3, 3, 30))
    return x[:, None], np.sin(1.5 * x) + 0.5 * x + 0.1 * random.standard_normal(30)


@pytest.fixture(scope="module")
def fitted(wave):
    return rl.fit(*wave, noise=0.1, **MODEL, **RUN)


def test_the_results_file_is_that_of_the_program_byte_for_byte(wave, fitted, tmp_path):
    X, y = wave
    lines = ["x,y", *(f"{a!r},{b!r}" for a, b in zip(X[:, 0].tolist(), y.tolist(), strict=True))]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    options = [f"--{name}={value}" for name, value in (MODEL | RUN).items()]
    subprocess.run(
        [os.environ["RIDGELET_PROGRAM"], "fit", "data.csv", "--x=x", "--y=y", "--noise=0.1", *options, "--quiet"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    fitted.save(str(tmp_path / "python.nc"))
    assert (tmp_path / "python.nc").read_bytes() == (tmp_path / "model.nc").read_bytes()


def test_what_was_saved_predicts_the_same(wave, fitted, tmp_path):
    fitted.save(str(tmp_path / "model.nc"))
    loaded = rl.load(str(tmp_path / "model.nc"))
    for got, expected in zip(loaded.predict(wave[0]), fitted.predict(wave[0]), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-9)
    assert loaded.kernel == fitted.kernel
    assert loaded.report["warnings"] == fitted.report["warnings"]


def test_predictions_follow_the_data_and_include_the_noise(wave, fitted):
    X, y = wave
    mean, sd = fitted.predict(X)
    assert mean.shape == sd.shape == y.shape
    assert np.abs(mean - y).max() < 0.5
    latent_mean, latent_sd = fitted.predict(X, latent=True)
    np.testing.assert_array_equal(latent_mean, mean)
    np.testing.assert_allclose(sd**2 - latent_sd**2, 0.1**2, rtol=1e-6)


def test_several_outputs_are_columns(wave):
    X, y = wave
    both = rl.fit(X, np.c_[y, -y], noise=[0.1, 0.2], **MODEL, **RUN)
    mean, sd = both.predict(X[:5])
    assert mean.shape == sd.shape == (5, 2)
    assert both.noise.tolist() == [0.1, 0.2]


def test_settings_are_what_the_options_take(wave):
    X, y = wave
    given = rl.fit(X, y, noise=0.1, kernel=rl.kernel("matern32()"), units=20, points=20, skip=False, sigma_w=[2.5],
                   domain="-4:4", mean="0.5*x", order=None, **RUN)  # fmt: skip
    assert given.kernel == rl.kernel("matern32()")


@pytest.mark.parametrize(
    ("settings", "argument"),
    [
        ({"kernel": "sse()"}, "kernel"), ({"units": 0}, "units"), ({"units": 1.5}, "units"), ({"noise": 0}, "noise"),
        ({"noise": [0.1, 0.2]}, "noise"), ({"chains": 0}, "chains"), ({"draws": 0}, "draws"), ({"domain": "5:-5"}, "domain"),
        ({"inputs": ["a", "b"]}, "inputs"),
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_setting_is_refused_by_name(wave, settings, argument):
    with pytest.raises(ValueError, match=f"^{argument}: ") as refused:
        rl.fit(*wave, **({"noise": 0.1} | MODEL | RUN | settings))
    assert "\n" not in str(refused.value)


def test_an_unknown_setting_is_a_type_error_with_a_suggestion(wave):
    with pytest.raises(TypeError, match="did you mean 'units'"):
        rl.fit(*wave, noise=0.1, kernel="se()", unts=3)


def test_bad_arrays_are_refused_by_name(wave, fitted):
    X, y = wave
    for bad_x, bad_y, argument in [(X[:, 0], y, "X"), (X, y[:-1], "y"), (X, y * np.nan, "y"), (X[:0], y[:0], "X")]:
        with pytest.raises(ValueError, match=f"^(data: .*)?{argument}"):
            rl.fit(bad_x, bad_y, noise=0.1, **MODEL, **RUN)
    with pytest.raises(ValueError, match="^Xs: must have 1 column"):
        fitted.predict(np.c_[X, X])


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="cannot read"):
        rl.load(str(tmp_path / "none.nc"))


def test_an_interruption_ends_a_fit_within_a_second():
    program = """
        import os, signal, threading, time, numpy as np, ridgelet as rl
        X = np.linspace(-3, 3, 50)[:, None]
        sent = []
        def interrupt():
            time.sleep(1)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            rl.fit(X, np.sin(X[:, 0]), noise=0.1, kernel="se()", hidden="sampled", draws=100000, units=100)
        except KeyboardInterrupt:
            print(time.monotonic() - sent[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stderr == ""
    assert float(done.stdout) < 1


def test_chains_of_classes_report_what_chains_report_and_no_evidence_that_there_is_not(wave):
    X, y = wave
    fitted = rl.fit(X, (y > 0).astype(float), kernel="se(amplitude=2)", likelihood="bernoulli", classes=["low", "high"], units=40, **RUN)
    report = fitted.report
    assert (report["hidden"], report["chains"], report["draws"]) == ("sampled", 2, 30)
    assert report["rhat_max"] > 0.9 and report["bulk_min"] > 0 and report["tail_min"] > 0
    assert report["likelihood"] == "bernoulli" and report["coordinates"] == "sampled"
    assert not {"log_evidence", "laplace_evidence", "pareto_shape"} & set(report)
    assert not report["converged"]


ROUGH = {"kernel": "se(lengthscale=0.05)", "noise": 0.1, "units": 2}


def warnings_of(fit):
    """What `fit` returns, and the warnings that it issued, with the files to which they are ascribed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fit()
    assert all(each.category is UserWarning and each.filename == __file__ for each in caught)
    return result, [str(each.message) for each in caught]


def test_a_fit_warns_of_what_the_program_warns_of(wave):
    rough, said = warnings_of(lambda: rl.fit(*wave, **ROUGH, force=True))
    assert said == rough.report["warnings"]
    assert said[0].startswith("the network follows its process to")
    smooth, said = warnings_of(lambda: rl.fit(*wave, kernel="se()", noise=0.1))
    assert said == smooth.report["warnings"] == []


def test_an_estimator_warns_of_what_the_program_warns_of(wave):
    X, y = wave
    regressor, said = warnings_of(lambda: rl.RidgeletRegressor(**ROUGH, random_state=0).fit(X, y))
    assert said == regressor.fitted_.report["warnings"] != []
    settings = {"kernel": ROUGH["kernel"], "units": 2, "random_state": 0}
    classifier, said = warnings_of(lambda: rl.RidgeletClassifier(**settings).fit(X, y > 0))
    assert said == classifier.fitted_.report["warnings"] != []


@pytest.mark.parametrize("column", [list, tuple, np.array, lambda y: np.array(y, dtype=object)])
def test_texts_as_a_response_are_referred_to_the_classifier(wave, column):
    with pytest.raises(ValueError, match="y: must be numbers, got the text 'a'; for classes use RidgeletClassifier"):
        rl.fit(wave[0], column(["a", "b"] * 15))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"chains": 7, "warmup": 3}, "chains: belongs to hidden='sampled', and hidden is 'fixed'; set hidden, or leave chains out"),
        ({"sampler": "nuts"}, "sampler: belongs to hidden='sampled', and hidden is 'fixed'; set hidden, or leave sampler out"),
        ({"draws": 10}, "draws: belongs to hidden='sampled' or hidden='variational', and hidden is 'fixed'; set hidden, or leave "
                        "draws out"),
        ({"hidden": "sampled", "networks": 3}, "networks: belongs to hidden='fixed', and hidden is 'sampled'; set hidden, or leave "
                                               "networks out"),
        ({"hidden": "sampled", "directions": 1}, "directions: belongs to hidden='variational', and hidden is 'sampled'; set "
                                                 "hidden, or leave directions out"),
        ({"period": 2.0}, "period: belongs to kernel='best'; write periodic(period=...) into the kernel instead"),
        ({"kernel": "se()", "noise": 0.1, "learn_rows": 50}, "learn_rows: belongs to learning, and kernel and noise are given; set "
                                                             "learn=True, or leave learn_rows out"),
        ({"kernel": "se()", "noise": 0.1, "priors": False}, "priors: belongs to learning, and kernel and noise are given; set "
                                                            "learn=True, or leave priors out"),
        ({"exposure": np.ones(30)}, "exposure: is for counts; add likelihood='poisson' or 'negative-binomial', or leave it out"),
        ({"hidden": "variational", "directions": -1}, "directions: must be at least 0, got -1"),
        ({"kernel": "best", "period": -1}, "period: must be positive and finite, got -1"),
        ({"function_draws": 50}, "function_draws: is for noise that is not Gaussian; name a likelihood, or leave function_draws out"),
    ],
)  # fmt: skip
def test_a_setting_that_would_do_nothing_is_refused(wave, settings, complaint):
    with pytest.raises(ValueError) as refused:
        rl.fit(*wave, **settings)
    assert str(refused.value) == complaint


def test_a_period_that_learning_would_not_look_at_is_refused(wave):
    for settings, complaint in (({}, "belongs to kernel='best'; write"), ({"kernel": "best"}, "must be positive and finite, got -1")):
        with pytest.raises(ValueError, match=f"^period: {complaint}"):
            rl.learn(*wave, period=-1, **settings)


def test_settings_of_learning_are_taken_where_something_is_learned(wave):
    for settings in ({}, {"kernel": "se()"}, {"noise": 0.1}, {"kernel": "se()", "noise": 0.1, "learn": True}):
        assert rl.fit(*wave, units=30, learn_rows=30, priors=False, force=True, **settings).learned["log_evidence"] is not None


# With what else each must be given.
TEXT_SETTINGS = {
    "hidden": {},
    "precision": {},
    "sampler": {"hidden": "sampled"},
    "coordinates": {"likelihood": "poisson"},
    "likelihood": {},
    **dict.fromkeys(["activation", "operator", "density", "units_from", "nodes"], {}),
}
CALLS = {name: "rl.fit(X, y, **settings)" for name in TEXT_SETTINGS}
ESTIMATOR = "rl.RidgeletRegressor(**settings).fit(X, y)"


@pytest.mark.parametrize(("name", "call"), [*CALLS.items(), ("hidden", ESTIMATOR), ("precision", ESTIMATOR), ("sampler", ESTIMATOR)])
def test_a_mistyped_setting_is_an_error_and_not_the_end_of_the_interpreter(name, call):
    """A long kernel has memory of its own, which was given back twice."""
    settings = {"kernel": "se(lengthscale=0.3) + matern32(lengthscale=0.7)"} | TEXT_SETTINGS[name] | {name: "nonsense"}
    if "likelihood" not in settings:
        settings["noise"] = 0.1
    program = f"""
        import numpy as np
        import ridgelet as rl
        X, y = np.arange(20.0)[:, None], np.arange(20.0)
        settings = {settings}
        try:
            {call}
        except ValueError as refused:
            print(refused)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.startswith(f"{name}: ") and "'nonsense'" in done.stdout


def test_a_column_that_never_changes_is_left_out_with_a_warning_and_ignored_in_new_rows(wave, tmp_path):
    X, y = wave
    wide = np.column_stack([np.full(30, 3.0), X, np.cos(X), np.zeros(30)])
    with pytest.warns(UserWarning, match="^X: columns 'x1', 'x4' are left out: the same value in every row$") as caught:
        fit = rl.fit(wide, y, noise=0.1)
    assert caught[0].filename == __file__
    expected = rl.fit(wide[:, 1:3], y, noise=0.1).predict(wide[:, 1:3])
    new = wide.copy()
    new[:, [0, 3]] = np.nan
    fit.save(tmp_path / "fit.nc")
    for each in (fit, rl.load(tmp_path / "fit.nc"), pickle.loads(pickle.dumps(fit))):
        np.testing.assert_allclose(each.predict(new), expected, rtol=1e-9)
        assert each.score(wide, y) == each.score(wide[:, 1:3], y)
        with pytest.raises(ValueError, match="^Xs: must have 2 columns, one for each input, got 3"):
            each.predict(wide[:, :3])


def test_columns_that_never_change_are_refused_where_nothing_else_is_there_or_a_kernel_counts_them(wave):
    X, y = wave
    with pytest.raises(ValueError, match="^X: must have a column that is not the same in every row$"):
        rl.fit(np.ones((30, 2)), y)
    with pytest.raises(ValueError, match="^kernel: speaks of columns by their numbers, and column 1 of X is the same"):
        rl.fit(np.column_stack([np.ones(30), X]), y, kernel="se(lengthscale=[1, 2])")


def test_a_wild_response_is_noted_in_words_of_python(wave):
    X, y = wave
    y = y.copy()
    y[4] = 500
    (note,) = [text for text in rl.fit(X, y, force=True).report["learned"] if "far from all" in text]
    assert note.startswith("500 in row 5 of column y lies far from all others") and "or use likelihood student" in note
