"""Columns of real tables: dialects, text, dates, missing values and logarithms, from `fit` to `predict`."""

import json

import numpy as np
import pytest

RUN = ("--units", 60)
SMOOTH = ("--noise", 0.1, "--kernel", "se(lengthscale=2)", "--standardise")
DAYS_TO_2024 = 19723


@pytest.fixture(scope="module")
def houses(tmp_path_factory, run_in):
    """A table with every sort of column, the fit of log(price) to all of them, and that run."""
    directory = tmp_path_factory.mktemp("houses")
    random = np.random.default_rng(1)
    lines = ["area,colour,sold,unit,price"]
    for i in range(30):
        area, colour, day = random.uniform(50, 150), ["red", "blue"][i % 2], 1 + i % 28
        price = 1000 * area ** (1.2 if colour == "red" else 1.1) * np.exp(0.05 * random.standard_normal())
        lines.append(f"{area!r},{colour},2024-{1 + i % 12:02}-{day:02},m2,{price!r}")
    (directory / "houses.csv").write_text("\n".join(lines) + "\n")
    run = run_in(directory, "fit", "houses.csv", "--y", "log(price)", *SMOOTH, "--points", 30, *RUN)
    assert run.code == 0, run.err
    return directory, run


def new_table(directory, name, *rows):
    (directory / name).write_text("\n".join(["colour,area,sold", *rows]) + "\n")
    return name


def test_every_other_column_is_an_input_and_constant_ones_are_left_out_by_name(houses, run_in):
    directory, run = houses
    assert "note: column 'unit' is left out: the same value in every row\n" in run.err
    summary = run_in(directory, "summary", "model.nc", "--json").json
    assert summary["inputs"] == ["area", "colour=blue", "colour=red", "sold"]
    assert summary["outputs"] == ["log(price)"]


def test_dates_are_fitted_as_days(houses):
    import xarray

    directory, _ = houses
    with xarray.open_dataset(directory / "model.nc", group="constant_data") as constant:
        sold = constant.x.values[:, 3]
    assert sold[0] == DAYS_TO_2024 and sold[1] == DAYS_TO_2024 + 32
    assert np.all(sold == np.floor(sold))


def test_predictions_of_a_logarithm_are_of_the_response_itself(houses, run_in):
    directory, _ = houses
    rows = (directory / "houses.csv").read_text().splitlines()
    logs = ["area,colour,sold,log_price"]
    for row in rows[1:]:
        *inputs, price = row.split(",")
        logs.append(",".join([*inputs[:3], repr(float(np.log(float(price))))]))
    (directory / "logs.csv").write_text("\n".join(logs) + "\n")
    fit = ("fit", "logs.csv", "--y", "log_price", *SMOOTH, "--points", 30, *RUN, "--out", "logs.nc", "--quiet")
    assert run_in(directory, *fit).code == 0
    new = new_table(directory, "new.csv", "red,100,2024-06-01", "blue,80,2024-03-01T12:00")
    columns = []
    for model in ("model.nc", "logs.nc"):
        assert run_in(directory, "predict", model, new, "--out", "pred.csv").code == 0
        header, *rows = (directory / "pred.csv").read_text().splitlines()
        assert header == "colour,area,sold,mean,sd,lower,upper,error,outside"
        columns.append(np.array([[float(cell) for cell in row.split(",")[3:7]] for row in rows]).T)
    mean, sd, lower, upper = columns[0]
    log_mean, log_sd, log_lower, log_upper = columns[1]
    np.testing.assert_allclose(lower, np.exp(log_lower), rtol=1e-9)
    np.testing.assert_allclose(upper, np.exp(log_upper), rtol=1e-9)
    np.testing.assert_allclose(mean, np.exp(log_mean + log_sd**2 / 2), rtol=1e-3)
    np.testing.assert_allclose(sd, mean * np.sqrt(np.expm1(log_sd**2)), rtol=0.05)
    assert abs(mean[0] - 1000 * 100**1.2) < 0.2 * mean[0]


def test_an_unknown_level_is_refused_by_name_unless_it_is_to_be_ignored(houses, run_in):
    directory, _ = houses
    new = new_table(directory, "unknown.csv", "red,100,2024-06-01", "green,100,2024-06-01")
    run = run_in(directory, "predict", "model.nc", new, "--out", "unknown_pred.csv")
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        "ridgelet: data: 'unknown.csv', line 3, column 'colour': 'green' was no level of the fit, which had blue, red; "
        "correct it, or take it for none of them with --unknown ignore\n"
    )
    assert not (directory / "unknown_pred.csv").exists()
    run = run_in(directory, "predict", "model.nc", new, "--out", "unknown_pred.csv", "--unknown", "ignore", "--quiet")
    assert run.code == 0
    assert "warning: 1 of 2 rows has a text level that the fit has never seen, which is ignored\n" in run.err
    assert len((directory / "unknown_pred.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("command", ["fit", "predict", "score"])
def test_rows_with_missing_values_are_refused_or_left_out_and_counted(houses, run_in, tmp_path, command):
    directory, _ = houses
    header, *rows = (directory / "houses.csv").read_text().splitlines()
    rows[3] = "," + rows[3].partition(",")[2]
    rows[7] = rows[7].replace("blue", "NA")
    (tmp_path / "gaps.csv").write_text("\n".join([header, *rows]) + "\n")
    call = {
        "fit": ("fit", "gaps.csv", "--y", "log(price)", *SMOOTH, "--points", 30, *RUN),
        "predict": ("predict", directory / "model.nc", "gaps.csv", "--out", "pred.csv"),
        "score": ("score", directory / "model.nc", "gaps.csv"),
    }[command]
    run = run_in(tmp_path, *call)
    assert (run.code, run.out) == (2, "")
    (line,) = run.err.splitlines()
    assert "'gaps.csv', line 5, column 'area': missing value" in line and "--missing drop" in line
    run = run_in(tmp_path, *call, "--missing", "drop")
    assert run.code == 0
    assert "2 of 30 rows are left out: a missing value\n" in run.err
    report = run_in(tmp_path, *call, "--missing", "drop", "--json")
    assert json.loads(report.out)["rows"] == 28
    assert json.loads(report.out).get("rows_dropped", 2) == 2
    for silent in ("--quiet", "--json"):
        assert "warning: 2 of 30 rows are left out: a missing value\n" in run_in(tmp_path, *call, "--missing", "drop", silent).err


def test_the_report_of_a_fit_has_what_it_does_without(ridgelet, tmp_path):
    rows = "".join(f"{i},cm,,{i % 3},{i * i}\n" for i in range(12))
    (tmp_path / "gaps.csv").write_text("x,unit,empty,z,y\n" + rows + ",cm,,1,5\n")
    report = ridgelet("fit", "gaps.csv", "--y", "y", "--missing", "drop", "--json").json
    assert (report["rows"], report["rows_dropped"]) == (12, 1)
    assert report["columns_left_out"] == ["empty", "unit"]


DIALECTS = {
    "commas": lambda text: text,
    "semicolons": lambda text: text.replace(",", ";"),
    "semicolons, decimal commas": lambda text: text.replace(",", ";").replace(".", ","),
    "tabs": lambda text: text.replace(",", "\t"),
    "byte order mark, CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "byte order mark, CRLF, decimal commas": lambda text: "\ufeff" + DIALECTS["semicolons, decimal commas"](text).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_table_is_fitted_and_predicted_alike_in_every_dialect(ridgelet, wave, write_table, tmp_path, dialect):
    write_table(tmp_path / "plain.csv", wave)
    plain = (tmp_path / "plain.csv").read_text()
    (tmp_path / "other.csv").write_bytes(DIALECTS[dialect](plain).encode())
    predictions = []
    for name in ("plain", "other"):
        fit = ("fit", f"{name}.csv", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=1.5)", "--points", 30, *RUN)
        assert ridgelet(*fit, "--out", f"{name}.nc", "--quiet").code == 0
        assert ridgelet("predict", f"{name}.nc", f"{name}.csv", "--out", "pred.csv", "--quiet").code == 0
        predictions.append((tmp_path / "pred.csv").read_text())
    expected = DIALECTS[dialect](predictions[0]).removeprefix("\ufeff").replace("\r\n", "\n")
    assert predictions[1] == expected


def test_a_column_that_is_called_a_logarithm_is_taken_as_it_is(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", {"x": wave["x"], "log(y)": wave["y"]})
    fit = ("fit", "data.csv", "--y", "log(y)", "--noise", 0.1, "--kernel", "se(lengthscale=1.5)", "--points", 30, *RUN)
    assert ridgelet(*fit, "--quiet").code == 0
    assert ridgelet("predict", "model.nc", "data.csv", "--out", "pred.csv", "--quiet").code == 0
    predicted = np.loadtxt(tmp_path / "pred.csv", delimiter=",", skiprows=1, usecols=range(3))
    assert np.abs(predicted[:, 2] - wave["y"]).max() < 0.5


def test_names_and_levels_of_any_bytes_reach_the_prediction(ridgelet, tmp_path):
    levels = ["r\xf6t, \"dunkel\"", "\u84dd=1"]
    rows = ['"gr\xf6\xdfe; m",farbe,y'] + [
        f"{i / 7!r},\"{levels[i % 2].replace(chr(34), chr(34) * 2)}\",{(i * 5) % 7}" for i in range(16)
    ]
    for encoding in ("utf-8", "latin-1"):
        (tmp_path / "data.csv").write_bytes("\n".join(rows).encode(encoding, errors="replace") + b"\n")
        fit = ("fit", "data.csv", "--y", "y", *SMOOTH, "--points", 30, *RUN)
        assert ridgelet(*fit, "--quiet").code == 0
        run = ridgelet("predict", "model.nc", "data.csv", "--out", "pred.csv", "--quiet")
        assert run.code == 0, run.err
        assert len((tmp_path / "pred.csv").read_bytes().splitlines()) == 17
