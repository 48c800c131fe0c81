"""Chains of classes and counts: what they report, what they refuse, and how they go on after a stop."""

import re
import signal

import numpy as np
import pytest
from test_interruption import Fit

CHAINS = ("--hidden", "sampled", "--chains", "2", "--warmup", "5", "--kernel", "se(amplitude=2)", "--units", "60")
RESPONSES = {
    "bernoulli": ("--y", "side"),
    "categorical": ("--y", "part"),
    "poisson": ("--y", "claims", "--likelihood", "poisson", "--exposure", "years"),
}


def write_rows(path):
    random = np.random.default_rng(5)
    x = random.uniform(-2, 2, 120).round(4)
    years = random.uniform(0.5, 3, 120).round(3)
    side = np.where(random.uniform(size=120) < 1 / (1 + np.exp(-3 * x)), "right", "left")
    part = np.where(abs(x) < 0.7, "core", side)
    claims = random.poisson(years * np.exp(1 + np.sin(x)))
    rows = zip(x, side, part, years, claims, strict=True)
    path.write_text("\n".join(["x,side,part,years,claims", *(",".join(map(str, row)) for row in rows)]) + "\n")


@pytest.fixture
def fit_of(tmp_path):
    """fit_of(response, ...): the arguments of a fit of that response to the table of this directory."""
    write_rows(tmp_path / "data.csv")
    return lambda response, *more: ("fit", "data.csv", "--x", "x", *RESPONSES[response], *CHAINS, *more)


@pytest.mark.parametrize("response", RESPONSES)
def test_a_run_that_is_stopped_twice_and_resumed_with_other_threads_leaves_the_same_bytes(ridgelet, fit_of, response, tmp_path):
    draws = ("--draws", "600")
    assert ridgelet(*fit_of(response, *draws), "--quiet").code == 0
    whole = (tmp_path / "model.nc").read_bytes()
    (tmp_path / "model.nc").unlink()
    steps = []
    for threads in ("1", "2"):
        run = Fit(tmp_path, *fit_of(response, *draws, "--resume", "--threads", threads))
        run.wait_for_chains(0.05)
        code, _, lines = run.stop(signal.SIGINT)
        assert code == 130, lines
        assert "--resume goes on from there" in lines[-1]
        steps.append(int(re.search(r"after (\d+) of 1210 steps, which are saved", lines[-1])[1]))
        assert {path.name for path in tmp_path.iterdir()} == {"data.csv", "model.nc.checkpoint"}
    assert 0 < steps[0] <= steps[1] < 1210
    run = ridgelet(*fit_of(response, *draws, "--resume", "--threads", "2"))
    assert run.code == 0, run.err
    assert f"resumed after {steps[1]} of 1210 steps" in run.err
    assert (tmp_path / "model.nc").read_bytes() == whole
    assert {path.name for path in tmp_path.iterdir()} == {"data.csv", "model.nc"}


def test_chains_of_another_likelihood_or_exposure_are_refused_and_the_setting_is_named(ridgelet, fit_of, tmp_path):
    counts = fit_of("poisson", "--draws", "5000")
    run = Fit(tmp_path, *counts)
    run.wait_for_chains(0.05)
    assert run.stop(signal.SIGINT)[0] == 130
    other = {
        "likelihood": ["negative-binomial" if word == "poisson" else word for word in counts],
        "y": [word for word in counts if word not in ("--exposure", "years")],
    }
    for setting, arguments in other.items():
        refused = ridgelet(*arguments, "--resume", "--quiet")
        assert refused.code == 2
        assert f"is of another run, whose {setting} was " in refused.err


def test_they_report_what_chains_with_gaussian_noise_report(ridgelet, fit_of, tmp_path):
    report = ridgelet(*fit_of("categorical", "--draws", "20"), "--json").json
    assert report["hidden"] == "sampled" and report["coordinates"] == "sampled"
    assert (report["chains"], report["draws"], report["warmup"], report["sampler"]) == (2, 20, 5, "slice")
    assert report["rhat_max"] > 0.9 and report["bulk_min"] > 0 and report["tail_min"] > 0
    assert report["evaluations_per_step"] >= 1
    # The 20 draws of each chain cannot have an effective sample size of 100.
    assert not report["converged"] and any("effective sample size" in warning for warning in report["warnings"])
    assert report["log_evidence"] is None
    for absent in ("laplace_evidence", "pareto_shape", "coordinates_rhat"):
        assert absent not in report
    of_the_run = {"seconds": None}  # which no results file has
    assert {**ridgelet("summary", "model.nc", "--json").json, **of_the_run} == {**report, **of_the_run}
    text = ridgelet("summary", "model.nc").out
    assert "2 chains x 20 after 5 steps of warm-up" in text and "largest R-hat" in text


def test_the_results_file_has_no_evidence_that_there_is_not(ridgelet, fit_of, tmp_path):
    import netCDF4

    assert ridgelet(*fit_of("bernoulli", "--draws", "6"), "--quiet").code == 0
    with netCDF4.Dataset(tmp_path / "model.nc") as file:
        stats = file["sample_stats"]
        assert (stats.chains, stats.draws) == (2, 6)
        assert {"rhat_max", "bulk_min", "tail_min"} <= set(stats.ncattrs())
        assert not {"log_evidence", "laplace_evidence", "pareto_shape"} & set(stats.ncattrs())
        assert np.isnan(file["posterior"]["log_evidence"][:].filled(np.nan)).all()


def test_chains_that_have_not_converged_end_with_4_if_that_is_asked_for(ridgelet, fit_of):
    assert ridgelet(*fit_of("bernoulli", "--draws", "6", "--strict"), "--quiet").code == 4


@pytest.mark.parametrize("hidden", ["sampled", "variational"])
def test_a_network_that_cannot_carry_its_process_needs_force(ridgelet, tmp_path, hidden):
    write_rows(tmp_path / "data.csv")
    poor = ("fit", "data.csv", "--x", "x", "--y", "side", "--hidden", hidden, "--kernel", "se()", "--units", "1", "--draws", "6", "--quiet")
    run = ridgelet(*poor)
    assert run.code == 2
    assert "the network cannot carry this process" in run.err and "--force" in run.err
    assert "negative-binomial" not in run.err
    assert ridgelet(*poor, "--force").code == 0


def test_counts_that_a_network_cannot_carry_are_referred_to_more_variance(ridgelet, write_table, tmp_path):
    x = np.linspace(-3, 3, 30)
    write_table(tmp_path / "data.csv", {"x": x, "n": np.arange(30) % 5})
    poor = ("fit", "data.csv", "--y", "n", "--likelihood", "poisson", "--kernel", "se()", "--units", "1")
    run = ridgelet(*poor, "--quiet")
    assert run.code == 2
    assert "the network cannot carry this process" in run.err and "--likelihood negative-binomial" in run.err
