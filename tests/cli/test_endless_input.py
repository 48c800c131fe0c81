"""Streams that never end, where a file is expected: refused in one line, with what to do, before memory runs out."""

import os
import resource
import subprocess

import pytest

BAD_INPUT, IO_TROUBLE = 2, 3
LIMIT = 500 << 20


@pytest.fixture
def refuse(ridgelet, tmp_path):
    """refuse(code, *arguments) -> the one line, with addresses for little more than the program itself."""

    def run(code, *arguments, **more):
        done = ridgelet(*arguments, "--threads", 1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)), **more)
        assert (done.code, done.out) == (code, ""), done.err
        (line,) = done.err.splitlines()
        return line

    return run


@pytest.fixture
def endless():
    """The reading end of a pipe that has the line 1,2 again and again."""
    with subprocess.Popen(["yes", "1,2"], stdout=subprocess.PIPE) as lines:
        yield lines.stdout
        lines.kill()


WRITE_IT = "write it to a file, which is read piece by piece"


def test_a_table_from_a_pipe_without_end_is_refused(refuse, endless):
    line = refuse(BAD_INPUT, "fit", "/dev/stdin", "--y", "2", stdin=endless)
    assert line.startswith("ridgelet: data: '/dev/stdin' can be read only once") and line.endswith(WRITE_IT)


def test_a_table_from_a_device_without_end_is_refused(refuse):
    assert refuse(BAD_INPUT, "fit", "/dev/zero", "--y", "y").endswith(WRITE_IT)


def test_a_table_from_a_named_pipe_without_end_is_refused(refuse, tmp_path):
    pipe = tmp_path / "rows.npy"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", 'exec yes > "$0"', pipe], stderr=subprocess.DEVNULL) as lines:
        assert refuse(BAD_INPUT, "fit", "rows.npy", "--y", "y").endswith(WRITE_IT)
        lines.wait()


@pytest.mark.parametrize("command", ["predict", "score"])
def test_new_rows_without_end_are_refused(refuse, fitted, endless, command):
    output = ("--out", "predictions.csv") if command == "predict" else ()
    assert refuse(BAD_INPUT, command, fitted.model, "/dev/stdin", *output, stdin=endless).endswith(WRITE_IT)


def test_a_model_file_without_end_is_refused(refuse, endless):
    for stream in ("/dev/zero", "/dev/stdin"):
        line = refuse(BAD_INPUT, "assess", "--model", stream, stdin=endless)
        assert line == (
            f"ridgelet: --model: '{stream}' is no model file: it has more than 1000000 characters; "
            "name a file of lines option = value"
        )


def test_results_are_read_from_regular_files_only(refuse, endless, tmp_path):
    os.mkfifo(tmp_path / "pipe.nc")  # to which nobody writes
    for name in ("/dev/zero", "/dev/stdin", "pipe.nc"):
        line = refuse(IO_TROUBLE, "summary", name, stdin=endless)
        assert line == (
            f"ridgelet: cannot read '{name}': it is no regular file, and results are read from all over a file; "
            "write them to one"
        )


def test_a_table_from_a_pipe_that_ends_serves(ridgelet, fitted, tmp_path):
    with subprocess.Popen(["printf", "x\\n0\\n1\\n"], stdout=subprocess.PIPE) as lines:
        done = ridgelet("predict", fitted.model, "/dev/stdin", "--out", "predictions.csv", stdin=lines.stdout)
    assert done.code == 0 and len((tmp_path / "predictions.csv").read_text().splitlines()) == 3
