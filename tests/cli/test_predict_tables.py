"""Tables that `ridgelet predict` reads and writes: levels, streams, and any number of rows."""

import shutil

import numpy as np
import pytest
from conftest import as_number


@pytest.fixture
def model(fitted, tmp_path):
    shutil.copy(fitted.model, tmp_path / "model.nc")
    return fitted


def columns_of(text):
    header, *rows = text.splitlines()
    return dict(zip(header.split(","), np.array([[as_number(cell) for cell in row.split(",")] for row in rows]).T, strict=True))


def test_several_levels_have_columns_of_their_own(model, ridgelet, tmp_path):
    (tmp_path / "new.csv").write_text("x\n0\n1\n-2\n")
    several = columns_of(ridgelet("predict", "model.nc", "new.csv", "--level", "0.5,0.999,0.95").out)
    assert list(several) == ["x", "mean", "sd", "lower_50", "upper_50", "lower_99.9", "upper_99.9", "lower_95", "upper_95", "error", "outside"]
    for level, name in (("0.5", "50"), ("0.999", "99.9"), ("0.95", "95")):
        one = columns_of(ridgelet("predict", "model.nc", "new.csv", "--level", level).out)
        assert list(one) == ["x", "mean", "sd", "lower", "upper", "error", "outside"]
        for side in ("lower", "upper"):
            np.testing.assert_array_equal(one[side], several[f"{side}_{name}"])
    assert np.all(several["lower_95"] < several["lower_50"]) and np.all(several["upper_95"] < several["upper_99.9"])


def test_without_out_the_table_goes_to_the_standard_output(model, ridgelet, tmp_path):
    (tmp_path / "new.csv").write_text("x,name\n0,a\n1,b\n")
    assert ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv").code == 0
    run = ridgelet("predict", "model.nc", "new.csv")
    assert (run.code, run.said) == (0, "")
    assert run.out == (tmp_path / "pred.csv").read_text()
    assert run.out.startswith("x,name,mean,sd,lower,upper,error,outside\n0,a,")


def test_the_warnings_of_the_fit_are_repeated_also_when_quiet(model, ridgelet, tmp_path):
    (tmp_path / "new.csv").write_text("x\n0\n")
    assert model.report["warnings"]
    for flags in ((), ("--quiet",), ("--json",)):
        run = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv", *flags)
        assert run.err == "".join(f"warning: the fit warned: {text}\n" for text in model.report["warnings"])


def test_a_table_with_predictions_can_be_predicted_again(model, ridgelet, tmp_path):
    (tmp_path / "a.csv").write_text("x\n0\n1\n")
    for source, target in (("a", "b"), ("b", "c"), ("c", "d")):
        assert ridgelet("predict", "model.nc", f"{source}.csv", "--out", f"{target}.csv").code == 0
    columns = columns_of((tmp_path / "d.csv").read_text())
    quantities = ["mean", "sd", "lower", "upper", "error", "outside"]
    assert list(columns) == ["x", *quantities, *(f"y_{q}" for q in quantities), *(f"predicted_y_{q}" for q in quantities)]
    np.testing.assert_array_equal(columns["mean"], columns["predicted_y_mean"])


def test_a_fault_far_down_the_table_leaves_nothing(model, ridgelet, tmp_path):
    (tmp_path / "new.csv").write_text("x\n" + "0.5\n" * 30_000 + "oops\n")
    run = ridgelet("predict", "model.nc", "new.csv", "--out", "pred.csv")
    assert (run.code, run.out) == (2, "")
    assert run.err == "ridgelet: data: 'new.csv', line 30002, column 'x': must be a number, got 'oops'; correct it, or leave the row out\n"
    assert {path.name for path in tmp_path.iterdir()} == {"model.nc", "new.csv"}


MODEL = ["--noise", 0.1, "--kernel", "se(lengthscale=1.5)", "--units", 20, "--points", 20]


@pytest.fixture
def tiny(ridgelet, wave, write_table, tmp_path):
    """A model of few draws, so that many rows take little time."""
    write_table(tmp_path / "data.csv", wave)
    assert ridgelet("fit", "data.csv", "--x", "x", "--y", "y", *MODEL, "--quiet").code == 0
    return tmp_path


@pytest.mark.parametrize("command", ["fit", "predict", "score"])
def test_memory_does_not_grow_with_the_rows(tiny, peak_memory, command):
    random = np.random.default_rng(0)

    def peak(rows):
        values = random.standard_normal((rows, 2)).tolist()
        (tiny / "new.csv").write_text("x,y,remark\n" + "".join(f"{x},{y},some words of a row\n" for x, y in values))
        if command == "fit":
            return peak_memory("fit", "new.csv", "--x", "x", "--y", "y", *MODEL, "--threads", 1, "--out", "new.nc")
        written = ["--out", "pred.csv"] if command == "predict" else []
        return peak_memory(command, "model.nc", "new.csv", "--threads", 1, *written)

    # The smaller table has more than the 10,000 rows that a fit keeps. One more number for each row would be 2 MB. On
    # several threads, what they hold at once depends on chance.
    assert peak(270_000) < peak(20_000) + 2_000


def test_several_files_are_predicted_and_scored_as_one_table(tiny, ridgelet):
    random = np.random.default_rng(0)
    rows = [f"{x},{y}\n" for x, y in random.standard_normal((30, 2)).tolist()]
    for name, part in ("whole", rows), ("a", rows[:10]), ("none", []), ("b", rows[10:]):
        (tiny / f"{name}.csv").write_text("x,y\n" + "".join(part))
    parts = ["a.csv", "none.csv", "b.csv"]
    assert ridgelet("predict", "model.nc", *parts).out == ridgelet("predict", "model.nc", "whole.csv").out
    one, several = (ridgelet("score", "model.nc", *files, "--json").json for files in (["whole.csv"], parts))
    assert several == one
    assert ridgelet("predict", "model.nc", "a.csv", "b.csv", "--out", "b.csv").code == 2
    refused = ridgelet("predict", "model.nc", "none.csv", "none.csv")
    assert refused.err == "ridgelet: data: 'none.csv and 1 more': a header without rows; put a line of values for each row below it\n"
    (tiny / "other.csv").write_text("x;y\n1;2\n")
    refused = ridgelet("predict", "model.nc", "a.csv", "other.csv", "--out", "pred.csv")
    assert (refused.code, refused.said.count("\n")) == (2, 1)
    assert "'other.csv': separates columns by ';', and 'a.csv' by ','" in refused.said


def test_rows_of_every_block_are_predicted_as_if_alone(tiny, ridgelet):
    x = np.linspace(-2, 2, 20_000)
    (tiny / "new.csv").write_text("x\n" + "".join(f"{each!r}\n" for each in x.tolist()))
    whole = columns_of(ridgelet("predict", "model.nc", "new.csv").out)
    np.testing.assert_array_equal(whole["x"], x)
    some = [0, 8191, 8192, 16383, 16384, 19_999]
    (tiny / "some.csv").write_text("x\n" + "".join(f"{float(x[i])!r}\n" for i in some))
    alone = columns_of(ridgelet("predict", "model.nc", "some.csv").out)
    for name in ("mean", "sd", "lower", "upper"):
        np.testing.assert_allclose(alone[name], whole[name][some], rtol=1e-9)
