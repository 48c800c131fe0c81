"""`ridgelet score`: its numbers against the same numbers computed from `predict`."""

import math
import shutil

import numpy as np
import pytest

KEYS = ["response", "rows", "rmse", "mae", "r2", "log_density", "crps", "coverage", "width"]
OF_THE_TABLE = ["rows_dropped", "rows_with_unknown", "outside_domain"]
LEVELS = {"50": 0.5, "80": 0.8, "95": 0.95}


@pytest.fixture
def held_out(fitted, ridgelet, write_table, tmp_path):
    """Rows that the model has not seen, and its predictions there."""
    shutil.copy(fitted.model, tmp_path / "model.nc")
    random = np.random.default_rng(11)
    x = random.uniform(-2.5, 2.5, 200)
    y = np.sin(1.5 * x) + 0.5 * x + 0.1 * random.standard_normal(200)
    write_table(tmp_path / "test.csv", {"y": y, "x": x})
    run = ridgelet("predict", "model.nc", "test.csv", "--out", "pred.csv", "--level", "0.5,0.8,0.95")
    header, values = run.table("pred.csv")
    return dict(zip(header, values.T, strict=True))


def normal_cdf(z):
    return np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in z])


def test_errors_are_those_of_the_predicted_means(held_out, ridgelet):
    score = ridgelet("score", "model.nc", "test.csv", "--json").json
    error = held_out["y"] - held_out["mean"]
    assert list(score) == KEYS + OF_THE_TABLE and score["rows"] == 200 and score["response"] == "y"
    assert score["rmse"] == pytest.approx(np.sqrt(np.mean(error**2)), rel=1e-9)
    assert score["mae"] == pytest.approx(np.mean(np.abs(error)), rel=1e-9)
    assert score["r2"] == pytest.approx(1 - np.mean(error**2) / np.var(held_out["y"]), rel=1e-9)


def test_coverage_and_width_are_those_of_the_predicted_intervals(held_out, ridgelet):
    score = ridgelet("score", "model.nc", "test.csv", "--json").json
    for name, level in LEVELS.items():
        lower, upper = held_out[f"lower_{name}"], held_out[f"upper_{name}"]
        assert score["coverage"][name] == np.mean((lower <= held_out["y"]) & (held_out["y"] <= upper))
        assert score["width"][name] == pytest.approx(np.mean(upper - lower), rel=1e-9)
        assert abs(score["coverage"][name] - level) < 4.5 * np.sqrt(level * (1 - level) / 200)


# The mixture of the draws is close to a normal distribution here.
def test_density_and_crps_are_nearly_those_of_a_normal_distribution(held_out, ridgelet):
    score = ridgelet("score", "model.nc", "test.csv", "--json").json
    z = (held_out["y"] - held_out["mean"]) / held_out["sd"]
    density = -0.5 * z**2 - np.log(held_out["sd"]) - 0.5 * np.log(2 * np.pi)
    assert score["log_density"] == pytest.approx(np.mean(density), abs=0.01)
    pdf = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi)
    crps = held_out["sd"] * (z * (2 * normal_cdf(z) - 1) + 2 * pdf - 1 / np.sqrt(np.pi))
    assert score["crps"] == pytest.approx(np.mean(crps), rel=0.01)


def test_the_report_for_people_has_the_same_numbers(held_out, ridgelet):
    score = ridgelet("score", "model.nc", "test.csv", "--json").json
    run = ridgelet("score", "model.nc", "test.csv")
    assert (run.code, run.said) == (0, "")
    assert run.out.startswith("y at 200 rows\n")
    for value in (score["rmse"], score["mae"], score["crps"]):
        assert f"{value:.4g}" in run.out
    assert f"holds {100 * score['coverage']['95']:.1f} % of the rows" in run.out
    assert ridgelet("score", "model.nc", "test.csv", "--quiet").out == ""


def test_scores_do_not_depend_on_threads(held_out, ridgelet):
    assert len({ridgelet("score", "model.nc", "test.csv", "--json", "--threads", n).out for n in (1, 2)}) == 1


def test_the_warnings_of_the_fit_are_repeated(held_out, fitted, ridgelet):
    run = ridgelet("score", "model.nc", "test.csv", "--quiet")
    assert fitted.report["warnings"]
    for warning in fitted.report["warnings"]:
        assert f"warning: the fit warned: {warning}\n" in run.err


def test_one_row_has_no_r2(held_out, ridgelet, tmp_path):
    (tmp_path / "one.csv").write_text("x,y\n0,0.1\n")
    score = ridgelet("score", "model.nc", "one.csv", "--json").json
    assert score["rows"] == 1 and score["r2"] is None and score["rmse"] == score["mae"]


FIT = ("--kernel", "se(lengthscale=1.5)", "--units", 60, "--points", 30)


def test_several_responses_are_scored_one_by_one(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", {**wave, "z": 10 * wave["y"]})
    assert ridgelet("fit", "data.csv", "--x", "x", "--y", "y,z", "--noise", "0.1,1", *FIT, "--quiet").code == 0
    first, second = ridgelet("score", "model.nc", "data.csv", "--json").json
    assert [first["response"], second["response"]] == ["y", "z"]
    assert list(first) == KEYS + OF_THE_TABLE and second["rmse"] > first["rmse"]


def test_a_logarithm_is_scored_in_units_of_the_response(ridgelet, wave, write_table, tmp_path):
    price = np.exp(wave["y"])
    write_table(tmp_path / "data.csv", {"x": wave["x"], "price": price})
    assert ridgelet("fit", "data.csv", "--y", "log(price)", "--noise", 0.1, *FIT, "--quiet").code == 0
    score = ridgelet("score", "model.nc", "data.csv", "--json").json
    run = ridgelet("predict", "model.nc", "data.csv", "--out", "pred.csv")
    header, values = run.table("pred.csv")
    got = dict(zip(header, values.T, strict=True))
    assert score["response"] == "price"
    assert score["rmse"] == pytest.approx(np.sqrt(np.mean((price - got["mean"]) ** 2)), rel=1e-9)
    assert score["width"]["95"] == pytest.approx(np.mean(got["upper"] - got["lower"]), rel=1e-9)
    log_sd = np.log(got["upper"] / got["lower"]) / (2 * 1.959963984540054)
    log_mean = np.log(got["upper"] * got["lower"]) / 2
    z = (wave["y"] - log_mean) / log_sd
    density = -0.5 * z**2 - np.log(log_sd) - 0.5 * np.log(2 * np.pi) - wave["y"]
    assert score["log_density"] == pytest.approx(np.mean(density), abs=0.01)


def test_a_response_without_a_logarithm_is_refused_by_its_line(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", {"x": wave["x"], "price": np.exp(wave["y"])})
    assert ridgelet("fit", "data.csv", "--y", "log(price)", "--noise", 0.1, *FIT, "--quiet").code == 0
    (tmp_path / "test.csv").write_text("x,price\n0,1\n1,0\n")
    run = ridgelet("score", "model.nc", "test.csv")
    assert (run.code, run.out) == (2, "")
    assert run.err == "ridgelet: data: 'test.csv', line 3, column 'price': must be positive for log(price), got '0'\n"


def test_the_report_for_machines_counts_the_rows_that_were_dropped_or_lie_outside(ridgelet, fitted, tmp_path):
    shutil.copy(fitted.model, tmp_path / "model.nc")
    (tmp_path / "some.csv").write_text("x,y\n0,1\n,2\n1000,3\n0.5,\n1,1\n")
    score = ridgelet("score", "model.nc", "some.csv", "--missing", "drop", "--json").json
    assert [score[key] for key in ["rows", *OF_THE_TABLE]] == [3, 2, 0, 1]
