"""Runs the program in an empty directory of its own."""

import functools
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from responses import write_rows

PROGRAM = os.environ["RIDGELET_PROGRAM"]


def as_number(cell):
    return {"yes": 1.0, "no": 0.0}.get(cell) if cell in ("yes", "no") else float(cell)


@dataclass
class Run:
    code: int
    out: str
    err: str
    directory: Path

    @property
    def said(self):
        """The standard error without its warnings, which nothing silences."""
        return "".join(line for line in self.err.splitlines(True) if not line.startswith("warning: "))

    @property
    def json(self):
        assert (self.code, self.said) == (0, ""), self.err
        return json.loads(self.out)

    def table(self, name):
        """Header and numbers of a CSV that the program wrote."""
        assert (self.code, self.said) == (0, ""), self.err
        header, *rows = (self.directory / name).read_text().splitlines()
        return header.split(","), np.array([[as_number(cell) for cell in row.split(",")] for row in rows])


@pytest.fixture(scope="session")
def run_in():
    """run_in(directory, "assess", "--units", 10) -> Run; keywords are those of subprocess.run."""

    def run(directory, *arguments, **keywords):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=directory, capture_output=True, text=True, timeout=120, check=False,
            **keywords,
        )  # fmt: skip
        return Run(done.returncode, done.stdout, done.stderr, directory)

    return run


@pytest.fixture
def ridgelet(run_in, tmp_path):
    """ridgelet("assess", "--units", 10) -> Run; every call of a test works in the same directory."""
    return functools.partial(run_in, tmp_path)


MEASURE = """
import os, sys
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(process, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.fixture
def peak_memory(tmp_path):
    """peak_memory("fit", ...) -> the peak in kB. The starting process counts towards it, so a small one is used."""

    def run(*arguments):
        command = [sys.executable, "-S", "-c", MEASURE, PROGRAM, *map(str, arguments), "--quiet"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return int(done.stdout.splitlines()[-1])

    return run


@pytest.fixture
def refuses(ridgelet):
    """refuses(arguments, code, words): the program prints nothing, and one line of error that has the words."""

    def run(arguments, code, words):
        refused = ridgelet(*arguments)
        assert refused.code == code, refused.err
        assert refused.out == ""
        assert refused.err.endswith("\n")
        (line,) = refused.err.splitlines()
        assert line.startswith("ridgelet: ")
        for word in words:
            assert word in line

    return run


@pytest.fixture(scope="session")
def write_table():
    """write_table(path, {"x": numbers, "y": numbers}) writes a CSV whose numbers read back as the same doubles."""

    def write(path, columns):
        rows = zip(*(np.asarray(values, float).tolist() for values in columns.values()), strict=True)
        lines = [",".join(columns), *(",".join(map(repr, row)) for row in rows)]
        path.write_text("\n".join(lines) + "\n")

    return write


@pytest.fixture(scope="session")
def wave():
    """Thirty noisy rows of a curve, noise 0.1."""
    random = np.random.default_rng(7)
    x = np.sort(random.uniform(-3, 3, 30))
    return {"x": x, "y": np.sin(1.5 * x) + 0.5 * x + 0.1 * random.standard_normal(30)}


@pytest.fixture(scope="session")
def decimal_commas(tmp_path_factory):
    """What the environment needs so that LC_ALL=de_DE.UTF-8, a locale that few machines have, means decimal commas."""
    folder = tmp_path_factory.mktemp("locales")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], check=True)
    return {"LOCPATH": str(folder)}


@dataclass
class Fitted:
    directory: Path
    data: dict
    report: dict
    kernel: str
    noise: float

    @property
    def model(self):
        return self.directory / "model.nc"


@pytest.fixture(scope="session")
def fitted(run_in, write_table, wave, tmp_path_factory):
    """A small fit of `wave` for tests that only read it."""
    directory = tmp_path_factory.mktemp("fitted")
    write_table(directory / "data.csv", wave)
    kernel, noise = "se(amplitude=1, lengthscale=1.5)", 0.1
    run = run_in(
        directory, "fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", noise, "--kernel", kernel, "--units", 100,
        "--points", 60, "--chains", 2, "--warmup", 20, "--draws", 50, "--quiet", "--json",
    )  # fmt: skip
    return Fitted(directory, wave, run.json, kernel, noise)


@pytest.fixture(scope="session")
def rewrite_netcdf():
    """rewrite_netcdf(source, target, changes) copies a NetCDF file array by array.

    Changes are named by place. "" and "group" have attributes, or None to leave the group out. "group/array" has None
    to leave the array out, other dimensions to fill with zeros, or a function of its values. The copy has no seal, and
    lacks the attribute that says it has one, unless a change keeps it.
    """
    import netCDF4

    def copy_array(array, target, change):
        dimensions = change if isinstance(change, tuple) else array.dimensions
        made = target.createVariable(array.name, array.dtype, dimensions)
        if isinstance(change, tuple):
            made[...] = np.zeros(made.shape)
        else:
            made[...] = change(array[...]) if change else array[...]

    def copy_group(source, target, path, changes):
        attributes = {name: source.getncattr(name) for name in source.ncattrs()} | changes.get(path, {})
        target.setncatts({name: value for name, value in attributes.items() if value is not None})
        for name, array in source.variables.items():
            place = f"{path}/{name}"
            if place not in changes or changes[place] is not None:
                copy_array(array, target, changes.get(place))
        for name, group in source.groups.items():
            if changes.get(name, {}) is not None:
                copy_group(group, target.createGroup(name), name, changes)

    def rewrite(source, target, changes):
        with netCDF4.Dataset(source) as old, netCDF4.Dataset(target, "w") as new:
            for name, dimension in old.dimensions.items():
                new.createDimension(name, len(dimension))
            copy_group(old, new, "", changes | {"": {"sealed": None} | changes.get("", {})})

    return rewrite


@pytest.fixture
def run_examples(ridgelet):
    """Runs every line of a command's help that is a call of the program, and returns the runs."""
    def run(command):
        described = ridgelet(command, "--help")
        assert (described.code, described.said) == (0, "")
        footer = described.out[described.out.index("Example") :]
        calls = [shlex.split(line) for line in footer.splitlines() if line.strip().startswith("ridgelet ")]
        return [ridgelet(*call[1:]) for call in calls]

    return run


@pytest.fixture
def table(write_table, wave, tmp_path):
    """The table data.csv in the directory of the test."""
    write_table(tmp_path / "data.csv", wave)
    return wave


@pytest.fixture
def predict(ridgelet, write_table, tmp_path):
    """predict("model.nc", {"x": numbers}) -> columns by name, of the function itself unless noise is asked for."""

    def run(model, columns, *options):
        write_table(tmp_path / "new.csv", columns)
        done = ridgelet("predict", model, "new.csv", "--out", "pred.csv", "--quiet", *options)
        header, values = done.table("pred.csv")
        return dict(zip(header, values.T, strict=True))

    return run


@pytest.fixture(scope="session")
def responses():
    """Columns of inputs and of responses of every kind: side and part are classes, claims over years are counts."""
    random = np.random.default_rng(3)
    x1, x2 = random.uniform(-2, 2, (2, 160))
    side = np.where(random.uniform(size=160) < 1 / (1 + np.exp(-3 * (x1 + x2))), "right", "left")
    part = np.where(x1**2 + x2**2 < 1, "core", np.where(x1 > 0, "east", "west"))
    years = random.uniform(0.5, 3, 160).round(3)
    claims = random.poisson(years * np.exp(1 + x1))
    return {"x1": x1.round(4), "x2": x2.round(4), "side": side, "part": part, "years": years, "claims": claims}


@pytest.fixture
def write_columns(responses, tmp_path):
    """write_columns("x1", "side") writes these columns of `responses` to data.csv."""

    def write(*columns, name="data.csv"):
        write_rows(tmp_path / name, ",".join(columns), zip(*(responses[column] for column in columns)))
        return name

    return write
