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


@pytest.fixture
def incomes(tmp_path, write_table):
    """incomes.csv, logs.csv, which has the logarithms of the same incomes, and new.csv and new-logs.csv."""
    random = np.random.default_rng(7)
    income, age = np.exp(2 * random.standard_normal(50)), random.uniform(20, 60, 50)
    y = np.sin(np.log(income)) + age / 30 + 0.1 * random.standard_normal(50)
    for plain, logs, rows in (("incomes.csv", "logs.csv", slice(0, 40)), ("new.csv", "new-logs.csv", slice(40, 50))):
        others = {"age": age[rows], "y": y[rows]}
        write_table(tmp_path / plain, {"income": income[rows], **others})
        write_table(tmp_path / logs, {"logged": np.log(income[rows]), **others})
    return tmp_path


def test_a_logarithm_of_an_input_is_the_column_of_logarithms_from_fit_to_export(incomes, run_in):
    fits = (("log(income),age", "incomes.csv", "new.csv"), ("logged,age", "logs.csv", "new-logs.csv"))
    means, scores = [], []
    for inputs, table, new in fits:
        fit = ("fit", table, "--x", inputs, "--y", "y", *SMOOTH, *RUN, "--out", "m.nc", "--quiet")
        assert run_in(incomes, *fit).code == 0
        run = run_in(incomes, "predict", "m.nc", new)
        assert run.code == 0, run.err
        means.append([float(row.split(",")[3]) for row in run.out.splitlines()[1:]])
        scores.append(run_in(incomes, "score", "m.nc", new, "--json").json)
        if table == "logs.csv":
            continue
        assert run_in(incomes, "summary", "m.nc", "--json").json["inputs"] == ["log(income)", "age"]
        assert run_in(incomes, "export", "m.nc", "--to", "json", "--out", "m.json").code == 0
        facts = json.loads((incomes / "m.json").read_text())["facts"]
        assert facts["inputs"] == ["log(income)", "age"]
        assert facts["columns"] == [{"name": "income", "kind": "logarithm"}, {"name": "age", "kind": "number"}]
        assert run_in(incomes, "plot", "m.nc", "--data", new, "--out", "m.svg").code == 0
        assert "log(income)" in (incomes / "m.svg").read_text()
    np.testing.assert_allclose(means[0], means[1], rtol=1e-9)
    assert scores[0]["log_density"] == pytest.approx(scores[1]["log_density"], rel=1e-9)


def test_a_logarithm_needs_positive_numbers_in_fit_and_predict(incomes, run_in):
    fit = ("fit", "incomes.csv", "--x", "log(income),age", "--y", "y", *SMOOTH, *RUN, "--out", "m.nc", "--quiet")
    assert run_in(incomes, *fit).code == 0
    (incomes / "zero.csv").write_text("income,age,y\n3,30,1\n4,31,2\n0,33,1\nred,40,1\n")
    np.save(incomes / "zero.npy", np.array([(3, 30, 1), (4, 31, 2), (0, 33, 1)], dtype=[("income", float), ("age", float), ("y", float)]))
    for table, place in (("zero.csv", "line 4"), ("zero.npy", "row 3")):
        for command in (("predict", "m.nc", table), ("fit", table, "--x", "log(income)", "--y", "y", "--out", "n.nc")):
            if command[0] == "fit" and table == "zero.csv":
                continue  # its text is refused first
            run = run_in(incomes, *command)
            assert run.code == 2
            assert f"{place}, column 'income': must be positive for log(income), got '0'" in run.err
    text = run_in(incomes, "fit", "zero.csv", "--x", "log(income)", "--y", "y", "--out", "n.nc")
    assert text.code == 2 and "line 5, column 'income': must be a number, got 'red'" in text.err
    taken = run_in(incomes, "fit", "incomes.csv", "--x", "log(y),age", "--y", "y", "--out", "n.nc")
    assert taken.code == 2 and "'y' is an input already" in taken.err


def test_a_column_may_be_an_input_beside_its_logarithm_and_one_called_so_is_meant_itself(incomes, run_in):
    both = ("fit", "incomes.csv", "--x", "income,log(income)", "--y", "y", *SMOOTH, *RUN, "--out", "m.nc", "--quiet")
    assert run_in(incomes, *both).code == 0
    assert run_in(incomes, "summary", "m.nc", "--json").json["inputs"] == ["income", "log(income)"]
    assert run_in(incomes, "predict", "m.nc", "new.csv").code == 0
    (incomes / "named.csv").write_text((incomes / "logs.csv").read_text().replace("logged", "log(income)"))
    assert run_in(incomes, "fit", "named.csv", "--x", "log(income)", "--y", "y", *SMOOTH, *RUN, "--out", "m.nc").code == 0
    run = run_in(incomes, "predict", "m.nc", "new.csv")
    assert run.code == 2 and "log(income)" in run.err


def test_a_month_is_its_first_day_in_fit_and_predict(tmp_path, run_in):
    import xarray

    months = [f"{2010 + i // 12}-{1 + i % 12:02}" for i in range(60)]
    (tmp_path / "months.csv").write_text("month,y\n" + "".join(f"{m},{np.sin(i / 9)}\n" for i, m in enumerate(months)))
    fit = ("fit", "months.csv", "--y", "y", "--out", "months.nc", "--seed", 1)
    assert run_in(tmp_path, *fit).code == 0
    with xarray.open_dataset(tmp_path / "months.nc", group="constant_data") as constant:
        first_days = (np.array(months, dtype="datetime64[M]").astype("datetime64[D]") - np.datetime64("1970-01-01")).astype(int)
        np.testing.assert_array_equal(constant.x.values[:, 0], first_days)
    (tmp_path / "new.csv").write_text("month\n2012-07\n2012-07-01\n")
    run = run_in(tmp_path, "predict", "months.nc", "new.csv")
    assert run.code == 0
    month, day = run.out.splitlines()[1:]
    assert month.split(",")[1:] == day.split(",")[1:]


@pytest.fixture
def weeks(tmp_path):
    """weeks.csv: a value a week from 2010-01-03 on, and level.csv with a second column."""
    days = np.datetime64("2010-01-03") + 7 * np.arange(60)
    rows = [f"{day},{np.sin(i / 9)}" for i, day in enumerate(days)]
    (tmp_path / "weeks.csv").write_text("day,v\n" + "\n".join(rows) + "\n")
    (tmp_path / "level.csv").write_text("level,day,v\n" + "\n".join(f"{i % 7},{row}" for i, row in enumerate(rows)) + "\n")
    return tmp_path


@pytest.mark.parametrize("domain", ["2009-01-01:2013-01-01", "2009-01:2013-01", "14245:15706", "2009-01-01T00:00:2013-01-01T00:00:00Z"])
def test_the_domain_of_dates_is_given_in_dates(weeks, run_in, domain):
    given = ("--kernel", "se(lengthscale=1)", "--noise", 0.1, "--standardise", "--units", 40, "--quiet")
    assert run_in(weeks, "fit", "weeks.csv", "--y", "v", "--domain", domain, *given).code == 0
    (weeks / "new.csv").write_text("day\n2008-12-31\n2009-01-01\n2013-01-01\n2013-01-02\n")
    rows = run_in(weeks, "predict", "model.nc", "new.csv").out.splitlines()
    assert [row.rpartition(",")[2] for row in rows[1:]] == ["yes", "no", "no", "yes"]


@pytest.mark.parametrize("command", ["fit", "learn", "compare"])
def test_a_domain_that_does_not_match_the_inputs_is_refused_with_their_names(weeks, run_in, command):
    run = run_in(weeks, command, "level.csv", "--y", "v", "--domain", "2009-01-01:2013-01-01")
    assert (run.code, run.out) == (2, "")
    assert run.err == "ridgelet: --domain: must have 2 ranges LO:HI, for the inputs level, day in this order, got 1\n"
    run = run_in(weeks, command, "level.csv", "--y", "v", "--domain", "2009-01-01:2013-01-01,0:1")
    assert (run.code, run.out) == (2, "") and "range of numbers for 'level'" in run.err


def test_reports_speak_of_dates_in_dates_and_days(weeks, run_in):
    run = run_in(weeks, "fit", "weeks.csv", "--y", "v", "--mean", "1 + 2*x1", "--units", 40, "--noise", 0.1, "--kernel", "se(lengthscale=1)", "--standardise")
    (line,) = [line for line in run.out.splitlines() if line.strip().startswith("day ")]
    days = 7 * np.arange(60)
    centre = np.datetime64("2010-01-03") + int(days.mean())
    assert line.split()[:4] == ["day", str(centre), f"{days.std():.4g}", "days"]
    assert f"(day - {centre})" in run.out


def test_there_is_no_thirteenth_month(tmp_path, run_in):
    months = ["2015-13" if i == 7 else f"2015-{1 + i % 12:02}" for i in range(24)]
    (tmp_path / "months.csv").write_text("month,y\n" + "".join(f"{m},{i % 5}\n" for i, m in enumerate(months)))
    run = run_in(tmp_path, "fit", "months.csv", "--y", "y", "--out", "months.nc")
    assert run.code == 2
    assert "line 9, column 'month': must be a date, as most of its column is, got '2015-13'" in run.err


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


def test_a_row_with_an_unknown_level_that_is_ignored_lies_outside_of_the_domain(houses, run_in):
    directory, _ = houses
    (directory / "levels.csv").write_text(
        "colour,area,sold,price\nred,100,2024-06-01,2e5\ngreen,100,2024-06-01,2e5\nblue,999,2024-06-01,2e5\n"
    )
    predict = ("predict", "model.nc", "levels.csv", "--out", "levels_pred.csv", "--unknown", "ignore")
    assert run_in(directory, *predict, "--json").json["outside_domain"] == 2
    rows = (directory / "levels_pred.csv").read_text().splitlines()
    assert [row.rpartition(",")[2] for row in rows] == ["outside", "no", "yes", "yes"]
    run = run_in(directory, "score", "model.nc", "levels.csv", "--unknown", "ignore")
    assert "warning: 2 of 3 rows lie outside of the domain of the fit" in run.err and "wider --domain" in run.err
    (directory / "levels.csv").write_text("colour,area,sold,price\nred,100,2024-06-01,2e5\ngreen,100,2024-06-01,2e5\n")
    run = run_in(directory, "score", "model.nc", "levels.csv", "--unknown", "ignore")
    assert "warning: 1 of 2 rows lie outside" in run.err and "--domain" not in run.err


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
    fitted = ridgelet("fit", "gaps.csv", "--y", "y", "--missing", "drop", "--json").json
    for report in (fitted, ridgelet("summary", "model.nc", "--json").json):
        assert (report["rows"], report["rows_dropped"]) == (12, 1)
        assert report["columns_left_out"] == ["empty", "unit"]
        assert report["warnings"][-1] == "1 of 13 rows is left out: a missing value"
    text = ridgelet("summary", "model.nc").out
    assert "12 rows; 1 of 13 rows is left out: a missing value; columns left out: empty, unit\n" in text


def test_a_fit_of_a_whole_table_leaves_nothing_out(ridgelet, tmp_path):
    (tmp_path / "whole.csv").write_text("x,y\n" + "".join(f"{i},{i * i}\n" for i in range(12)))
    assert ridgelet("fit", "whole.csv", "--y", "y", "--quiet").code == 0
    report = ridgelet("summary", "model.nc", "--json").json
    assert (report["rows_dropped"], report["columns_left_out"]) == (0, [])
    assert not any("left out" in warning for warning in report["warnings"])
    assert "left out" not in ridgelet("summary", "model.nc").out


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


COLOURS = ["r\xf6t, \"dunkel\"", "\u84dd=1"]
UMLAUTS = ['"gr\xf6\xdfe; m",farbe,y'] + [f"{i / 7!r},\"{COLOURS[i % 2].replace(chr(34), chr(34) * 2)}\",{(i * 5) % 7}" for i in range(16)]


def test_names_and_levels_of_any_letters_reach_the_prediction(ridgelet, tmp_path):
    (tmp_path / "data.csv").write_text("\n".join(UMLAUTS) + "\n", encoding="utf-8")
    run = ridgelet("fit", "data.csv", "--y", "y", *SMOOTH, "--points", 30, *RUN, "--json")
    assert run.code == 0 and json.loads(run.out)["inputs"][0] == "gr\xf6\xdfe; m"
    run = ridgelet("predict", "model.nc", "data.csv", "--out", "pred.csv", "--quiet")
    assert run.code == 0, run.err
    assert len((tmp_path / "pred.csv").read_text(encoding="utf-8").splitlines()) == 17


def test_tables_that_are_not_utf_8_are_refused_by_every_command_with_the_way_to_convert_them(ridgelet, tmp_path):
    (tmp_path / "data.csv").write_text("\n".join(UMLAUTS) + "\n", encoding="utf-8")
    assert ridgelet("fit", "data.csv", "--y", "y", *SMOOTH, "--points", 30, *RUN, "--quiet").code == 0
    rows = "\n".join(["g,farbe,y", *UMLAUTS[1:]]) + "\n"
    tables = {"names.csv": "\n".join(UMLAUTS) + "\n", "cells.csv": rows}
    places = {"names.csv": "line 1: the name of column 1 is not UTF-8", "cells.csv": "line 2, column 'farbe': is not UTF-8"}
    for table, text in tables.items():
        (tmp_path / table).write_bytes(text.encode("latin-1", errors="replace"))
        for command in (("fit", table, "--y", "y"), ("learn", table, "--y", "y"), ("compare", table, "--y", "y")):
            run = ridgelet(*command)
            assert run.code == 2 and places[table] in run.err and "iconv -f latin1 -t utf-8" in run.err
    for command in (("predict", "model.nc", "names.csv"), ("score", "model.nc", "names.csv")):
        assert places["names.csv"] in ridgelet(*command).err
    cells = "\n".join([UMLAUTS[0].encode().decode("latin-1"), *UMLAUTS[1:]]) + "\n"
    (tmp_path / "cells.csv").write_bytes(cells.encode("latin-1", errors="replace"))
    for command in ("predict", "score"):
        run = ridgelet(command, "model.nc", "cells.csv", "--unknown", "ignore")
        assert run.code == 2 and places["cells.csv"] in run.err
    (tmp_path / "wide.csv").write_text("x,y\n1,2\n2,3\n", encoding="utf-16")
    run = ridgelet("fit", "wide.csv", "--y", "y")
    assert run.code == 2 and "iconv -f utf-16 -t utf-8" in run.err
