"""Results files that differ from what `fit` wrote, and files that are read on another processor."""

import functools

import numpy as np
import pytest

BAD_INPUT = 2
IO_TROUBLE = 3
# What summary and predict read; the rest is for people.
NEEDED_ARRAYS = [
    "constant_data/x", "constant_data/y", "constant_data/input", "constant_data/output", "constant_data/noise",
    "constant_data/L", "constant_data/pivots", "constant_data/group_starts", "posterior/W", "posterior/b", "posterior/z",
]  # fmt: skip


@pytest.fixture
def refuse(ridgelet, tmp_path):
    """refuse("summary", "model.nc") -> the one line; nothing may be written."""

    def run(command, name, code=BAD_INPUT):
        if not (tmp_path / "new.csv").exists():
            (tmp_path / "new.csv").write_text("x\n0\n1\n")
        before = sorted(tmp_path.rglob("*"))
        more = ("new.csv", "--out", "pred.csv") if command == "predict" else ()
        done = ridgelet(command, name, *more)
        assert (done.code, done.out) == (code, ""), done.err
        (line,) = done.err.splitlines()
        assert line.startswith("ridgelet: ")
        assert sorted(tmp_path.rglob("*")) == before
        return line

    return run


@pytest.fixture
def rewrite(fitted, rewrite_netcdf, tmp_path):
    """rewrite(changes): the shared file as model.nc, with changes."""
    return functools.partial(rewrite_netcdf, fitted.model, tmp_path / "model.nc")


def test_a_file_that_another_program_wrote_anew_with_the_same_content_serves_as_well(fitted, rewrite, ridgelet):
    rewrite({})
    of_the_run = {"seconds": None}  # which no results file has
    assert {**ridgelet("summary", "model.nc", "--json").json, **of_the_run} == {**fitted.report, **of_the_run}


def test_a_copy_by_another_program_that_still_says_it_is_sealed_is_refused(refuse, rewrite):
    rewrite({"": {"sealed": "once"}})
    line = refuse("summary", "model.nc")
    assert "'model.nc' has lost its seal" in line and "remove its attribute 'sealed'" in line


COMMANDS = pytest.mark.parametrize("command", ["summary", "predict"])


@COMMANDS
@pytest.mark.parametrize("part", [0, 3, 8, 100, 0.1, 0.5, 0.9, -1])
def test_a_file_that_is_cut_off_is_refused(fitted, refuse, tmp_path, command, part):
    whole = fitted.model.read_bytes()
    length = int(part * len(whole)) if isinstance(part, float) else part % len(whole)
    (tmp_path / "model.nc").write_bytes(whole[:length])
    line = refuse(command, "model.nc")
    assert "'model.nc'" in line and "cut off" in line


SAMPLED = ("--y", "y", "--noise", "0.1", "--hidden", "sampled", "--chains", "1", "--warmup", "2", "--draws", "6")


@pytest.mark.parametrize(
    "model",
    [
        (*SAMPLED, "--kernel", "se(lengthscale=1.5)", "--units", "40"),
        (*SAMPLED, "--kernel", "matern32(lengthscale=2)", "--layers", "2", "--units", "30"),
        (*SAMPLED, "--kernel", "constant(amplitude=1000) + se()", "--operator", "ridgelet", "--layers", "3", "--units", "30", "--force"),
        ("--y", "y", "--noise", "0.1", "--kernel", "se(lengthscale=1.5)", "--units", "40", "--networks", "2"),
        ("--y", "high", "--likelihood", "bernoulli", "--kernel", "se(amplitude=2, lengthscale=1.5)", "--units", "40"),
    ],
    ids=["sampled", "sampled, deep", "sampled, ridgelet", "fixed", "classes"],
)
def test_a_file_means_the_same_on_every_processor(model, ridgelet, wave, write_table, tmp_path, monkeypatch):
    write_table(tmp_path / "data.csv", wave | {"high": wave["y"] > 0})
    assert ridgelet("fit", "data.csv", "--nodes", "grid", "--x", "x", "--points", "40", "--quiet", *model).code == 0
    predictions = {}
    for processor in ("default", "PRESCOTT", "NEHALEM", "HASWELL"):
        if processor != "default":
            monkeypatch.setenv("OPENBLAS_CORETYPE", processor)
        done = ridgelet("predict", "model.nc", "data.csv", "--out", f"{processor}.csv", "--quiet")
        assert done.code == 0, done.err
        predictions[processor] = np.genfromtxt(tmp_path / f"{processor}.csv", delimiter=",", skip_header=1)[:, 3:]
    for values in predictions.values():
        np.testing.assert_allclose(values, predictions["default"], rtol=1e-6, atol=1e-6)


@COMMANDS
def test_a_text_is_refused(refuse, tmp_path, command):
    (tmp_path / "model.nc").write_text('kernel = "se()"\n' * 1000)
    assert "'model.nc' is not a results file of ridgelet" in refuse(command, "model.nc")


@COMMANDS
def test_a_netcdf_file_of_another_program_is_refused(refuse, tmp_path, command):
    import netCDF4

    for layout in ("NETCDF4", "NETCDF3_CLASSIC"):
        with netCDF4.Dataset(tmp_path / "model.nc", "w", format=layout) as file:
            file.createDimension("chain", 2)
            file.createVariable("x", "f8", ("chain",))[:] = 1
            file.title = "weather"
        assert "'model.nc' is not a results file of ridgelet" in refuse(command, "model.nc")


@COMMANDS
def test_a_checkpoint_is_not_a_results_file(refuse, rewrite, command):
    rewrite({"": {"format": "ridgelet checkpoint"}})
    assert "is not a results file" in refuse(command, "model.nc")


@COMMANDS
def test_a_file_of_a_later_format_asks_for_a_newer_ridgelet(refuse, rewrite, command):
    rewrite({"": {"format_version": 99.0, "ridgelet_version": "7.5.0"}})
    line = refuse(command, "model.nc")
    for words in ("format 99", "7.5.0", "reads format 8", "use a newer ridgelet"):
        assert words in line


def test_a_file_of_an_earlier_format_asks_for_another_fit(refuse, rewrite):
    rewrite({"": {"format_version": 0.0}})
    assert "fit again" in refuse("summary", "model.nc")


@pytest.mark.parametrize("count", [1e300, -1.0, 1.5, float("nan")])
def test_a_number_of_chains_that_cannot_be_is_refused(refuse, rewrite, count):
    rewrite({"sample_stats": {"chains": count}})
    assert "has a number of chains that is damaged" in refuse("summary", "model.nc")


@COMMANDS
@pytest.mark.parametrize("group", ["constant_data", "posterior", "sample_stats"])
def test_a_file_without_a_group_that_is_needed_is_refused(refuse, rewrite, command, group):
    rewrite({group: None})
    assert f"'{group}'" in refuse(command, "model.nc")


@pytest.mark.parametrize("array", NEEDED_ARRAYS)
def test_a_file_without_an_array_that_is_needed_is_refused(refuse, rewrite, array):
    rewrite({array: None})
    assert f"'{array.split('/')[1]}'" in refuse("predict", "model.nc")


@pytest.mark.parametrize("name", ["model", "seed", "standardise", "network_mean", "warmup", "format_version"])
def test_a_file_without_an_attribute_that_is_needed_is_refused(refuse, rewrite, name):
    rewrite({"": {name: None}})
    assert f"'{name}'" in refuse("predict", "model.nc")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("model", "kernel = ", ["not a TOML file"]),
        ("model", 'kernel = "se(lengthscale=-1)"\nunits = 100\npoints = 60', ["kernel", "lengthscale"]),
        ("format_version", "new", ["format_version"]),
        ("standardise", "yes", ["standardise"]),
        ("seed", "many", ["'model.nc'", "seed"]),
        ("sampler", "dice", ["'model.nc'", "sampler"]),
        ("seed", "9" * 30, ["'model.nc'", "seed"]),
    ],
)
def test_an_attribute_of_nonsense_is_refused(refuse, rewrite, name, value, words):
    rewrite({"": {name: value}})
    line = refuse("predict", "model.nc")
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    "changes",
    [
        {"posterior/b": ("chain", "unit", "draw")},
        {"posterior/b": ("chain", "draw", "observation")},
        {"posterior/W": ("chain", "draw", "input", "observation")},
        {"posterior/W": ("unit",)},
        {"posterior/z": ("chain", "draw", "output")},
        {"sample_stats/evaluations": ("chain",)},
        {"constant_data/y": ("draw", "output")},
        {"constant_data/noise": ("chain",)},
        {"": {"model": 'kernel = "se(amplitude=1, lengthscale=1.5)"\nunits = 3\npoints = 60'}},
        {"constant_data/nodes": ("observation", "input")},
    ],
    ids=[
        "b over other dimensions", "b too short", "W too short", "W of one dimension", "z without coordinates",
        "evaluations of chains only", "y of other rows", "noise of other outputs", "a model of fewer units",
        "nodes of another number",
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_each_other_are_refused(refuse, rewrite, changes):
    rewrite(changes)
    refuse("predict", "model.nc")


@COMMANDS
def test_a_missing_file_is_trouble_with_files(refuse, command):
    assert "cannot read 'none.nc'" in refuse(command, "none.nc", IO_TROUBLE)


@COMMANDS
def test_a_directory_is_trouble_with_files(refuse, tmp_path, command):
    (tmp_path / "folder").mkdir()
    assert "'folder': it is a directory" in refuse(command, "folder", IO_TROUBLE)


def test_a_flipped_bit_anywhere_is_refused(fitted, refuse, tmp_path):
    whole, random = fitted.model.read_bytes(), np.random.default_rng(0)
    for trial in range(200):
        # Near the start, the library that decodes the file finds its way by the numbers that it reads.
        place = random.integers(400 if trial % 2 else len(whole))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.integers(8)
        (tmp_path / "model.nc").write_bytes(damaged)
        assert "damaged" in refuse("summary", "model.nc")


def test_bytes_changed_at_random_are_refused(fitted, refuse, tmp_path):
    whole, random = fitted.model.read_bytes(), np.random.default_rng(0)
    for _ in range(20):
        damaged = bytearray(whole)
        for place in random.integers(0, len(damaged), 20):
            damaged[place] ^= random.integers(1, 256)
        (tmp_path / "model.nc").write_bytes(damaged)
        assert "damaged" in refuse("summary", "model.nc")


def test_a_file_less_its_seal_is_refused_with_and_without_a_flipped_bit(fitted, refuse, tmp_path):
    whole, random = fitted.model.read_bytes()[:-32], np.random.default_rng(0)
    (tmp_path / "model.nc").write_bytes(whole)
    assert "has lost its seal" in refuse("predict", "model.nc")
    for _ in range(50):
        damaged = bytearray(whole)
        damaged[random.integers(len(whole))] ^= 1 << random.integers(8)
        (tmp_path / "model.nc").write_bytes(damaged)
        refuse("predict", "model.nc")


def test_bytes_after_the_end_are_refused(fitted, refuse, tmp_path):
    for more in (b"\0", b"\0" * 32, fitted.model.read_bytes()):
        (tmp_path / "model.nc").write_bytes(fitted.model.read_bytes() + more)
        assert "damaged" in refuse("summary", "model.nc")


def test_dimensions_whose_product_overflows_are_refused(refuse, tmp_path):
    import netCDF4

    with netCDF4.Dataset(tmp_path / "model.nc", "w") as file:
        file.setncatts({"format": "ridgelet results", "format_version": 8.0, "ridgelet_version": "0.1.0"})
        file.setncatts({"model": 'kernel = "se()"', "standardise": 0.0, "network_mean": 0.0, "warmup": 0.0, "seed": "0", "sampler": "slice"})
        for name in ("chain", "draw", "output", "coordinate", "unit", "input", "observation"):
            file.createDimension(name, 1 << 31)
        data, posterior = file.createGroup("constant_data"), file.createGroup("posterior")
        data.createVariable("noise", "f8", ("output", "unit"), chunksizes=(1, 1))
        posterior.createVariable("z", "f8", ("chain", "draw", "output", "coordinate"), chunksizes=(1, 1, 1, 1))
    assert "'noise'" in refuse("predict", "model.nc")
