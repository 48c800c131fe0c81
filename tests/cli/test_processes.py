"""Several processes that share a run, by MPI: the same bytes from any number of them, and one line if one fails."""

import os
import subprocess

import numpy as np
import pytest

from conftest import PROGRAM

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

GIVEN = ["--kernel", "se(lengthscale=[2, 2])", "--noise", 0.3, "--standardise"]


@pytest.fixture
def together(tmp_path):
    """together(3, "fit", ...) runs the program in three processes of one thread each, however few cores there are."""

    def run(processes, *arguments):
        return run_mpi(tmp_path, "-n", processes, PROGRAM, *arguments)

    return run


def run_mpi(directory, *arguments):
    command = ["mpirun", "-q", "--oversubscribe", *map(str, arguments)]
    return subprocess.run(
        command, cwd=directory, capture_output=True, text=True, env=ENVIRONMENT, timeout=300, check=False
    )


def surface(rows, seed=0):
    random = np.random.default_rng(seed)
    a, b = random.uniform(-2, 2, (2, rows))
    return {"a": a, "b": b, "y": np.sin(a) + b + 0.3 * random.standard_normal(rows)}


@pytest.mark.parametrize(
    "settings", [GIVEN, [*GIVEN, "--precision", "mixed"], ["--learn-rows", 60, "--networks", 2]]
)
def test_a_fit_has_the_same_bytes_on_any_number_of_processes(ridgelet, together, write_table, tmp_path, settings):
    write_table(tmp_path / "t.csv", surface(12_000))
    alone = ridgelet("fit", "t.csv", "--y", "y", "--out", "alone.nc", "--quiet", *settings)
    assert (alone.code, alone.err) == (0, "")
    for processes in 1, 2, 4:
        done = together(processes, "fit", "t.csv", "--y", "y", "--out", "shared.nc", "--threads", 1, *settings)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("12000 rows") == 1 and done.stdout.count("wrote shared.nc") == 1
        assert (tmp_path / "shared.nc").read_bytes() == (tmp_path / "alone.nc").read_bytes(), processes


def test_several_files_are_one_table(ridgelet, together, write_table, tmp_path):
    rows = surface(6_144)
    write_table(tmp_path / "whole.csv", rows)
    for part in range(3):
        piece = slice(2048 * part, 2048 * (part + 1))
        write_table(tmp_path / f"part{part}.csv", {name: values[piece] for name, values in rows.items()})
    parts = [f"part{part}.csv" for part in range(3)]
    ridgelet("fit", "whole.csv", "--y", "y", "--out", "whole.nc", *GIVEN)
    done = together(2, "fit", *parts, "--y", "y", "--out", "parts.nc", *GIVEN)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "parts.nc").read_bytes() == (tmp_path / "whole.nc").read_bytes()


@pytest.mark.parametrize(
    "how",
    [("sampled", "--chains", 2, "--warmup", 3, "--draws", 4),
     ("sampled", "--sampler", "nuts", "--chains", 1, "--warmup", 1, "--draws", 4),
     ("variational", "--steps", 30, "--draws", 4)],
    ids=["slice", "nuts", "variational"],
)  # fmt: skip
def test_hidden_layers_take_the_same_steps_on_any_number_of_processes(ridgelet, together, write_table, tmp_path, how):
    write_table(tmp_path / "t.csv", surface(5_000))
    moved = [*GIVEN, "--units", 20, "--points", 12, "--hidden", *how]
    alone = ridgelet("fit", "t.csv", "--y", "y", "--out", "alone.nc", "--quiet", *moved)
    assert alone.code == 0, alone.err
    for processes in 2, 3:
        done = together(processes, "fit", "t.csv", "--y", "y", "--out", "shared.nc", "--threads", 1, *moved)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "shared.nc").read_bytes() == (tmp_path / "alone.nc").read_bytes(), processes


def test_predictions_are_in_the_order_of_the_rows(ridgelet, together, write_table, tmp_path):
    write_table(tmp_path / "t.csv", surface(300))
    write_table(tmp_path / "new.csv", surface(9_001, seed=1))
    assert ridgelet("fit", "t.csv", "--y", "y", "--out", "m.nc", "--quiet", *GIVEN).code == 0
    assert ridgelet("predict", "m.nc", "new.csv", "--out", "alone.csv", "--quiet").code == 0
    for processes in 2, 3, 8:
        done = together(processes, "predict", "m.nc", "new.csv", "--out", "shared.csv")
        assert done.returncode == 0, done.stderr
        assert "wrote shared.csv (9001 rows)" in done.stdout
        assert (tmp_path / "shared.csv").read_bytes() == (tmp_path / "alone.csv").read_bytes(), processes
    assert not list(tmp_path.glob("*.part*"))


def test_what_one_process_finds_wrong_is_said_once(together, write_table, tmp_path):
    rows = surface(9_000)
    write_table(tmp_path / "t.csv", rows)
    text = (tmp_path / "t.csv").read_text().splitlines()
    text[8_500] = "oops,1,2"
    (tmp_path / "t.csv").write_text("\n".join(text))
    done = together(3, "fit", "t.csv", "--y", "y", "--out", "m.nc", *GIVEN)
    assert done.stderr == (
        "ridgelet: data: 't.csv', line 8501, column 'a': must be a number, as most of its column is, got 'oops'; "
        "correct it, leave the row out, or name the inputs with --x, without this column\n"
    )
    assert done.returncode == 2
    assert not (tmp_path / "m.nc").exists()


def test_a_place_that_cannot_be_written_to_is_said_once(together, write_table, tmp_path):
    write_table(tmp_path / "t.csv", surface(300))
    done = together(2, "fit", "t.csv", "--y", "y", "--out", "nowhere/m.nc", *GIVEN)
    assert done.returncode == 3
    assert done.stderr.startswith("ridgelet: cannot write 'nowhere/m.nc'") and done.stderr.count("\n") == 1


def test_predictions_of_several_processes_need_a_file(ridgelet, together, write_table, tmp_path):
    write_table(tmp_path / "t.csv", surface(300))
    assert ridgelet("fit", "t.csv", "--y", "y", "--out", "m.nc", "--quiet", *GIVEN).code == 0
    done = together(2, "predict", "m.nc", "t.csv")
    assert done.returncode == 2
    assert done.stderr == "ridgelet: --out: is needed where several processes share a run\n"


def test_what_is_learned_together_is_written_once(ridgelet, together, write_table, tmp_path):
    write_table(tmp_path / "t.csv", surface(300))
    learn = ["learn", "t.csv", "--y", "y", "--learn-rows", 60]
    assert ridgelet(*learn, "--out", "alone.toml", "--quiet").code == 0
    done = together(2, *learn, "--out", "shared.toml", "--threads", 1)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("wrote shared.toml") == 1
    assert (tmp_path / "shared.toml").read_bytes() == (tmp_path / "alone.toml").read_bytes()


@pytest.mark.parametrize("command", ["score", "plot", "export", "sample", "tune", "reproduce"])
def test_commands_that_are_not_shared_say_so(together, tmp_path, command):
    done = together(2, command)
    assert done.stderr == f"ridgelet: {command} runs in one process, got 2; start it without mpirun\n"
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (2, "", [])


def test_a_process_that_fails_alone_ends_the_run_with_one_line(write_table, tmp_path):
    write_table(tmp_path / "t.csv", surface(300))
    one, other = ([PROGRAM, "fit", data, "--y", "y", "--out", "m.nc", *GIVEN] for data in ("t.csv", "missing.csv"))
    done = run_mpi(tmp_path, "-n", 1, *one, ":", "-n", 1, *other)
    assert done.stderr == "ridgelet: process 1: cannot read 'missing.csv': it does not exist\n"
    assert done.returncode == 3
    assert not (tmp_path / "m.nc").exists()
