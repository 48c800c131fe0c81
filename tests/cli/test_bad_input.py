"""What a person can get wrong: one line that names it, the right exit code, and nothing left behind."""

import os
import resource
import subprocess

import pytest

KERNEL = ("--kernel", "se(lengthscale=1.5)")
ASSESS = ("assess", *KERNEL, "--replicates", "1")
SAMPLE = ("sample", *KERNEL, "--units", "10", "--points", "20", "--eval-points", "5", "--draws", "2")
TABLE = (*SAMPLE, "--out", "paths.csv")
BAD_INPUT = 2
IO_TROUBLE = 3


def kernel(text):
    return ("assess", "--kernel", text, "--replicates", "1")


ROWS = {
    # the program
    "no command": ((), BAD_INPUT, ["a command is needed", "--help"]),
    "unknown command": (("asess",), BAD_INPUT, ["unknown command 'asess'", "did you mean 'assess'?"]),
    "unknown command, none near": (("frobnicate",), BAD_INPUT, ["unknown command 'frobnicate'; `ridgelet --help` lists the commands"]),
    "unknown option of the program": (("--bogus",), BAD_INPUT, ["unknown option '--bogus'"]),
    "unknown option": ((*ASSESS, "--bogus"), BAD_INPUT, ["unknown option '--bogus' of assess; `ridgelet assess --help` says what it takes"]),
    "mistyped option": ((*ASSESS, "--unit", "3"), BAD_INPUT, ["'--unit'", "did you mean '--units'?"]),
    "stray word": ((*ASSESS, "extra"), BAD_INPUT, ["'extra'", "assess"]),
    "option without its value": (("assess", "--kernel"), BAD_INPUT, ["--kernel"]),
    "option given twice": ((*ASSESS, *KERNEL), BAD_INPUT, ["ridgelet: --kernel is given twice; give it once"]),
    "option given twice with equals": (
        (*ASSESS, "--seed=1", "--seed", "2"), BAD_INPUT, ["ridgelet: --seed is given twice; give it once"],
    ),
    "flag given twice": ((*ASSESS, "--json", "--json"), BAD_INPUT, ["ridgelet: --json is given twice; give it once"]),
    "flag with a value it does not take": (
        ("fit", "none.csv", "--y", "y", "--network-mean=no"), BAD_INPUT,
        ["--network-mean takes no value, got '--network-mean=no'; give it alone, or leave it out"],
    ),
    "words that a terminal would obey": ((*ASSESS, "a\x7fb\x9bc\u2028d"), BAD_INPUT, ["unknown argument 'a?b??c???d' of assess"]),
    "a word of any length": ((*ASSESS, 20_000 * "a"), BAD_INPUT, ["unknown argument 'aaa", "aaa..."]),
    "a word that is wrong, before a file that is not there": (
        ("fit", "none.csv", "--y", "y", "--kernel", "se("), BAD_INPUT, ["--kernel: ", "column 4"],
    ),
    "columns that cannot be, before a file that is not there": (
        ("fit", "none.csv", "--y", "y", "--x", "a,"), BAD_INPUT, ["--x: "],
    ),
    "a likelihood that cannot be, before a file that is not there": (
        ("learn", "none.csv", "--y", "y", "--likelihood", "possion"), BAD_INPUT, ["--likelihood: ", "did you mean 'poisson'?"],
    ),
    "levels that cannot be, before a file that is not there": (
        ("predict", "none.nc", "none.csv", "--level", "0.5,0.5"), BAD_INPUT, ["--level: 0.5 is listed twice"],
    ),
    # the kernel
    "missing kernel": (("assess",), BAD_INPUT, ["--kernel: is required"]),
    "missing kernel of sample": (("sample", "--out", "a.csv"), BAD_INPUT, ["--kernel: is required"]),
    "empty kernel": (kernel(""), BAD_INPUT, ["--kernel"]),
    "unknown kernel": (kernel("foo()"), BAD_INPUT, ["--kernel", "unknown kernel 'foo'", "matern32"]),
    "mistyped kernel": (kernel("se() + mattern32()"), BAD_INPUT, ["column 8", "did you mean 'matern32'?"]),
    "mistyped parameter": (kernel("se(lenghtscale=1)"), BAD_INPUT, ["column 4", "did you mean 'lengthscale'?"]),
    "negative lengthscale": (kernel("se(lengthscale=-1)"), BAD_INPUT, ["--kernel", "lengthscale", "positive", "-1"]),
    "zero amplitude": (kernel("se(amplitude=0)"), BAD_INPUT, ["--kernel", "amplitude", "positive", "0"]),
    "lengthscale not a number": (kernel("se(lengthscale=nan)"), BAD_INPUT, ["--kernel", "number", "column 16"]),
    "unclosed parenthesis": (kernel("(se()"), BAD_INPUT, ["--kernel", "expected ')'", "column 6"]),
    "unclosed outer": (kernel("outer(sin(x)"), BAD_INPUT, ["--kernel", "parenthesis", "never closed"]),
    "input that is not there": (kernel("se(active=[2])"), BAD_INPUT, ["--kernel", "active", "at most 1"]),
    "not positive definite": (
        (*kernel("periodic(period=2)"), "--domain=-5:5,-5:5", "--points", "10"),
        BAD_INPUT,
        ["--kernel", "positive semi-definite", "active=[i]"],
    ),
    # the rest of the model
    "mean with unknown name": ((*ASSESS, "--mean", "foo+x"), BAD_INPUT, ["--mean", "unknown name 'foo'", "column 1"]),
    "mean of an input beyond": ((*ASSESS, "--mean", "x2"), BAD_INPUT, ["--mean", "x2", "only 1 input"]),
    "mean that calls an input": (
        (*ASSESS, "--mean", "1+x(2)"), BAD_INPUT, ["--mean", "column 3: x is not a function; put '*' before the parenthesis"],
    ),
    "mean unfinished": ((*ASSESS, "--mean", "(x"), BAD_INPUT, ["--mean", "'(x'", "parenthesis"]),
    "mean not finite": ((*ASSESS, "--mean", "1/0"), BAD_INPUT, ["--mean", "finite", "1/0"]),
    "empty mean": ((*ASSESS, "--mean", ""), BAD_INPUT, ["--mean", "expression"]),
    "unknown activation": ((*ASSESS, "--activation", "tahn"), BAD_INPUT, ["--activation", "did you mean 'tanh'?"]),
    "unknown operator": ((*ASSESS, "--operator", "exact"), BAD_INPUT, ["--operator", "ridgelet, least-squares"]),
    "unknown density": ((*ASSESS, "--density", "cauchy"), BAD_INPUT, ["--density", "gaussian, logistic"]),
    "unknown nodes": ((*ASSESS, "--nodes", "gird"), BAD_INPUT, ["--nodes", "did you mean 'grid'?"]),
    "data nodes for an operator that integrates": (
        (*ASSESS, "--nodes", "data", "--operator", "ridgelet"),
        BAD_INPUT,
        ["--nodes: data has no cubature weights", "use --nodes grid or sobol"],
    ),
    "data nodes of white noise": (
        (*kernel("white()"), "--nodes", "data"), BAD_INPUT, ["--kernel: must have a term besides white noise"]
    ),
    "no Sobol nodes": ((*ASSESS, "--nodes", "sobol", "--points", "0"), BAD_INPUT, ["--points: must be at least 1, or auto, got 0"]),
    "unknown way to draw units": (
        (*ASSESS, "--units-from", "sobel"), BAD_INPUT, ["--units-from", "sobol, independent", "did you mean 'sobol'?"]
    ),
    "no units": ((*ASSESS, "--units", "0"), BAD_INPUT, ["--units: must be at least 1, or auto, got 0"]),
    "units not whole": ((*ASSESS, "--units", "1.5"), BAD_INPUT, ["--units", "whole number", "'1.5'"]),
    "units not a number": ((*ASSESS, "--units", "nan"), BAD_INPUT, ["--units", "whole number", "'nan'"]),
    "units beyond any integer": ((*ASSESS, "--units", "9" * 25), BAD_INPUT, ["--units", "9" * 25]),
    "units beyond memory": ((*ASSESS, "--units", "1000000000000"), BAD_INPUT, ["--units", "24 TB", "available"]),
    "no layers": ((*ASSESS, "--layers", "0"), BAD_INPUT, ["--layers: must be at least 1, got 0"]),
    "no scale between layers": ((*ASSESS, "--layer-scale", "0"), BAD_INPUT, ["--layer-scale", "positive", "0"]),
    "skip not yes or no": ((*ASSESS, "--skip", "maybe"), BAD_INPUT, ["--skip", "yes or no", "'maybe'"]),
    "sigma-w zero": ((*ASSESS, "--sigma-w", "0"), BAD_INPUT, ["--sigma-w: must be positive and finite, got 0"]),
    "sigma-w of more inputs than there are": (
        (*ASSESS, "--sigma-w", "3,1"), BAD_INPUT, ["--sigma-w: must be one number, or 1, one for each input, got 3,1"],
    ),
    "sigma-w that is no list": ((*ASSESS, "--sigma-w", "3,,1"), BAD_INPUT, ["--sigma-w: must be a number", "3,,1"]),
    "grid in too many inputs": (
        ("assess", "--kernel", "se()", "--nodes", "grid", "--domain", ",".join(6 * ["0:1"])), BAD_INPUT,
        ["--points: only 64 of the 729 nodes", "use --nodes sobol or data"],
    ),
    "sigma-w nan": ((*ASSESS, "--sigma-w", "nan"), BAD_INPUT, ["--sigma-w: must be positive", "nan"]),
    "sigma-b zero": ((*ASSESS, "--sigma-b", "0"), BAD_INPUT, ["--sigma-b: must be positive and finite, got 0"]),
    "sigma-b infinite": ((*ASSESS, "--sigma-b", "inf"), BAD_INPUT, ["--sigma-b: must be positive", "inf"]),
    "ridge zero": ((*ASSESS, "--ridge", "0"), BAD_INPUT, ["--ridge: must be positive and finite, got 0"]),
    "ridge negative": ((*ASSESS, "--ridge", "-1e-6"), BAD_INPUT, ["--ridge: must be positive", "-1e-06"]),
    "ridge nan": ((*ASSESS, "--ridge", "nan"), BAD_INPUT, ["--ridge: must be positive", "nan"]),
    "ridge a word": ((*ASSESS, "--ridge", "small"), BAD_INPUT, ["--ridge", "number", "'small'"]),
    "ridge too small": ((*ASSESS, "--ridge", "1e-300"), BAD_INPUT, ["--ridge", "large enough", "1e-300"]),
    "activation without psi for the ridgelet operator": (
        (*ASSESS, "--activation", "gelu", "--operator", "ridgelet"), BAD_INPUT,
        ["--activation: 'gelu' has no associated function psi", "use one of tanh, sigmoid, gaussian, relu"],
    ),
    "order of psi for an activation without": (
        (*ASSESS, "--activation", "sine", "--order", "2"), BAD_INPUT, ["--activation: 'sine' has no associated", "order"],
    ),
    "odd order": ((*ASSESS, "--order", "3"), BAD_INPUT, ["--order", "even", "got 3"]),
    "order too small": (
        (*ASSESS, "--activation", "relu", "--order", "2"), BAD_INPUT, ["--order", "at least 4 for relu", "got 2"],
    ),
    "order too large": ((*ASSESS, "--order", "60"), BAD_INPUT, ["--order", "at most 40", "60"]),
    "domain reversed": ((*ASSESS, "--domain", "5:-5"), BAD_INPUT, ["--domain", "LO below HI", "5:-5"]),
    "domain empty inside": ((*ASSESS, "--domain", "1:1"), BAD_INPUT, ["--domain", "LO below HI", "1:1"]),
    "domain a word": ((*ASSESS, "--domain", "wide"), BAD_INPUT, ["--domain", "LO:HI", "'wide'"]),
    "domain unfinished": ((*ASSESS, "--domain", "-5:"), BAD_INPUT, ["--domain", "LO:HI", "'-5:'"]),
    "domain nan": ((*ASSESS, "--domain", "nan:5"), BAD_INPUT, ["--domain", "finite", "nan:5"]),
    "domain infinite": ((*ASSESS, "--domain", "0:inf"), BAD_INPUT, ["--domain", "finite", "0:inf"]),
    "domain too wide for a double": ((*ASSESS, "--domain", "0:1e308"), BAD_INPUT, ["--domain: must be so narrow that sigma-b"]),
    "domain whose width is no double": ((*ASSESS, "--domain=-1e308:1e308"), BAD_INPUT, ["--domain: must have LO and HI so near"]),
    "margin too wide for a double": ((*ASSESS, "--margin", "1e300"), BAD_INPUT, ["--margin: must be so small that sigma-b", "1e+300"]),
    "sigma-w too large for a double": (
        (*ASSESS, "--sigma-w", "1e300"), BAD_INPUT, ["--sigma-w: must be so small that sigma-b", "got 1e+300"],
    ),
    "lengthscale too short for a double": (
        kernel("se(lengthscale=1e-300)"), BAD_INPUT, ["--kernel: must be so smooth that sigma-b", "1e-300"],
    ),
    "period below zero, before a file that is not there": (
        ("fit", "none.csv", "--y", "y", "--kernel", "best", "--period", "-1"), BAD_INPUT,
        ["ridgelet: --period: must be positive and finite, got -1"],
    ),
    "margin negative": ((*ASSESS, "--margin", "-1"), BAD_INPUT, ["--margin", "at least 0", "-1"]),
    "margin infinite": ((*ASSESS, "--margin", "inf"), BAD_INPUT, ["--margin", "finite", "inf"]),
    "no nodes": ((*ASSESS, "--points", "0"), BAD_INPUT, ["--points", "at least 1", "0"]),
    "one node without weight": ((*ASSESS, "--points", "1"), BAD_INPUT, ["--points"]),
    "grid beyond memory": (
        (*ASSESS, "--domain=-5:5,-5:5", "--points", "10000"),
        BAD_INPUT,
        ["--points", "10000 points on each of 2 axes", "1e+08 nodes", "240 PB", "of memory are available"],
    ),
    # how much to do
    "no threads": ((*ASSESS, "--threads", "0"), BAD_INPUT, ["--threads", "at least 1", "'0'"]),
    "threads beyond any machine": ((*ASSESS, "--threads", "100000000"), BAD_INPUT, ["--threads", "100000000"]),
    "negative seed": ((*ASSESS, "--seed", "-1"), BAD_INPUT, ["--seed", "at least 0", "'-1'"]),
    "seed not whole": ((*ASSESS, "--seed", "1.5"), BAD_INPUT, ["--seed", "whole number", "'1.5'"]),
    "no replicates": (("assess", *KERNEL, "--replicates", "0"), BAD_INPUT, ["--replicates", "at least 1", "'0'"]),
    "one evaluation point": ((*ASSESS, "--eval-points", "1"), BAD_INPUT, ["--eval-points", "at least 2", "'1'"]),
    "evaluation beyond memory": (
        (*ASSESS, "--eval-points", "1000000"), BAD_INPUT, ["--eval-points", "1000000 points", "TB", "available"],
    ),
    "negative draws of the distance": ((*ASSESS, "--mmd-draws", "-1"), BAD_INPUT, ["--mmd-draws", "at least 0"]),
    "no draws": (("sample", *KERNEL, "--out", "a.csv", "--draws", "0"), BAD_INPUT, ["--draws", "at least 1"]),
    "draws beyond memory": (
        ("sample", *KERNEL, "--out", "a.csv", "--draws", "100000000000"), BAD_INPUT, ["--draws", "TB", "available"],
    ),
    "points of the process beyond memory": (
        ("sample", *KERNEL, "--out", "a.csv", "--eval-points", "1000000"), BAD_INPUT,
        ["--eval-points", "1000000 points", "TB", "available"],
    ),
    "layers beyond memory": ((*ASSESS, "--layers", "1000000000"), BAD_INPUT, ["--layers", "TB", "available"]),
    "layers of a sample beyond memory": (
        ("sample", *KERNEL, "--out", "a.csv", "--layers", "9000000000000000000"), BAD_INPUT, ["--layers", "available"],
    ),
    # files
    "missing --out": (SAMPLE, BAD_INPUT, ["--out", "required"]),
    "empty --out": ((*SAMPLE, "--out", ""), IO_TROUBLE, ["cannot write ''", "empty"]),
    "--out in a missing directory": ((*SAMPLE, "--out", "none/a.csv"), IO_TROUBLE, ["'none/a.csv'", "No such file"]),
    "--out a directory": ((*SAMPLE, "--out", "folder"), IO_TROUBLE, ["'folder'", "is a directory"]),
    "--out below a file": ((*SAMPLE, "--out", "file/a.csv"), IO_TROUBLE, ["'file/a.csv'", "Not a directory"]),
    "--plot of another kind": ((*TABLE, "--plot", "a.pdf"), BAD_INPUT, ["--plot", ".svg or .png", "'a.pdf'"]),
    "--plot without an ending": ((*TABLE, "--plot", "figure"), BAD_INPUT, ["--plot", ".svg or .png", "'figure'"]),
    "--plot in a missing directory": ((*TABLE, "--plot", "none/a.svg"), IO_TROUBLE, ["'none/a.svg'", "No such file"]),
    "--plot a directory": ((*TABLE, "--plot", "folder.svg"), IO_TROUBLE, ["'folder.svg'", "is a directory"]),
    "--plot over --out": ((*SAMPLE, "--out", "a.svg", "--plot", "a.svg"), BAD_INPUT, ["--plot", "a.svg"]),
    "--plot of three inputs": (
        ("sample", *KERNEL, "--domain=0:1,0:1,0:1", "--points", "4", "--out", "a.csv", "--plot", "a.svg"),
        BAD_INPUT,
        ["--plot", "one or two inputs", "got 3"],
    ),
    "missing model file": (("assess", "--model", "none.toml"), IO_TROUBLE, ["'none.toml'", "model file"]),
    "a directory as model file": (("assess", "--model", "folder"), IO_TROUBLE, ["'folder'", "model file"]),
}


@pytest.fixture
def workplace(tmp_path):
    """A file, and two directories; returns what is there, to compare later."""
    (tmp_path / "file").write_text("kept\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.svg").mkdir()

    def listing():
        return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))

    return listing


@pytest.mark.parametrize("row", ROWS)
def test_bad_input_ends_with_one_line_that_names_it_and_writes_nothing(refuses, workplace, row):
    before = workplace()
    refuses(*ROWS[row])
    assert workplace() == before


@pytest.mark.parametrize("plot", ["none/a.svg", "folder.svg", "a.pdf"])
def test_a_figure_that_cannot_be_written_leaves_an_older_table_as_it_was(ridgelet, workplace, tmp_path, plot):
    (tmp_path / "paths.csv").write_text("older\n")
    before = workplace()
    assert ridgelet(*TABLE, "--plot", plot).code in (BAD_INPUT, IO_TROUBLE)
    assert (tmp_path / "paths.csv").read_text() == "older\n"
    assert workplace() == before


@pytest.mark.parametrize(
    ("arguments", "out", "format_and_name"),
    [
        (("learn", "data.csv", "--y", "y"), "keep.nc", "a TOML file, such as 'keep.toml'"),
        (("tune", *KERNEL), "c.csv", "a TOML file, such as 'c.toml'"),
        (("tune", *KERNEL), "tune.svg", "a TOML file, such as 'tune.toml'"),
        (SAMPLE, "s.nc", "a CSV file, such as 's.csv'"),
        (("predict", "model.nc", "data.csv"), "p.svg", "a CSV file, such as 'p.csv'"),
        (("export", "model.nc", "--to", "c"), "data.csv", "a c file, such as 'data.c'"),
        (("export", "model.nc", "--to", "torch"), "m.onnx", "a torch file, such as 'm.py'"),
    ],
)
def test_no_output_replaces_a_file_whose_name_belongs_to_another_format(ridgelet, tmp_path, arguments, out, format_and_name):
    (tmp_path / out).write_text("older\n")
    run = ridgelet(*arguments, "--out", out)
    assert (run.code, run.out) == (BAD_INPUT, "")
    assert run.err == f"ridgelet: --out: must be the name of {format_and_name}, got '{out}'\n"
    assert (tmp_path / out).read_text() == "older\n"


@pytest.mark.parametrize("arguments", [ASSESS, (*ASSESS, "--json"), ("--version",), ("fit", "--help")], ids=["report", "json", "version", "help"])
def test_a_report_that_cannot_be_printed_is_an_error(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [os.environ["RIDGELET_PROGRAM"], *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == IO_TROUBLE
    assert done.stderr.startswith("ridgelet: ")


@pytest.mark.parametrize("arguments", [kernel("se(amplitude=0)"), kernel("foo()"), (*ASSESS, "--mean", "foo"), (*ASSESS, "--mean", "(x")])
def test_a_domain_is_asked_for_only_where_inputs_are_missing(ridgelet, arguments):
    assert "--domain" not in ridgelet(*arguments).err
    assert "give --domain a range" in ridgelet(*ASSESS, "--mean", "x2").err


def test_a_missing_directory_for_temporary_files_is_an_error_and_leaves_nothing(ridgelet, workplace, monkeypatch):
    before = workplace()
    monkeypatch.setenv("TMPDIR", "/none/such")
    run = ridgelet(*TABLE, "--plot", "a.svg")
    assert run.code == IO_TROUBLE
    assert run.err.startswith("ridgelet: ") and run.err.count("\n") == 1
    assert workplace() == before


def test_a_missing_gnuplot_is_an_error_that_says_so_and_leaves_nothing(ridgelet, workplace, monkeypatch, tmp_path):
    before = workplace()
    monkeypatch.setenv("PATH", str(tmp_path / "folder"))
    run = ridgelet(*TABLE, "--plot", "a.svg")
    assert run.code == IO_TROUBLE
    assert "gnuplot is not installed" in run.err and run.err.count("\n") == 1
    assert workplace() == before


@pytest.mark.parametrize(
    ("arguments", "flag"),
    [
        (("sample", *KERNEL, "--out", "a.csv", "--eval-points", "70000"), "--eval-points"),
        ((*ASSESS, "--units", "100000000"), "--units"),
        ((*ASSESS, "--points", "12000"), "--points"),
        ((*ASSESS, "--layers", "100000"), "--layers"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_limit_on_the_address_space_counts_as_memory(ridgelet, workplace, arguments, flag):
    before, limit = workplace(), 2 << 30
    run = ridgelet(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert (run.code, run.out) == (BAD_INPUT, "")
    (line,) = run.err.splitlines()
    assert line.startswith(f"ridgelet: {flag}: ") and line.endswith("GB of memory are available")
    assert workplace() == before
