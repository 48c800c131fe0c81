"""learn: kernel, mean and noise by the evidence, as a model file for the other commands."""

import re
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


def test_columns_are_standardised_where_no_kernel_is_given_or_the_best_is_wanted(ridgelet, table):
    learn = ("learn", "data.csv", "--y", "y", "--json")
    assert ridgelet(*learn).json["standardise"] and ridgelet(*learn, "--kernel", "best").json["standardise"]
    assert not ridgelet(*learn, "--kernel", "se()").json["standardise"]
    help_text = " ".join(ridgelet("fit", "--help").out.split())
    assert "(default: yes where no --kernel is given, or best)" in help_text


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


@pytest.fixture
def learned(ridgelet, write_table, tmp_path):
    """learned(inputs, flags...) -> the model file and the columns that it was learned from, in units of their own."""

    def learn(inputs, *flags):
        random = np.random.default_rng(inputs)
        columns = {f"x{k}": 100 + (k + 1) * random.uniform(0, 10, 60) for k in range(inputs)}
        write_table(tmp_path / "data.csv", columns | {"y": np.sin(columns["x0"] / 3) + 0.1 * random.normal(size=60)})
        ridgelet("learn", "data.csv", *FLAGS, "--out", "learned.toml", *flags).json
        return tomllib.loads((tmp_path / "learned.toml").read_text()), columns

    return learn


def standardised(columns, low, high):
    """The ranges of a --domain in the kernel's units."""
    ranges = ((c, (low(c) - c.mean()) / c.std(), (high(c) - c.mean()) / c.std()) for c in columns.values())
    return ",".join(f"{a!r}:{b!r}" for _, a, b in ranges)


@pytest.mark.parametrize("inputs", [1, 2, 10])
def test_models_without_data_look_where_the_data_were(ridgelet, learned, tmp_path, inputs):
    model, columns = learned(inputs)
    work = ("--units", 60, "--points", {1: 30, 2: 8, 10: 60}[inputs], "--json")
    few = ("--replicates", 2, "--eval-points", 20)
    assessed = ridgelet("assess", "--model", "learned.toml", *few, *work).json
    domain = standardised(columns, np.min, np.max)
    stated = ridgelet("assess", "--kernel", model["kernel"], f"--domain={domain}", *few, *work).json
    assert assessed["mrmse"]["mean"] == pytest.approx(stated["mrmse"]["mean"], rel=1e-4)
    _, paths = ridgelet("sample", "--model", "learned.toml", "--draws", 1, "--eval-points", 50, *work[:-1],
                        "--out", "paths.csv").table("paths.csv")  # fmt: skip
    for k, column in enumerate(columns.values()):
        assert np.all(paths[:, k] >= column.min() - 1e-9) and np.all(paths[:, k] <= column.max() + 1e-9)
        assert np.ptp(paths[:, k]) > 0.8 * np.ptp(column)
    tuned = ridgelet("tune", "--model", "learned.toml", *work, "--error", 0.9, "--out", "tuned.toml").json
    again = tomllib.loads((tmp_path / "tuned.toml").read_text())
    assert tuned["units"] == 60 and {key: again[key] for key in ("range", "centre", "scale")} == {
        key: model[key] for key in ("range", "centre", "scale")
    }


def test_a_domain_is_in_the_units_of_the_table_that_a_model_was_learned_from(ridgelet, learned):
    model, columns = learned(2, "--domain", "100:105,100:110")
    few = ("--replicates", 2, "--eval-points", 20, "--units", 60, "--points", 8, "--json")
    domain = standardised(columns, lambda c: 101, lambda c: 104)
    stated = ridgelet("assess", "--kernel", model["kernel"], f"--domain={domain}", *few).json
    by_flag = ridgelet("assess", "--model", "learned.toml", "--domain", "101:104,101:104", *few).json
    assert by_flag["mrmse"]["mean"] == pytest.approx(stated["mrmse"]["mean"], rel=1e-4)
    by_file = ridgelet("assess", "--model", "learned.toml", *few).json
    assert by_file["mrmse"]["mean"] != pytest.approx(stated["mrmse"]["mean"], rel=1e-4)


def test_a_model_of_several_inputs_without_a_domain_is_told_to_give_one(ridgelet, learned, tmp_path, refuses):
    model, _ = learned(2)
    for command in (("assess",), ("sample", "--out", "a.csv"), ("tune",)):
        refuses((*command, "--kernel", model["kernel"]), 2, ["lengthscale", "give --domain a range LO:HI for each input, of which it has 1"])
    refuses(("assess", "--model", "learned.toml", "--domain", "0:1"), 2, ["--domain: must have 2 ranges LO:HI"])
    (tmp_path / "learned.toml").write_text(f'kernel = "{model["kernel"]}"\ncentre = "1,2"\nscale = "1"\n')
    refuses(("assess", "--model", "learned.toml"), 2, ["centre: must have as many numbers as scale"])


def test_a_fit_asks_its_own_table_and_not_that_of_the_model_file(ridgelet, learned, write_table, tmp_path):
    learned(2)
    fit = ("fit", "other.csv", "--y", "y", "--model", "learned.toml", "--json")
    random = np.random.default_rng(7)
    a, b = 500 + random.uniform(0, 1, (2, 40))
    write_table(tmp_path / "other.csv", {"x0": a, "x1": b, "y": a + b**2})
    first = ridgelet(*fit, "--out", "first.nc").json
    text = (tmp_path / "learned.toml").read_text().splitlines(True)
    (tmp_path / "learned.toml").write_text("".join(line for line in text if line.split()[0] not in ("range", "centre", "scale")))
    second = ridgelet(*fit, "--out", "second.nc").json
    for report in (first, second):
        report.pop("seconds")
    assert first == second
    assert (tmp_path / "first.nc").read_bytes() == (tmp_path / "second.nc").read_bytes()


def test_the_report_has_centre_scale_and_every_parameter_in_the_units_of_its_column(ridgelet, waves, tmp_path):
    table = np.genfromtxt(tmp_path / waves, delimiter=",", names=True)
    flags = (waves, "--x", "time", "--y", "y", "--kernel", "se(lengthscale=0.5)", "--mean", "0.5 + 0.25*x", "--noise", 0.1, "--standardise")
    run = ridgelet("fit", *flags)
    lines = {line.split()[0]: line.split() for line in run.out.splitlines() if line.startswith("    ")}
    y, time = table["y"], table["time"]
    assert lines["time"] == ["time", f"{time.mean():.6g}", f"{time.std():.4g}", "se.lengthscale", f"{0.5 * time.std():.4g}"]
    assert lines["y"] == ["y", f"{y.mean():.6g}", f"{y.std():.4g}", "noise", f"{0.1 * y.std():.4g},", "se.amplitude", f"{y.std():.4g}"]
    level, slope = y.mean() + 0.5 * y.std(), 0.25 * y.std() / time.std()
    assert " ".join(lines["mean"][1:]) == f"{level:.6g} + {slope:.4g} (time - {time.mean():.6g})"
    scaling = ridgelet("fit", *flags, "--json").json["scaling"]
    assert scaling["time"] == {"centre": pytest.approx(time.mean()), "scale": pytest.approx(time.std())}
    assert scaling["y"] == {"centre": pytest.approx(y.mean()), "scale": pytest.approx(y.std())}


def test_the_period_of_a_sum_is_listed_as_what_it_is(ridgelet, waves, tmp_path):
    time = np.genfromtxt(tmp_path / waves, delimiter=",", names=True)["time"].std()
    kernel = "se(lengthscale=2) + periodic(period=1.5, lengthscale=1)"
    run = ridgelet("fit", waves, "--x", "time", "--y", "y", "--kernel", kernel, "--noise", 0.1, "--standardise", "--force")
    (line,) = (line for line in run.out.splitlines() if line.startswith("    time "))
    assert f"se.lengthscale {2 * time:.4g}, periodic.period {1.5 * time:.4g}" in line


def test_a_learned_mean_is_printed_with_four_digits(ridgelet, waves):
    run = ridgelet("fit", waves, "--x", "time", "--y", "y", "--mean", "0.5 + 0.5*x", "--learn", "--standardise")
    (line,) = (line for line in run.out.splitlines() if line.startswith("  process"))
    numbers = re.findall(r"(\d+(?:\.\d+)?)(?:e[+-]?\d+)?", line.split(", mean ")[1].split(", noise")[0])
    assert len(numbers) == 2
    assert all(len(number.replace(".", "").strip("0")) <= 4 for number in numbers)


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


def test_the_best_of_a_list_is_the_one_of_the_greatest_score(ridgelet, waves):
    flags = ("learn", waves, "--x", "time", "--y", "y", "--kernel", "best")
    report, text = ridgelet(*flags, "--json").json, ridgelet(*flags).out
    for each in report["candidates"]:
        assert each["score"] == pytest.approx(each["log_evidence"] - each["parameters"] * np.log(80) / 2)
        assert f"{each['log_evidence']:.2f}{each['parameters']:>12}{each['score']:>12.2f}" in text
    best = max(report["candidates"], key=lambda each: each["score"])
    assert best["kernel"] == report["kernel"]
    assert f"{best['score']:.2f}  (taken)" in text
    assert "the score decides: log evidence less log(rows) / 2 = 2.19 for each parameter, on 80 rows\n" in text


def test_what_some_rows_tell_is_refined_by_the_others(ridgelet, waves):
    flags = ("learn", waves, "--y", "y", "--learn-rows")
    few, text = ridgelet(*flags, 40, "--json").json, ridgelet(*flags, 40).out
    every = ridgelet(*flags, 80, "--json").json
    assert every["refinement"] is None
    assert (few["rows"], few["refinement"]["rows"]) == (40, 80)
    assert few["refinement"]["gain"] > 0
    # The rows that it was learned on have less evidence than where they alone had led.
    best = max(few["starts"], key=lambda start: start["objective"])
    assert few["objective"] < best["objective"]
    assert few["noise"] == pytest.approx(every["noise"], rel=0.02)
    assert abs(few["noise"] - every["noise"]) < abs(best["noise"] - every["noise"])
    assert text.startswith("y given time, spare\nlearned on 40 rows and refined on 80: se(")
    assert f"log evidence of the 40 {few['log_evidence']:.2f}\n" in text
    assert f"a lower bound of their log evidence rose by {few['refinement']['gain']:.1f}\n" in text


def test_tells_people_what_it_found(ridgelet, waves):
    run = ridgelet("learn", waves, "--y", "y")
    assert run.code == 0
    for words in ("y given time, spare", "log evidence", "in the units of the columns", "spare hardly matters",
                  "wrote model.toml"):  # fmt: skip
        assert words in run.out, words
    assert ridgelet("learn", waves, "--y", "y", "--quiet").out == ""


@pytest.mark.parametrize(
    "count, listed", [(10, "x1, x2, x3, x4, x5, x6, x7, x8, x9, x10"), (11, "x1, x2, ... x11 (11 inputs)")]
)
def test_names_at_most_ten_inputs(ridgelet, write_table, tmp_path, count, listed):
    random = np.random.default_rng(1)
    columns = {f"x{k + 1}": random.standard_normal(12) for k in range(count)}
    write_table(tmp_path / "many.csv", columns | {"y": random.standard_normal(12)})
    flags = ("many.csv", "--y", "y", "--kernel", "se(lengthscale=3)")
    assert ridgelet("learn", *flags).out.startswith(f"y given {listed}\n")
    assert ridgelet("fit", *flags, "--noise", 1).out.startswith(f"y given {listed}: ")


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
        ((), "--y: is required: the response, of the columns 'time', 'spare', 'y' of 'waves.csv'"),
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


def test_a_mode_that_only_more_rows_show_is_found(ridgelet, write_table, tmp_path):
    """250 rows, where the starts look first, lead them all to a smoother function and a log evidence of -103."""
    random = np.random.default_rng(0)
    X = random.uniform(-2, 2, (1000, 5))
    y = np.abs(X).sum(1) + 0.1 * random.standard_normal(1000)
    write_table(tmp_path / "t.csv", {f"x{k + 1}": X[:500, k] for k in range(5)} | {"y": y[:500]})
    found = ridgelet("learn", "t.csv", "--y", "y", "--out", "m.toml", "--json").json
    assert found["disagreement"] > 10
    assert found["log_evidence"] > -65


def test_a_setting_that_no_model_can_have_is_refused_before_anything_is_learned(ridgelet, table):
    for setting in (("--nodes", "foo"), ("--units", 0), ("--sigma-w", -1), ("--points", 0), ("--ridge", -2), ("--layers", 0)):
        run = ridgelet("learn", "data.csv", "--y", "y", "--kernel", "se()", *setting, "--out", "m.toml")
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
        assert run.err.startswith(f"ridgelet: {setting[0]}: must be ")
        assert not (run.directory / "m.toml").exists()


def test_a_mean_that_is_learned_is_shown(ridgelet, table):
    flags = ("learn", "data.csv", "--y", "y", "--kernel", "se(lengthscale=2)", "--mean", "0.3*x+1")
    mean = ridgelet(*flags, "--json").json["mean"]
    (shown,) = re.findall(", mean (.*), noise ", ridgelet(*flags).out)
    learned, rounded = ([float(number) for number in re.findall(r"-?\d[\d.e-]*", text)] for text in (mean, shown))
    assert len(learned) == 2 and rounded == pytest.approx(learned, rel=1e-3)


def test_a_fit_has_what_its_learning_tried(ridgelet, table):
    flags = ("data.csv", "--y", "y", "--kernel", "best", "--seed", 2, "--json")
    learned, fitted = ridgelet("learn", *flags).json, ridgelet("fit", *flags).json
    assert len(learned["candidates"]) > 4
    assert fitted["learning"] == {key: learned[key] for key in ("starts", "refinement", "candidates")}
    assert "learning" not in ridgelet("fit", "data.csv", "--y", "y", "--kernel", "se()", "--noise", 0.1, "--json").json


def test_a_season_that_was_learned_is_in_the_network_too(ridgelet, write_table, tmp_path):
    """A sine is learned as a periodic term of long lengthscale, beside which its period is short."""
    month = np.arange(72.0)
    noise = 0.1 * np.random.default_rng(5).standard_normal(72)
    write_table(tmp_path / "months.csv", {"month": month, "sales": 0.03 * month + np.sin(2 * np.pi * month / 12) + noise})
    season = ("fit", "months.csv", "--y", "sales", "--kernel", "best", "--period", 12, "--json")
    for domain in ((), ("--domain", "0:95")):
        report = ridgelet(*season, *domain).json
        assert "periodic" in report["kernel"] and report["warnings"] == []
        assert abs(report["log_evidence"] - report["learned_evidence"]) < 1
