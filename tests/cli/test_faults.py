"""Faults of the surroundings: another process, a reader that goes away, a folder that cannot be written, odd names."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

PROGRAM = os.environ["RIDGELET_PROGRAM"]
BAD_INPUT, IO_TROUBLE = 2, 3
SMALL = ("--kernel", "se(lengthscale=1.5)", "--noise", "0.1", "--units", "30", "--points", "20", "--nodes", "grid")
SAMPLED = (*SMALL, "--hidden", "sampled", "--chains", "2", "--warmup", "5")


@pytest.fixture
def long_fit(table, tmp_path):
    """A fit whose chains are running, and would run for minutes; it is ended with the test."""
    command = [PROGRAM, "fit", "data.csv", "--y", "y", *SAMPLED, "--draws", "100000", "--out", "model.nc"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not (line := process.stderr.readline()).startswith("plan: "):
        assert line, "the fit ended before its chains began"
    yield process
    process.kill()
    process.communicate()


SECOND = ("fit", "data.csv", "--y", "y", *SMALL, "--quiet", "--out")


@pytest.mark.parametrize("name", ["model.nc", "./model.nc", "link.nc", "folder/model.nc"])
def test_a_second_process_that_writes_the_same_output_is_refused_by_whatever_name(long_fit, ridgelet, tmp_path, name):
    (tmp_path / "link.nc").symlink_to("model.nc")
    (tmp_path / "folder").symlink_to(".")
    second = ridgelet(*SECOND, name)
    assert (second.code, second.out) == (IO_TROUBLE, "")
    assert second.err == f"ridgelet: cannot write '{name}': another process is writing it\n"
    assert long_fit.poll() is None and not (tmp_path / "model.nc").exists()
    assert ridgelet(*SECOND, "other.nc").code == 0


WRITERS = {
    "predict": ("predict", "fitted.nc", "data.csv"),
    "export": ("export", "fitted.nc", "--to", "json"),
    "learn": ("learn", "data.csv", "--y", "y", "--kernel", "se(lengthscale=1.5)"),
    "sample": ("sample", *SMALL[:2], "--units", "20", "--points", "15"),
}


@pytest.mark.parametrize("name", ["its results", "its checkpoint"])
@pytest.mark.parametrize("writer", WRITERS)
def test_no_command_writes_what_a_running_fit_has_reserved(fitted, long_fit, ridgelet, tmp_path, writer, name):
    """Before, the command wrote the file, and the end of the fit replaced it."""
    shutil.copy(fitted.model, tmp_path / "fitted.nc")
    (tmp_path / "its results").symlink_to("model.nc")
    (tmp_path / "its checkpoint").symlink_to("model.nc.checkpoint")
    second = ridgelet(*WRITERS[writer], "--quiet", "--out", name)
    assert (second.code, second.out) == (IO_TROUBLE, "")
    assert second.said == f"ridgelet: cannot write '{name}': another process is writing it\n"
    assert long_fit.poll() is None and not (tmp_path / "model.nc").exists()


def test_a_killed_process_leaves_nothing_in_the_way_of_the_next(long_fit, ridgelet, tmp_path):
    long_fit.send_signal(signal.SIGKILL)
    long_fit.wait()
    assert ridgelet(*SECOND, "model.nc").code == 0
    assert ridgelet("summary", "model.nc", "--json").json["units"] == 30


def test_a_fit_that_is_killed_at_any_time_is_resumed_to_the_same_bytes():
    script = Path(os.environ["RIDGELET_SOURCE"]) / "scripts" / "kill-and-resume"
    done = subprocess.run([sys.executable, script, "6"], capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    for sort in done.stdout.split("chains of ")[1:]:
        assert "    1  killed while chains are saved\n" in sort and "    0  lost\n" in sort
    assert done.stdout.count("chains of ") == 2


@pytest.mark.parametrize("arguments", [("kernels",), ("assess", *SMALL[:2], "--units", "20", "--points", "15", "--json")])
def test_a_reader_that_goes_away_is_an_ordinary_end(arguments, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([PROGRAM, *arguments], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=120)  # fmt: skip
    os.close(writing)
    # Children of Python treat SIGPIPE as those of a shell do: the signal ends the program, or it says why it failed.
    assert done.returncode in (-signal.SIGPIPE, IO_TROUBLE)
    assert done.stderr in ("", "ridgelet: cannot write to the standard output\n")


@pytest.mark.parametrize("handling", [signal.SIG_DFL, signal.SIG_IGN], ids=["by default", "ignored"])
def test_a_reader_that_has_read_enough_ends_a_prediction(fitted, tmp_path, handling):
    """ridgelet predict model.nc new.csv | head -2, with more rows than a pipe holds."""
    rows = "".join(f"{i / 30000 - 3}\n" for i in range(200_000))
    (tmp_path / "new.csv").write_text("x\n" + rows)
    process = subprocess.Popen([PROGRAM, "predict", fitted.model, "new.csv"], cwd=tmp_path, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGPIPE, handling))  # fmt: skip
    assert process.stdout.readline().startswith("x,mean,sd") and process.stdout.readline().startswith("-3.0,")
    process.stdout.close()
    err = process.stderr.read()
    code = process.wait(timeout=60)
    assert (code, err) == ((-signal.SIGPIPE, "") if handling == signal.SIG_DFL else (IO_TROUBLE, "ridgelet: cannot write to the standard output\n"))
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


@pytest.mark.parametrize("folder", ["/proc", "/sys"])
def test_a_folder_that_cannot_be_written_is_known_before_any_work(table, ridgelet, folder):
    run = ridgelet("fit", "data.csv", "--y", "y", *SAMPLED, "--draws", 1_000_000, "--out", f"{folder}/model.nc", "--quiet")
    assert (run.code, run.out) == (IO_TROUBLE, "")
    assert run.err.startswith(f"ridgelet: cannot write '{folder}/model.nc': ") and run.err.count("\n") == 1


def test_a_folder_of_another_user_is_known_before_any_work():
    """For root nothing is read-only, so root becomes nobody for the run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(PROGRAM, folder / "ridgelet")
        (folder / "data.csv").write_text("x,y\n0,1\n1,2\n2,1\n")
        folder.chmod(0o555)
        nobody = {"user": 65534, "group": 65534} if os.getuid() == 0 else {}
        done = subprocess.run(["./ridgelet", "fit", "data.csv", "--y", "y", *SAMPLED, "--draws", "1000000", "--quiet"], cwd=folder,
                              capture_output=True, text=True, check=False, timeout=120, **nobody)  # fmt: skip
        assert (done.returncode, done.stdout) == (IO_TROUBLE, "")
        assert done.stderr == "ridgelet: cannot write 'model.nc': Permission denied\n"
        assert {path.name for path in folder.iterdir()} == {"ridgelet", "data.csv"}
        folder.chmod(0o755)


@pytest.mark.parametrize("variable", ["LC_ALL", "LC_NUMERIC", "LANG"])
def test_a_locale_with_decimal_commas_changes_no_number(table, run_in, decimal_commas, tmp_path, variable):
    outputs = []
    for locale in ("C", "de_DE.UTF-8", "nonsense"):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
        environment |= decimal_commas | {variable: locale}
        point = subprocess.run(["locale", "decimal_point"], env=environment, capture_output=True, text=True, check=True).stdout
        assert point == (",\n" if locale == "de_DE.UTF-8" else ".\n")
        run = run_in(tmp_path, "fit", "data.csv", "--y", "y", *SMALL, "--out", "m.nc", "--json", env=environment)
        drawn = run_in(tmp_path, "plot", "m.nc", "--out", "m.svg", "--quiet", env=environment)
        assert drawn.code == 0, drawn.err
        outputs.append(({**run.json, "seconds": 0}, (tmp_path / "m.svg").read_text()))
    assert outputs[0] == outputs[1] == outputs[2]


@pytest.mark.parametrize("name", ["a b", "größe-π", "line\nbreak", "-dash", "quote'\"", "%s%n", "x" * 200])
def test_files_may_have_any_name(table, ridgelet, tmp_path, name):
    folder = tmp_path / f"{name}.d"
    folder.mkdir()
    (folder / f"{name}.csv").write_bytes((tmp_path / "data.csv").read_bytes())
    data, model, out = (f"./{name}.d/{name}.{ending}" for ending in ("csv", "nc", "out"))
    assert ridgelet("fit", data, "--y", "y", *SMALL, "--out", model, "--quiet").code == 0
    done = ridgelet("predict", model, data, "--out", out, "--quiet")
    assert (done.code, done.said) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.{end}" for end in ("csv", "nc", "out"))
    missing = ridgelet("predict", model, data + "?", "--out", out)
    assert missing.code == IO_TROUBLE and missing.err.count("\n") == 1


def test_closed_standard_streams_leave_the_results(table, ridgelet, tmp_path):
    done = subprocess.run([PROGRAM, "fit", "data.csv", "--y", "y", *SMALL, "--out", "model.nc", "--quiet"], cwd=tmp_path,
                          check=False, timeout=120, preexec_fn=lambda: [os.close(i) for i in range(3)])  # fmt: skip
    assert done.returncode == 0
    assert ridgelet("summary", "model.nc", "--json").json["units"] == 30


# A clock that is wrong by SHIFT(n) seconds when it is asked for the n-th time, whichever function asks.
WRONG_CLOCK = """
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long count;
int clock_gettime(clockid_t clock, struct timespec* t) {
  const int status = syscall(SYS_clock_gettime, clock, t);
  if (clock == CLOCK_REALTIME) t->tv_sec += SHIFT(__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED));
  return status;
}
int gettimeofday(struct timeval* restrict t, void* restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  t->tv_sec = now.tv_sec;
  t->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t* where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}
"""


@pytest.fixture
def wrong_clock(tmp_path):
    """wrong_clock("SHIFT(n)") -> the environment of a program whose clock is wrong by so many seconds."""

    def environment(shift):
        (tmp_path / "clock.c").write_text(WRONG_CLOCK)
        subprocess.run(["gcc", "-shared", "-fPIC", f"-DSHIFT(n)={shift}", "-o", "clock.so", "clock.c"], cwd=tmp_path, check=True)
        return {**os.environ, "LD_PRELOAD": str(tmp_path / "clock.so")}

    return environment


def year_of(environment):
    return int(subprocess.run(["date", "+%Y"], env=environment, capture_output=True, text=True, check=True).stdout)


def test_a_clock_that_jumps_while_chains_run_changes_no_byte(table, run_in, wrong_clock, tmp_path):
    """It jumps thirty years forwards and backwards each time that it is asked; the first jump is the one that `date` sees."""
    jumping = wrong_clock("((n) % 2 ? 1L : -1L) * 30 * 365 * 86400")
    assert year_of(jumping) >= time.localtime().tm_year + 29
    fit = ("fit", "data.csv", "--y", "y", *SAMPLED, "--draws", 40)
    for name, environment in (("one.nc", dict(os.environ)), ("two.nc", jumping)):
        run = run_in(tmp_path, *fit, "--out", name, "--json", env=environment)
        assert 0 <= run.json["seconds"] < 120
    assert (tmp_path / "one.nc").read_bytes() == (tmp_path / "two.nc").read_bytes()


def test_a_clock_that_stands_elsewhere_changes_no_byte(table, run_in, wrong_clock, tmp_path):
    slow = wrong_clock("-30L * 365 * 86400")
    assert year_of(slow) <= time.localtime().tm_year - 29
    for name, environment in (("one.nc", dict(os.environ)), ("two.nc", slow)):
        assert run_in(tmp_path, "fit", "data.csv", "--y", "y", *SMALL, "--out", name, "--quiet", env=environment).code == 0
    assert (tmp_path / "one.nc").read_bytes() == (tmp_path / "two.nc").read_bytes()


def test_a_disk_that_is_full_for_the_checkpoint_alone_is_a_warning(table, ridgelet, tmp_path):
    fit = ("fit", "data.csv", "--y", "y", *SAMPLED, "--draws", 8, "--quiet", "--out")
    assert ridgelet(*fit, "whole.nc").code == 0
    (tmp_path / "model.nc.checkpoint").symlink_to("/dev/full")
    run = ridgelet(*fit, "model.nc")
    assert (run.code, run.out) == (0, "")
    assert "the run goes on, but could not save itself: cannot write 'model.nc.checkpoint': the disk may be full\n" in run.err
    assert (tmp_path / "model.nc").read_bytes() == (tmp_path / "whole.nc").read_bytes()


def test_the_folder_of_temporary_files_may_have_any_name(ridgelet, tmp_path, monkeypatch):
    folder = tmp_path / "it's; touch hacked; '$(touch hacked)'"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    run = ridgelet("sample", *SMALL[:2], "--units", 20, "--points", 15, "--out", "p.csv", "--plot", "p.svg", "--quiet")
    assert (run.code, run.said) == (0, "")
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")
    assert list(folder.iterdir()) == [] and not (tmp_path / "hacked").exists()


def test_the_folder_of_temporary_files_may_be_left_empty(ridgelet, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", "")
    run = ridgelet("sample", *SMALL[:2], "--units", 20, "--points", 15, "--out", "p.csv", "--plot", "p.svg", "--quiet")
    assert (run.code, run.said) == (0, "")
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")


def limited(megabytes):
    """Keywords that limit the address space. Without a buffer of OpenBLAS, 128 MiB, the program takes 115."""
    limit = megabytes << 20
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}


FACTORISATION = ("assess", *SMALL[:2], "--points", 500, "--replicates", 2)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("megabytes", [150, 200, 250, 300, 350, 400, 500])
@pytest.mark.parametrize("arguments", [("fit", "data.csv", "--y", "y", *SMALL, "--out", "model.nc"), FACTORISATION], ids=["fit", "assess"])
def test_a_limit_of_addresses_ends_in_an_answer_or_in_one_line(table, ridgelet, arguments, megabytes, threads):
    """If there is no room for its buffers, OpenBLAS itself asks for them again and again, for ever."""
    run = ridgelet(*arguments, "--threads", threads, "--quiet", **limited(megabytes))
    assert run.code in (0, BAD_INPUT), run.err
    assert run.code == 0 or len(run.err.splitlines()) == 1


def test_addresses_for_fewer_buffers_than_threads_are_refused_with_what_to_do(table, ridgelet):
    fit = ("fit", "data.csv", "--y", "y", *SMALL, "--out", "model.nc", "--quiet", "--threads")
    line = r"ridgelet: OpenBLAS takes {} of addresses for {}, and the limit on them \(ulimit -v\) leaves \S+ MB; raise the limit{}\n"
    assert re.fullmatch(line.format("134 MB", "1 thread", ""), ridgelet(*fit, 1, **limited(200)).err)
    assert re.fullmatch(line.format("268 MB", "2 threads", " or use fewer threads"), ridgelet(*fit, 2, **limited(300)).err)
    assert ridgelet(*fit, 1, **limited(300)).code == 0


def test_the_summary_of_a_fit_takes_addresses_for_the_threads_that_it_is_given(table, ridgelet):
    assert ridgelet("fit", "data.csv", "--y", "y", *SMALL, "--networks", 2, "--out", "model.nc", "--quiet").code == 0
    line = r"ridgelet: OpenBLAS takes 134 MB of addresses for 1 thread, and the limit on them .*; raise the limit\n"
    assert re.fullmatch(line, ridgelet("summary", "model.nc", "--threads", 1, **limited(200)).err)
    assert ridgelet("summary", "model.nc", "--threads", 1, **limited(320)).code == 0


def test_a_command_without_matrices_needs_no_addresses_for_them(ridgelet):
    run = ridgelet("kernels", **limited(150))
    assert (run.code, run.err) == (0, "") and "matern32" in run.out
