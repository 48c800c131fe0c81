"""SIGINT, SIGTERM and SIGHUP end every command, in whatever it does, within a second: one line, no partial file."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest

PROGRAM = os.environ["RIDGELET_PROGRAM"]
SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
KERNEL = ("--kernel", "se(amplitude=1, lengthscale=1.5)")
# Each command works for minutes in the phase after which it is named.
LONG = {
    "planning a prior": ("assess", *KERNEL, "--points", 9000),
    "sample": ("sample", *KERNEL, "--draws", 1000000, "--out", "paths.csv"),
    "the process of sample": ("sample", *KERNEL, "--eval-points", 12000, "--out", "paths.csv"),
    "assess": ("assess", *KERNEL, "--replicates", 200000),
    "reproduce": ("reproduce", "depth", "--out", "."),
    "planning a fit": ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.1, *KERNEL, "--points", 9000),
    "learning of a fit": ("fit", "new.csv", "--y", "y", "--learn-rows", 5000, "--quiet"),
    "rows of a fit": ("fit", "new.csv", "--y", "y", "--noise", 0.1, *KERNEL, "--networks", 300, "--units", 500, "--quiet"),
    "rows of classes": ("fit", "classes.csv", "--y", "side", *KERNEL, "--coordinates", "sampled", "--function-draws", 50000, "--quiet"),
    "a normal posterior": ("fit", "new.csv", "--y", "y", "--noise", 0.1, *KERNEL, "--hidden", "variational", "--quiet"),
    "the best of kernels": ("fit", "new.csv", "--y", "y", "--kernel", "best", "--learn-rows", 5000, "--quiet"),
    "selftest": ("selftest", "--quiet"),
    "learn": ("learn", "new.csv", "--y", "y", "--learn-rows", 5000, "--out", "process.toml"),
    "compare": ("compare", "new.csv", "--y", "y", "--learn-rows", 5000, "--quiet"),
    "tune": ("tune", "--kernel", "matern12(lengthscale=0.5)", "--error", 0.2, "--points", 4000, "--out", "network.toml"),
    "predict": ("predict", "model.nc", "new.csv", "--out", "pred.csv"),
    "score": ("score", "model.nc", "new.csv"),
}


class Running:
    """A run of the program that goes on while the test does."""

    def __init__(self, directory, arguments, **keywords):
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            **keywords,
        )  # fmt: skip

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_until_busy(self, seconds):
        """Waits until the program has worked that long."""
        deadline = time.monotonic() + 60
        while self.processor_seconds() < seconds:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def stop(self, number):
        """Sends the signal: exit code, output, lines of the standard error, and the seconds it took."""
        start = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err.splitlines(), time.monotonic() - start


@pytest.fixture
def start(tmp_path):
    """start("assess", ...) -> Running; it is ended with the test at the latest."""
    started = []

    def run(*arguments, **keywords):
        started.append(Running(tmp_path, arguments, **keywords))
        return started[-1]

    yield run
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
            each.process.communicate()


@pytest.fixture
def prepared(request, fitted, wave, write_table, tmp_path):
    """Writes the files that some of the commands need, and returns their names."""
    write_table(tmp_path / "data.csv", wave)
    x = np.linspace(-3, 3, 200000)
    write_table(tmp_path / "new.csv", {"x": x, "y": np.sin(x)})
    (tmp_path / "classes.csv").write_text("x,side\n" + "".join(f"{v:.4f},{'ab'[int(v > 0)]}\n" for v in x[::100]))
    (tmp_path / "model.nc").write_bytes(fitted.model.read_bytes())
    return sorted(tmp_path.iterdir())


@SIGNALS
@pytest.mark.parametrize("phase", LONG)
def test_a_signal_ends_every_phase_within_a_second(prepared, start, tmp_path, phase, number):
    run = start(*LONG[phase])
    run.wait_until_busy(0.3)
    code, out, lines, seconds = run.stop(number)
    assert (code, out, lines) == (128 + number, "", ["ridgelet: interrupted"])
    assert sorted(tmp_path.iterdir()) == prepared
    assert seconds < 1


def test_the_end_of_the_terminal_leaves_no_partial_file(prepared, start, tmp_path):
    run = start(*LONG["predict"])
    run.wait_until_busy(0.3)
    assert (tmp_path / "pred.csv.partial").exists()
    code, out, lines, _ = run.stop(signal.SIGHUP)
    assert (code, out, lines) == (128 + signal.SIGHUP, "", ["ridgelet: interrupted"])
    assert sorted(tmp_path.iterdir()) == prepared


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_a_signal_that_was_ignored_at_the_start_stays_ignored(start, number):
    """As nohup does, and a script that starts a program in the background."""
    run = start(*LONG["assess"], preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
    run.wait_until_busy(0.2)
    run.process.send_signal(number)
    run.wait_until_busy(0.5)
    other = signal.SIGTERM if number != signal.SIGTERM else signal.SIGINT
    code, _, lines, _ = run.stop(other)
    assert (code, lines) == (128 + other, ["ridgelet: interrupted"])


@SIGNALS
def test_a_signal_ends_chains_by_gradients_within_a_second_and_saves_them(prepared, start, tmp_path, number):
    run = start("fit", "data.csv", "--y", "y", "--noise", 0.1, *KERNEL, "--units", 10, "--points", 10, "--nodes", "grid",
                "--hidden", "sampled", "--sampler", "nuts", "--draws", 20000, "--force", "--out", "chains.nc", "--quiet")  # fmt: skip
    run.wait_until_busy(1)
    code, out, (line,), seconds = run.stop(number)
    assert (code, out) == (128 + number, "")
    assert line.startswith("ridgelet: interrupted after ") and "which are saved in 'chains.nc.checkpoint'" in line
    assert {*tmp_path.iterdir()} == {*prepared, tmp_path / "chains.nc.checkpoint"}
    assert seconds < 1


@SIGNALS
def test_a_signal_ends_the_judging_of_a_fit_within_a_second(prepared, start, tmp_path, number):
    """By then the chains or rows are done but the report is not: for a wide network it takes as long as ten fits."""
    run = start("fit", "data.csv", "--y", "y", "--noise", 0.1, *KERNEL, "--units", 150000, "--sigma-w", 1, "--sigma-b", 2,
                "--ridge", 1e-6, "--points", 20, "--nodes", "grid")  # fmt: skip
    while (line := run.process.stderr.readline()) != "judging the fit ...\n":
        assert line, "the fit ended before its report began"
    code, out, lines, seconds = run.stop(number)
    assert (code, out, lines) == (128 + number, "", ["ridgelet: interrupted"])
    assert sorted(tmp_path.iterdir()) == prepared
    assert seconds < 1


@pytest.mark.parametrize("arguments", [("plot", "model.nc", "--out", "out.svg"), ("export", "model.nc", "--to", "json", "--out", "out.json")])
def test_a_signal_leaves_what_takes_a_moment_whole_or_not_there(prepared, start, ridgelet, tmp_path, arguments):
    assert ridgelet(*arguments, "--quiet").code == 0
    out = tmp_path / arguments[-1]
    whole = out.read_bytes()
    for seconds in (0.02, 0.05, 0.1):
        out.unlink(missing_ok=True)
        run = start(*arguments, "--quiet")
        time.sleep(seconds)
        code, _, lines, _ = run.stop(signal.SIGTERM)
        said = [line for line in lines if not line.startswith("warning: ")]
        # The first of the signals may come before the program has begun.
        assert (code, said) in ((0, []), (-signal.SIGTERM, []), (128 + signal.SIGTERM, ["ridgelet: interrupted"]))
        assert out.exists() == (code == 0) and (code != 0 or out.read_bytes() == whole)
        assert set(tmp_path.iterdir()) <= {*prepared, out}


def test_a_figure_that_is_being_drawn_leaves_no_file_behind(start, tmp_path, monkeypatch):
    # A stand-in for gnuplot that has begun its figure and takes its time.
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    stand_in = tmp_path / "bin" / "gnuplot"
    stand_in.write_text("#!/bin/sh\necho half > figure\nexec sleep 20\n")
    stand_in.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(tmp_path / "tmp")}
    run = start("sample", *KERNEL, "--units", 10, "--points", 10, "--draws", 1, "--out", "paths.csv", "--plot",
                "paths.svg", env=environment, start_new_session=True)  # fmt: skip
    deadline = time.monotonic() + 60
    while not list((tmp_path / "tmp").glob("*/figure")):
        assert run.process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(timeout=60) == 128 + signal.SIGTERM
    os.killpg(run.process.pid, signal.SIGKILL)
    assert list((tmp_path / "tmp").iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"bin", "tmp"}


def test_the_line_of_an_interruption_may_have_nowhere_to_go(start, tmp_path):
    with open("/dev/full", "w") as full:
        process = subprocess.Popen([PROGRAM, *map(str, LONG["assess"])], cwd=tmp_path, stderr=full)
        time.sleep(0.5)
        process.terminate()
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
