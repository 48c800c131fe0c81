"""`ridgelet predict` and `ridgelet summary`: what they take from a results file, which is all that they need."""

import json
import shutil

import numpy as np
import pytest

COLUMNS = ["mean", "sd", "lower", "upper", "error", "outside"]
OF_THE_RUN = ("seconds",)  # not in the results file
GAUSSIAN = 1.959963984540054  # 97.5 % quantile
RUN = ("--chains", 2, "--warmup", 10, "--draws", 30, "--units", 60)
SHORT = (*RUN, "--points", 40)


@pytest.fixture
def model(fitted, tmp_path):
    """A copy of the results file, alone in the directory of the test."""
    shutil.copy(fitted.model, tmp_path / "model.nc")
    return fitted


@pytest.fixture
def predict(ridgelet, write_table, tmp_path):
    """predict({"x": numbers}, flags...) -> columns by name."""

    def run(columns, *flags):
        write_table(tmp_path / "new.csv", columns)
        header, values = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", *flags).table("pred.csv")
        return dict(zip(header, values.T, strict=True))

    return run


@pytest.fixture
def inside(fitted):
    """Inputs within the domain of the fit, in no order."""
    x = fitted.data["x"]
    return np.random.default_rng(1).permutation(np.linspace(x.min(), x.max(), 60))


def test_the_table_has_the_inputs_and_four_columns_in_the_order_of_the_rows(model, predict, inside):
    got = predict({"x": inside})
    assert list(got) == ["x", *COLUMNS]
    np.testing.assert_array_equal(got["x"], inside)
    assert np.all(np.isfinite(list(got.values())))
    order = np.random.default_rng(2).permutation(len(inside))
    again = predict({"x": inside[order]})
    for name in COLUMNS:  # `error` is a difference of numbers of the size of the process, 1
        np.testing.assert_allclose(again[name], got[name][order], rtol=1e-12, atol=1e-15 if name == "error" else 0)


def test_a_row_does_not_depend_on_the_others(model, predict, inside):
    whole = predict({"x": inside})
    alone = predict({"x": inside[7:8]})
    for name in COLUMNS:
        np.testing.assert_allclose(alone[name], whole[name][7:8], rtol=1e-10, atol=1e-12)


def test_other_columns_may_hold_anything_stand_anywhere_and_are_kept(model, ridgelet, predict, inside, tmp_path):
    predict({"x": inside})
    plain = [line.partition(",")[2] for line in (tmp_path / "pred.csv").read_text().splitlines()]
    rows = ["row,remark,x,y", *(f'{i},"so, so",{x!r},' for i, x in enumerate(inside.tolist()))]
    (tmp_path / "messy.csv").write_text("\n".join(rows) + "\n")
    assert ridgelet("predict", "model.nc", "messy.csv", "--out", "pred.csv").code == 0
    lines = (tmp_path / "pred.csv").read_text().splitlines()
    assert lines == [f"{row},{prediction}" for row, prediction in zip(rows, plain, strict=True)]


def test_inputs_are_found_by_name_and_not_by_place(ridgelet, write_table, tmp_path):
    random = np.random.default_rng(3)
    a, b = random.uniform(-1, 1, (2, 20))
    write_table(tmp_path / "data.csv", {"a": a, "b": b, "y": a + b**2})
    fit = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "b,a", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=2)")
    assert ridgelet(*fit, *RUN, "--points", 8, "--quiet").code == 0
    tables = []
    for columns in ({"a": a, "b": b}, {"b": b, "a": a}):
        write_table(tmp_path / "new.csv", columns)
        tables.append(ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv").table("pred.csv"))
    assert tables[0][0] == ["a", "b", *COLUMNS] and tables[1][0] == ["b", "a", *COLUMNS]
    np.testing.assert_array_equal(tables[0][1][:, 2:], tables[1][1][:, 2:])
    np.testing.assert_array_equal(tables[0][1][:, :2], np.c_[a, b])
    assert np.abs(tables[0][1][:, 2] - (a + b**2)).max() < 0.3


def test_the_interval_is_that_of_a_normal_distribution_about_the_mean(model, predict, inside):
    for flags in ((), ("--latent",)):
        got = predict({"x": inside}, *flags)
        assert np.all(got["lower"] < got["mean"]) and np.all(got["mean"] < got["upper"])
        np.testing.assert_allclose((got["upper"] - got["mean"]) / got["sd"], GAUSSIAN, rtol=0.02)
        np.testing.assert_allclose((got["mean"] - got["lower"]) / got["sd"], GAUSSIAN, rtol=0.02)


def test_the_interval_covers_new_data_as_often_as_it_says(model, predict, inside):
    got = predict({"x": inside})
    truth = np.sin(1.5 * inside) + 0.5 * inside
    new = truth + 0.1 * np.random.default_rng(4).standard_normal((500, len(inside)))
    covered = np.mean((new > got["lower"]) & (new < got["upper"]))
    assert 0.9 < covered < 0.985


def test_latent_leaves_the_noise_out_and_the_mean_as_it_is(model, predict, inside):
    noisy, latent = predict({"x": inside}), predict({"x": inside}, "--latent")
    np.testing.assert_array_equal(latent["mean"], noisy["mean"])
    assert np.all(latent["sd"] < noisy["sd"]) and np.all(latent["sd"] > 0)
    np.testing.assert_allclose(noisy["sd"] ** 2 - latent["sd"] ** 2, model.noise**2, rtol=1e-9)


def test_prediction_needs_nothing_but_the_results_file(fitted, ridgelet, inside, write_table, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(fitted.model, elsewhere / "renamed")
    write_table(tmp_path / "new.csv", {"x": inside})
    _, here = ridgelet("predict", fitted.model, "new.csv", "--out", "here.csv").table("here.csv")
    _, there = ridgelet("predict", "elsewhere/renamed", "new.csv", "--out", "there.csv").table("there.csv")
    np.testing.assert_array_equal(here, there)
    assert {path.name for path in elsewhere.iterdir()} == {"renamed"}


@pytest.mark.parametrize("command", ["predict", "score"])
def test_a_number_that_standardising_makes_infinite_is_named_with_its_row_and_column(ridgelet, write_table, tmp_path, command):
    x = np.linspace(0, 0.1, 20)
    write_table(tmp_path / "data.csv", {"x": x, "y": np.sin(30 * x)})
    assert ridgelet("fit", "data.csv", "--y", "y", "--kernel", "se()", "--noise", 0.1, "--standardise", "--quiet").code == 0
    write_table(tmp_path / "new.csv", {"x": [0.05, -1e308], "y": [0, 0]})
    run = ridgelet(command, "model.nc", "new.csv")
    line = "ridgelet: data: 'new.csv', row 2, column 'x': -1e+308 is too large to be standardised as in the fit; correct it, or leave the row out\n"
    assert (run.code, run.said) == (2, line)


@pytest.mark.parametrize("options", [(), ("--standardise", "--mean", "0.5*x"), ("--network-mean", "--mean", "0.5*x")])
def test_predictions_over_the_domain_are_those_that_fit_stored(ridgelet, wave, write_table, predict, tmp_path, options):
    import xarray

    write_table(tmp_path / "data.csv", wave)
    fit = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=1.5)")
    assert ridgelet(*fit, *SHORT, *options, "--quiet").code == 0
    with xarray.open_dataset(tmp_path / "model.nc", group="constant_data") as constant:
        got = predict({"x": constant.x_domain.values[:, 0]})
    with xarray.open_dataset(tmp_path / "model.nc", group="predictions") as stored:
        for name in COLUMNS[:4]:
            np.testing.assert_allclose(got[name], stored[name].values[:, 0], rtol=1e-9)


def test_rows_outside_of_the_domain_are_predicted_with_a_warning(model, ridgelet, inside, write_table, tmp_path):
    write_table(tmp_path / "new.csv", {"x": [0, 100, *inside, -3.5]})
    run = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv")
    assert run.code == 0
    line = run.err.splitlines()[-1]
    assert line.startswith("warning: 2 of 63 rows lie outside of the domain") and "--domain" in line and "column error" in line
    report = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", "--json").json
    assert (report["rows"], report["outside_domain"]) == (63, 2)
    quiet = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", run.err)
    values = quiet.table("pred.csv")[1]
    assert values.shape == (63, 7)
    assert values[:, -1].tolist() == [0, 1, *[0] * 60, 1]
    assert values[1, -2] > 0.5 > 0.01 > values[2:-1, -2].max()


def test_rows_of_the_data_are_within_the_domain(model, ridgelet, write_table, tmp_path):
    write_table(tmp_path / "new.csv", model.data)
    assert ridgelet("predict", "model.nc", "new.csv", "--out", "p.csv", "--json").json["outside_domain"] == 0


def test_the_report_says_what_was_written(model, ridgelet, inside, write_table, tmp_path):
    write_table(tmp_path / "new.csv", {"x": inside})
    run = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv")
    assert (run.code, run.out, run.said) == (0, "wrote pred.csv (60 rows)\n", "")
    assert {path.name for path in tmp_path.iterdir()} == {"model.nc", "new.csv", "pred.csv"}
    report = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", "--latent", "--json").json
    assert report.pop("error").keys() == {"mean", "max"}
    assert report == {
        "out": "pred.csv", "rows": 60, "rows_dropped": 0, "rows_with_unknown": 0, "latent": True, "outside_domain": 0,
    }  # fmt: skip


def test_predictions_depend_on_neither_threads_nor_repetition(model, ridgelet, inside, write_table, tmp_path):
    write_table(tmp_path / "new.csv", {"x": inside})
    files = set()
    for threads in (1, 2, 2):
        assert ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", "--threads", threads).code == 0
        files.add((tmp_path / "pred.csv").read_bytes())
    assert len(files) == 1


def test_a_table_can_be_predicted_into_a_pipe(model, ridgelet, inside, predict):
    plain = predict({"x": inside})
    run = ridgelet("predict", "model.nc", "new.csv", "--out", "/dev/stdout", "--quiet")
    assert (run.code, run.said) == (0, "")
    header, *rows = run.out.splitlines()
    assert header.split(",") == list(plain)
    assert len(rows) == len(inside)


def test_the_summary_is_what_fit_reported_apart_from_the_time(fitted, ridgelet):
    summary = ridgelet("summary", fitted.model, "--json").json
    assert summary["seconds"] is None
    assert list(summary) == list(fitted.report)
    assert summary | {key: fitted.report[key] for key in OF_THE_RUN} == fitted.report


@pytest.mark.parametrize(
    "options",
    [
        ("--y", "y,z", "--noise", "0.1,0.2"),
        ("--y", "y,z", "--noise", "0.1"),
        ("--y", "y", "--noise", "0.1", "--standardise", "--mean", "0.5*x"),
        ("--y", "y", "--noise", "0.1", "--operator", "ridgelet", "--force"),
        ("--y", "y", "--noise", "0.1", "--chains", "1", "--warmup", "0"),
    ],
    ids=["two noises", "one noise for two outputs", "standardised", "large prior error", "one chain"],
)
def test_the_summary_is_what_fit_reported_whatever_was_fitted(ridgelet, wave, write_table, tmp_path, options):
    write_table(tmp_path / "data.csv", {**wave, "z": wave["y"] ** 2})
    run = ("--units", 60, "--points", 40, "--draws", 30, "--kernel", "se(lengthscale=1.5)", "--quiet", "--json")
    more = () if "--chains" in options else ("--chains", 2, "--warmup", 10)
    report = ridgelet("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", *options, *run, *more).json
    summary = ridgelet("summary", "model.nc", "--json").json
    assert summary | {key: report[key] for key in OF_THE_RUN} == report


def test_a_fit_without_warnings_has_a_summary_without_warnings(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", wave)
    fit = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.5, "--kernel", "se(lengthscale=1.5)")
    report = ridgelet(*fit, "--units", 60, "--points", 40, "--chains", 2, "--draws", 400, "--quiet", "--json").json
    assert report["warnings"] == [] and report["converged"]
    summary = ridgelet("summary", "model.nc", "--json").json
    assert summary["warnings"] == [] and summary["converged"]
    assert "warning" not in ridgelet("summary", "model.nc").err


def test_the_summary_for_people_is_the_table_of_fit(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", wave)
    fit = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=1.5)")
    said = ridgelet(*fit, *SHORT)
    assert said.code == 0
    lines = [line for line in said.out.splitlines() if not line.strip().startswith("time ")]
    assert len(lines) == len(said.out.splitlines()) - 1
    assert lines[-1] == "wrote model.nc"
    summary = ridgelet("summary", "model.nc")
    assert (summary.code, summary.said) == (0, "")
    assert summary.out.splitlines() == lines[:-1]
    assert any("R-hat" in line for line in lines)


def test_summary_writes_nothing(model, ridgelet, tmp_path):
    before = (tmp_path / "model.nc").read_bytes()
    json.loads(ridgelet("summary", "model.nc", "--json").out)
    assert ridgelet("summary", "model.nc", "--quiet").out == ""
    assert {path.name for path in tmp_path.iterdir()} == {"model.nc"}
    assert (tmp_path / "model.nc").read_bytes() == before


# Predictions that are not finite, and names that are taken.


@pytest.fixture
def fit(ridgelet, write_table, tmp_path):
    """fit({"x": numbers, "y": numbers}, options...) leaves model.nc."""

    def run(columns, *options, x="x", points=40):
        write_table(tmp_path / "data.csv", columns)
        model = ("--points", points, *options)
        done = ridgelet("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", x, "--y", "y", "--noise", 0.1, *RUN, *model, "--quiet")
        assert (done.code, done.said) == (0, "")

    return run


def refusal(ridgelet, directory, x):
    """The one line about a table of these inputs; nothing may be written."""
    (directory / "new.csv").write_text("x\n" + "\n".join(x) + "\n")
    before = sorted(directory.iterdir())
    run = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv")
    assert (run.code, run.out) == (2, "")
    assert sorted(directory.iterdir()) == before
    (line,) = run.err.splitlines()
    return line


def test_an_input_at_which_the_mean_is_not_finite_is_refused_by_its_row(fit, ridgelet, tmp_path):
    x = np.linspace(1, 5, 12)
    fit({"x": x, "y": np.log(x) + np.sin(x) / 5}, "--mean", "log(x)", "--kernel", "se()")
    line = refusal(ridgelet, tmp_path, ["1", "2", "-1", "3"])
    assert line == (
        "ridgelet: data: 'new.csv', row 3: has no finite prediction, since the mean 'log(x)' is not finite there"
    )
    assert "row 1:" in refusal(ridgelet, tmp_path, ["0"])


@pytest.mark.parametrize("x", ["1e300", "-1e308", "1e200"])
def test_an_input_too_far_out_for_relu_is_refused_by_its_row(fit, ridgelet, wave, tmp_path, x):
    fit(wave, "--kernel", "se(lengthscale=1.5)", "--activation", "relu")
    line = refusal(ridgelet, tmp_path, ["0", x])
    assert line.startswith("ridgelet: data: 'new.csv', row 2: has no finite prediction, since it lies too far outside")


@pytest.mark.parametrize("name", ["mean", "sd", "lower", "upper"])
def test_an_input_with_the_name_of_a_prediction_gives_the_predictions_other_names(fit, ridgelet, wave, predict, tmp_path, name):
    fit({name: wave["x"], "y": wave["y"]}, "--kernel", "se(lengthscale=1.5)", x=name)
    got = predict({name: wave["x"]}, "--quiet")
    assert list(got) == [name, *(f"y_{column}" for column in COLUMNS)]
    np.testing.assert_array_equal(got[name], wave["x"])
    assert np.abs(got["y_mean"] - wave["y"]).max() < 0.5
    run = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv")
    assert run.code == 0
    assert run.said == (
        "note: a column has the name of a prediction, so the predictions are called y_mean, y_sd, y_lower, y_upper, "
        "y_error, y_outside\n"
    )


def test_no_two_columns_have_the_same_name_whatever_the_inputs_are_called(fit, wave, predict):
    inputs = {"mean": wave["x"], "y_sd": wave["x"] ** 2}
    fit({**inputs, "y": wave["y"]}, "--kernel", "se(lengthscale=2)", x="mean,y_sd", points=8)
    got = predict(inputs, "--quiet")
    assert list(got) == ["mean", "y_sd", *(f"predicted_y_{name}" for name in COLUMNS)]


TEXTS = {
    "a mean without its zero": ("--mean", ".5", "--kernel", "se()"),
    "a mean with a point at its end": ("--mean", "5.", "--kernel", "se()"),
    "a mean with zeros before it": ("--mean", "007", "--kernel", "se()"),
    "a kernel that is a number": ("--kernel", ".5"),
    "a kernel over several lines": ("--kernel", "se() +\n  linear(\tamplitude=0.1\n)"),
    "a mean over several lines": ("--mean", "0.1*x\n + 0.2", "--kernel", "se()"),
}


@pytest.mark.parametrize("text", TEXTS)
def test_what_fit_accepts_predict_and_summary_read(fit, ridgelet, wave, predict, text):
    fit(wave, *TEXTS[text])
    got = predict({"x": wave["x"]})
    assert np.abs(got["mean"] - wave["y"]).max() < 3
    assert ridgelet("summary", "model.nc", "--quiet").code == 0


@pytest.mark.parametrize("kernel", ["linear()", "outer(x1)", "outer(max(x1, 0))"])
def test_where_the_process_does_not_vary_the_prediction_is_there_and_its_error_infinite_or_none(
    ridgelet, write_table, tmp_path, kernel
):
    x = np.linspace(-2, 2, 40)
    write_table(tmp_path / "data.csv", {"x": x, "y": 0.5 * x + 0.1 * np.cos(40 * x)})
    fit = ("fit", "data.csv", "--y", "y", "--kernel", kernel, "--noise", 0.1, "--force", "--out", "model.nc", "--quiet")
    assert ridgelet(*fit).code == 0
    write_table(tmp_path / "new.csv", {"x": [0.0, 0.5, 1.0]})
    report = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", "--json").json
    header, values = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv").table("pred.csv")
    got = dict(zip(header, values.T, strict=True))
    assert np.all(np.isfinite([got[name] for name in ("mean", "sd", "lower", "upper")]))
    assert got["error"][0] in (0, np.inf) and np.all(np.isfinite(got["error"][1:]))
    varying = got["error"][np.isfinite(got["error"])]
    assert report["error"] == {"mean": pytest.approx(varying.mean()), "max": pytest.approx(varying.max())}


def test_the_report_has_the_mean_and_the_largest_error_of_the_rows(model, ridgelet, predict, inside):
    error = predict({"x": inside})["error"]
    report = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", "--json").json
    assert report["error"] == {"mean": pytest.approx(error.mean()), "max": pytest.approx(error.max())}
    assert 0 < report["error"]["mean"] < report["error"]["max"]
