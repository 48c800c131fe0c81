"""The results file of `fit`: what others can read in it."""

import shutil

import numpy as np
import pytest

DRAWS = ("chain", "draw", "observation", "output")
LAYOUT = {
    "constant_data": {
        "nodes": ("node", "input"),
        "node_weights": ("node",),
        "L": ("node", "coordinate"),
        "pivots": ("coordinate",),
        "group_starts": ("group",),
        "x": ("row", "input"),
        "y": ("row", "output"),
        "noise": ("output",),
        "input_centre": ("input",),
        "input_scale": ("input",),
        "output_centre": ("output",),
        "output_scale": ("output",),
        "x_observed": ("observation", "input"),
        "x_domain": ("point", "input"),
    },
    "observed_data": {"y": ("observation", "output")},
    "prior": {"f": ("prior_draw", "observation", "output")},
    "prior_predictive": {"y": ("prior_draw", "observation", "output")},
    "posterior": {
        "W": ("chain", "draw", "unit", "input"),
        "b": ("chain", "draw", "unit"),
        "z": ("chain", "draw", "output", "coordinate"),
        "f": DRAWS,
    },
    "posterior_predictive": {"y": DRAWS},
    "log_likelihood": {"y": DRAWS},
    "predictions": {name: ("point", "output") for name in ("mean", "sd", "lower", "upper")},
    "sample_stats": {"log_likelihood": ("chain", "draw"), "evaluations": ("chain", "draw"), "diverging": ("chain", "draw")},
    "target_gp": {
        name: ("observation", "output") for name in ("prior_mean", "prior_sd", "posterior_mean", "posterior_sd")
    },
}


@pytest.fixture(scope="module")
def standardised(run_in, wave, write_table, tmp_path_factory):
    """A fit of two outputs whose units are far from 1; returns its directory and its columns."""
    directory = tmp_path_factory.mktemp("standardised")
    columns = {"t": 40 * wave["x"] + 2000, "ppm": 7 * wave["y"] - 300, "K": 0.01 * np.cos(wave["x"]) + 280}
    write_table(directory / "data.csv", columns)
    run = run_in(
        directory, "fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "t", "--y", "ppm,K", "--noise", "0.1,0.2", "--standardise", "--kernel",
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
    assert sizes == {"chain": 2, "draw": 50, "input": 1, "unit": 100, "output": 1, "observation": 30}
    assert 10 <= coordinates <= 60
    assert groups["constant_data"].sizes["row"] == 30
    assert groups["predictions"].sizes["point"] == 100
    assert groups["prior"].sizes["prior_draw"] == 100


def test_numbers_are_doubles_and_finite(groups):
    for dataset in groups.values():
        for array in dataset.data_vars.values():
            assert array.dtype == np.float64
            assert np.all(np.isfinite(array.values))


@pytest.mark.parametrize("seen", ["as it is", "standardised"])
def test_the_data_are_those_of_the_table(fitted, standardised, seen):
    if seen == "standardised":
        directory, columns = standardised
        datasets, inputs, outputs = opened(directory / "model.nc"), ["t"], ["ppm", "K"]
    else:
        datasets, inputs, outputs, columns = opened(fitted.model), ["x"], ["y"], fitted.data
    assert list(datasets["constant_data"].input.values) == inputs
    assert list(datasets["constant_data"].output.values) == outputs
    np.testing.assert_array_equal(datasets["constant_data"].x.values.T, [columns[name] for name in inputs])
    np.testing.assert_array_equal(datasets["constant_data"].y.values.T, [columns[name] for name in outputs])
    np.testing.assert_array_equal(datasets["observed_data"].y.values.T, [columns[name] for name in outputs])
    observed = datasets["constant_data"].x_observed.values[:, 0]
    np.testing.assert_allclose(observed, columns[inputs[0]], rtol=1e-12)


def test_draws_differ_and_hidden_weights_stay_near_their_prior(fitted, groups):
    sigma_w, sigma_b = fitted.report["sigma_w"], fitted.report["sigma_b"]
    W, b = groups["posterior"].W.values, groups["posterior"].b.values
    assert len(np.unique(W.reshape(100, -1), axis=0)) == 100
    assert 0.8 < W.std() / sigma_w < 1.2
    assert 0.8 < b.std() / sigma_b < 1.2
    assert 0.5 < groups["posterior"].z.values.std() < 1.5


def test_functions_of_the_posterior_scatter_as_the_exact_process_does(groups):
    f, target = groups["posterior"].f.values[..., 0].reshape(100, 30), groups["target_gp"]
    mean, sd = target.posterior_mean.values[:, 0], target.posterior_sd.values[:, 0]
    assert np.abs((f.mean(0) - mean) / (sd / np.sqrt(100))).max() < 5
    assert np.abs(f.var(0, ddof=1) / sd**2 - 1).max() < 5 * np.sqrt(2 / 100)


def test_functions_of_the_posterior_agree_with_the_predictions(fitted, groups, ridgelet, write_table, tmp_path):
    write_table(tmp_path / "new.csv", {"x": groups["constant_data"].x_observed.values[:, 0]})
    _, got = ridgelet("predict", fitted.model, "new.csv", "--out", "pred.csv", "--latent").table("pred.csv")
    f = groups["posterior"].f.values[..., 0].reshape(100, 30)
    assert np.abs((f.mean(0) - got[:, 1]) / (got[:, 2] / np.sqrt(100))).max() < 5


def test_functions_of_the_prior_scatter_as_the_process_does(groups):
    f, target = groups["prior"].f.values[..., 0], groups["target_gp"]
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
        f = datasets["posterior"].f.values[..., k].reshape(200, 30)
        assert np.abs(f.mean(0) - y).max() < 5 * noise * scale
        assert np.abs((f.mean(0) - datasets["target_gp"].posterior_mean.values[:, k]) / sd).max() < 5 / np.sqrt(200)
        np.testing.assert_allclose(datasets["target_gp"].prior_mean.values[:, k], y.mean(), rtol=1e-12)
        np.testing.assert_allclose(datasets["target_gp"].prior_sd.values[:, k], scale, rtol=1e-12)
        prior = datasets["prior"].f.values[..., k]
        assert np.abs((prior.mean(0) - y.mean()) / scale).max() < 5 / np.sqrt(100)
        assert np.abs(prior.var(0, ddof=1) / scale**2 - 1).max() < 5 * np.sqrt(2 / 100)
        for of in ("posterior", "prior"):
            errors = datasets[f"{of}_predictive"].y.values - datasets[of].f.values
            own = errors[..., k]
            assert abs(own.std() / (noise * scale) - 1) < 5 / np.sqrt(2 * own.size)
        predicted = datasets["predictions"]
        assert y.min() - 5 * noise * scale < predicted["mean"].values[:, k].min()
        assert predicted["mean"].values[:, k].max() < y.max() + 5 * noise * scale
        assert np.all(predicted.sd.values[:, k] > noise * scale)


def test_noise_of_new_observations_is_drawn_anew_for_every_draw_and_output(standardised):
    datasets = opened(standardised[0] / "model.nc")
    errors = datasets["posterior_predictive"].y.values - datasets["posterior"].f.values
    between_draws = np.corrcoef(np.moveaxis(errors, -1, 2).reshape(-1, 30)) - np.eye(400)
    assert np.abs(between_draws).max() < 0.95
    assert abs(np.corrcoef(errors[..., 0].ravel(), errors[..., 1].ravel())[0, 1]) < 5 / np.sqrt(6000)


def test_observations_of_every_group_are_selected_by_row_and_column(standardised):
    directory, columns = standardised
    datasets = opened(directory / "model.nc")
    observed = datasets["observed_data"].y.sel(observation=7, output="K")
    assert observed == columns["K"][7]
    likelihood = datasets["log_likelihood"].y.sel(observation=7, output="K")
    f = datasets["posterior"].f.sel(observation=7, output="K")
    sd = 0.2 * columns["K"].std()
    expected = -0.5 * ((observed - f) / sd) ** 2 - np.log(sd * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(likelihood, expected, rtol=1e-9)
    assert datasets["posterior"].W.sel(input="t").dims == ("chain", "draw", "unit")


# ArviZ compares these arrays with what was observed, and wants them to have its shape after chain and draw.
def test_what_is_said_of_observations_has_their_shape_behind_chain_and_draw(standardised):
    datasets = opened(standardised[0] / "model.nc")
    shape = datasets["observed_data"].y.shape
    assert shape == (30, 2)
    for group in ("posterior_predictive", "log_likelihood"):
        assert datasets[group].y.shape == (2, 100, *shape)
    assert datasets["prior_predictive"].y.shape == (100, *shape)


# What ArviZ's waic computes: the expected log density of a new row, less what the parameters cost.
def test_the_log_likelihood_gives_the_predictive_density_of_left_out_rows(fitted, groups):
    log_likelihood = groups["log_likelihood"].y.values.reshape(100, 30)
    log_density = np.log(np.exp(log_likelihood).mean(0)).sum() - log_likelihood.var(0, ddof=1).sum()
    x, y = fitted.data["x"], fitted.data["y"]
    K = np.exp(-0.5 * ((x[:, None] - x) / 1.5) ** 2) + 0.01 * np.eye(30)
    inverse = np.linalg.inv(K)
    exact = -0.5 * np.sum((inverse @ y) ** 2 / np.diag(inverse) - np.log(np.diag(inverse)) + np.log(2 * np.pi))
    assert abs(log_density - exact) < 3


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
        assert (file.format, file.format_version, file.seed) == ("ridgelet results", 8, "0")
    shutil.copy(fitted.directory / "data.csv", tmp_path)
    run = run_in(
        tmp_path, "fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.1, "--model", "model.toml", "--chains", 2,
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
        "fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y", "--noise", 0.5, "--kernel", "se()", "--units", 20, "--points", 15,
        "--chains", 2, "--warmup", 0, "--draws", 4, "--quiet",
    )  # fmt: skip
    assert (run.code, run.said) == (0, "")
    with netCDF4.Dataset(tmp_path / "model.nc") as file:
        assert set(file["target_gp"].variables) == {"prior_mean", "prior_sd", "output", "observation"}
        assert (len(file.dimensions["row"]), len(file.dimensions["observation"])) == (2001, 1000)
        observed = file["constant_data/x_observed"][:, 0]
        rows = file["observed_data/observation"][:].astype(int)
    np.testing.assert_array_equal(observed, x[rows])
    assert (observed[0], observed[-1]) == (-1, 1)
