"""What a Fitted says, compared with the program and with its own draws; rows, threads, memory and signals."""

import json
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pandas as pd
import pytest

import ridgelet as rl


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(21)
    X = random.uniform(-2, 2, (50, 2))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * random.standard_normal(50)


@pytest.fixture(scope="module")
def fitted(table):
    return rl.fit(*table, seed=3)


@pytest.fixture(scope="module")
def new():
    random = np.random.default_rng(22)
    X = random.uniform(-2.5, 2.5, (30, 2))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]


def run_program(folder, *arguments):
    program = os.environ["RIDGELET_PROGRAM"]
    return subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def csv_of(path, X, y):
    pd.DataFrame({"x1": X[:, 0], "x2": X[:, 1], "y": y}).to_csv(path, index=False, float_format="%.17g")


def test_an_interval_holds_the_part_of_new_observations_that_it_says(table, fitted, new):
    mean, sd = fitted.predict(new[0], latent=True)
    for level, z in ((0.5, 0.6744897501960817), (0.95, 1.959963984540054)):
        lower, upper = fitted.interval(new[0], level, latent=True)
        np.testing.assert_allclose([lower, upper], [mean - z * sd, mean + z * sd], rtol=1e-9, atol=1e-9 * sd.max())
    two = rl.fit(table[0], np.c_[table[1], -table[1]], kernel="se()", noise=0.1, units=30)
    assert [each.shape for each in two.interval(new[0])] == [(30, 2), (30, 2)]
    for level in (0, 1, -0.5, np.nan):
        with pytest.raises(ValueError, match="^level: "):
            fitted.interval(new[0], level)


def test_an_interval_of_counts_has_their_quantiles():
    X = np.linspace(-2, 2, 40)[:, None]
    counts = rl.fit(X, np.arange(40) % 4, kernel="se()", likelihood="poisson", units=20)
    lower, upper = counts.interval(X, 0.9)
    assert (lower >= 0).all() and (lower == np.round(lower)).all() and (upper > lower).all()


def test_a_path_may_be_an_object(fitted, new, tmp_path):
    fitted.save(tmp_path / "model.nc")
    for path in (tmp_path / "model.nc", str(tmp_path / "model.nc"), os.fsencode(tmp_path / "model.nc")):
        np.testing.assert_array_equal(rl.load(path).predict(new[0])[0], fitted.predict(new[0])[0])
    with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object, not int"):
        rl.load(3)


def test_scores_predictions_and_errors_are_those_of_the_program(table, fitted, new, tmp_path):
    fitted.save(str(tmp_path / "model.nc"))
    csv_of(tmp_path / "new.csv", *new)
    expected = json.loads(run_program(tmp_path, "score", "model.nc", "new.csv", "--json"))
    score = fitted.score(*new)
    assert set(score) == {"rows", "rmse", "mae", "r2", "log_density", "crps", "coverage", "width"}
    for key, value in score.items():
        assert value == pytest.approx(expected[key], rel=1e-9)
    run_program(tmp_path, "predict", "model.nc", "new.csv", "--out=predicted.csv")
    predicted = pd.read_csv(tmp_path / "predicted.csv")
    mean, sd = fitted.predict(new[0])
    np.testing.assert_allclose(mean, predicted["mean"], rtol=1e-9)
    np.testing.assert_allclose(sd, predicted["sd"], rtol=1e-9)
    lower, upper = fitted.interval(new[0])
    np.testing.assert_allclose(lower, predicted["lower"], rtol=1e-9)
    np.testing.assert_allclose(upper, predicted["upper"], rtol=1e-9)
    np.testing.assert_allclose(fitted.error(new[0]), predicted["error"], rtol=1e-6)
    assert fitted.outside(new[0]).tolist() == (predicted["outside"] == "yes").tolist()
    assert 0 < fitted.outside(new[0]).sum() < 30


def test_learning_is_that_of_the_program(table, tmp_path):
    csv_of(tmp_path / "data.csv", *table)
    expected = json.loads(run_program(tmp_path, "learn", "data.csv", "--y=y", "--seed=4", "--json"))
    learned = rl.learn(*table, seed=4)
    assert str(learned["kernel"]) == expected["kernel"] and learned["noise"] == expected["noise"]
    assert learned["log_evidence"] == expected["log_evidence"] and learned["standardise"] is True
    assert str(learned["own_units"]["kernel"]) == expected["own_units"]["kernel"]
    assert [str(start["kernel"]) for start in learned["starts"]] == [start["kernel"] for start in expected["starts"]]
    given = {"kernel": learned["kernel"], "noise": learned["noise"], "standardise": True}
    assert rl.fit(*table, **given).kernel == learned["kernel"]


def test_a_response_that_was_fitted_as_a_logarithm_is_predicted_itself(table, tmp_path):
    X, y = table
    csv_of(tmp_path / "data.csv", X, np.exp(y))
    run_program(tmp_path, "fit", "data.csv", "--y=log(y)", "--quiet")
    run_program(tmp_path, "predict", "model.nc", "data.csv", "--out=predicted.csv")
    predicted = pd.read_csv(tmp_path / "predicted.csv")
    loaded = rl.load(str(tmp_path / "model.nc"))
    mean, sd = loaded.predict(X)
    np.testing.assert_allclose(mean, predicted["mean"], rtol=1e-9)
    np.testing.assert_allclose(sd, predicted["sd"], rtol=1e-9)
    expected = json.loads(run_program(tmp_path, "score", "model.nc", "data.csv", "--json"))
    assert loaded.score(X, np.exp(y))["crps"] == pytest.approx(expected["crps"], rel=1e-9)


def test_an_input_that_was_fitted_as_a_logarithm_is_taken_from_a_frame_by_its_column(tmp_path):
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"income": np.exp(2 * random.standard_normal(40)), "age": random.uniform(20, 60, 40)})
    frame["y"] = np.log(frame["income"]) + frame["age"] / 20 + 0.1 * random.standard_normal(40)
    frame.to_csv(tmp_path / "data.csv", index=False)
    run_program(tmp_path, "fit", "data.csv", "--y=y", "--x=log(income),income,age", "--quiet")
    run_program(tmp_path, "predict", "model.nc", "data.csv", "--out=predicted.csv")
    loaded = rl.load(str(tmp_path / "model.nc"))
    assert loaded.inputs == ["log(income)", "income", "age"]
    mean, _ = loaded.predict(frame[["age", "income"]])
    np.testing.assert_allclose(mean, pd.read_csv(tmp_path / "predicted.csv")["mean"], rtol=1e-9)
    by_place = np.column_stack([np.log(frame["income"]), frame["income"], frame["age"]])
    np.testing.assert_allclose(loaded.predict(by_place)[0], mean, rtol=1e-12)
    frame.loc[6, "income"] = 0
    with pytest.raises(ValueError, match=r"column 'income' must be positive for log\(income\), got 0 in row 7"):
        loaded.predict(frame)


@pytest.mark.parametrize("settings", [{}, {"networks": 3, "units": 15}], ids=str)
def test_the_covariance_is_that_of_the_functions(table, settings):
    fitted = rl.fit(*table, seed=3, **settings)
    Xs = table[0][:6]
    covariance = fitted.covariance(Xs)
    functions = fitted.functions(Xs, draws=6000, seed=1)
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert np.abs((np.cov(functions.T) - covariance) / scale).max() < 6 / np.sqrt(6000)
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), fitted.predict(Xs, latent=True)[1], rtol=1e-9)


def test_what_was_loaded_is_saved_as_it_was(fitted, tmp_path):
    fitted.save(str(tmp_path / "first.nc"))
    rl.load(str(tmp_path / "first.nc")).save(str(tmp_path / "second.nc"))
    assert (tmp_path / "first.nc").read_bytes() == (tmp_path / "second.nc").read_bytes()
    (tmp_path / "first.nc").unlink()
    again = pickle.loads(pickle.dumps(rl.load(str(tmp_path / "second.nc"))))
    assert again.kernel == fitted.kernel


def test_a_pickle_that_is_damaged_is_refused(fitted):
    state = fitted.__getstate__()
    with pytest.raises(ValueError, match="^model: "):
        rl.Fitted.__new__(rl.Fitted).__setstate__(state[: len(state) // 2])


FORMS = {
    "Fortran order": np.asfortranarray,
    "every other row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "every other column": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "reversed rows": lambda a: a[::-1].copy()[::-1],
    "reversed columns": lambda a: a[:, ::-1].copy()[:, ::-1],
    "big-endian": lambda a: a.astype(">f8"),
    "lists": lambda a: a.tolist(),
    "not aligned": lambda a: np.frombuffer(b"." + a.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(a.shape),
    "a frame": lambda a: pd.DataFrame(a, columns=["a", "b"]),
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
}


@pytest.mark.parametrize("form", FORMS)
def test_rows_in_any_form_give_the_same_numbers(table, fitted, new, form):
    convert = FORMS[form]
    Xs, y = new
    for got, expected in zip(fitted.predict(convert(Xs)), fitted.predict(Xs), strict=True):
        np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(fitted.error(convert(Xs)), fitted.error(Xs))
    np.testing.assert_array_equal(fitted.covariance(convert(Xs)), fitted.covariance(Xs))
    assert fitted.score(convert(Xs), y) == fitted.score(Xs, y)
    same = rl.fit(convert(table[0]), pd.Series(table[1]), seed=3)
    np.testing.assert_array_equal(same.predict(Xs)[0], fitted.predict(Xs)[0])


def test_float32_is_taken_as_the_numbers_it_holds(fitted, new):
    Xs = new[0].astype(np.float32)
    np.testing.assert_array_equal(fitted.predict(Xs)[0], fitted.predict(Xs.astype(np.float64))[0])


BAD_ROWS = {
    "one-dimensional": np.zeros(2),
    "three-dimensional": np.zeros((2, 2, 1)),
    "too many columns": np.zeros((2, 3)),
    "no rows": np.zeros((0, 2)),
    "nan": np.array([[0.0, 0.0], [0.0, np.nan]]),
    "infinity": np.array([[0.0, 0.0], [np.inf, 0.0]]),
    "objects": np.array([[None, 1.0]]),
    "texts": [["a", "b"]],
    "complex": np.zeros((2, 2)) + 1j,
    "dates": np.array([["2021-01-01", "2021-01-01"]], dtype="M8[D]"),
    "masked": np.ma.masked_array(np.zeros((1, 2)), mask=[[True, False]]),
    "none": None,
}


@pytest.mark.parametrize("bad", BAD_ROWS)
@pytest.mark.parametrize("method", ["predict", "functions", "covariance", "error", "outside"])
def test_bad_rows_are_refused_by_name(fitted, method, bad):
    with pytest.raises(ValueError, match="^Xs: must ") as refused:
        getattr(fitted, method)(BAD_ROWS[bad])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("X", "y", "argument"),
    [([[0.0, 0.0]], [1.0, 2.0], "y"), ([[0.0, 0.0]], [np.nan], "y"), ([[0.0, 0.0]], [[1.0, 2.0]], "y"),
     ([[0.0, 0.0]], ["a"], "y"), ([[0.0]], [1.0], "X"), ([[np.nan, 0.0]], [1.0], "X")],
)  # fmt: skip
def test_bad_rows_have_no_score(fitted, X, y, argument):
    with pytest.raises(ValueError, match=f"^{argument}: must"):
        fitted.score(X, y)


def test_an_output_that_is_not_there_has_no_covariance(fitted):
    with pytest.raises(ValueError, match="^output: must be from 0 to 0, got 1"):
        fitted.covariance(np.zeros((1, 2)), output=1)


def test_an_output_that_is_not_there_has_no_functions_of_classes():
    X = np.linspace(-2, 2, 40)[:, None]
    classes = rl.fit(X, np.arange(40) % 3, kernel="se()", likelihood="categorical", classes=["a", "b", "c"], units=20)
    for output in (-1, 3):
        for call in (lambda: classes.functions(X, output=output), lambda: classes.covariance(X, output=output)):
            with pytest.raises(ValueError, match=f"^output: must be from 0 to 2, got {output}$"):
                call()
    assert classes.functions(X, draws=1000, output=2).shape == (500, 40)


def test_levels_and_dates_name_the_columns_of_inputs():
    X, y = np.c_[np.arange(6.0), [1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1]], np.arange(6.0)
    settings = {"kernel": "se()", "noise": 0.1, "inputs": ["day", "colour"], "force": True}
    fitted = rl.fit(X, y, levels={"colour": ["blue", "red"]}, dates=["day"], **settings)
    assert fitted.inputs == ["day", "colour=blue", "colour=red"]
    for wrong, argument in [({"levels": {"color": ["a", "b"]}}, "levels"), ({"dates": ["dy"]}, "dates"),
                            ({"levels": {"colour": ["red", "blue"]}}, "levels"), ({"levels": {"colour": ["red"]}}, "X")]:  # fmt: skip
        with pytest.raises(ValueError, match=f"^{argument}: "):
            rl.fit(X, y, **wrong, **settings)


def test_a_fit_tells_what_it_is_doing_if_asked(table, capsys):
    rl.fit(*table, seed=3)
    assert capsys.readouterr().out == ""
    rl.fit(*table, seed=3, verbose=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "learning the process", "learned", "chosen", "passing over the rows", "judging the fit"]  # fmt: skip


def test_threads_on_one_model_get_the_same_numbers(table, fitted, new):
    Xs = np.tile(new[0], (40, 1))
    expected = [*fitted.predict(Xs), fitted.error(Xs), fitted.covariance(new[0])]
    state, wrong, done = pickle.dumps(fitted), [], []

    def work():
        for _ in range(3):
            got = [*fitted.predict(Xs), fitted.error(Xs), fitted.covariance(new[0])]
            got_by_copy = pickle.loads(state).predict(Xs)[0]
            if not all(np.array_equal(a, b) for a, b in zip([*got, got_by_copy], [*expected, expected[0]], strict=True)):
                wrong.append(got)
        done.append(pickle.dumps(fitted) == state)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and done == [True] * 4


def run_python(program, **environment):
    """Runs the text of a program and returns what it printed; it must succeed and print nothing on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_memory_stays_where_it_is_over_many_fits():
    program = """
        import os, pickle, numpy as np, ridgelet as rl
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
        X = np.linspace(-2, 2, 15)[:, None]
        def work(times):
            for i in range(times):
                fitted = rl.fit(X, np.sin(X[:, 0]), kernel="se()", noise=0.1, units=10, points=10, nodes="grid",
                                sigma_w=1, sigma_b=3, ridge=1e-6, seed=i % 5)
                fitted.predict(X)
                if i % 10 == 0:
                    pickle.loads(pickle.dumps(fitted)).covariance(X)
        work(50)
        before = resident()
        work(1000)
        print(resident() - before)
    """
    # One heap for all threads. By default each thread has its own, and one that allocates for the first time may add
    # megabytes at any moment.
    assert int(run_python(program, MALLOC_ARENA_MAX="1")) < 2e6


def test_rows_are_not_copied():
    # A row that is repeated by a stride of 0 takes no memory until somebody copies it.
    program = """
        import re, numpy as np, ridgelet as rl
        def memory(which):
            return 1024 * int(re.search(which + ": *\\t *([0-9]+)", open("/proc/self/status").read())[1])
        X = np.random.default_rng(0).uniform(-2, 2, (20, 10))
        fitted = rl.fit(X, X[:, 0], kernel="se(lengthscale=3)", noise=0.1, units=10, points=20)
        many = np.broadcast_to(X[:1], (10**6, 10))
        fitted.predict(many[:20000])
        open("/proc/self/clear_refs", "w").write("5")  # the peak begins here, not with the fit
        before = memory("VmRSS")
        mean, sd = fitted.predict(many)
        print(memory("VmHWM") - before - 2 * (mean.nbytes + sd.nbytes))
    """
    # Ten units cannot follow the process, and the fit says so.
    assert int(run_python(program, PYTHONWARNINGS="ignore::UserWarning")) < 0.5 * 8e7


@pytest.mark.parametrize(
    "call",
    ["fitted.predict(many)", "fitted.error(many)", "fitted.score(many, many[:, 0])", "fitted.covariance(many[:14000])"],
)
def test_an_interruption_ends_a_long_call_within_a_second(call):
    program = f"""
        import os, signal, threading, time, numpy as np, ridgelet as rl
        X = np.random.default_rng(0).uniform(-2, 2, (30, 1))
        fitted = rl.fit(X, X[:, 0], kernel="matern12()", noise=0.1, units=400, points=200)
        many = np.broadcast_to(X[:1], (10**6, 1))
        sent = []
        def interrupt():
            time.sleep(0.5)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            {call}
            print("not interrupted")
        except KeyboardInterrupt:
            print(time.monotonic() - sent[0])
    """
    # A network cannot follow so rough a process closely, and the fit says so.
    assert float(run_python(program, PYTHONWARNINGS="ignore::UserWarning")) < 1


def test_refusals_and_warnings_name_arguments_of_python():
    x = np.linspace(-3, 3, 40)[:, None]
    with pytest.raises(ValueError, match="kernel: the network cannot carry this process") as refusal:
        rl.fit(x, np.sin(x[:, 0]), kernel="se(lengthscale=0.01)", units=5, noise=0.1)
    assert str(refusal.value).endswith("or force=True to go on") and "--" not in str(refusal.value)
    fitted = rl.fit(x, np.sin(x[:, 0]), kernel="se()", units=30, noise=0.1, hidden="sampled", warmup=2, draws=20)
    (size,) = [text for text in fitted.report["warnings"] if text.startswith("bulk")]
    assert size.endswith("run longer with draws")


@pytest.mark.parametrize("likelihood", ["gaussian", "bernoulli"])
def test_rows_are_predicted_the_same_in_blocks_as_on_their_own(likelihood):
    random = np.random.default_rng(4)
    X = random.uniform(-2, 2, (50, 1))
    y = np.sin(X[:, 0]) > 0 if likelihood == "bernoulli" else np.sin(X[:, 0])
    given = {"kernel": "se()", "units": 20} | ({"noise": 0.1} if likelihood == "gaussian" else {"classes": ["no", "yes"]})
    fitted = rl.fit(X, y.astype(float), likelihood=likelihood, **given)
    Xs = random.uniform(-2, 2, (8200, 1))  # a block has 8192
    mean, sd = fitted.predict(Xs)
    for some in (slice(0, 3), slice(8190, 8195), slice(8199, 8200)):
        of_some = fitted.predict(Xs[some])
        np.testing.assert_allclose(mean[some], of_some[0], rtol=1e-12)
        np.testing.assert_allclose(sd[some], of_some[1], rtol=1e-9)
