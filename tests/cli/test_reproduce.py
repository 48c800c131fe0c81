"""`ridgelet reproduce`: the files of a figure, its numbers by a second route, and what they depend on."""

import csv
import json
import os
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import pytest
from conftest import PROGRAM

DATA = Path(os.environ["RIDGELET_SOURCE"]) / "data"
MODELS = ["least-squares", "least-squares-100", "iid", "ridgelet", "gp"]
CONTRACT_KEYS = {"rmse", "coverage", "width", "gp_distance"}
FURTHER_KEYS = {
    "units", "chains", "warmup", "draws", "rhat_max", "bulk_min", "tail_min", "prior_error", "warnings", "seed",
    "seconds",
}  # fmt: skip
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
BAD_INPUT = 2
IO_TROUBLE = 3

# file, column, months of data, months in use, months in the unit of time, slope of the mean, period, noise
TASKS = {
    "co2": ("mauna_loa_co2.csv", "co2_ppm", 43, 66, 12, 0.06, 1.8, 0.065),
    "airline": ("airline_passengers.csv", "passengers", 47, 72, 1, 0.2, 1.75, 0.145),
}


def reproduce(directory, *arguments):
    return subprocess.run(
        [PROGRAM, "reproduce", *map(str, arguments)], cwd=directory, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The small version of an experiment, run once: its directory, and what --json printed."""
    done = {}

    def run(name):
        if name not in done:
            directory = tmp_path_factory.mktemp(name)
            run = reproduce(directory, name, "--out", "a/b", "--fast", "--json", "--threads", 2, "--seed", 1)
            assert (run.returncode, run.stderr) == (0, "")
            done[name] = (directory / "a" / "b", run.stdout)
        return done[name]

    return run


def standardised(name):
    """x, y and the number of months of data, from the data set itself."""
    file, column, train, used, months_per_unit, *_ = TASKS[name]
    with open(DATA / file, newline="") as stream:
        rows = list(csv.DictReader(stream))
    values = np.array([float(row[column]) for row in rows])
    month = np.array([12 * int(row["year"]) + int(row["month"]) for row in rows])[:used]
    months = month[-1] - month[0]
    return -5 + 10 * (month - month[0]) / months, (values[:used] - values.min()) / (months / months_per_unit), train


def exact_prediction(name):
    """The process's predictive mean and standard deviation, noise included, at the held-out months."""
    slope, period, noise = TASKS[name][5:]
    x, y, train = standardised(name)

    def k(a, b):
        return np.exp(-2 * np.sin(np.pi * np.subtract.outer(a, b) / period) ** 2 / 0.75**2)

    data, held_out = x[:train], x[train:]
    C = k(data, data) + noise**2 * np.eye(train)
    across = k(held_out, data)
    mean = slope * held_out + across @ np.linalg.solve(C, y[:train] - slope * data)
    variance = 1 - np.sum(across * np.linalg.solve(C, across.T).T, axis=1)
    return mean, np.sqrt(variance + noise**2)


def read_rows(directory, name, model, part):
    with open(directory / f"{name}.csv", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if (row["model"], row["part"]) == (model, part)]
    return {
        column: np.array([float(row[column]) for row in rows])
        for column in ("year", "x", "y", "mean", "sd", "lower", "upper")
        if all(row[column] for row in rows)
    }


def without_seconds(text):
    report = json.loads(text)
    for entry in report.values():
        entry.pop("seconds", None)
    return report


def test_the_list_has_a_line_for_each_name(ridgelet):
    run = ridgelet("reproduce", "--list")
    assert (run.code, run.said) == (0, "")
    names = [line.split()[0] for line in run.out.splitlines()]
    assert set(TASKS) <= set(names)
    assert all(len(line.split()) > 3 for line in run.out.splitlines())
    assert [entry["name"] for entry in ridgelet("reproduce", "--list", "--json").json] == names


def test_the_examples_of_the_help_text_run(run_examples):
    listed, run = run_examples("reproduce")
    assert (listed.code, listed.said) == (0, "")
    assert (run.code, run.said) == (0, "")
    for ending in ("csv", "json", "svg", "png"):
        assert f"figures/co2.{ending}" in run.out
        assert (run.directory / "figures" / f"co2.{ending}").stat().st_size > 1000
    for word in ("model", "gp_distance", "R-hat", "seconds", "warning: ridgelet with 200 units: the prior error is"):
        assert word in run.out


@pytest.mark.parametrize("name", TASKS)
def test_the_four_files_are_whole_and_nothing_else_is_there(results, name):
    directory, printed = results(name)
    wanted = {f"{name}.{ending}" for ending in ("csv", "json", "svg", "png")}
    assert {path.name for path in directory.iterdir()} == wanted
    assert (directory / f"{name}.json").read_text() == printed
    assert xml.parse(directory / f"{name}.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    png = (directory / f"{name}.png").read_bytes()
    assert png.startswith(PNG_SIGNATURE) and b"IEND" in png[-12:]


@pytest.mark.parametrize("name", TASKS)
def test_the_json_has_the_keys_of_the_contract_for_each_model(results, name):
    report = json.loads(results(name)[1])
    assert list(report) == [*MODELS, "task"]
    for model in MODELS:
        assert set(report[model]) == CONTRACT_KEYS | FURTHER_KEYS
    assert report["least-squares-100"]["units"] == 100
    assert (report["task"]["train"], report["task"]["held_out"]) == (TASKS[name][2], TASKS[name][3] - TASKS[name][2])


@pytest.mark.parametrize(("name", "rmse", "digits"), [("co2", 0.0994, 4), ("airline", 0.344, 3)])
def test_the_exact_process_has_its_known_error(results, name, rmse, digits):
    entry = json.loads(results(name)[1])["gp"]
    assert round(entry["rmse"], digits) == rmse
    assert entry["gp_distance"] == 0
    assert entry["warnings"] == []


@pytest.mark.parametrize("name", TASKS)
def test_the_exact_process_agrees_with_a_second_route_from_the_data(results, name):
    mean, sd = exact_prediction(name)
    x, y, train = standardised(name)
    rows = read_rows(results(name)[0], name, "gp", "test")
    np.testing.assert_allclose(rows["x"], x[train:], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows["y"], y[train:], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows["mean"], mean, rtol=0, atol=1e-9)
    np.testing.assert_allclose(rows["sd"], sd, rtol=0, atol=1e-9)
    np.testing.assert_allclose(rows["upper"] - rows["lower"], 2 * 1.959963984540054 * sd, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", TASKS)
def test_the_scores_are_those_of_the_rows(results, name):
    directory, printed = results(name)
    exact = read_rows(directory, name, "gp", "test")
    for model in MODELS:
        entry, rows = json.loads(printed)[model], read_rows(directory, name, model, "test")
        inside = (rows["lower"] <= rows["y"]) & (rows["y"] <= rows["upper"])
        differences = np.concatenate([rows["mean"] - exact["mean"], rows["sd"] - exact["sd"]])
        assert entry["rmse"] == pytest.approx(np.sqrt(np.mean((rows["mean"] - rows["y"]) ** 2)), rel=1e-12)
        assert entry["coverage"] == pytest.approx(inside.mean(), rel=1e-12)
        assert entry["width"] == pytest.approx(np.mean(rows["upper"] - rows["lower"]), rel=1e-12)
        assert entry["gp_distance"] == pytest.approx(np.sqrt(np.mean(differences**2)), rel=1e-12, abs=1e-15)


def test_time_comes_from_year_and_month_so_that_months_without_a_row_leave_a_gap(results):
    directory, _ = results("co2")
    rows = read_rows(directory, "co2", "gp", "train")
    month = 10 / 67  # 66 rows and 2 months without one
    np.testing.assert_allclose(np.diff(rows["x"][:8]) / month, [1, 1, 2, 1, 1, 2, 1], rtol=0, atol=1e-12)
    assert (rows["x"][0], read_rows(directory, "co2", "gp", "test")["x"][-1]) == (-5, 5)
    np.testing.assert_allclose(rows["year"][:3], [1958 + 2 / 12, 1958 + 3 / 12, 1958 + 4 / 12], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", TASKS)
def test_every_model_has_every_month_and_a_curve_from_end_to_end(results, name):
    directory, _ = results(name)
    for model in MODELS:
        rows = {part: read_rows(directory, name, model, part) for part in ("train", "test", "curve")}
        assert (len(rows["train"]["x"]), len(rows["train"]["x"]) + len(rows["test"]["x"])) == TASKS[name][2:4]
        assert (rows["curve"]["x"][0], rows["curve"]["x"][-1]) == (-5, 5)
        assert "y" not in rows["curve"]
        for part in rows.values():
            assert np.all((part["lower"] < part["mean"]) & (part["mean"] < part["upper"]) & (part["sd"] > 0))


@pytest.mark.parametrize("name", TASKS)
def test_least_squares_forecasts_as_the_process_does_and_independent_weights_do_not(results, name):
    report = json.loads(results(name)[1])
    exact = report["gp"]
    for model in ("least-squares", "least-squares-100"):
        assert report[model]["rmse"] == pytest.approx(exact["rmse"], rel=0.04)
        assert report[model]["coverage"] == pytest.approx(exact["coverage"], abs=0.05)
        assert report[model]["width"] == pytest.approx(exact["width"], rel=0.1)
        assert report[model]["gp_distance"] < 0.03
        assert report[model]["gp_distance"] < report["iid"]["gp_distance"] / 8
        assert report[model]["gp_distance"] < report["ridgelet"]["gp_distance"] / 8
    assert report["least-squares"]["gp_distance"] < report["least-squares-100"]["gp_distance"]
    assert report["iid"]["rmse"] > 1.5 * exact["rmse"]


@pytest.mark.parametrize("name", TASKS)
def test_what_is_wrong_with_the_ridgelet_operator_is_said(results, name):
    report = json.loads(results(name)[1])
    error, mixing = report["ridgelet"]["warnings"]
    assert "prior error is large" in error and "--" not in error  # no flag that `reproduce` lacks
    assert "not mixed" in mixing and f"{report['ridgelet']['rhat_max']:.3f}" in mixing
    assert report["ridgelet"]["rhat_max"] > 1.1
    assert report["ridgelet"]["prior_error"]["mean"] > 1 > 0.1 > report["least-squares"]["prior_error"]["mean"] > 0
    assert report["ridgelet"]["prior_error"]["max"] > report["ridgelet"]["prior_error"]["mean"]
    assert report["iid"]["prior_error"] is None and report["gp"]["prior_error"] is None


def test_the_figure_names_its_models_in_their_colours_and_the_unit_of_its_axis(results):
    svg = (results("co2")[0] / "co2.svg").read_text()
    for words in ("ridgelet, 200 units", "least-squares, 200 units", "iid, 200 units", "exact Gaussian process"):
        assert words in svg
    for words in ("(ppm)", "year", "1960", "held out", "95 % interval, noise included", "forecast starts"):
        assert words in svg
    for colour in ("rgb(213,  94,   0)", "rgb(  0, 114, 178)", "rgb(204, 121, 167)", "rgb( 77,  77,  77)"):
        assert colour in svg


def test_the_numbers_do_not_depend_on_threads_and_quiet_prints_nothing(results, tmp_path):
    directory, printed = results("co2")
    run = reproduce(tmp_path, "co2", "--out", ".", "--fast", "--quiet", "--threads", 1, "--seed", 1)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert without_seconds((tmp_path / "co2.json").read_text()) == without_seconds(printed)
    for ending in ("csv", "svg", "png"):
        assert (tmp_path / f"co2.{ending}").read_bytes() == (directory / f"co2.{ending}").read_bytes()


def test_another_seed_changes_the_networks_and_not_the_process(results, tmp_path):
    first = without_seconds(results("airline")[1])
    run = reproduce(tmp_path, "airline", "--out", ".", "--fast", "--json", "--seed", 2)
    assert (run.returncode, run.stderr) == (0, "")
    second = without_seconds(run.stdout)
    assert {**second["gp"], "seed": 1} == first["gp"]
    for model in MODELS[:-1]:
        assert second[model]["rmse"] != first[model]["rmse"]


def test_a_model_that_is_left_out_changes_nothing_for_the_others(results, tmp_path):
    whole = without_seconds(results("co2")[1])
    run = reproduce(tmp_path, "co2", "--out", ".", "--fast", "--quiet", "--json", "--seed", 1, "--without", "ridgelet")
    del whole["ridgelet"]
    assert without_seconds(run.stdout) == whole
    assert "least-squares, 100 units" in (tmp_path / "co2.svg").read_text()


BAD_CALLS = {
    "no name": ((), BAD_INPUT, ["NAME: is required", "--list"]),
    "unknown name": (("co3", "--out", "new"), BAD_INPUT, ["NAME", "co2, airline", "'co3'", "did you mean 'co2'?"]),
    "mistyped name": (("airlines", "--out", "new"), BAD_INPUT, ["'airlines'", "did you mean 'airline'?"]),
    "no directory": (("co2",), BAD_INPUT, ["--out: is required"]),
    "two names": (("co2", "airline", "--out", "new"), BAD_INPUT, ["unknown argument 'airline' of reproduce"]),
    "unknown option": (("co2", "--out", "new", "--quick"), BAD_INPUT, ["unknown option '--quick'"]),
    "a model that cannot be left out": (("co2", "--out", "new", "--without", "gp"), BAD_INPUT, ["--without", "'gp'", "ridgelet"]),
    "a figure without models": (("mollifier", "--out", "new", "--without", "gp"), BAD_INPUT, ["--without", "'mollifier'"]),
    "a file in place of the directory": (("co2", "--out", "file"), IO_TROUBLE, ["'file'"]),
    "a directory below a file": (("co2", "--out", "file/new"), IO_TROUBLE, ["'file/new'"]),
    "a directory that takes no file": (("co2", "--out", "/proc"), IO_TROUBLE, ["'/proc/co2.csv'"]),
    "a directory in place of a file": (("co2", "--out", "taken"), IO_TROUBLE, ["'taken/co2.png'", "is a directory"]),
}


@pytest.mark.parametrize("call", BAD_CALLS)
def test_a_bad_call_ends_at_once_with_one_line_and_writes_nothing(ridgelet, tmp_path, call):
    (tmp_path / "file").write_text("kept\n")
    (tmp_path / "taken" / "co2.png").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    arguments, code, words = BAD_CALLS[call]
    run = ridgelet("reproduce", *arguments)
    assert (run.code, run.out) == (code, ""), run.err
    (line,) = run.err.splitlines()
    assert line.startswith("ridgelet: ")
    for word in words:
        assert word in line
    assert sorted(tmp_path.rglob("*")) == before


def test_without_gnuplot_the_numbers_are_kept_and_the_error_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    run = reproduce(tmp_path, "co2", "--out", "new", "--fast")
    assert (run.returncode, run.stdout) == (IO_TROUBLE, "")
    assert "gnuplot is not installed" in run.stderr and run.stderr.count("\n") == 1
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"co2.csv", "co2.json"}
    assert set(json.loads((tmp_path / "new" / "co2.json").read_text())) == {*MODELS, "task"}
