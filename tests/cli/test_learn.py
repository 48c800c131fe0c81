"""learn: kernel, mean and noise by the evidence, as a model file for the other commands."""

import tomllib

import numpy as np
import pytest

FLAGS = ("--y", "y", "--json")


@pytest.fixture
def waves(tmp_path, write_table):
    """y depends on `time` (in days) through a sine of period 40, and not at all on `spare`."""
    random = np.random.default_rng(1)
    time = np.sort(random.uniform(0, 100, 80))
    y = 300 + 50 * np.sin(2 * np.pi * time / 40) + 5 * random.normal(size=80)
    write_table(tmp_path / "waves.csv", {"time": time, "spare": random.normal(size=80), "y": y})
    return "waves.csv"


def test_learns_noise_and_relevance_in_the_units_of_the_columns(ridgelet, waves):
    report = ridgelet("learn", waves, *FLAGS).json
    assert report["standardise"] is True
    assert report["irrelevant"] == ["spare"]
    assert 3.5 < report["own_units"]["noise"] < 7
    assert report["own_units"]["kernel"].startswith("se(amplitude=")
    assert report["mean"] == "0"
    assert len(report["starts"]) == 5
    best = max(report["starts"], key=lambda start: start["objective"])
    assert (best["log_evidence"], best["kernel"], best["noise"]) == tuple(
        report[key] for key in ("log_evidence", "kernel", "noise")
    )
    assert all(start["converged"] for start in report["starts"])


def test_writes_a_model_file_that_other_commands_read(ridgelet, waves, tmp_path):
    report = ridgelet("learn", waves, *FLAGS, "--x", "time", "--out", "learned.toml").json
    model = tomllib.loads((tmp_path / "learned.toml").read_text())
    assert (model["kernel"], model["mean"], model["standardise"]) == (report["kernel"], 0, "yes")
    assert model["noise"] == report["noise"]
    assessed = ridgelet("assess", "--model", "learned.toml", "--replicates", 2, "--eval-points", 20, "--json").json
    assert assessed["units"] > 0
    fitted = ridgelet("fit", waves, "--y", "y", "--x", "time", "--model", "learned.toml", "--json").json
    assert fitted["kernel"] == report["kernel"]


def test_is_the_same_for_any_number_of_threads_and_differs_by_seed(ridgelet, waves):
    def learned(*flags):
        report = ridgelet("learn", waves, *FLAGS, "--learn-rows", 40, *flags).json
        report.pop("seconds")
        return report

    assert learned("--threads", 1) == learned("--threads", 3)
    assert learned("--seed", 1)["log_evidence"] != learned("--seed", 2)["log_evidence"]


def test_starts_from_what_is_given(ridgelet, waves):
    report = ridgelet(
        "learn", waves, *FLAGS, "--x", "time", "--kernel", "matern52(amplitude=50, lengthscale=20)",
        "--mean", "300 + 0*x", "--noise", 5,
    ).json  # fmt: skip
    assert report["standardise"] is False
    assert report["kernel"].startswith("matern52(")
    assert report["mean"] != "300 + 0*x"
    assert 3 < report["noise"] < 7
    assert report["own_units"]["kernel"] == report["kernel"]


def test_priors_cost_little_evidence(ridgelet, waves):
    with_priors, without = (ridgelet("learn", waves, *FLAGS, *flags).json for flags in ((), ("--no-priors",)))
    assert with_priors["objective"] < with_priors["log_evidence"]
    assert without["objective"] == without["log_evidence"]
    assert without["log_evidence"] - 0.5 < with_priors["log_evidence"] <= without["log_evidence"] + 0.05


def test_the_best_of_a_list_knows_a_period_that_is_given(ridgelet, waves):
    flags = (*FLAGS, "--x", "time", "--kernel", "best", "--learn-rows", 50)
    plain = ridgelet("learn", waves, *flags).json
    assert [each["form"] for each in plain["candidates"]][:2] == ["se", "se + linear"]
    assert len(plain["candidates"]) == 8
    with_period = ridgelet("learn", waves, *flags, "--period", 40).json
    assert len(with_period["candidates"]) == 16
    period = float(with_period["candidates"][8]["kernel"].split("period=")[1].split(",")[0])
    time = ridgelet("learn", waves, *flags).directory / waves
    sd = np.genfromtxt(time, delimiter=",", names=True)["time"].std()
    assert period * sd == pytest.approx(40)


def test_tells_people_what_it_found(ridgelet, waves):
    run = ridgelet("learn", waves, "--y", "y")
    assert run.code == 0
    for words in ("y given time, spare", "log evidence", "in the units of the columns", "spare hardly matters",
                  "wrote model.toml"):  # fmt: skip
        assert words in run.out, words
    assert ridgelet("learn", waves, "--y", "y", "--quiet").out == ""


@pytest.mark.parametrize(
    "flags, complaint",
    [
        (("--y", "z"), "z"),
        (("--y", "y", "--kernel", "sem()"), "did you mean 'se'?"),
        (("--y", "y", "--kernel", "se(lengthscale=[1,2,3])"), "--kernel: "),
        (("--y", "y", "--period", "40"), "--period: belongs to --kernel best"),
        (("--y", "y", "--kernel", "best", "--period", "-1"), "--period: must be positive"),
        (("--y", "y", "--kernel", "best", "--period", "a"), "--period: must be a number"),
        (("--y", "y", "--learn-rows", "1"), "--learn-rows: must be a whole number of at least 2"),
        (("--y", "y", "--noise", "0"), "--noise: must be positive"),
        (("--y", "y", "--noise", "1,2"), "--noise: must be one number"),
        (("--y", "y", "--mean", "x9"), "--mean: "),
        (("--y", "y", "--out", "waves.csv"), "--out: must not be 'waves.csv'"),
        ((), "--y is required"),
    ],
)
def test_refuses_what_breaks_a_rule_in_one_line(ridgelet, waves, tmp_path, flags, complaint):
    before = sorted(path.name for path in tmp_path.iterdir())
    run = ridgelet("learn", waves, *flags)
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1 and complaint in run.err, run.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_refuses_files_that_are_not_there(ridgelet, waves):
    assert ridgelet("learn", "none.csv", "--y", "y").code == 3
    assert ridgelet("learn", waves, "--y", "y", "--out", "none/model.toml").code == 3


@pytest.fixture
def responses(tmp_path):
    """Two classes as text and as numbers, counts, and numbers with outliers, of one input."""
    random = np.random.default_rng(4)
    x = random.uniform(-2, 2, 90)
    code = (random.uniform(size=90) < 1 / (1 + np.exp(-2 * x))).astype(int)
    count, heavy = random.poisson(np.exp(x)), np.sin(x) + 0.1 * random.standard_t(3, 90)
    lines = [f"{a},{'no yes'.split()[b]},{b},{c},{d}" for a, b, c, d in zip(x, code, count, heavy)]
    (tmp_path / "data.csv").write_text("\n".join(["x,text,code,count,heavy", *lines]) + "\n")


@pytest.mark.parametrize(("response", "named", "likelihood", "numbers"), [
    ("text", (), "bernoulli", []),
    ("code", ("--likelihood", "bernoulli"), "bernoulli", []),
    ("count", ("--likelihood", "negative-binomial"), "negative-binomial", ["shape"]),
    ("heavy", ("--likelihood", "student"), "student", ["scale", "degrees"]),
])  # fmt: skip
def test_every_likelihood_is_learned_and_fitted_from_the_model_file(ridgelet, responses, response, named, likelihood, numbers):
    columns = ("data.csv", "--x", "x", "--y", response)
    report = ridgelet("learn", *columns, *named, "--json").json
    assert report["likelihood"].split("(")[0] == likelihood
    assert list(report["noise"]) == numbers and list(report["starts"][0]["noise"]) == numbers
    fitted = ridgelet("fit", *columns, "--model", "model.toml", "--json").json
    assert fitted["kernel"] == report["kernel"]
    assert fitted["likelihood"] == report["likelihood"]
    assert ridgelet("learn", *columns, *named).out.count("likelihood") == 1
