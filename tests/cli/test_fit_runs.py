"""`ridgelet fit`: what the draws depend on, and what is said of a run that is too short."""

import json

import netCDF4
import numpy as np
import pytest
from fits import ACCURATE, WAVE, small, succeeded

NOT_CONVERGED = 4


@pytest.mark.parametrize("operator", ["least-squares", "ridgelet"])
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_threads(ridgelet, table, tmp_path, operator):
    files = []
    for threads in (1, 2, 2):
        succeeded(ridgelet(*WAVE, *small(), "--operator", operator, "--force", "--seed", 5, "--threads", threads, "--quiet"))
        files.append((tmp_path / "model.nc").read_bytes())
    assert files[0] == files[1] == files[2]


def test_one_chain_has_the_same_bytes_for_any_number_of_threads(ridgelet, table, tmp_path):
    files = []
    for threads in (1, 2):
        succeeded(ridgelet(*WAVE, *small(chains=1, draws=20), "--threads", threads, "--quiet"))
        files.append((tmp_path / "model.nc").read_bytes())
    assert files[0] == files[1]


def test_trajectories_have_the_posterior_of_slices_and_the_same_bytes_for_any_number_of_threads(
    ridgelet, table, predict, tmp_path
):
    files, means, reports = [], [], []
    for sampler, threads in (("slice", 2), ("nuts", 1), ("nuts", 2)):
        run = ridgelet(*WAVE, *ACCURATE, "--sampler", sampler, "--threads", threads, "--json")
        reports.append(json.loads(succeeded(run).out))
        files.append((tmp_path / "model.nc").read_bytes())
        means.append(predict("model.nc", {"x": table["x"]})["mean"])
    assert [report["sampler"] for report in reports] == ["slice", "nuts", "nuts"]
    assert [report["divergences"] for report in reports] == [0, 0, 0]
    with netCDF4.Dataset(tmp_path / "model.nc") as file:
        longest = int((file["sample_stats/evaluations"][:] == 1023).sum())
    assert [report["longest_trajectories"] for report in reports] == [0, longest, longest]
    assert any("reached the greatest length" in text for text in reports[1]["warnings"]) == (longest > 0)
    assert files[0] != files[1] and files[1] == files[2]
    np.testing.assert_allclose(means[0], means[1], rtol=0, atol=0.003)
    assert np.any(means[0] != means[1])


@pytest.mark.parametrize("directions", [0, 2])
def test_a_normal_distribution_in_the_place_of_the_posterior_predicts_like_chains(ridgelet, table, predict, directions):
    flags = [flag for flag in WAVE if flag not in ("--hidden", "sampled")]
    model = ("--kernel", "se(lengthscale=1.5)", "--units", 100, "--points", 60, "--draws", 200)
    succeeded(ridgelet(*WAVE, *ACCURATE, "--quiet"))
    sampled = predict("model.nc", {"x": table["x"]})
    run = ridgelet(*flags, *model, "--hidden", "variational", "--directions", directions, "--steps", 300, "--json")
    report = json.loads(succeeded(run).out)
    assert report["hidden"] == "variational" and report["draws"] == 200
    assert report["elbo"] >= report["elbo_of_prior"]
    assert report["is_prior"] == (report["elbo"] == report["elbo_of_prior"])
    assert report["is_prior"] == any(text.startswith("no normal distribution was found") for text in report["warnings"])
    assert report["is_prior"] == ("draws of their prior" in ridgelet("summary", "model.nc").out)
    # Chance leaves 0.09 in the means and 6 % in the sds of 200 draws beside 400 of chains.
    assert 0 < report["from_chains"]["mean"] < 0.4 and 0 < report["from_chains"]["sd"] < 0.2
    assert report["from_chains"]["draws"] == 400
    assert ridgelet("summary", "model.nc", "--json").json["from_chains"] == report["from_chains"]
    assert "by 400 draws of short chains" in ridgelet("summary", "model.nc").out
    normal = predict("model.nc", {"x": table["x"]})
    np.testing.assert_allclose(normal["mean"], sampled["mean"], rtol=0, atol=0.01)
    np.testing.assert_allclose(normal["sd"], sampled["sd"], rtol=0.05)


# Networks too narrow for their process, whose posterior is not normal: chains of 8 units agree, those of 4 do not.
@pytest.mark.parametrize("units, remedy", [(8, "use --hidden sampled"), (4, "use more --units, since the chains disagree themselves")])
def test_a_normal_distribution_that_is_far_from_the_posterior_says_so(ridgelet, write_table, tmp_path, units, remedy):
    x = np.linspace(-2, 2, 60)
    write_table(tmp_path / "data.csv", {"x": x, "y": np.sin(3 * x) + 0.5 * x**2})
    fit = ("fit", "data.csv", "--y", "y", "--noise", 0.3, "--kernel", "se(lengthscale=0.6)", "--units", units, "--force")
    report = json.loads(succeeded(ridgelet(*fit, "--hidden", "variational", "--json")).out)
    distance = report["from_chains"]
    assert distance["mean"] > 0.5
    assert (distance["rhat"] <= 1.1) == (units == 8)
    said = [text for text in report["warnings"] if text.startswith("the normal distribution is far from what short chains sample")]
    assert len(said) == 1 and said[0].endswith(remedy)
    assert ("so this is a guess" in ridgelet("summary", "model.nc").out) == (units == 4)


def test_flags_of_one_kind_of_hidden_layers_are_refused_for_another(ridgelet, table):
    fit = ("fit", "data.csv", "--x", "x", "--y", "y")
    for flags, word in (
        (("--hidden", "variational", "--chains", 2), "--chains"),
        (("--hidden", "variational", "--networks", 2), "--networks"),
        (("--hidden", "sampled", "--precision", "mixed"), "--precision"),
        (("--hidden", "sampled", "--directions", 2), "--directions"),
        (("--draws", 20), "--draws"),
    ):
        run = ridgelet(*fit, *flags)
        assert run.code != 0 and word in run.err


def test_mixed_precision_says_what_it_costs_and_predicts_the_same(ridgelet, table, predict, tmp_path):
    import xarray

    fit = ("fit", "data.csv", "--x", "x", "--y", "y", "--json")
    plain = json.loads(succeeded(ridgelet(*fit)).out)
    expected = predict("model.nc", {"x": table["x"]})
    mixed = json.loads(succeeded(ridgelet(*fit, "--precision", "mixed")).out)
    found = predict("model.nc", {"x": table["x"]})
    assert plain["precision"] == "double" and "mixed_precision" not in plain
    assert mixed["precision"] == "mixed" and 0 < mixed["mixed_precision"]["mean"] < 0.01
    np.testing.assert_allclose(found["mean"], expected["mean"], rtol=0, atol=0.01 * min(expected["sd"]))
    np.testing.assert_allclose(found["sd"], expected["sd"], rtol=0.01)
    stats = xarray.open_dataset(tmp_path / "model.nc", group="sample_stats")
    assert stats.attrs["mixed_precision_mean"] == mixed["mixed_precision"]["mean"]
    assert "precision        mixed; mixed precision moves means by" in succeeded(ridgelet(*fit[:-1], "--precision", "mixed")).out


def test_mixed_precision_is_left_where_it_costs_something(ridgelet, table):
    run = ridgelet(
        "fit", "data.csv", "--x", "x", "--y", "y", "--kernel", "se(amplitude=100)", "--noise", 1e-3, "--precision", "mixed", "--json"
    )
    assert run.code == 0
    report = json.loads(run.out)
    assert report["precision"] == "double"
    assert any("in double precision" in warning for warning in report["warnings"])
    assert "the rows were passed over again in double precision" in run.err


def test_the_sampler_is_refused_by_name_and_without_chains(ridgelet, table):
    assert "sampler" in ridgelet(*WAVE, *small(), "--sampler", "metropolis").err
    assert "--hidden sampled" in ridgelet("fit", "data.csv", "--x", "x", "--y", "y", "--sampler", "nuts").err


def test_another_seed_gives_other_draws_and_nearly_the_same_prediction(ridgelet, table, predict, tmp_path):
    import xarray

    draws, means = [], []
    for seed in (1, 2):
        succeeded(ridgelet(*WAVE, *ACCURATE, "--seed", seed, "--quiet"))
        with xarray.open_dataset(tmp_path / "model.nc", group="posterior") as posterior:
            draws.append(posterior.W.values)
        means.append(predict("model.nc", {"x": table["x"]})["mean"])
    assert not np.any(draws[0] == draws[1])
    np.testing.assert_allclose(means[0], means[1], rtol=0, atol=0.003)
    assert np.any(means[0] != means[1])


def test_more_chains_leave_the_earlier_ones_as_they_are(ridgelet, table, tmp_path):
    import xarray

    draws = []
    for chains in (2, 3):
        succeeded(ridgelet(*WAVE, *small(chains=chains, warmup=5, draws=10), "--quiet"))
        with xarray.open_dataset(tmp_path / "model.nc", group="posterior") as posterior:
            draws.append(posterior.W.values)
    np.testing.assert_array_equal(draws[1][:2], draws[0])
    assert not np.any(draws[1][2] == draws[0][0])


def test_a_run_that_is_too_short_succeeds_with_warnings_that_say_what_to_do(fitted):
    warnings = "\n".join(fitted.report["warnings"])
    for words in ("R-hat", "bulk effective sample size", "tail effective sample size", "run longer with", "--draws"):
        assert words in warnings


def test_strict_exits_with_4_and_one_line_for_a_run_that_is_too_short_and_still_writes(ridgelet, table, tmp_path):
    run = ridgelet(*WAVE, *small(), "--strict", "--quiet")
    assert (run.code, run.out) == (NOT_CONVERGED, "")
    (line,) = run.said.splitlines()
    assert line.startswith("ridgelet: did not converge: R-hat")
    strict = (tmp_path / "model.nc").read_bytes()
    succeeded(ridgelet(*WAVE, *small(), "--quiet"))
    assert strict == (tmp_path / "model.nc").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"data.csv", "model.nc"}


def test_strict_still_reports(ridgelet, table):
    run = ridgelet(*WAVE, *small(), "--strict", "--json")
    assert run.code == NOT_CONVERGED
    assert not json.loads(run.out)["converged"]


def test_a_run_that_is_long_enough_has_no_warnings_and_satisfies_strict(ridgelet, table):
    report = ridgelet(*WAVE, *small(draws=500), "--strict", "--quiet", "--json").json
    assert report["converged"] and report["warnings"] == []
    assert report["rhat_max"] <= 1.01
    assert min(report["bulk_min"], report["tail_min"]) >= 200


# If all three relu units are zero at every node, there is no operator; no chain stays at such a hidden layer.
@pytest.mark.parametrize("seed", range(6))
def test_a_hidden_layer_of_the_prior_that_is_impossible_does_not_end_a_fit(ridgelet, table, seed):
    data = ("fit", "data.csv", "--x", "x", "--y", "y", "--kernel", "se()", "--noise", 0.1, "--activation", "relu", "--units", 3)
    chains = ("--hidden", "sampled", "--chains", 2, "--warmup", 5, "--draws", 20)
    run = ridgelet(*data, *chains, "--force", "--seed", seed, "--quiet")
    assert (run.code, run.said) == (0, ""), run.err


def test_few_draws_of_a_variational_fit_are_said_to_be_few_and_not_to_be_chains(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", wave)
    fit = ("fit", "data.csv", "--x", "x", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=1.5)", "--units", 40,
           "--hidden", "variational", "--json")  # fmt: skip
    few = "50 independent draws, below 100: 5% and 95% quantiles are imprecise; draw more with --draws"
    assert few in ridgelet(*fit, "--draws", 50).json["warnings"]
    for draws in (50, 100):
        warnings = ridgelet(*fit, "--draws", draws).json["warnings"]
        assert not [text for text in warnings if "chain" in text or "R-hat" in text or "sample size" in text]
    assert few not in warnings
