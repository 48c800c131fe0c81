"""Standard error that is closed, full or a broken pipe: the work is done all the same."""

import os
import subprocess

import pytest

PROGRAM = os.environ["RIDGELET_PROGRAM"]
SMALL = ("--kernel", "se(lengthscale=1.5)", "--units", "40", "--points", "30", "--chains", "2", "--warmup", "5", "--draws", "10")  # fmt: skip


def closed(arguments, directory):
    """2>&-"""
    return subprocess.run([PROGRAM, *arguments], cwd=directory, stdout=subprocess.PIPE, check=False, timeout=120,
                          preexec_fn=lambda: os.close(2))  # fmt: skip


def full(arguments, directory):
    """2> /dev/full"""
    with open("/dev/full", "w") as stream:
        return subprocess.run([PROGRAM, *arguments], cwd=directory, stdout=subprocess.PIPE, stderr=stream, check=False,
                              timeout=120)  # fmt: skip


def broken(arguments, directory):
    """A pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run([PROGRAM, *arguments], cwd=directory, stdout=subprocess.PIPE, stderr=writing, check=False,
                              timeout=120)  # fmt: skip
    finally:
        os.close(writing)


STREAMS = pytest.mark.parametrize("run", [closed, full, broken])


@pytest.fixture
def table(wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", wave)
    return tmp_path


@STREAMS
def test_a_fit_without_a_standard_error_leaves_its_results(table, ridgelet, run):
    done = run(("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", "0.1", *SMALL), table)
    assert done.returncode == 0
    assert b"wrote model.nc" in done.stdout
    assert ridgelet("summary", "model.nc", "--json").json["draws"] == 10


@STREAMS
def test_a_prediction_whose_warning_has_nowhere_to_go_is_written_and_succeeds(fitted, tmp_path, run):
    (tmp_path / "new.csv").write_text("x\n0\n100\n")
    done = run(("predict", str(fitted.model), "new.csv", "--out", "pred.csv"), tmp_path)
    assert (done.returncode, done.stdout) == (0, b"wrote pred.csv (2 rows)\n")
    header, *rows = (tmp_path / "pred.csv").read_text().splitlines()
    assert (header, len(rows)) == ("x,mean,sd,lower,upper,error,outside", 2)


@STREAMS
def test_a_complaint_that_has_nowhere_to_go_leaves_the_exit_code(tmp_path, run):
    assert run(("assess", "--kernel", "sse()"), tmp_path).returncode == 2
    assert run(("summary", "none.nc"), tmp_path).returncode == 3


def test_an_output_file_does_not_take_the_place_of_closed_streams(table):
    done = subprocess.run([PROGRAM, "sample", *SMALL[:6], "--draws", "2", "--eval-points", "5", "--out", "paths.csv"],
                          cwd=table, check=False, timeout=120, preexec_fn=lambda: [os.close(i) for i in range(3)])  # fmt: skip
    assert done.returncode == 3  # what was to be said on the standard output is lost
    header, *rows = (table / "paths.csv").read_text().splitlines()
    assert (header, len(rows)) == ("x1,network_1,network_2,gp_1,gp_2", 5)
