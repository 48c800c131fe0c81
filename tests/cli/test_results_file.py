"""The results file of `fit`: what others can read in it, and what happens to one that is not as it was written."""

import functools
import shutil

import numpy as np
import pytest

BAD_INPUT = 2
IO_TROUBLE = 3
DRAWS = ("chain", "draw", "output", "watched")
LAYOUT = {
    "constant_data": {
        "L": ("node", "coordinate"),
        "pivots": ("coordinate",),
        "group_starts": ("group",),
        "x": ("observation", "input"),
        "input_names": ("input",),
        "output_names": ("output",),
        "noise": ("output",),
        "input_centre": ("input",),
        "input_scale": ("input",),
        "output_centre": ("output",),
        "output_scale": ("output",),
        "x_watched": ("watched", "input"),
        "x_domain": ("point", "input"),
    },
    "observed_data": {"y": ("observation", "output")},
    "prior": {"f": ("prior_draw", "output", "watched")},
    "prior_predictive": {"y": ("prior_draw", "output", "watched")},
    "posterior": {
        "W": ("chain", "draw", "input", "unit"),
        "b": ("chain", "draw", "unit"),
        "z": ("chain", "draw", "output", "coordinate"),
        "f": DRAWS,
    },
    "posterior_predictive": {"y": DRAWS},
    "predictions": {name: ("point", "output") for name in ("mean", "sd", "lower", "upper")},
    "sample_stats": {"log_likelihood": ("chain", "draw"), "evaluations": ("chain", "draw")},
    "target_gp": {
        name: ("watched", "output") for name in ("prior_mean", "prior_sd", "posterior_mean", "posterior_sd")
    },
}
# What summary and predict read; the rest is for people.
NEEDED_ARRAYS = [
    "constant_data/x", "constant_data/input_names", "constant_data/output_names", "constant_data/noise",
    "constant_data/L", "constant_data/pivots", "constant_data/group_starts", "observed_data/y", "posterior/W", "posterior/b", "posterior/z",
]  # fmt: skip


@pytest.fixture(scope="module")
def standardised(run_in, wave, write_table, tmp_path_factory):
    """A fit of two outputs whose units are far from 1; returns its directory and its columns."""
    directory = tmp_path_factory.mktemp("standardised")
    columns = {"t": 40 * wave["x"] + 2000, "ppm": 7 * wave["y"] - 300, "K": 0.01 * np.cos(wave["x"]) + 280}
    write_table(directory / "data.csv", columns)
    run = run_in(
        directory, "fit", "data.csv", "--x", "t", "--y", "ppm,K", "--noise", "0.1,0.2", "--standardise", "--kernel",
        "se(amplitude=1, lengthscale=1)", "--units", 100, "--points", 60, "--chains", 2, "--warmup", 20, "--draws",
        100, "--seed", 12345678901234567890, "--quiet",
    )  # fmt: skip
    assert (run.code, run.said) == (0, "")
    return directory, columns


@pytest.fixture
def groups(fitted):
    """groups["posterior"] -> xarray data set, of the shared fit."""
    return opened(fitted.model)


def opened(path):
    import xarray

    return {name: xarray.load_dataset(path, group=name) for name in LAYOUT}


def test_every_group_opens_with_xarray_and_has_its_arrays_over_named_dimensions(groups):
    for name, arrays in LAYOUT.items():
        assert {array: groups[name][array].dims for array in groups[name].data_vars} == arrays
        for array in arrays:
            assert groups[name][array].attrs["description"]


def test_the_file_has_no_other_groups(fitted):
    import netCDF4

    with netCDF4.Dataset(fitted.model) as file:
        assert set(file.groups) == set(LAYOUT)
        assert not file.variables


def test_dimensions_are_those_of_the_fit(groups):
    sizes = dict(groups["posterior"].sizes)
    coordinates = sizes.pop("coordinate")
    assert sizes == {"chain": 2, "draw": 50, "input": 1, "unit": 100, "output": 1, "watched": 30}
    assert 10 <= coordinates <= 60
    assert groups["constant_data"].sizes["observation"] == 30
    assert groups["predictions"].sizes["point"] == 100
    assert groups["prior"].sizes["prior_draw"] == 100


def test_numbers_are_doubles_and_finite(groups):
    for dataset in groups.values():
        for array in dataset.data_vars.values():
            if "names" not in array.name:
                assert array.dtype == np.float64
                assert np.all(np.isfinite(array.values))


@pytest.mark.parametrize("seen", ["as it is", "standardised"])
def test_the_data_are_those_of_the_table(fitted, standardised, seen):
    if seen == "standardised":
        directory, columns = standardised
        datasets, inputs, outputs = opened(directory / "model.nc"), ["t"], ["ppm", "K"]
    else:
        datasets, inputs, outputs, columns = opened(fitted.model), ["x"], ["y"], fitted.data
    assert list(datasets["constant_data"].input_names.values) == inputs
    assert list(datasets["constant_data"].output_names.values) == outputs
    np.testing.assert_array_equal(datasets["constant_data"].x.values.T, [columns[name] for name in inputs])
    np.testing.assert_array_equal(datasets["observed_data"].y.values.T, [columns[name] for name in outputs])
    watched = datasets["constant_data"].x_watched.values[:, 0]
    np.testing.assert_allclose(watched, columns[inputs[0]], rtol=1e-12)


def test_draws_differ_and_hidden_weights_stay_near_their_prior(groups):
    W, b = groups["posterior"].W.values, groups["posterior"].b.values
    assert len(np.unique(W.reshape(100, -1), axis=0)) == 100
    assert 2.5 < W.std() < 3.5
    assert 10 < b.std() < 14
    assert 0.5 < groups["posterior"].z.values.std() < 1.5


def test_functions_of_the_posterior_scatter_as_the_exact_process_does(groups):
    f, target = groups["posterior"].f.values[:, :, 0].reshape(100, 30), groups["target_gp"]
    mean, sd = target.posterior_mean.values[:, 0], target.posterior_sd.values[:, 0]
    assert np.abs((f.mean(0) - mean) / (sd / np.sqrt(100))).max() < 5
    assert np.abs(f.var(0, ddof=1) / sd**2 - 1).max() < 5 * np.sqrt(2 / 100)


def test_functions_of_the_posterior_agree_with_the_predictions(fitted, groups, ridgelet, write_table, tmp_path):
    write_table(tmp_path / "new.csv", {"x": groups["constant_data"].x_watched.values[:, 0]})
    _, got = ridgelet("predict", fitted.model, "new.csv", "--out", "pred.csv", "--latent").table("pred.csv")
    f = groups["posterior"].f.values[:, :, 0].reshape(100, 30)
    assert np.abs((f.mean(0) - got[:, 1]) / (got[:, 2] / np.sqrt(100))).max() < 5


def test_functions_of_the_prior_scatter_as_the_process_does(groups):
    f, target = groups["prior"].f.values[:, 0], groups["target_gp"]
    mean, sd = target.prior_mean.values[:, 0], target.prior_sd.values[:, 0]
    np.testing.assert_array_equal(mean, 0)
    np.testing.assert_allclose(sd, 1, rtol=1e-12)
    assert np.abs(f.mean(0)).max() < 5 / np.sqrt(100)
    assert np.abs(f.var(0, ddof=1) - 1).max() < 5 * np.sqrt(2 / 100)


def test_all_that_is_a_function_is_in_the_units_of_the_table(standardised):
    directory, columns = standardised
    datasets = opened(directory / "model.nc")
    for k, (name, noise) in enumerate((("ppm", 0.1), ("K", 0.2))):
        y, scale = columns[name], columns[name].std()
        sd = datasets["target_gp"].posterior_sd.values[:, k]
        f = datasets["posterior"].f.values[:, :, k].reshape(200, 30)
        assert np.abs(f.mean(0) - y).max() < 5 * noise * scale
        assert np.abs((f.mean(0) - datasets["target_gp"].posterior_mean.values[:, k]) / sd).max() < 5 / np.sqrt(200)
        np.testing.assert_allclose(datasets["target_gp"].prior_mean.values[:, k], y.mean(), rtol=1e-12)
        np.testing.assert_allclose(datasets["target_gp"].prior_sd.values[:, k], scale, rtol=1e-12)
        prior = datasets["prior"].f.values[:, k]
        assert np.abs((prior.mean(0) - y.mean()) / scale).max() < 5 / np.sqrt(100)
        assert np.abs(prior.var(0, ddof=1) / scale**2 - 1).max() < 5 * np.sqrt(2 / 100)
        for of in ("posterior", "prior"):
            errors = datasets[f"{of}_predictive"].y.values - datasets[of].f.values
            own = np.take(errors, k, axis=-2)
            assert abs(own.std() / (noise * scale) - 1) < 5 / np.sqrt(2 * own.size)
        predicted = datasets["predictions"]
        assert y.min() - 5 * noise * scale < predicted["mean"].values[:, k].min()
        assert predicted["mean"].values[:, k].max() < y.max() + 5 * noise * scale
        assert np.all(predicted.sd.values[:, k] > noise * scale)


def test_noise_of_new_observations_is_drawn_anew_for_every_draw_and_output(standardised):
    datasets = opened(standardised[0] / "model.nc")
    errors = datasets["posterior_predictive"].y.values - datasets["posterior"].f.values
    between_draws = np.corrcoef(errors.reshape(-1, 30)) - np.eye(400)
    assert np.abs(between_draws).max() < 0.95
    assert abs(np.corrcoef(errors[:, :, 0].ravel(), errors[:, :, 1].ravel())[0, 1]) < 5 / np.sqrt(6000)


def test_statistics_of_the_sampler_are_kept_for_every_draw(fitted, groups):
    stats = groups["sample_stats"]
    assert np.all(stats.evaluations.values >= 1) and np.all(stats.evaluations.values % 1 == 0)
    assert fitted.report["evaluations_per_step"] == pytest.approx(stats.evaluations.values.mean(), rel=1e-12)
    x, y = fitted.data["x"], fitted.data["y"]
    K = np.exp(-0.5 * ((x[:, None] - x) / 1.5) ** 2) + 0.01 * np.eye(30)
    exact = -0.5 * (y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1] + 30 * np.log(2 * np.pi))
    np.testing.assert_allclose(stats.log_likelihood.values, exact, rtol=0, atol=0.5)


def test_the_report_is_kept_beside_the_statistics(fitted, groups):
    attributes = groups["sample_stats"].attrs
    for name in ("rhat_max", "bulk_min", "tail_min", "standard_error_max"):
        assert attributes[name] == fitted.report[name]
    assert attributes["warnings"].split("\n") == fitted.report["warnings"]


def test_the_process_is_named_in_its_group(groups):
    assert groups["target_gp"].attrs == {"kernel": "se(amplitude=1, lengthscale=1.5)", "mean": "0"}


def test_the_model_of_a_file_can_be_fitted_again(fitted, run_in, tmp_path):
    import netCDF4

    with netCDF4.Dataset(fitted.model) as file:
        (tmp_path / "model.toml").write_text(file.model)
        assert (file.format, file.format_version, file.seed) == ("ridgelet results", 2, "0")
    shutil.copy(fitted.directory / "data.csv", tmp_path)
    run = run_in(
        tmp_path, "fit", "data.csv", "--x", "x", "--y", "y", "--noise", 0.1, "--model", "model.toml", "--chains", 2,
        "--warmup", 20, "--draws", 50, "--quiet",
    )  # fmt: skip
    assert (run.code, run.said) == (0, "")
    assert (tmp_path / "model.nc").read_bytes() == fitted.model.read_bytes()


def test_a_seed_beyond_the_whole_numbers_of_a_double_is_kept(standardised):
    import netCDF4

    with netCDF4.Dataset(standardised[0] / "model.nc") as file:
        assert file.seed == "12345678901234567890"


def test_the_exact_process_is_left_out_beyond_2000_rows(ridgelet, write_table, tmp_path):
    import netCDF4

    x = np.linspace(-1, 1, 2001)
    write_table(tmp_path / "data.csv", {"x": x, "y": np.sin(3 * x)})
    run = ridgelet(
        "fit", "data.csv", "--x", "x", "--y", "y", "--noise", 0.5, "--kernel", "se()", "--units", 20, "--points", 15,
        "--chains", 2, "--warmup", 0, "--draws", 4, "--quiet",
    )  # fmt: skip
    assert (run.code, run.said) == (0, "")
    with netCDF4.Dataset(tmp_path / "model.nc") as file:
        assert set(file["target_gp"].variables) == {"prior_mean", "prior_sd"}
        assert len(file.dimensions["watched"]) == 100
        watched = file["constant_data/x_watched"][:, 0]
    assert (watched[0], watched[-1]) == (-1, 1)


# Files that are not as they were written.


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
    assert {**ridgelet("summary", "model.nc", "--json").json, "seconds": 0} == {**fitted.report, "seconds": 0}


COMMANDS = pytest.mark.parametrize("command", ["summary", "predict"])


@COMMANDS
@pytest.mark.parametrize("part", [0, 3, 8, 100, 0.1, 0.5, 0.9, -1])
def test_a_file_that_is_cut_off_is_refused(fitted, refuse, tmp_path, command, part):
    whole = fitted.model.read_bytes()
    length = int(part * len(whole)) if isinstance(part, float) else part % len(whole)
    (tmp_path / "model.nc").write_bytes(whole[:length])
    line = refuse(command, "model.nc")
    assert "'model.nc'" in line and "cut off" in line


@pytest.mark.parametrize(
    "model",
    [
        ("--kernel", "se(lengthscale=1.5)", "--units", "40"),
        ("--kernel", "matern32(lengthscale=2)", "--layers", "2", "--units", "30"),
        ("--kernel", "constant(amplitude=1000) + se()", "--operator", "ridgelet", "--layers", "3", "--units", "30"),
    ],
)
def test_a_file_means_the_same_on_every_processor(model, ridgelet, wave, write_table, tmp_path, monkeypatch):
    write_table(tmp_path / "data.csv", wave)
    fit = ("fit", "data.csv", "--x", "x", "--y", "y", "--noise", "0.1", "--points", "40", "--chains", "1")
    assert ridgelet(*fit, "--warmup", "2", "--draws", "6", "--quiet", *model).code == 0
    predictions = {}
    for processor in ("default", "PRESCOTT", "NEHALEM", "HASWELL"):
        if processor != "default":
            monkeypatch.setenv("OPENBLAS_CORETYPE", processor)
        done = ridgelet("predict", "model.nc", "data.csv", "--out", f"{processor}.csv", "--quiet")
        assert done.code == 0, done.err
        predictions[processor] = np.genfromtxt(tmp_path / f"{processor}.csv", delimiter=",", skip_header=1)
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
    for words in ("format 99", "7.5.0", "reads format 2", "use a newer ridgelet"):
        assert words in line


def test_a_file_of_an_earlier_format_asks_for_another_fit(refuse, rewrite):
    rewrite({"": {"format_version": 0.0}})
    assert "fit again" in refuse("summary", "model.nc")


@COMMANDS
@pytest.mark.parametrize("group", ["constant_data", "observed_data", "posterior", "sample_stats"])
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
        {"observed_data/y": ("draw", "output")},
        {"constant_data/noise": ("chain",)},
        {"": {"model": 'kernel = "se(amplitude=1, lengthscale=1.5)"\nunits = 3\npoints = 60'}},
        {"": {"model": 'kernel = "se(amplitude=1, lengthscale=1.5)"\nunits = 100\npoints = 5'}},
    ],
    ids=[
        "b over other dimensions", "b too short", "W too short", "W of one dimension", "z without coordinates",
        "evaluations of chains only", "y of other rows", "noise of other outputs", "a model of fewer units",
        "a model of fewer nodes",
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
        # Near the start the library that decodes the file finds its way by the numbers that it reads.
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


def test_bytes_after_the_end_are_refused(fitted, refuse, tmp_path):
    for more in (b"\0", b"\0" * 32, fitted.model.read_bytes()):
        (tmp_path / "model.nc").write_bytes(fitted.model.read_bytes() + more)
        assert "damaged" in refuse("summary", "model.nc")


def test_dimensions_whose_product_overflows_are_refused(refuse, tmp_path):
    import netCDF4

    with netCDF4.Dataset(tmp_path / "model.nc", "w") as file:
        file.setncatts({"format": "ridgelet results", "format_version": 2.0, "ridgelet_version": "0.1.0"})
        file.setncatts({"model": 'kernel = "se()"', "standardise": 0.0, "network_mean": 0.0, "warmup": 0.0, "seed": "0"})
        for name in ("chain", "draw", "output", "coordinate", "unit", "input", "observation"):
            file.createDimension(name, 1 << 31)
        data, posterior = file.createGroup("constant_data"), file.createGroup("posterior")
        data.createVariable("noise", "f8", ("output", "unit"), chunksizes=(1, 1))
        posterior.createVariable("z", "f8", ("chain", "draw", "output", "coordinate"), chunksizes=(1, 1, 1, 1))
    assert "'noise'" in refuse("predict", "model.nc")
