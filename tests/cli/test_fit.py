"""`ridgelet fit`: its report, and how near its posterior is to the process."""

import os
import pathlib
import shlex
import shutil

import numpy as np
import pytest
from fits import ACCURATE, KERNEL, SHORT, WAVE, exact_process, flags, small, succeeded

SOURCE = pathlib.Path(os.environ["RIDGELET_SOURCE"])
CONTRACT_KEYS = {
    "chains", "draws", "rhat_max", "bulk_min", "tail_min", "prior_error", "noise", "kernel", "seconds", "warnings",
}  # fmt: skip


def test_the_report_has_every_key_of_the_contract_with_sane_values(fitted):
    report = fitted.report
    assert CONTRACT_KEYS <= set(report)
    assert (report["chains"], report["draws"], report["warmup"]) == (2, 50, 20)
    assert (report["noise"], report["kernel"]) == (fitted.noise, fitted.kernel)
    assert (report["inputs"], report["outputs"], report["rows"]) == (["x"], ["y"], 30)
    assert 0.9 < report["rhat_max"] < 1.5
    assert 10 < report["bulk_min"] < 200 and 10 < report["tail_min"] < 200
    assert 0 < report["prior_error"]["mean"] < report["prior_error"]["max"] < 0.01
    assert report["prior_error"]["process_sd"] == 1
    assert report["evaluations_per_step"] >= 1
    assert 0 < report["seconds"] < 100
    assert not report["converged"] and len(report["warnings"]) >= 1


def test_the_posterior_approaches_the_exact_process(ridgelet, table, predict):
    new = np.linspace(table["x"].min(), table["x"].max(), 41)
    mean, sd = exact_process(**table, noise=0.1, new=new)
    distances = []
    for units in (30, 100):
        succeeded(ridgelet(*WAVE, *small(units=units, points=60), "--quiet"))
        got = predict("model.nc", {"x": new}, "--latent")
        distances.append((np.abs(got["mean"] - mean).max(), np.abs(got["sd"] - sd).max()))
    assert sd.min() > 0.02
    assert max(distances[1]) < 0.002
    assert distances[0][0] > 5 * distances[1][0] and distances[0][1] > 5 * distances[1][1]


def test_several_outputs_have_their_own_noise_and_their_own_process(ridgelet, wave, write_table, predict, tmp_path):
    x, second = wave["x"], np.cos(wave["x"]) + 0.5 * np.random.default_rng(8).standard_normal(30)
    write_table(tmp_path / "data.csv", {"x": x, "a": wave["y"], "b": second})
    fit = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "a,b", "--noise", "0.1,0.5", *ACCURATE)
    report = ridgelet(*fit, "--quiet", "--json").json
    assert (report["noise"], report["outputs"]) == ([0.1, 0.5], ["a", "b"])
    new = np.linspace(x.min(), x.max(), 41)
    got = predict("model.nc", {"x": new}, "--latent")
    assert list(got) == ["x", *(f"{y}_{column}" for y in "ab" for column in ("mean", "sd", "lower", "upper")), "error", "outside"]
    for name, y, noise in (("a", wave["y"], 0.1), ("b", second, 0.5)):
        mean, sd = exact_process(x, y, noise, new)
        np.testing.assert_allclose(got[f"{name}_mean"], mean, rtol=0, atol=0.003)
        np.testing.assert_allclose(got[f"{name}_sd"], sd, rtol=0, atol=0.003)
    with_noise = predict("model.nc", {"x": new})
    for name, noise in (("a", 0.1), ("b", 0.5)):
        difference = with_noise[f"{name}_sd"] ** 2 - got[f"{name}_sd"] ** 2
        np.testing.assert_allclose(difference, noise**2, rtol=1e-9)


def test_one_noise_serves_every_output(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", {**wave, "z": -wave["y"]})
    fit = ("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x", "--y", "y,z", *small(), "--quiet")
    for noise, out in (("0.1", "one.nc"), ("0.1,0.1", "two.nc")):
        succeeded(ridgelet(*fit, "--noise", noise, "--out", out))
    assert (tmp_path / "one.nc").read_bytes() == (tmp_path / "two.nc").read_bytes()


def test_two_inputs_are_fitted_as_the_exact_process_of_both(ridgelet, write_table, predict, tmp_path):
    import xarray

    random = np.random.default_rng(3)
    x1, x2 = random.uniform(-2, 2, (2, 25))
    y = np.sin(x1) + 0.5 * x2 + 0.1 * random.standard_normal(25)
    write_table(tmp_path / "data.csv", {"y": y, "x2": x2, "x1": x1})
    succeeded(
        ridgelet(
            "fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "x1,x2", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=[2, 4])",
            "--units", 150, "--points", 10, "--sigma-w", 1, "--sigma-b", 3, *SHORT, "--quiet",
        )
    )  # fmt: skip
    with xarray.open_dataset(tmp_path / "model.nc", group="target_gp") as target:
        exact = {name: target[name].values[:, 0] for name in ("posterior_mean", "posterior_sd")}
    with xarray.open_dataset(tmp_path / "model.nc", group="constant_data") as constant:
        watched = constant.x_observed.values
    X, new = np.c_[x1, x2], watched

    def kernel(a, b):
        return np.exp(-0.5 * (((a[:, None] - b[None]) / [2, 4]) ** 2).sum(-1))

    weights = np.linalg.solve(kernel(X, X) + 0.01 * np.eye(25), kernel(X, new))
    np.testing.assert_allclose(exact["posterior_mean"], weights.T @ y, rtol=0, atol=1e-9)
    np.testing.assert_allclose(exact["posterior_sd"] ** 2, 1 - (weights * kernel(X, new)).sum(0), rtol=0, atol=1e-9)
    got = predict("model.nc", {"x2": new[:, 1], "x1": new[:, 0]}, "--latent")
    np.testing.assert_array_equal(np.c_[got["x1"], got["x2"]], new)
    np.testing.assert_allclose(got["mean"], exact["posterior_mean"], rtol=0, atol=0.02)
    np.testing.assert_allclose(got["sd"], exact["posterior_sd"], rtol=0, atol=0.02)


def test_standardised_columns_are_fitted_and_predictions_come_back_in_the_units_of_the_table(
    ridgelet, wave, write_table, predict, tmp_path
):
    import xarray

    x, y = 40 * wave["x"] + 2000, 7 * wave["y"] - 300
    write_table(tmp_path / "data.csv", {"x": x, "y": y})
    succeeded(ridgelet(*WAVE, *ACCURATE, "--standardise", "--quiet"))
    new = np.linspace(x.min(), x.max(), 31)
    mean, sd = exact_process((x - x.mean()) / x.std(), (y - y.mean()) / y.std(), 0.1, (new - x.mean()) / x.std())
    latent, noisy = predict("model.nc", {"x": new}, "--latent"), predict("model.nc", {"x": new})
    np.testing.assert_allclose(latent["mean"], y.mean() + y.std() * mean, rtol=0, atol=0.002 * y.std())
    np.testing.assert_allclose(latent["sd"], y.std() * sd, rtol=0, atol=0.002 * y.std())
    np.testing.assert_allclose(noisy["sd"] ** 2 - latent["sd"] ** 2, (0.1 * y.std()) ** 2, rtol=1e-9)
    with xarray.open_dataset(tmp_path / "model.nc", group="constant_data") as constant:
        for name, column in (("input", x), ("output", y)):
            np.testing.assert_allclose(constant[f"{name}_centre"].values, [column.mean()], rtol=1e-12)
            np.testing.assert_allclose(constant[f"{name}_scale"].values, [column.std()], rtol=1e-12)
        np.testing.assert_array_equal(constant.x.values[:, 0], x)
        np.testing.assert_array_equal(constant.noise.values, [0.1])


def test_a_fit_of_standardised_columns_follows_a_change_of_units(ridgelet, wave, write_table, predict, tmp_path):
    new = np.linspace(-4, 4, 33)
    predictions = []
    for slope, shift, factor, offset in ((1, 0, 1, 0), (3, -2, 1000, 5)):
        write_table(tmp_path / "data.csv", {"x": slope * wave["x"] + shift, "y": factor * wave["y"] + offset})
        domain = f"--domain={slope * -4 + shift}:{slope * 4 + shift}"
        succeeded(ridgelet(*WAVE, *small(), "--standardise", "--quiet", domain))
        predictions.append(predict("model.nc", {"x": slope * new + shift}))
    here, there = predictions
    for column in ("mean", "lower", "upper"):
        np.testing.assert_allclose(there[column], 1000 * here[column] + 5, rtol=1e-6, atol=1e-6 * 1000)
    np.testing.assert_allclose(there["sd"], 1000 * here["sd"], rtol=1e-6)


def test_without_standardising_the_units_of_the_table_are_those_of_the_model(fitted):
    import xarray

    with xarray.open_dataset(fitted.model, group="constant_data") as constant:
        assert (constant.input_centre.item(), constant.input_scale.item()) == (0, 1)
        assert (constant.output_centre.item(), constant.output_scale.item()) == (0, 1)


def test_a_mean_that_is_subtracted_and_one_that_passes_through_the_network_agree(
    ridgelet, wave, write_table, predict, tmp_path
):
    seen = wave["x"] < 0
    x, y, new = wave["x"][seen], 2 * wave["x"][seen] + 1 + 0.3 * wave["y"][seen], np.linspace(-3, 3, 25)
    write_table(tmp_path / "data.csv", {"x": x, "y": y})
    fit = (*WAVE, *ACCURATE, "--domain=-3:3", "--quiet")
    got = {}
    for name, mean in (("none", "0"), ("subtracted", "2*x + 1")):
        succeeded(ridgelet(*fit, "--mean", mean))
        got[name] = predict("model.nc", {"x": new}, "--latent")
    succeeded(ridgelet(*fit, "--mean", "2*x + 1", "--network-mean"))
    got["network"] = predict("model.nc", {"x": new}, "--latent")
    mean, sd = exact_process(x, y, 0.1, new, mean=lambda x: 2 * x + 1)
    np.testing.assert_allclose(got["subtracted"]["mean"], mean, rtol=0, atol=0.02)
    np.testing.assert_allclose(got["network"]["mean"], mean, rtol=0, atol=0.05)
    np.testing.assert_allclose(got["network"]["sd"], sd, rtol=0, atol=0.02)
    assert np.abs(got["none"]["mean"] - mean).max() > 1
    assert np.abs(got["network"]["mean"] - got["subtracted"]["mean"]).max() > 0


def test_the_domain_is_the_range_of_the_data_unless_another_is_given(ridgelet, table, tmp_path):
    import xarray

    for options, ends in (((), (table["x"].min(), table["x"].max())), (("--domain=-4:5",), (-4, 5))):
        succeeded(ridgelet(*WAVE, *small(), *options, "--quiet"))
        with xarray.open_dataset(tmp_path / "model.nc", group="constant_data") as constant:
            points = constant.x_domain.values
        assert points.shape == (100, 1)
        np.testing.assert_allclose((points.min(), points.max()), ends, rtol=1e-12)


def test_the_domain_is_in_the_units_of_the_table_when_columns_are_standardised(ridgelet, table, tmp_path):
    import xarray

    succeeded(ridgelet(*WAVE, *small(), "--standardise", "--domain=-4:5", "--quiet"))
    with xarray.open_dataset(tmp_path / "model.nc", group="constant_data") as constant:
        points = constant.x_domain.values
    np.testing.assert_allclose((points.min(), points.max()), (-4, 5), rtol=1e-12)


def test_the_ridgelet_operator_with_few_units_warns_of_its_prior_error_and_says_what_to_do(ridgelet, table):
    fit = (*WAVE, *small(units=50))
    refused = ridgelet(*fit, "--operator", "ridgelet", "--quiet")
    assert refused.code == 2 and "--force" in refused.err and "cannot carry this process" in refused.err
    report = ridgelet(*fit, "--operator", "ridgelet", "--force", "--quiet", "--json").json
    (warning,) = [text for text in report["warnings"] if "prior error" in text]
    assert "--operator least-squares" in warning and "--units" in warning
    assert f"{report['prior_error']['mean']:.2g}" in warning
    assert report["prior_error"]["max"] > report["prior_error"]["mean"] > 0.5
    plain = ridgelet(*fit, "--quiet", "--json").json
    assert not any("prior error" in text for text in plain["warnings"])
    assert plain["prior_error"]["mean"] < 0.05


@pytest.mark.parametrize(
    ("header", "x", "y"),
    [
        ('"height, m",sea level', '"height, m"', "sea level"),
        ('"say ""x""",y', '"say ""x"""', "y"),
        ("größe,氷", "größe", "氷"),
        (" x , y ", "x", "y"),
    ],
)
def test_columns_may_have_any_name(ridgelet, wave, tmp_path, header, x, y):
    rows = "\n".join(f'"{a!r}",{b!r}' for a, b in zip(*(wave[name].tolist() for name in "xy"), strict=True))
    (tmp_path / "data.csv").write_text(f"{header}\n{rows}\n")
    report = ridgelet("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", x, "--y", y, "--noise", 0.1, *small(), "--quiet", "--json").json
    assert report["rows"] == 30
    run = succeeded(ridgelet("predict", "model.nc", "data.csv", "--out", "pred.csv"))
    first = (run.directory / "pred.csv").read_text().splitlines()[0]
    assert first == f"{header},mean,sd,lower,upper,error,outside"


def test_names_of_columns_do_not_change_the_numbers(ridgelet, table, predict, write_table, tmp_path):
    succeeded(ridgelet(*WAVE, *small(), "--quiet"))
    plain = predict("model.nc", {"x": table["x"]})
    write_table(tmp_path / "data.csv", {"year": table["x"], "note": 0 * table["x"], "co2": table["y"]})
    succeeded(ridgelet("fit", "data.csv", "--hidden", "sampled", "--nodes", "grid", "--x", "year", "--y", "co2", "--noise", 0.1, *small(), "--quiet"))
    np.testing.assert_array_equal(predict("model.nc", {"year": table["x"]})["mean"], plain["mean"])


def test_a_model_file_gives_the_same_bytes_as_its_flags_and_flags_win(ridgelet, table, tmp_path):
    text = 'kernel = "se(amplitude=1, lengthscale=1.5)"\nunits = 60\npoints = 40\n'
    (tmp_path / "model.toml").write_text(text)
    (tmp_path / "other.toml").write_text(text.replace("60", "7").replace("lengthscale=1.5", "lengthscale=9"))
    succeeded(ridgelet(*WAVE, *small(), "--quiet", "--out", "flags.nc"))
    succeeded(ridgelet(*WAVE, "--model", "model.toml", *SHORT, "--quiet", "--out", "file.nc"))
    winning = flags(kernel=KERNEL, units=60)
    succeeded(ridgelet(*WAVE, "--model", "other.toml", *winning, *SHORT, "--quiet", "--out", "both.nc"))
    files = [(tmp_path / f"{name}.nc").read_bytes() for name in ("flags", "file", "both")]
    assert files[0] == files[1] == files[2]
    report = ridgelet(*WAVE, "--model", "other.toml", *SHORT, "--quiet", "--json").json
    assert (report["units"], report["kernel"]) == (7, "se(amplitude=1, lengthscale=9)")


def test_quiet_prints_nothing_but_warnings_and_writes_all(ridgelet, table):
    run = ridgelet(*WAVE, *small(), "--quiet")
    assert (run.code, run.out, run.said) == (0, "", "")
    assert run.err.startswith("warning: R-hat")
    assert {path.name for path in run.directory.iterdir()} == {"data.csv", "model.nc"}


def test_the_plan_goes_to_the_standard_error_and_json_stands_alone(ridgelet, table):
    run = succeeded(ridgelet(*WAVE, *small()))
    network, plan, judging = run.said.splitlines()
    assert network.startswith("network: 60 units on 40 nodes (grid)") and "%" in network
    assert plan.startswith("plan: 2 chains of 70 steps") and "memory" in plan
    assert CONTRACT_KEYS <= set(ridgelet(*WAVE, *small(), "--json").json)


def test_the_report_for_people_has_the_numbers_of_the_json(ridgelet, table):
    report = ridgelet(*WAVE, *small(), "--quiet", "--json").json
    run = succeeded(ridgelet(*WAVE, *small(), "--out", "other.nc"))
    text = run.out
    assert [f"warning: {line}" for line in report["warnings"]] == [
        line for line in run.err.splitlines() if line.startswith("warning: ")
    ]
    for words in (
        "y given x", "least-squares with 60 units", report["kernel"], "30 rows", "2 chains x 50",
        f"{report['rhat_max']:.3f}", f"{np.floor(report['bulk_min']):.0f} bulk",
        f"{np.floor(report['tail_min']):.0f} tail",
        f"{report['prior_error']['mean']:.2g} on average",
        "wrote other.nc\n",
    ):  # fmt: skip
        assert words in text


def test_an_older_file_is_replaced_whole(ridgelet, table, tmp_path):
    (tmp_path / "model.nc").write_text("old\n" * 1000000)
    succeeded(ridgelet(*WAVE, *small(), "--quiet"))
    assert succeeded(ridgelet("summary", "model.nc")).out.startswith("y given x")
    assert (tmp_path / "model.nc").stat().st_size < 1000000


def example_of(command, ridgelet):
    described = succeeded(ridgelet(command, "--help")).out
    footer = described[described.index("Example") :]
    call = next(shlex.split(line) for line in footer.splitlines() if line.strip().startswith("ridgelet "))
    assert call[1] == command
    return call[1:]


def test_the_examples_of_the_help_texts_run_one_after_the_other(ridgelet, tmp_path):
    for name in ("mauna_loa_co2.csv", "airline_passengers.csv"):
        shutil.copy(SOURCE / "data" / name, tmp_path)
    fit = example_of("fit", ridgelet)
    succeeded(ridgelet(*fit))
    shutil.copy(tmp_path / fit[1], tmp_path / "new.csv")
    succeeded(ridgelet(*example_of("predict", ridgelet)))
    rows = len((tmp_path / fit[1]).read_text().splitlines())
    assert len((tmp_path / "pred.csv").read_text().splitlines()) == rows
    assert "certificate" in succeeded(ridgelet(*example_of("summary", ridgelet))).out


def test_a_noise_that_rounding_exceeds_is_refused_and_with_force_warned_of(ridgelet, write_table, tmp_path):
    write_table(tmp_path / "steps.csv", {"x": range(6), "y": [0, 1, 0, 1, 0, 1]})
    fit = ("fit", "steps.csv", "--x", "x", "--y", "y", "--kernel", "se(lengthscale=1e8)", "--units", 8)
    refused = ridgelet(*fit, "--noise", 1e-6, "--out", "none.nc", "--quiet")
    assert refused.code == 2 and "--noise: is too small" in refused.err and "--force" in refused.err
    assert not (tmp_path / "none.nc").exists()
    forced = ridgelet(*fit, "--noise", 1e-6, "--force", "--json").json
    assert forced["rounding"] > 1 and any("rounding" in text for text in forced["warnings"])
    plain = ridgelet(*fit, "--noise", 0.1, "--json").json
    assert plain["rounding"] < 1e-12 and not any("rounding" in text for text in plain["warnings"])
    assert ridgelet("summary", "model.nc", "--json").json["rounding"] == plain["rounding"]


def test_what_was_measured_to_help_is_taken_where_nobody_had_set_it(ridgelet, write_table, tmp_path):
    x = np.sort(np.random.default_rng(0).uniform(-3, 3, 60))
    write_table(tmp_path / "wave.csv", {"x": x, "y": np.sin(3 * x)})
    fit = ("fit", "wave.csv", "--y", "y", "--kernel", "se(lengthscale=0.1)", "--noise", 0.1, "--standardise", "--sigma-w", 200)
    left_open = ridgelet(*fit, "--json").json
    assert max(left_open["certificate"]["data"], left_open["certificate"]["between"]) < 0.05
    assert left_open["sigma_w"] == 200
    assert [text for text in left_open["learned"] if text.startswith("taken: --nodes grid")]
    assert not any("follows its process" in text for text in left_open["warnings"])
    assert "taken: --nodes grid" in ridgelet("summary", "model.nc").out
    by_hand = ridgelet(*fit, "--nodes", "data", "--units", 200, "--json").json
    assert not any("taken" in text for text in by_hand["learned"])
    (warning,) = [text for text in by_hand["warnings"] if "follows its process" in text]
    assert by_hand["units"] == 200 and "--units 600" in warning


def test_columns_whose_logarithms_would_serve_better_are_named(ridgelet, write_table, tmp_path):
    random = np.random.default_rng(33)
    z = random.standard_normal((3, 300))
    columns = {name: np.exp(3 * each) for name, each in zip("abc", z)}
    write_table(tmp_path / "skewed.csv", {**columns, "y": np.sin(1.5 * z[0]) + z[1] + 0.1 * random.standard_normal(300)})
    advice = "columns a, b, c are positive and strongly skewed: their logarithms would serve better, log(a) in --x and so on"
    rough = ("fit", "skewed.csv", "--y", "y", "--kernel", "se(lengthscale=[0.02, 0.05, 6])", "--noise", 0.1, "--standardise")
    refused = ridgelet(*rough, "--nodes", "data", "--points", 60, "--units", 60)
    assert refused.code == 2 and "cannot carry this process" in refused.err and advice in refused.err
    learned = ridgelet("learn", "skewed.csv", "--y", "y", "--out", "skewed.toml")
    assert f"note: {advice}" in learned.out
    logarithms = ("fit", "skewed.csv", "--x", "log(a),log(b),log(c)", "--y", "y", "--json")
    good = ridgelet(*logarithms).json
    assert max(good["certificate"]["data"], good["certificate"]["between"]) < 0.05
    assert good["noise"] < 0.2 and not any("skewed" in text for text in good["learned"])


def test_one_wild_value_of_an_input_is_named_with_its_row(ridgelet, write_table, tmp_path):
    random = np.random.default_rng(3)
    a, b = random.uniform(0, 1, 300), random.uniform(0, 1, 300)
    y = np.sin(6 * a) + b + 0.1 * random.standard_normal(300)
    a[41] = 1e6
    write_table(tmp_path / "wild.csv", {"a": a, "b": b, "y": y})
    report = ridgelet("fit", "wild.csv", "--y", "y", "--json").json
    (finding,) = [text for text in report["learned"] if "1e+06" in text]
    assert finding.startswith("1e+06 in row 42 of column a lies far from all others") and "leave the row out" in finding
    assert finding in ridgelet("learn", "wild.csv", "--y", "y").out
    a[41] = 0.5
    write_table(tmp_path / "tame.csv", {"a": a, "b": b, "y": y})
    assert not any("far from all" in text for text in ridgelet("fit", "tame.csv", "--y", "y", "--json").json["learned"])


def test_one_wild_value_of_the_response_is_named_with_its_row_and_student(ridgelet, write_table, tmp_path):
    x = np.linspace(0, 6, 200)
    y = np.sin(x) + 0.1 * np.random.default_rng(3).standard_normal(200)
    y[41] = 500
    write_table(tmp_path / "wild.csv", {"x": x, "y": y})
    (finding,) = [text for text in ridgelet("fit", "wild.csv", "--y", "y", "--json").json["learned"] if "far from all" in text]
    assert finding.startswith("500 in row 42 of column y lies far from all others") and "--likelihood student" in finding
    student = ridgelet("fit", "wild.csv", "--y", "y", "--likelihood", "student", "--json").json
    assert not any("far from all" in text for text in student["learned"])


@pytest.mark.parametrize("hidden", ["fixed", "sampled"])
def test_a_network_that_cannot_carry_its_process_is_refused_before_the_rows_unless_forced(ridgelet, table, tmp_path, hidden):
    fit = ("fit", "data.csv", "--y", "y", "--noise", 0.1, "--kernel", "se(lengthscale=0.05)", "--units", 5,
           "--hidden", hidden, *(SHORT if hidden == "sampled" else ()))  # fmt: skip
    refused = ridgelet(*fit)
    assert refused.code == 2 and not (tmp_path / "model.nc").exists()
    assert "passing over the rows" not in refused.err
    line = refused.err.splitlines()[-1]
    assert "the network cannot carry this process" in line and "units" in line
    assert line.endswith("or --force to go on")
    forced = ridgelet(*fit, "--force", "--json").json
    assert max(forced["certificate"]["data"], forced["certificate"]["between"]) >= 0.7
    assert forced["warnings"]


@pytest.mark.parametrize("flags", [(), ("--standardise",), ("--kernel", "se()", "--noise", 0.1)])
@pytest.mark.parametrize("response", ["y", "log(y)"])
def test_a_response_whose_squares_leave_the_range_of_a_double_is_refused_in_one_line(ridgelet, tmp_path, write_table, refuses, flags, response):
    x = np.linspace(0, 6, 40)
    for size, words in ((1e200, ["e+200", "divide"]), (1e160, ["e+160", "divide"]), (1e-200, ["e-200", "multiply"])):
        write_table(tmp_path / "data.csv", {"x": x, "y": size * (1.5 + np.sin(x))})
        refuses(("fit", "data.csv", "--y", response, *flags), 2, ["'data.csv', column 'y'", "range of a double", *words])
    assert not (tmp_path / "model.nc").exists()


def test_responses_just_within_the_range_are_fitted_predicted_and_scored(ridgelet, tmp_path, write_table):
    x = np.linspace(0, 6, 40)
    for size in (1e145, 1e-145):
        write_table(tmp_path / "data.csv", {"x": x, "y": size * (np.sin(x) + 0.05 * np.cos(40 * x))})
        succeeded(ridgelet("fit", "data.csv", "--y", "y", "--quiet"))
        header, values = ridgelet("predict", "model.nc", "data.csv", "--out", "pred.csv").table("pred.csv")
        assert np.all(np.isfinite(values)) and np.all(values[:, header.index("sd")] > 0)
        score = ridgelet("score", "model.nc", "data.csv", "--json").json
        assert 0 < score["rmse"] < 0.1 * size and score["r2"] > 0.99


def test_predictions_far_from_the_exact_process_are_warned_of_with_what_to_do(ridgelet, tmp_path, write_table):
    x = np.linspace(-1, 1, 60)
    write_table(tmp_path / "data.csv", {"x": x, "y": 1e6 + 0.01 * np.sin(7 * x)})
    fit = ("fit", "data.csv", "--y", "y", "--kernel", "se()", "--noise", 0.01)
    report = ridgelet(*fit, "--json").json
    assert report["exact_distance"]["mean"] > 1
    (warning,) = [text for text in report["warnings"] if "exact process" in text]
    assert f"{report['exact_distance']['mean']:.2g}" in warning and "--standardise" in warning and "--mean" in warning
    assert f"warning: {warning}\n" in ridgelet(*fit, "--quiet").err
    for remedy in (("--standardise",), ("--mean", "1e6")):
        remedied = ridgelet(*fit, *remedy, "--json").json
        assert remedied["exact_distance"]["mean"] < 0.1
        assert not any("predictions are far from" in text for text in remedied["warnings"])


def test_a_process_without_variance_is_named_as_such(refuses, table):
    fit = ("fit", "data.csv", "--y", "y", "--kernel", "se(amplitude=1e-200)", "--noise", 1)
    refuses(fit, 2, ["--kernel: must have a larger amplitude: in double precision, its variance is 0 at every row"])
