"""`ridgelet fit` that is stopped: what it leaves behind, and how it goes on."""

import os
import re
import resource
import signal
import subprocess
import tempfile
import time

import numpy as np
import pytest

PROGRAM = os.environ["RIDGELET_PROGRAM"]
BAD_INPUT = 2
CHANGES = {
    "units": ("--units", "61"),
    "seed": ("--seed", "1"),
    "kernel": ("--kernel", "se(amplitude=1, lengthscale=2)"),
    "mean": ("--mean", "x"),
    "ridge": ("--ridge", "1e-5"),
    "noise": ("--noise", "0.2"),
    "chains": ("--chains", "3"),
    "warmup": ("--warmup", "51"),
    "draws": ("--draws", "301"),
    "domain": ("--domain", "-4:4"),
    "order": ("--order", "6"),
    "margin": ("--margin", "1"),
    "standardise": ("--standardise",),
    "network-mean": ("--network-mean",),
    "y": ("--y", "z"),
    "data": ("DATA", "other.csv"),
}


def command(*changes, **values):
    """The arguments of a fit of a second or so, with changes: ("--units", "61") or units=61.

    The ridgelet operator with few units makes the chains slow compared with the report that follows them.
    """
    options = {
        "--x": "x", "--y": "y", "--noise": "0.1", "--kernel": "se(amplitude=1, lengthscale=1.5)", "--operator":
        "ridgelet", "--units": "300", "--points": "100", "--chains": "2", "--warmup": "5", "--draws": "345", "--out":
        "model.nc",
    }  # fmt: skip
    options |= {f"--{name}": str(value) for name, value in values.items()}
    if len(changes) == 2:
        options[changes[0]] = changes[1]
    data = options.pop("DATA", "data.csv")
    flags = changes if len(changes) == 1 else ()
    return ["fit", data, "--hidden", "sampled", "--nodes", "grid", "--force", *(word for pair in options.items() for word in pair), *flags]


class Fit:
    """A run of the program that goes on while the test does. Its standard error goes to a file, which can be read."""

    def __init__(self, directory, *arguments):
        self.directory = directory
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], cwd=directory, stdout=subprocess.PIPE, stderr=self.said, text=True
        )

    def everything(self):
        """What the run has said so far. The program shares the position in this file, so reading must not move it."""
        return os.pread(self.said.fileno(), 1 << 20, 0).decode()

    def lines(self):
        """The same without the news of a run that goes well, and without its judgement of its chains and its prior."""
        news = ("network: ", "measuring ", "advice: ", "judging ", "plan: ", "resumed after ", "the checkpoint ", *(f"warning: {what}" for what in ("R-hat", "bulk", "tail", "the prior", "the network")), "--hidden fixed takes seconds")
        return [line for line in self.everything().splitlines() if not line.startswith(news)]

    def wait_for(self, condition, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.lines()
            assert time.monotonic() < deadline
            time.sleep(0.002)

    def has_begun(self):
        """Whether the plan was said: what is left is the run itself."""
        return "plan: " in self.everything()

    def wait_for_chains(self, seconds=0.0):
        """Waits until the chains run, and that many seconds more."""
        self.wait_for(self.has_begun)
        time.sleep(seconds)

    def stop(self, number):
        """Sends the signal and returns exit code, standard output and lines of the standard error."""
        self.process.send_signal(number)
        return self.end()

    def end(self):
        out, _ = self.process.communicate(timeout=120)
        return self.process.returncode, out, self.lines()


@pytest.fixture
def start(tmp_path):
    """start("fit", ...) -> Fit; all of them are ended with the test."""
    started = []

    def run(*arguments):
        started.append(Fit(tmp_path, *arguments))
        return started[-1]

    yield run
    for fit in started:
        if fit.process.poll() is None:
            fit.process.kill()
            fit.process.communicate()


def write_data(directory, wave, write_table):
    write_table(directory / "data.csv", {**wave, "z": wave["y"] + 1})
    write_table(directory / "other.csv", {**wave, "z": np.r_[wave["y"][:-1] + 1, 0], "y": np.r_[wave["y"][:-1], 0]})


@pytest.fixture
def table(wave, write_table, tmp_path):
    write_data(tmp_path, wave, write_table)


@pytest.fixture(scope="module")
def uninterrupted(run_in, wave, write_table, tmp_path_factory):
    """The bytes of the results file of a run that nothing disturbed."""
    directory = tmp_path_factory.mktemp("uninterrupted")
    write_data(directory, wave, write_table)
    run = run_in(directory, *command(), "--quiet")
    assert (run.code, run.said) == (0, "")
    assert {path.name for path in directory.iterdir()} == {"data.csv", "other.csv", "model.nc"}
    return (directory / "model.nc").read_bytes()


@pytest.fixture(scope="module")
def interrupted(wave, write_table, tmp_path_factory):
    """The bytes of a checkpoint of the same run, and the line that came with it."""
    directory = tmp_path_factory.mktemp("interrupted")
    write_data(directory, wave, write_table)
    fit = Fit(directory, *command())
    fit.wait_for_chains(0.1)
    code, out, lines = fit.stop(signal.SIGINT)
    assert (code, out, len(lines)) == (130, "", 1)
    assert {path.name for path in directory.iterdir()} == {"data.csv", "other.csv", "model.nc.checkpoint"}
    return (directory / "model.nc.checkpoint").read_bytes(), lines[0]


@pytest.fixture
def checkpoint(table, interrupted, tmp_path):
    """The checkpoint in the directory of the test."""
    path = tmp_path / "model.nc.checkpoint"
    path.write_bytes(interrupted[0])
    return path


def names(directory):
    return {path.name for path in directory.iterdir()} - {"data.csv", "other.csv"}


def test_an_interruption_ends_with_130_and_one_line_that_says_how_to_go_on(interrupted):
    _, line = interrupted
    assert line.startswith("ridgelet: interrupted after ")
    assert "'model.nc.checkpoint'" in line and "--resume" in line
    done, total = map(int, re.search(r"after (\d+) of (\d+) steps", line).groups())
    assert total == 2 * 350
    assert 0 < done < total


def test_a_resumed_run_leaves_the_same_bytes_as_one_that_was_not_interrupted(
    checkpoint, ridgelet, uninterrupted, tmp_path
):
    run = ridgelet(*command(), "--resume")
    assert run.code == 0, run.err
    assert re.search(r"^resumed after \d+ of 700 steps$", run.err, re.MULTILINE)
    assert (tmp_path / "model.nc").read_bytes() == uninterrupted
    assert names(tmp_path) == {"model.nc"}


def test_a_run_may_be_interrupted_again_and_resumed_with_other_threads(checkpoint, start, uninterrupted, tmp_path):
    steps = []
    for threads in ("1", "2"):
        fit = start(*command(), "--resume", "--threads", threads)
        fit.wait_for_chains(0.02)
        code, _, (line,) = fit.stop(signal.SIGINT)
        assert code == 130
        steps.append(int(re.search(r"after (\d+) of", line)[1]))
        assert names(tmp_path) == {"model.nc.checkpoint"}
    assert 0 < steps[0] <= steps[1] < 700
    assert start(*command(), "--resume", "--threads", "1", "--quiet").end() == (0, "", [])
    assert (tmp_path / "model.nc").read_bytes() == uninterrupted


def test_a_run_that_is_killed_leaves_its_checkpoint_as_it_was_and_can_be_resumed(
    checkpoint, start, interrupted, uninterrupted, tmp_path
):
    fit = start(*command(), "--resume")
    fit.wait_for_chains(0.02)
    code, out, lines = fit.stop(signal.SIGKILL)
    assert (code, out, lines) == (-signal.SIGKILL, "", [])
    assert checkpoint.read_bytes() == interrupted[0]
    assert names(tmp_path) == {"model.nc.checkpoint"}
    assert start(*command(), "--resume", "--quiet").end() == (0, "", [])
    assert (tmp_path / "model.nc").read_bytes() == uninterrupted
    assert names(tmp_path) == {"model.nc"}


def test_a_long_run_saves_what_it_has_every_few_seconds_so_that_a_kill_costs_little(table, start, tmp_path):
    model = {"operator": "least-squares", "units": 300, "points": 100, "draws": 10}
    one_thread = ("--threads", "1")
    # How many steps fit into the time to a checkpoint depends on the machine; it is measured in processor seconds.
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    trial = start(*command(**model, warmup=1000000, out="trial.nc"), *one_thread)
    trial.wait_for_chains(0.7)
    _, _, (line,) = trial.stop(signal.SIGINT)
    steps = int(re.search(r"after (\d+) of", line)[1])
    rate = steps / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    long = {**model, "warmup": round(9 * rate / 2)}

    whole = start(*command(**long, out="whole.nc"), *one_thread)
    killed = start(*command(**long), *one_thread)
    killed.wait_for((tmp_path / "model.nc.checkpoint").exists)
    assert killed.stop(signal.SIGKILL)[0] == -signal.SIGKILL
    assert not (tmp_path / "model.nc").exists()
    again = start(*command(**long), "--resume", "--threads", "1")
    code, _, lines = again.end()
    assert code == 0, lines
    resumed = int(re.search(r"^resumed after (\d+)", again.everything(), re.MULTILINE)[1])
    assert 0 < resumed < 2 * (long["warmup"] + 10)
    assert (whole.end()[0], whole.lines()) == (0, [])
    assert (tmp_path / "model.nc").read_bytes() == (tmp_path / "whole.nc").read_bytes()
    assert not (tmp_path / "model.nc.checkpoint").exists()


def test_termination_is_an_interruption_with_its_own_code(table, start, tmp_path):
    fit = start(*command())
    fit.wait_for_chains()
    code, out, (line,) = fit.stop(signal.SIGTERM)
    assert (code, out) == (143, "")
    assert "--resume" in line
    assert names(tmp_path) == {"model.nc.checkpoint"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_older_results_file_survives_a_run_that_is_stopped(table, start, tmp_path, number):
    (tmp_path / "model.nc").write_bytes(b"older\n")
    fit = start(*command())
    fit.wait_for_chains(0.05)
    assert fit.stop(number)[0] != 0
    assert (tmp_path / "model.nc").read_bytes() == b"older\n"
    assert names(tmp_path) == {"model.nc"} | ({"model.nc.checkpoint"} if number == signal.SIGINT else set())


def test_without_a_checkpoint_resume_starts_from_the_beginning(table, ridgelet, uninterrupted, tmp_path):
    run = ridgelet(*command(), "--resume")
    assert run.code == 0, run.err
    assert "no checkpoint 'model.nc.checkpoint': starting from the beginning\n" in run.err
    assert (tmp_path / "model.nc").read_bytes() == uninterrupted


def test_without_resume_a_run_starts_from_the_beginning_and_says_so(checkpoint, ridgelet, uninterrupted, tmp_path):
    run = ridgelet(*command())
    assert run.code == 0, run.err
    assert "the checkpoint 'model.nc.checkpoint' of an earlier run will be replaced\n" in run.err
    assert (tmp_path / "model.nc").read_bytes() == uninterrupted
    assert names(tmp_path) == {"model.nc"}


def refusal(run, checkpoint):
    """The one line of a refusal, which must leave the checkpoint as it was."""
    before = checkpoint.read_bytes()
    done = run()
    assert (done.code, done.out) == (BAD_INPUT, ""), done.err
    (line,) = done.err.splitlines()
    assert line.startswith("ridgelet: ")
    assert checkpoint.read_bytes() == before
    assert names(checkpoint.parent) == {"model.nc.checkpoint"}
    return line


@pytest.mark.parametrize("setting", CHANGES)
def test_a_run_with_other_settings_cannot_be_resumed_and_the_setting_is_named(checkpoint, ridgelet, setting):
    line = refusal(lambda: ridgelet(*command(*CHANGES[setting]), "--resume", "--quiet"), checkpoint)
    assert line.startswith(f"ridgelet: --resume: 'model.nc.checkpoint' is of another run, whose {setting} was ")
    if setting in ("units", "seed", "chains", "warmup", "draws", "noise"):
        assert f" and now is {CHANGES[setting][1]};" in line


@pytest.mark.parametrize("part", [0, 5, 100])
def test_a_checkpoint_without_its_beginning_is_refused(checkpoint, ridgelet, part):
    checkpoint.write_bytes(checkpoint.read_bytes()[:part])
    line = refusal(lambda: ridgelet(*command(), "--resume", "--quiet"), checkpoint)
    assert line.startswith("ridgelet: --resume: 'model.nc.checkpoint'")


@pytest.mark.parametrize("part", [0.3, 0.5, 0.9, 0.9999])
def test_a_checkpoint_that_a_crash_cut_off_serves_up_to_its_last_whole_record(
    checkpoint, ridgelet, uninterrupted, tmp_path, part
):
    whole = checkpoint.read_bytes()
    checkpoint.write_bytes(whole[: int(part * len(whole))])
    assert ridgelet(*command(), "--resume", "--quiet").code == 0
    assert (tmp_path / "model.nc").read_bytes() == uninterrupted


def test_a_checkpoint_with_a_changed_byte_never_changes_the_result(checkpoint, ridgelet, uninterrupted, tmp_path):
    whole = checkpoint.read_bytes()
    for place in np.linspace(0, len(whole) - 1, 12).astype(int):
        (tmp_path / "model.nc").unlink(missing_ok=True)
        checkpoint.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        done = ridgelet(*command(), "--resume", "--quiet")
        assert done.code in (0, BAD_INPUT), done.err
        if done.code == 0:
            assert (tmp_path / "model.nc").read_bytes() == uninterrupted


def test_a_text_in_place_of_a_checkpoint_is_refused(checkpoint, ridgelet):
    checkpoint.write_text("half way\n")
    assert "--resume" in refusal(lambda: ridgelet(*command(), "--resume", "--quiet"), checkpoint)


def test_a_results_file_is_not_a_checkpoint(checkpoint, ridgelet, uninterrupted):
    checkpoint.write_bytes(uninterrupted)
    line = refusal(lambda: ridgelet(*command(), "--resume", "--quiet"), checkpoint)
    assert "'model.nc.checkpoint' is not a checkpoint of this version of ridgelet" in line
