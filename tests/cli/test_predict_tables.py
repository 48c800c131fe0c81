"""Tables that `ridgelet predict` reads and writes: levels, streams, and any number of rows."""

import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import as_number

PROGRAM = os.environ["RIDGELET_PROGRAM"]


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
    assert run.err == "ridgelet: data: 'new.csv', line 30002, column 'x': must be a number, got 'oops'\n"
    assert {path.name for path in tmp_path.iterdir()} == {"model.nc", "new.csv"}


@pytest.fixture
def tiny(ridgelet, wave, write_table, tmp_path):
    """A model of few draws, so that many rows take little time."""
    write_table(tmp_path / "data.csv", wave)
    fit = ("fit", "data.csv", "--x", "x", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=1.5)", "--units", 20)
    assert ridgelet(*fit, "--points", 20, "--quiet").code == 0
    return tmp_path


def peak_memory(directory, rows):
    """Of a prediction of so many rows, in kB."""
    (directory / "new.csv").write_text("x,remark\n" + "".join(f"{i / rows},row number {i}\n" for i in range(rows)))
    done = subprocess.Popen([PROGRAM, "predict", "model.nc", "new.csv", "--out", "pred.csv", "--quiet"], cwd=directory,
                            stderr=subprocess.DEVNULL)  # fmt: skip
    _, status, usage = os.wait4(done.pid, 0)
    assert status == 0
    with open(directory / "pred.csv") as table:
        assert sum(1 for _ in table) == rows + 1
    return usage.ru_maxrss


def test_memory_does_not_grow_with_the_rows(tiny):
    assert peak_memory(tiny, 200_000) < peak_memory(tiny, 20_000) + 10_000


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
