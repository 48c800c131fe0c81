"""Tables and arguments that `fit`, `predict` and `summary` cannot work with: one line that names the fault, the right
exit code, and nothing left behind."""

import os
import resource
import shutil
import signal
import subprocess

import pytest

BAD_INPUT = 2
IO_TROUBLE = 3
KERNEL = ("--kernel", "se(lengthscale=1.5)")
SMALL = (*KERNEL, "--units", "40", "--points", "30")
SHORT = ("--chains", "2", "--warmup", "5", "--draws", "10")
TABLES = {
    "data.csv": "x,y,z,group\n" + "".join(f"{i / 4},{(i * 7) % 5},{i % 3},{'ab'[i % 2]}\n" for i in range(12)),
    "empty.csv": "",
    "blank.csv": "\n\n",
    "header.csv": "x,y\n",
    "text.csv": "x,y\n1,2\n2,three\n",
    "nan.csv": "x,y\n1,2\n2,3\n3,NaN\n",
    "gap.csv": "x,y\n1,2\n,3\n3,4\n",
    "infinite.csv": "x,y\n1,2\n2,inf\n",
    "short_row.csv": "x,y\n1,2\n2\n",
    "long_row.csv": "x,y\n1,2\n2,3,4\n",
    "gap_line.csv": "x,y\n1,2\n\n2,3\n",
    "marks.csv": "x;y\n1,5;2\n2.5;4\n",
    "thousands.csv": "x;z;y\n1,5;775;2\n2,5;2.143;4\n3;1.022;5\n",
    "points_first.csv": "z;x;y\n775;1;2\n2.143;2;4\n1;3,5;5\n",
    "twice.csv": "x,y,x\n1,2,3\n2,3,4\n",
    "quote.csv": 'x,y\n1,"2\n2,3\n',
    "flat.csv": "x,y\n1,2\n2,2\n3,2\n",
    "still.csv": "x,y\n1,2\n1,3\n1,4\n",
    "one.csv": "x,y\n1,2\n",
    "alone.csv": "y\n1\n2\n3\n",
    "left.csv": "x,y\n1,2\n1,3\n2,\n",
    "wide.csv": "x,y\n-1e308,2\n1e308,3\n",
    "new.csv": "x\n0\n1\n",
    "missing.csv": "x,y\n,1\nNA,2\n",
    "names.csv": "name,y\n" + "".join(f"n{i},{i}\n" for i in range(20)),
    "blanks.csv": "x y\n1 2\n2 3\n",
    "headless.csv": "0.5,1\n1,2\n2,3\n",
    "comma.csv": 'x,"y, m",y\n1,2,3\n2,3,4\n',
    "dash.csv": "x,y\n1,2\n2,-\n3,4\n4,5\n",
    "other.csv": "year,y\n0,1\n",
}


def fit(data="data.csv", x="x", y="y", noise="0.1", model=SMALL, run=SHORT):
    return ("fit", data, "--hidden", "sampled", "--nodes", "grid", "--x", x, "--y", y, "--noise", noise, *model, *run)


def predict(data="new.csv", model="model.nc", out="pred.csv"):
    return ("predict", model, data, "--out", out)


ROWS = {
    # the table of fit
    "empty table": (fit("empty.csv"), BAD_INPUT, ["'empty.csv'", "the file is empty; it needs a line with the names"]),
    "one row, all its columns": (("fit", "one.csv", "--y", "y"), BAD_INPUT, ["'one.csv'", "one row", "at least two"]),
    "a response alone": (("fit", "alone.csv", "--y", "y"), BAD_INPUT, ["'alone.csv'", "no column is left for an input", "add one to the table"]),
    "inputs that do not vary": (("fit", "still.csv", "--y", "y"), BAD_INPUT, ["'still.csv'", "no column is left for an input", "add one that does"]),
    "inputs that do not vary where rows are left": (
        ("fit", "left.csv", "--y", "y", "--missing", "drop"), BAD_INPUT, ["'left.csv'", "no column is left for an input", "--x"],
    ),
    "blank lines only": (fit("blank.csv"), BAD_INPUT, ["'blank.csv'", "line 1"]),
    "header only": (fit("header.csv"), BAD_INPUT, ["'header.csv'", "a header without rows; put a line of values"]),
    "text in a number": (fit("text.csv"), BAD_INPUT, ["'text.csv'", "line 3", "column 'y'", "number", "'three'"]),
    "not a number": (fit("nan.csv"), BAD_INPUT, ["'nan.csv'", "line 4", "column 'y'", "missing"]),
    "empty field": (fit("gap.csv"), BAD_INPUT, ["'gap.csv'", "line 3", "column 'x'", "missing"]),
    "infinite number": (fit("infinite.csv"), BAD_INPUT, ["'infinite.csv'", "line 3", "column 'y'", "finite", "leave the row out"]),
    "too few fields": (fit("short_row.csv"), BAD_INPUT, ["'short_row.csv'", "line 3", "1 field", "header has 2"]),
    "too many fields": (fit("long_row.csv"), BAD_INPUT, ["'long_row.csv'", "line 3", "3 fields", "header has 2"]),
    "blank line between": (fit("gap_line.csv"), BAD_INPUT, ["'gap_line.csv'", "line 3", "blank line"]),
    "thousands with points": (fit("thousands.csv", x="x,z"), BAD_INPUT, ["line 3, column 'z'", "decimal point", "line 2, column 'x'", "thousands"]),
    "thousands with points, first": (fit("points_first.csv", x="x,z"), BAD_INPUT, ["line 4, column 'x'", "line 3, column 'z'", "decimal point"]),
    "decimal commas and points": (fit("marks.csv"), BAD_INPUT, ["'marks.csv'", "line 3", "decimal point", "line 2"]),
    "a column twice": (fit("twice.csv"), BAD_INPUT, ["'twice.csv'", "column 'x'", "more than once", "a name of its own"]),
    "blanks between columns": (fit("blanks.csv"), BAD_INPUT, ["no column 'x'", "comma, a semicolon or a tab"]),
    "no header": (fit("headless.csv"), BAD_INPUT, ["no column 'x'", "the first line must name the columns"]),
    "a comma in a name": (fit("comma.csv", y="y, m"), BAD_INPUT, ["no column 'm'", "in quotes, '\"y, m\"'"]),
    "a dash for no value": (fit("dash.csv"), BAD_INPUT, ["line 3, column 'y': must be a number, got '-'; correct it, or leave the row out"]),
    "a dash in an input": (
        fit("dash.csv", x="y", y="x"), BAD_INPUT,
        ["line 3, column 'y': must be a number, as most of its column is, got '-'; correct it, leave the row out, or name the inputs with --x"],
    ),
    "open quote": (fit("quote.csv"), BAD_INPUT, ["'quote.csv'", "line 2", "quote"]),
    "constant response": (fit("flat.csv"), BAD_INPUT, ["'flat.csv'", "column 'y'", "2 in every row"]),
    "constant input": (fit("still.csv"), BAD_INPUT, ["'still.csv'", "column 'x'", "1 in every row", "--x"]),
    "one row": (fit("one.csv"), BAD_INPUT, ["'one.csv'", "one row", "at least two"]),
    "inputs too far apart": (fit("wide.csv"), BAD_INPUT, ["--domain"]),
    "missing table": (fit("none.csv"), IO_TROUBLE, ["cannot read 'none.csv'", "does not exist"]),
    "a directory as table": (fit("folder"), IO_TROUBLE, ["cannot read 'folder'", "directory"]),
    "missing values kept": (fit(run=("--missing", "keep")), BAD_INPUT, ["--missing", "refuse, drop", "'keep'"]),
    "nothing left": (fit("missing.csv", run=("--missing", "drop")), BAD_INPUT, ["'missing.csv'", "every row"]),
    # columns
    "names as inputs": (
        ("fit", "names.csv", "--y", "y", "--noise", "1", *SMALL), BAD_INPUT, ["column 'name'", "20 different", "--x"],
    ),
    "logarithm of zero": (fit(y="log(y)"), BAD_INPUT, ["line 2", "column 'y'", "positive for log(y)", "'0'"]),
    "logarithm of an input": (fit(y="log(x)"), BAD_INPUT, ["--y", "'x' is an input already"]),
    "unknown input": (fit(x="X"), BAD_INPUT, ["'data.csv'", "no column 'X'", "did you mean 'x'?"]),
    "unknown response": (fit(y="gruop"), BAD_INPUT, ["no column 'gruop'", "x, y, z, group", "did you mean 'group'?"]),
    "noise of a column of words": (fit(y="group"), BAD_INPUT, ["--noise", "belongs to Gaussian noise", "bernoulli"]),
    "input as response": (fit(y="x"), BAD_INPUT, ["--y", "'x' is an input already"]),
    "input twice": (fit(x="x,x"), BAD_INPUT, ["--x", "'x' is listed twice"]),
    "response twice": (fit(y="y,y"), BAD_INPUT, ["--y", "'y' is listed twice"]),
    "no input": (fit(x=""), BAD_INPUT, ["--x", "at least one column"]),
    "an empty name": (fit(x="x,"), BAD_INPUT, ["--x", "name 2 is empty"]),
    # names of results
    **{
        f"results called {name}": ((*fit(), "--out", name), BAD_INPUT, ["--out", "NetCDF", "'m.nc'", f"got '{name}'"])
        for name in ("m.csv", "m.json", "m.toml", "m.svg", "m.png", "m.onnx")
    },
    "nodes below none": (("fit", "data.csv", "--y", "y", "--points", "-4"), BAD_INPUT, ["--points", "at least 1", "-4"]),
    # noise
    "noise zero": (fit(noise="0"), BAD_INPUT, ["--noise", "positive", "got 0", "no density", "0.01"]),
    "noise negative": (fit(noise="-1"), BAD_INPUT, ["--noise: must be positive and finite, got -1"]),
    "noise not a number": (fit(noise="nan"), BAD_INPUT, ["--noise: must be positive and finite, got nan"]),
    "noise infinite": (fit(noise="inf"), BAD_INPUT, ["--noise: must be positive and finite, got inf"]),
    "noise a word": (fit(noise="small"), BAD_INPUT, ["--noise", "number", "'small'"]),
    "noise empty": (fit(noise=""), BAD_INPUT, ["--noise", "number", "''"]),
    "noise with an empty part": (fit(noise="0.1,"), BAD_INPUT, ["--noise", "number", "'0.1,'"]),
    "two noises, one response": (fit(noise="0.1,0.2"), BAD_INPUT, ["--noise", "one number", "got a list of 2"]),
    "two noises, three responses": (
        fit(data="data.csv", x="x", y="y,z", noise="1,2,3"), BAD_INPUT, ["--noise", "one number or 2", "got a list of 3"],
    ),
    "the second noise zero": (fit(y="y,z", noise="0.1,0"), BAD_INPUT, ["--noise", "positive", "got 0"]),
    "noise whose square is zero": (fit(noise="1e-300"), BAD_INPUT, ["--noise", "1e-300"]),
    "noise whose square is infinite": (fit(noise="1e300"), BAD_INPUT, ["--noise", "1e+300"]),
    # the model
    "mistyped --noise": (
        ("fit", "data.csv", "--x", "x", "--y", "y", "--nois", "1", *SMALL), BAD_INPUT,
        ["unknown option '--nois' of fit", "did you mean '--noise'?"],
    ),
    "missing --y": (("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--noise", "1", *SMALL), BAD_INPUT, ["--y: is required: the response, of the columns 'x'", "of 'data.csv'"]),
    "missing table name": (("fit", "--hidden", "sampled", "--x", "x", "--y", "y", "--noise", "1", *SMALL), BAD_INPUT, ["DATA is required; `ridgelet fit --help` says"]),
    "chains without sampling": (
        ("fit", "data.csv", "--y", "y", "--chains", "2"), BAD_INPUT, ["--chains: belongs to chains", "--hidden sampled"],
    ),
    "networks with sampling": ((*fit(), "--networks", "2"), BAD_INPUT, ["--networks: belongs to --hidden fixed"]),
    "hidden layers of another kind": (("fit", "data.csv", "--y", "y", "--hidden", "free"), BAD_INPUT, ["fixed, sampled or variational"]),
    "unknown activation before learning": (
        ("fit", "data.csv", "--y", "y", "--activation", "tahn"), BAD_INPUT, ["--activation", "did you mean 'tanh'?"],
    ),
    "period that is no number": (("fit", "data.csv", "--y", "y", "--kernel", "best", "--period", "year"), BAD_INPUT, ["--period", "year"]),
    "unknown kernel": (fit(model=("--kernel", "sse()")), BAD_INPUT, ["--kernel", "did you mean 'se'?"]),
    "kernel of an input beyond": (fit(model=("--kernel", "se(active=[2])")), BAD_INPUT, ["--kernel", "at most 1"]),
    "mean of an input beyond": (fit(run=("--mean", "x2")), BAD_INPUT, ["--mean", "x2", "only 1 input"]),
    "mean not finite at a row": (fit(run=("--mean", "log(x)")), BAD_INPUT, ["--mean", "finite", "log(x)"]),
    "mean not finite in the network": (
        fit(run=("--mean", "log(x)", "--network-mean")), BAD_INPUT, ["--mean", "finite", "log(x)"],
    ),
    "domain of two inputs": (fit(run=("--domain", "0:1,0:1")), BAD_INPUT, ["--domain", "1 range", "got 2"]),
    "domain of one input of two": (fit(x="x,z", run=("--domain", "0:1")), BAD_INPUT, ["--domain", "2 ranges", "got 1"]),
    "domain reversed": (fit(run=("--domain", "2:1")), BAD_INPUT, ["--domain", "LO below HI"]),
    "no layers": (fit(run=("--layers", "0")), BAD_INPUT, ["--layers: must be at least 1, got 0"]),
    "missing model file": (fit(model=("--model", "none.toml")), IO_TROUBLE, ["'none.toml'"]),
    # the run
    "no chains": (fit(run=("--chains", "0")), BAD_INPUT, ["--chains", "at least 1", "'0'"]),
    "no draws": (fit(run=("--draws", "0")), BAD_INPUT, ["--draws", "at least 4", "'0'"]),
    "negative warm-up": (fit(run=("--warmup", "-1")), BAD_INPUT, ["--warmup", "at least 0", "'-1'"]),
    "draws not whole": (fit(run=("--draws", "1.5")), BAD_INPUT, ["--draws", "whole number", "'1.5'"]),
    "draws beyond memory": (fit(run=("--draws", "100000000")), BAD_INPUT, ["--draws", "GB", "available"]),
    "draws of chains beyond memory": (
        fit(run=("--chains", "1000", "--draws", "1000000")), BAD_INPUT, ["1000 chains of 1000000 draws", "available"],
    ),
    "units beyond memory": (
        fit(model=(*KERNEL, "--units", "1000000000000")), BAD_INPUT, ["--units", "TB", "available"],
    ),
    "mistyped option": (fit(run=("--standardize",)), BAD_INPUT, ["did you mean '--standardise'?"]),
    # where fit writes
    "empty --out": (fit(run=("--out", "")), IO_TROUBLE, ["cannot write ''"]),
    "--out a directory": (fit(run=("--out", "folder")), IO_TROUBLE, ["cannot write 'folder'", "directory"]),
    "--out in a missing directory": (
        fit(run=("--out", "none/a.nc")), IO_TROUBLE, ["cannot write 'none/a.nc'", "No such file"],
    ),
    "--out below a file": (
        fit(run=("--out", "data.csv/a.nc")), IO_TROUBLE, ["cannot write 'data.csv/a.nc'", "Not a directory"],
    ),
    # predict
    "predict an empty table": (predict("empty.csv"), BAD_INPUT, ["'empty.csv'", "the file is empty"]),
    "predict a header": (predict("header.csv"), BAD_INPUT, ["'header.csv'", "a header without rows"]),
    "predict without the input": (predict("other.csv"), BAD_INPUT, ["'other.csv'", "no column 'x'", "year, y"]),
    "predict a gap": (predict("gap.csv"), BAD_INPUT, ["'gap.csv'", "line 3", "column 'x'", "missing"]),
    "predict a missing table": (predict("none.csv"), IO_TROUBLE, ["cannot read 'none.csv'"]),
    "predict a directory": (predict("folder"), IO_TROUBLE, ["cannot read 'folder'", "directory"]),
    "predict with a missing model": (predict(model="none.nc"), IO_TROUBLE, ["cannot read 'none.nc'"]),
    "predict with a directory": (predict(model="folder"), IO_TROUBLE, ["cannot read 'folder'", "directory"]),
    "predict with a table": (predict(model="data.csv"), BAD_INPUT, ["'data.csv' is not a results file"]),
    "predict into a directory": (predict(out="folder"), IO_TROUBLE, ["cannot write 'folder'", "directory"]),
    "predict into a missing directory": (predict(out="none/p.csv"), IO_TROUBLE, ["cannot write 'none/p.csv'"]),
    "predict --json without --out": (("predict", "model.nc", "new.csv", "--json"), BAD_INPUT, ["--json", "--out"]),
    "predict at no level": ((*predict(), "--level", "1"), BAD_INPUT, ["--level", "between 0 and 1", "'1'"]),
    "predict at a level twice": ((*predict(), "--level", "0.5,0.5"), BAD_INPUT, ["--level: 0.5 is listed twice"]),
    "predict at a level of words": ((*predict(), "--level", "high"), BAD_INPUT, ["--level", "number", "'high'"]),
    "predict with missing values kept": ((*predict(), "--missing", "keep"), BAD_INPUT, ["--missing", "refuse, drop"]),
    "predict with levels dropped": ((*predict(), "--unknown", "drop"), BAD_INPUT, ["--unknown", "refuse, ignore"]),
    "predict where all is missing": (
        (*predict("missing.csv"), "--missing", "drop"), BAD_INPUT, ["'missing.csv': every row has a missing value"],
    ),
    # score
    "score without the response": (("score", "model.nc", "new.csv"), BAD_INPUT, ["no column 'y'"]),
    "score a gap in the response": (("score", "model.nc", "nan.csv"), BAD_INPUT, ["line 4", "column 'y'", "--missing"]),
    "score without a table": (("score", "model.nc"), BAD_INPUT, ["DATA is required"]),
    "score with a table as model": (("score", "data.csv", "data.csv"), BAD_INPUT, ["is not a results file"]),
    "score a missing table": (("score", "model.nc", "none.csv"), IO_TROUBLE, ["cannot read 'none.csv'"]),
    "predict without a table": (("predict", "model.nc", "--out", "p.csv"), BAD_INPUT, ["DATA is required"]),
    "predict with an option of fit": ((*predict(), "--noise", "1"), BAD_INPUT, ["'--noise'", "predict"]),
    # summary
    "summary of nothing": (("summary",), BAD_INPUT, ["MODEL is required"]),
    "summary of a missing file": (("summary", "none.nc"), IO_TROUBLE, ["cannot read 'none.nc'"]),
    "summary of a directory": (("summary", "folder"), IO_TROUBLE, ["cannot read 'folder'", "directory"]),
    "summary of a table": (("summary", "data.csv"), BAD_INPUT, ["'data.csv' is not a results file"]),
    "summary of an empty file": (("summary", "empty.csv"), BAD_INPUT, ["'empty.csv' is not a results file"]),
    "summary of two files": (("summary", "model.nc", "b.nc"), BAD_INPUT, ["'b.nc'", "summary"]),
}


@pytest.fixture
def workplace(fitted, tmp_path):
    """The tables, a directory and a results file; returns what is there, to compare later."""
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    shutil.copy(fitted.model, tmp_path / "model.nc")

    def listing():
        return {
            str(path.relative_to(tmp_path)): path.read_bytes() if path.is_file() else None
            for path in tmp_path.rglob("*")
        }

    return listing


@pytest.mark.parametrize("row", ROWS)
def test_bad_input_ends_with_one_line_that_names_it_and_writes_nothing(refuses, workplace, row):
    before = workplace()
    refuses(*ROWS[row])
    assert workplace() == before


@pytest.mark.parametrize("where", ["header", "row"])
def test_a_line_of_ten_million_characters_is_refused_by_its_number(ridgelet, tmp_path, where):
    long = "1" * 10**7
    (tmp_path / "long.csv").write_text(f"x,y{long}\n1,2\n" if where == "header" else f"x,y\n1,2\n2,{long}\n")
    run = ridgelet(*fit("long.csv"))
    assert (run.code, run.out) == (BAD_INPUT, "")
    (line,) = run.err.splitlines()
    assert line.startswith("ridgelet: data: 'long.csv', line " + ("1" if where == "header" else "3"))
    assert "longer than 1,000,000 characters" in line and len(line) < 200
    assert [path.name for path in tmp_path.iterdir()] == ["long.csv"]


def test_rows_that_repeat_are_fitted_with_a_warning(ridgelet, tmp_path):
    rows = [f"{i},{i % 3}" for i in range(8)]
    (tmp_path / "data.csv").write_text("\n".join(["x,y", *rows, rows[2], rows[5], rows[2]]) + "\n")
    report = ridgelet(*fit(), "--quiet", "--json").json
    assert report["rows"] == 11
    (warning,) = [text for text in report["warnings"] if "repeat" in text]
    assert warning.startswith("3 of 11 rows repeat an earlier one")
    assert f"warning: {warning}\n" in ridgelet("summary", "model.nc", "--quiet").err


def test_rows_that_differ_in_the_response_only_are_not_repeated(ridgelet, tmp_path):
    (tmp_path / "data.csv").write_text("x,y\n1,2\n1,3\n2,2\n2,5\n")
    assert not any("repeat" in text for text in ridgelet(*fit(), "--quiet", "--json").json["warnings"])


def test_two_rows_are_enough(ridgelet, tmp_path):
    (tmp_path / "data.csv").write_text("x,y\n1,2\n2,3\n")
    assert ridgelet(*fit(), "--quiet", "--json").json["rows"] == 2


def test_a_noise_too_small_for_the_exact_process_wastes_no_run(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", wave)
    run = ridgelet(*fit(noise="1e-9"))
    if run.code == 0:
        assert ridgelet("summary", "model.nc", "--json").json["noise"] == 1e-9
    else:
        (line,) = run.err.splitlines()  # no plan before it: the chains have not run
        assert run.code == BAD_INPUT and line.startswith("ridgelet: --noise")


# Disks and files that are full.


def limited(size):
    """Keywords of subprocess.run that make every file end at `size` bytes, as on a full disk."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails, but the program goes on

    return {"preexec_fn": limit, "restore_signals": False}


@pytest.fixture
def small_disk(tmp_path, workplace):
    """A directory that holds 64 kB, and keywords for a run: a file system, or a limit if mounting is forbidden."""
    directory = tmp_path / "small"
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(directory)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    yield directory, {} if mounted else limited(1 << 16)
    if mounted:
        subprocess.run(["umount", str(directory)], check=True)


def failed_to_write(run, name):
    assert (run.code, run.out) == (IO_TROUBLE, ""), run.err
    line = run.err.splitlines()[-1]
    assert line.startswith(f"ridgelet: cannot write '{name}': ")


def test_results_that_do_not_fit_on_the_disk_are_an_error_and_leave_the_checkpoint_alone(ridgelet, small_disk):
    directory, keywords = small_disk
    failed_to_write(ridgelet(*fit(), "--out", "small/a.nc", **keywords), "small/a.nc")
    assert {path.name for path in directory.iterdir()} <= {"a.nc.checkpoint"}


def test_after_results_that_do_not_fit_on_the_disk_resume_goes_on_from_the_chains_that_were_saved(ridgelet, workplace, tmp_path):
    run = (*fit(), "--out", "a.nc")
    assert ridgelet(*run).code == 0
    whole = (tmp_path / "a.nc").read_bytes()
    (tmp_path / "a.nc").unlink()
    lost = ridgelet(*run, **limited(len(whole) - 1))
    failed_to_write(lost, "a.nc")
    assert lost.err.endswith("; the chains are saved in 'a.nc.checkpoint', and the same command with --resume goes on from there\n")
    again = ridgelet(*run, "--resume")
    assert again.code == 0 and "resumed after 30 of 30 steps" in again.err
    assert (tmp_path / "a.nc").read_bytes() == whole
    assert not (tmp_path / "a.nc.checkpoint").exists()


def test_results_that_do_not_fit_on_the_disk_leave_older_ones_as_they_were(ridgelet, small_disk):
    directory, keywords = small_disk
    (directory / "a.nc").write_text("older\n")
    failed_to_write(ridgelet(*fit(), "--out", "small/a.nc", **keywords), "small/a.nc")
    assert {path.name for path in directory.iterdir()} <= {"a.nc", "a.nc.checkpoint"}
    assert (directory / "a.nc").read_text() == "older\n"


def test_predictions_that_do_not_fit_on_the_disk_are_an_error_and_leave_nothing(ridgelet, small_disk, tmp_path):
    directory, keywords = small_disk
    (tmp_path / "new.csv").write_text("x\n" + "\n".join(str(i / 1000) for i in range(2000)) + "\n")
    failed_to_write(ridgelet(*predict(out="small/p.csv"), **keywords), "small/p.csv")
    assert list(directory.iterdir()) == []
    assert ridgelet(*predict()).code == 0


@pytest.mark.parametrize("command", ["fit", "predict"])
def test_a_limit_of_the_file_size_is_an_error_and_leaves_nothing(ridgelet, workplace, command):
    before = workplace()
    size = 1 << 14 if command == "fit" else 32
    arguments = (*fit(), "--out", "a.nc") if command == "fit" else predict()
    failed_to_write(ridgelet(*arguments, **limited(size)), "a.nc" if command == "fit" else "pred.csv")
    assert workplace() == before


@pytest.mark.parametrize("arguments", [("summary", "model.nc"), ("summary", "model.nc", "--json"), predict(), fit()])
def test_a_report_that_cannot_be_printed_is_an_error(workplace, tmp_path, arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [os.environ["RIDGELET_PROGRAM"], *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True,
            check=False,
        )  # fmt: skip
    assert done.returncode == IO_TROUBLE
    assert done.stderr.splitlines()[-1].startswith("ridgelet: cannot write to the standard output")
