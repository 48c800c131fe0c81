"""Classes, counts and heavy tails: fit, predict, score, summary."""

import json
import subprocess

import exported
import numpy as np
import onnx
import pytest


def write_rows(path, header, rows):
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(3)
    x1, x2 = random.uniform(-2, 2, (2, 160))
    side = np.where(random.uniform(size=160) < 1 / (1 + np.exp(-3 * (x1 + x2))), "right", "left")
    part = np.where(x1**2 + x2**2 < 1, "core", np.where(x1 > 0, "east", "west"))
    years = random.uniform(0.5, 3, 160).round(3)
    claims = random.poisson(years * np.exp(1 + x1))
    return {"x1": x1.round(4), "x2": x2.round(4), "side": side, "part": part, "years": years, "claims": claims}


@pytest.fixture
def table(rows, tmp_path):
    def write(*columns, name="data.csv"):
        write_rows(tmp_path / name, ",".join(columns), zip(*(rows[column] for column in columns)))
        return name

    return write


def cells(run, name):
    assert run.code == 0, run.err
    header, *lines = (run.directory / name).read_text().splitlines()
    return header.split(","), [line.split(",") for line in lines]


def test_a_response_of_two_texts_is_predicted_by_the_probability_of_the_second(ridgelet, table):
    table("x1", "x2", "side")
    report = ridgelet("fit", "data.csv", "--y", "side", "--json").json
    assert report["likelihood"] == "bernoulli"
    assert report["classes"] == ["left", "right"]
    header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
    assert header == ["x1", "x2", "side", "probability", "lower", "upper", "error", "outside"]
    p, low, high = np.array([line[3:6] for line in lines], float).T
    assert ((0 <= low) & (low <= p) & (p <= high) & (high <= 1)).all()
    assert np.mean((p > 0.5) == np.array([line[2] == "right" for line in lines])) > 0.85


def test_a_response_of_several_texts_has_a_probability_for_each_and_a_class(ridgelet, table):
    table("x1", "x2", "part")
    assert ridgelet("fit", "data.csv", "--y", "part", "--quiet").code == 0
    header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
    ends = [f"{end}_{level}" for level in ("core", "east", "west") for end in ("lower", "upper")]
    assert header[3:] == ["p_core", "p_east", "p_west", *ends, "class", "error", "outside"]
    P = np.array([line[3:6] for line in lines], float)
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-9)
    assert [line[12] for line in lines] == [["core", "east", "west"][k] for k in P.argmax(axis=1)]
    score = ridgelet("score", "model.nc", "data.csv", "--json").json
    assert set(score) >= {"rows", "log_loss", "brier", "accuracy", "auc", "ece"}
    assert score["accuracy"] > 0.9
    summary = ridgelet("summary", "model.nc").out
    assert "categorical; classes core, east, west" in summary


def test_probabilities_of_several_classes_have_intervals_of_every_level(ridgelet, table):
    table("x1", "x2", "part")
    assert ridgelet("fit", "data.csv", "--y", "part", "--kernel", "se(amplitude=2)", "--quiet").code == 0
    run = ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--level", "0.5,0.95", "--quiet")
    header, lines = cells(run, "p.csv")
    of = {name: np.array([line[header.index(name)] for line in lines], float) for name in header[3:18]}
    for level in ("core", "east", "west"):
        low, less, more, high = (of[f"{end}_{level}_{p}"] for end, p in
                                 (("lower", 95), ("lower", 50), ("upper", 50), ("upper", 95)))  # fmt: skip
        assert ((0 <= low) & (low < less) & (less < more) & (more < high) & (high <= 1)).all()
        assert ((low <= of[f"p_{level}"]) & (of[f"p_{level}"] <= high)).all()
    assert header[18:] == ["class", "error", "outside"]


@pytest.mark.parametrize("response", ["side", "part"])
def test_classes_have_no_noise_to_leave_out(ridgelet, table, response):
    table("x1", "x2", response)
    ridgelet("fit", "data.csv", "--y", response, "--kernel", "se()", "--quiet")
    run = ridgelet("predict", "model.nc", "data.csv", "--latent")
    assert run.code == 2
    assert "--latent: is not for classes, whose probabilities are without noise; leave it out" in run.err


def test_classes_may_be_numbers_where_the_likelihood_says_so(ridgelet, rows, tmp_path):
    write_rows(tmp_path / "n.csv", "x1,y", [(x, 10 if x > 1 else 2 if x > 0 else 1) for x in rows["x1"]])
    report = ridgelet("fit", "n.csv", "--y", "y", "--likelihood", "categorical", "--json").json
    assert report["classes"] == ["1", "2", "10"]


def test_counts_are_predicted_for_one_unit_of_exposure_with_intervals_that_hold(ridgelet, table):
    table("x1", "years", "claims")
    arguments = ["--y", "claims", "--exposure", "years", "--likelihood", "poisson"]
    assert ridgelet("fit", "data.csv", *arguments, "--quiet").code == 0
    header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--draws", 3, "--quiet"), "p.csv")
    assert header[3:] == ["mean", "sd", "lower", "upper", "draw_1", "draw_2", "draw_3", "error", "outside"]
    values = np.array([line[3:10] for line in lines], float)
    np.testing.assert_array_equal(values[:, 2:], values[:, 2:].round())
    x = np.array([line[0] for line in lines], float)
    assert np.abs(np.log(values[:, 0]) - 1 - x).mean() < 0.15
    score = ridgelet("score", "model.nc", "data.csv", "--json").json
    assert score["coverage"]["95"] >= 0.93
    assert 0.7 < score["deviance"] < 1.4


@pytest.mark.parametrize("likelihood", ["poisson", "negative-binomial(shape=5)"])
def test_rates_far_beyond_what_doubles_count_have_intervals_about_them(ridgelet, rows, tmp_path, likelihood):
    write_rows(tmp_path / "c.csv", "x1,claims", zip(rows["x1"], rows["claims"]))
    write_rows(tmp_path / "far.csv", "x1", [(x,) for x in (2, 30, 40, 60, 100, 250)])
    model = ["--mean", "1+x1", "--kernel", "linear(amplitude=0.1)+constant(amplitude=0.1)"]
    assert ridgelet("fit", "c.csv", "--y", "claims", "--likelihood", likelihood, *model, "--quiet").code == 0
    _, lines = cells(ridgelet("predict", "model.nc", "far.csv", "--out", "p.csv", "--quiet"), "p.csv")
    mean, sd, low, high = np.array([line[1:5] for line in lines], float).T
    assert (np.diff(np.log(mean)) > 5).all() and mean[-1] > 1e90
    assert ((low < mean) & (mean < high)).all()
    assert ((mean - 4 * sd < low) & (high < mean + 4 * sd) & (high - low > sd)).all()


def test_large_counts_are_fitted_as_far_as_doubles_count(ridgelet, tmp_path):
    x = np.linspace(0, 3, 40)
    for size, code in ((3e10, 0), (1e17, 2)):
        counts = [int(size * (2 + each)) for each in x]
        write_rows(tmp_path / "c.csv", "x,c", zip(x, counts))
        run = ridgelet("fit", "c.csv", "--y", "c", "--likelihood", "poisson", "--kernel", "se()", "--quiet")
        assert run.code == code, run.err
    assert "line 2, column 'c': must be a count up to 2^53 = 9007199254740992, as far as doubles count, got 2e+17" in run.err


def test_drawn_counts_of_different_rows_are_independent(ridgelet, rows, tmp_path):
    write_rows(tmp_path / "c.csv", "x1,claims", zip(rows["x1"], rows["claims"]))
    block = 8192  # rows that are predicted at once
    write_rows(tmp_path / "same.csv", "x1", [(1.5,)] * (2 * block))
    model = ["--likelihood", "poisson", "--kernel", "se()", "--function-draws", 20]
    assert ridgelet("fit", "c.csv", "--y", "claims", *model, "--quiet").code == 0
    header, lines = cells(ridgelet("predict", "model.nc", "same.csv", "--draws", 1, "--out", "p.csv", "--quiet"), "p.csv")
    drawn = np.array([line[header.index("draw_1")] for line in lines], float)
    assert np.abs(np.corrcoef(drawn[:block], drawn[block:])[0, 1]) < 0.05


def test_an_exposure_that_is_the_same_in_every_row_is_one(ridgelet, rows, tmp_path):
    write_rows(tmp_path / "c.csv", "x1,years,claims", [(x, 2, c) for x, c in zip(rows["x1"], rows["claims"])])
    write_rows(tmp_path / "d.csv", "x1,claims", zip(rows["x1"], rows["claims"]))
    means = []
    for table, more in (("c.csv", ["--exposure", "years"]), ("d.csv", [])):
        arguments = ["--y", "claims", "--likelihood", "poisson", "--kernel", "se()", "--standardise", *more, "--quiet"]
        assert ridgelet("fit", table, *arguments).code == 0
        header, lines = cells(ridgelet("predict", "model.nc", "d.csv", "--out", "p.csv", "--latent", "--quiet"), "p.csv")
        means.append(np.array([line[2] for line in lines], float))
    np.testing.assert_allclose(2 * means[0], means[1], rtol=1e-6)


@pytest.mark.parametrize("likelihood", ["negative-binomial", "student"])
def test_numbers_of_a_likelihood_are_learned_and_kept(ridgelet, table, likelihood):
    table("x1", "claims")
    fitted = ridgelet("fit", "data.csv", "--y", "claims", "--likelihood", likelihood, "--json").json
    again = ridgelet("summary", "model.nc", "--json").json
    assert fitted["likelihood"].startswith(likelihood + "(")
    assert again["likelihood"] == fitted["likelihood"]
    assert ridgelet("score", "model.nc", "data.csv", "--json").json["coverage"]["95"] > 0.85


@pytest.mark.parametrize("likelihood", ["poisson", "negative-binomial", "student"])
def test_scores_of_numbers_are_the_same_in_words_and_in_json(ridgelet, table, likelihood):
    table("x1", "claims")
    held_out = ("--y", "claims", "--likelihood", likelihood, "--kernel", "se()", "--holdout", 0.3)
    report = ridgelet("fit", "data.csv", *held_out, "--json").json["holdout"]
    counts = ["deviance"] if likelihood != "student" else []
    numbers = ["rmse", "mae", "r2", "log_density", "crps", *counts]
    assert list(report) == ["response", "rows", *numbers, "coverage", "width"]
    text = ridgelet("fit", "data.csv", *held_out).out.split("held out: ")[1]
    assert f"  R^2              {report['r2']:.4f}\n" in text
    assert f"  CRPS             {report['crps']:.4g}\n" in text
    assert ("deviance" in text) == bool(counts)
    assert not counts or f"  deviance         {report['deviance']:.4f} (of {likelihood}, mean)\n" in text


def test_degrees_at_their_lower_bound_are_a_warning_of_what_the_sd_is_worth(ridgelet, rows, tmp_path):
    noise = np.random.default_rng(1).standard_cauchy(160)
    bound = "the degrees of freedom ended at their lower bound, 2.1"
    for heavy in (True, False):
        y = rows["x1"] + (noise if heavy else np.clip(noise, -1, 1))
        write_rows(tmp_path / "data.csv", "x1,y", zip(rows["x1"], y))
        report = ridgelet("fit", "data.csv", "--y", "y", "--likelihood", "student", "--json").json
        assert bool([text for text in report["warnings"] if text.startswith(bound)]) == heavy


def test_classes_with_commas_in_their_names_are_quoted(ridgelet, rows, tmp_path):
    write_rows(tmp_path / "data.csv", "x1,kind", [(x, '"blue, dark"' if x > 0 else "low") for x in rows["x1"]])
    assert ridgelet("fit", "data.csv", "--y", "kind", "--kernel", "se()", "--quiet").code == 0
    assert "classes 'blue, dark', low (probabilities are of low)" in ridgelet("summary", "model.nc").out
    assert "classes  'blue, dark', low\n" in ridgelet("export", "model.nc", "--to", "json", "--out", "m.json").out


def test_held_out_rows_are_scored_as_what_they_are(ridgelet, table):
    table("x1", "x2", "side")
    report = ridgelet("fit", "data.csv", "--y", "side", "--holdout", 0.25, "--json").json
    assert report["holdout"]["rows"] == 40
    assert report["holdout"]["accuracy"] > 0.75


def test_sampled_coordinates_say_nearly_what_corrected_ones_say(ridgelet, table):
    table("x1", "x2", "side")
    both = []
    for how in ("laplace", "sampled"):
        arguments = ["--kernel", "se(amplitude=2)", "--coordinates", how, "--function-draws", 2000, "--quiet"]
        assert ridgelet("fit", "data.csv", "--y", "side", *arguments).code == 0
        _, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
        both.append(np.array([line[3] for line in lines], float))
    assert 0 < np.abs(both[0] - both[1]).max() < 0.05


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--y", "x1", "--likelihood", "poisson"], "line 2, column 'x1': must be a count 0, 1, 2, ..., got"),
        (["--y", "part", "--likelihood", "bernoulli"], "bernoulli needs two classes, and 'part' has 3; use categorical"),
        (["--y", "part", "--likelihood", "poisson"], "must be a number"),
        (["--y", "log(years)", "--likelihood", "student"], "student is for the response itself; fit log(years) with Gaussian noise"),
        (["--y", "side", "--noise", "0.1"], "belongs to Gaussian noise"),
        (["--y", "side", "--likelihood", "bernouli"], "bernoulli"),
        (["--y", "x1,side"], "--y: 'side' is of classes, as text is, and they must be the only column"),
        (["--y", "side,x1"], "--y: 'side' is of classes, as text is, and they must be the only column"),
        (["--y", "side,part"], "--y: 'side' is of classes, as text is, and they must be the only column"),
        (["--y", "side,part", "--likelihood", "categorical"], "--y: must be one column for categorical, got side, part"),
        (["--y", "years,x2", "--likelihood", "student"], "--y: must be one column for student, got years, x2"),
        (["--y", "side", "--exposure", "years"], "is for counts; add --likelihood poisson or negative-binomial"),
        (["--y", "side", "--hidden", "sampled", "--sampler", "nuts"], "nuts is for Gaussian noise"),
        (["--y", "side", "--coordinates", "exact"], "must be auto, laplace or sampled, got 'exact'"),
        (["--y", "side", "--kernel", "best"], "best is for Gaussian noise"),
        (["--y", "x1", "--coordinates", "laplace"], "is for noise that is not Gaussian; name a --likelihood"),
        (["--y", "x1", "--function-draws", 30], "is for noise that is not Gaussian; name a --likelihood"),
        (["--y", "side", "--hidden", "sampled", "--coordinates", "sampled"], "does nothing with --hidden sampled"),
        (["--y", "side", "--hidden", "sampled", "--function-draws", 30], "does nothing with --hidden sampled"),
    ],
)
def test_what_cannot_be_is_one_clear_line(ridgelet, table, arguments, complaint):
    table("x1", "x2", "side", "part", "years")
    run = ridgelet("fit", "data.csv", *arguments, "--quiet", "--out", "none.nc")
    assert run.code == 2
    assert complaint in run.err
    assert len(run.err.strip().splitlines()) == 1
    assert not (run.directory / "none.nc").exists()


def compare_with_fixed(ridgelet, table, *how):
    """The largest difference of probabilities from those of one fixed hidden layer, and what the summary says."""
    table("x1", "x2", "side")
    both = []
    for more in ((), how):
        arguments = ["--kernel", "se(amplitude=2)", "--units", 60, *more, "--quiet"]
        assert ridgelet("fit", "data.csv", "--y", "side", *arguments).code == 0
        _, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
        both.append(np.array([line[3] for line in lines], float))
    return np.abs(both[0] - both[1]).max(), ridgelet("summary", "model.nc", "--json").json


def test_hidden_layers_can_be_sampled_and_say_nearly_the_same(ridgelet, table):
    chains = ("--hidden", "sampled", "--chains", 2, "--warmup", 20, "--draws", 40)
    difference, summary = compare_with_fixed(ridgelet, table, *chains)
    assert summary["hidden"] == "sampled"
    assert summary["function_draws"] == 80
    assert 0 < difference < 0.2


@pytest.mark.parametrize("directions", [0, 1])
def test_hidden_layers_of_the_closest_normal_distribution_say_nearly_the_same(ridgelet, table, directions):
    normal = ("--hidden", "variational", "--directions", directions, "--steps", 200, "--draws", 10)
    difference, summary = compare_with_fixed(ridgelet, table, *normal)
    assert summary["hidden"] == "variational"
    assert summary["networks"] == 10 and summary["steps"] == 200
    assert summary["elbo"] >= summary["elbo_of_prior"]
    assert 0 < difference < 0.1
    assert summary["from_chains"]["draws"] == 400 and 0 < summary["from_chains"]["mean"] < 0.4


def test_a_response_of_text_beside_another_is_refused_before_anything_is_learned(ridgelet, table):
    table("x1", "x2", "side", "part")
    for y in ("x1,side", "side,x1", "side,part"):
        for command in (("fit",), ("fit", "--holdout", 0.2), ("fit", "--hidden", "sampled"), ("learn",)):
            run = ridgelet(command[0], "data.csv", "--y", y, *command[1:])
            assert run.code == 2 and "is of classes" in run.err
            assert "learning" not in run.err + run.out


def test_a_noise_that_the_likelihood_does_not_have_is_refused_before_a_file_is_opened(ridgelet, table):
    for command in ("fit", "learn"):
        run = ridgelet(command, "none.csv", "--y", "y", "--likelihood", "poisson", "--noise", 0.1)
        assert (run.code, run.err) == (2, "ridgelet: --noise: belongs to Gaussian noise, not to --likelihood poisson; leave it out\n")
    table("x1", "x2", "side")
    run = ridgelet("fit", "data.csv", "--y", "side", "--noise", 0.1)
    assert (run.code, run.err) == (2, "ridgelet: --noise: belongs to Gaussian noise, not to --likelihood bernoulli; leave it out\n")


@pytest.mark.parametrize("years", [0, -1.5])
def test_an_exposure_that_is_not_positive_is_refused_as_an_exposure(ridgelet, table, rows, tmp_path, years):
    table("x1", "years", "claims")
    of_counts = ("--y", "claims", "--exposure", "years", "--likelihood", "poisson")
    assert ridgelet("fit", "data.csv", *of_counts, "--kernel", "se()", "--quiet").code == 0
    wrong = [list(row) for row in zip(rows["x1"], rows["years"], rows["claims"])]
    wrong[3][1] = years
    write_rows(tmp_path / "wrong.csv", "x1,years,claims", wrong)
    np.save(tmp_path / "wrong.npy", np.array([tuple(row) for row in wrong], dtype=[(name, float) for name in ("x1", "years", "claims")]))
    for file, place in (("wrong.csv", "line 5"), ("wrong.npy", "row 4")):
        for command in (("fit", file, *of_counts, "--out", "none.nc"), ("score", "model.nc", file)):
            run = ridgelet(*command)
            rule = f"column 'years': an exposure must be positive, got '{years}'; correct it, or leave the row out"
            assert (run.code, run.err) == (2, f"ridgelet: data: '{file}', {place}, {rule}\n")


def test_classes_that_are_numbers_are_the_same_however_they_are_written(ridgelet, rows, tmp_path):
    sides = (rows["side"] == "right").astype(int)
    fit = ("--y", "y", "--x", "x1,x2", "--likelihood", "bernoulli", "--kernel", "se()")
    scores = []
    for fitted, scored in (("{}", "{}"), ("{}", "{}.0"), ("{}.0", "{}"), ("{}", "+{}.00")):
        for name, form in (("fitted.csv", fitted), ("scored.csv", scored)):
            write_rows(tmp_path / name, "x1,x2,y", zip(rows["x1"], rows["x2"], map(form.format, sides)))
        assert ridgelet("fit", "fitted.csv", *fit, "--quiet").code == 0
        scores.append(ridgelet("score", "model.nc", "scored.csv", "--json").json)
    np.save(tmp_path / "scored.npy", np.array(list(zip(rows["x1"], rows["x2"], sides)), dtype=[(n, float) for n in ("x1", "x2", "y")]))
    scores.append(ridgelet("score", "model.nc", "scored.npy", "--json").json)
    assert all(score == scores[0] for score in scores)
    mixed = [f"{side}.0" if i % 3 else side for i, side in enumerate(sides)]
    write_rows(tmp_path / "mixed.csv", "x1,x2,y", zip(rows["x1"], rows["x2"], mixed))
    assert ridgelet("fit", "mixed.csv", *fit, "--json").json["classes"] == ["0", "1"]
    assert ridgelet("score", "model.nc", "scored.npy", "--json").json == scores[0]


def test_a_report_of_sampled_coordinates_says_why_and_what_the_evidence_is(ridgelet, table):
    table("x1", "x2", "side")
    for amplitude, how, good in ((5, "auto", False), (2, "sampled", True)):
        fit = ("fit", "data.csv", "--y", "side", "--kernel", f"se(amplitude={amplitude})", "--coordinates", how)
        report = ridgelet(*fit, "--json").json
        text = ridgelet("summary", "model.nc").out
        assert report["coordinates"] == "sampled" and (report["pareto_shape"] <= 0.7) == good
        assert f"about the mode have a Pareto shape of {report['pareto_shape']:.2f} (at most 0.7 is good)" in text
        evidence = "" if good else " (Laplace's approximation, not corrected)"
        assert f"  log evidence     {report['log_evidence']:.2f}{evidence}\n" in text
        assert (report["log_evidence"] == report["laplace_evidence"]) == (not good)


@pytest.mark.parametrize(
    ("how", "in_words", "in_picture"),
    [
        (("--x", "x1,x2", "--y", "side"), True, "ELBO, lower bound of Laplace's approximation of the log evidence<"),
        (("--x", "x2", "--y", "x1", "--noise", 1), False, "ELBO, lower bound of the log evidence<"),
    ],
)
def test_an_elbo_says_whether_it_is_a_bound_of_laplaces_approximation(ridgelet, table, tmp_path, how, in_words, in_picture):
    table("x1", "x2", "side")
    normal = ("--kernel", "se()", "--units", 40, "--hidden", "variational", "--steps", 60, "--draws", 10)
    run = ridgelet("fit", "data.csv", *how, *normal)
    assert ("for the prior; a bound of Laplace's approximation of the log evidence\n" in run.out) == in_words
    assert ridgelet("plot", "model.nc", "--show", "trace", "--out", "trace.svg", "--quiet").code == 0
    assert in_picture in (tmp_path / "trace.svg").read_text().replace("&#39;", "'")


def test_the_help_of_predict_says_what_the_draws_of_each_likelihood_are(ridgelet):
    help_of_draws = " ".join(ridgelet("predict", "--help").out.split("--draws")[1].split("--latent  ")[0].split())
    for words in ("functions of the posterior", "of counts and heavy tails new observations", "or with --latent functions",
                  "of two classes probabilities", "not for more classes"):  # fmt: skip
        assert words in help_of_draws


def test_a_single_class_is_refused_by_its_name(ridgelet, tmp_path):
    write_rows(tmp_path / "one.csv", "x1,side", [(0, "left"), (1, "left"), (2, "left")])
    run = ridgelet("fit", "one.csv", "--y", "side")
    assert run.code == 2
    assert "'one.csv', column 'side': is 'left' in every row; there is nothing to learn" in run.err


def test_an_unknown_class_is_refused_with_its_line(ridgelet, table, tmp_path):
    table("x1", "x2", "side")
    ridgelet("fit", "data.csv", "--y", "side", "--kernel", "se()", "--quiet")
    write_rows(tmp_path / "new.csv", "x1,x2,side", [(0, 0, "left"), (0, 0, "up")])
    run = ridgelet("score", "model.nc", "new.csv")
    assert run.code == 2
    assert "line 3, column 'side': 'up' is no class of the fit, which had left, right" in run.err


FORMATS = {"onnx": "onnx", "c": "c", "torch": "py", "json": "json"}
NETWORKS = {
    "one": ("--function-draws", 80),
    "two": ("--networks", 2, "--function-draws", 60),
    "deep": ("--layers", 2, "--units", 40, "--function-draws", 50),
    "sampled": ("--hidden", "sampled", "--units", 20, "--chains", 2, "--warmup", 3, "--draws", 12, "--force"),
}


@pytest.mark.parametrize("networks", NETWORKS)
@pytest.mark.parametrize("response", ["side", "part"])
def test_a_network_of_classes_leaves_with_the_probabilities_that_predict_has(ridgelet, table, rows, response, networks):
    table("x1", "x2", response)
    run = ridgelet("fit", "data.csv", "--y", response, "--kernel", "se(amplitude=2)", "--quiet", *NETWORKS[networks])
    assert run.code == 0, run.err
    header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
    classes = ["left", "right"] if response == "side" else ["core", "east", "west"]
    wanted = np.array([[float(line[header.index(name)]) for name in header if name.startswith("p")
                        and name != "part"] for line in lines])  # fmt: skip
    if response == "side":
        wanted = np.hstack([1 - wanted, wanted])
    x = np.column_stack([rows["x1"], rows["x2"]])
    for to, ending in FORMATS.items():
        report = ridgelet("export", "model.nc", "--to", to, "--out", f"m.{ending}", "--json", "--quiet").json
        path = run.directory / f"m.{ending}"
        np.testing.assert_allclose(exported.probabilities(path, to, x, len(classes)), wanted, rtol=0, atol=1e-12)
        assert report["bytes"] == path.stat().st_size
    facts = json.loads((run.directory / "m.json").read_text())["facts"]
    assert facts["outputs"] == [{"name": response, "fitted": "logistic" if response == "side" else "softmax", "classes": classes}]


def test_fewer_draws_of_classes_change_their_probabilities_by_what_is_stated(ridgelet, table, rows):
    table("x1", "x2", "part")
    ridgelet("fit", "data.csv", "--y", "part", "--kernel", "se(amplitude=2)", "--quiet")
    x = np.column_stack([rows["x1"], rows["x2"]])
    of = {}
    for name, cut in (("whole", ()), ("cut", ("--rank", 20))):
        run = ridgelet("export", "model.nc", "--to", "json", "--out", f"{name}.json", "--json", "--quiet", *cut)
        of[name] = exported.probabilities(run.directory / f"{name}.json", "json", x, 3)
    change = np.abs(of["cut"] - of["whole"])
    assert run.json["rank"] == 20
    assert run.json["probability_loss"]["largest"] == pytest.approx(change.max(), rel=1e-6)
    assert run.json["probability_loss"]["root_mean_square"] == pytest.approx(np.sqrt(np.mean(change**2)), rel=1e-6)
    assert 0 < change.max() < 0.3


def test_fewer_networks_of_classes_change_their_probabilities_by_what_is_stated(ridgelet, table, rows):
    table("x1", "x2", "side")
    chains = ("--hidden", "sampled", "--units", 20, "--chains", 2, "--warmup", 3, "--draws", 12, "--force")
    ridgelet("fit", "data.csv", "--y", "side", "--kernel", "se(amplitude=2)", "--quiet", *chains)
    x = np.column_stack([rows["x1"], rows["x2"]])
    of, reports = {}, {}
    for name, fewer in (("whole", ()), ("few", ("--draws", 6))):
        run = ridgelet("export", "model.nc", "--to", "json", "--out", f"{name}.json", "--json", "--quiet", *fewer)
        of[name], reports[name] = exported.probabilities(run.directory / f"{name}.json", "json", x, 2), run.json
    assert (reports["whole"]["networks"], reports["few"]["networks"]) == (24, 6)
    assert "probability_loss" not in reports["whole"]
    change = np.abs(of["few"] - of["whole"])
    assert reports["few"]["probability_loss"]["largest"] == pytest.approx(change.max(), rel=1e-6)
    assert change.max() > 1e-3


def test_single_precision_leaves_the_probabilities_of_classes_as_they_are(ridgelet, table, rows):
    table("x1", "x2", "part")
    ridgelet("fit", "data.csv", "--y", "part", "--kernel", "se(amplitude=2)", "--function-draws", 80, "--quiet")
    x = np.column_stack([rows["x1"], rows["x2"]])
    run = ridgelet("export", "model.nc", "--to", "json", "--out", "m.json", "--quiet")
    wanted = exported.probabilities(run.directory / "m.json", "json", x, 3)
    for to, ending in FORMATS.items():
        ridgelet("export", "model.nc", "--to", to, "--out", f"m.{ending}", "--float", "--quiet")
        np.testing.assert_allclose(exported.probabilities(run.directory / f"m.{ending}", to, x, 3), wanted, rtol=0, atol=1e-3)


@pytest.mark.parametrize(("likelihood", "latent"), [("poisson", ["--latent"]), ("student", [])])
def test_a_network_of_counts_or_heavy_tails_leaves_with_its_mean_and_sd(ridgelet, table, tmp_path, likelihood, latent):
    table("x1", "claims")
    ridgelet("fit", "data.csv", "--y", "claims", "--likelihood", likelihood, "--quiet")
    run = ridgelet("export", "model.nc", "--to", "c", "--out", "model.c", "--quiet")
    assert run.code == 0, run.err
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\nvoid ridgelet_predict(const double *x, double *mean, double *sd);\n'
        'int main(void) { double x, m, s; while (scanf("%lf", &x) == 1) {'
        ' ridgelet_predict(&x, &m, &s); printf("%.17g %.17g\\n", m, s); } return 0; }\n'
    )
    subprocess.run(["gcc", "-std=c99", "-O1", "model.c", "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    predicted = ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", *latent, "--quiet")
    _, lines = cells(predicted, "p.csv")
    x = "\n".join(line[0] for line in lines)
    out = subprocess.run([tmp_path / "main"], input=x, capture_output=True, text=True, check=True).stdout
    ours = np.array([line[2:4] for line in lines], float)
    theirs = np.array([line.split() for line in out.splitlines()], float)
    # One is a normal distribution, the other 500 draws.
    np.testing.assert_allclose(theirs, ours, rtol=0.1)


QUANTITIES = {
    "side": "the functions that tell classes apart",
    "claims": "the rate of counts for one unit of exposure, without the noise of new counts",
    "x2": "new observations, noise included",
}


def test_a_posterior_is_called_exact_if_its_chains_agree(ridgelet, table):
    table("x1", "x2", "side")
    fit = ("fit", "data.csv", "--y", "side", "--kernel", "se(amplitude=2)", "--coordinates", "sampled", "--function-draws")
    for draws in (200, 2000):
        report = ridgelet(*fit, draws, "--json").json
        agree = report["coordinates_rhat"] <= 1.05 and report["coordinates_bulk"] >= 100
        assert report["converged"] == agree == (not [text for text in report["warnings"] if "chains do not agree" in text])
        summary = ridgelet("summary", "model.nc").out
        assert ("the posterior is exact" in summary) == agree
        assert f"effective size {int(report['coordinates_bulk'])}, at least 100 is good" in summary
    assert agree and report["coordinates_bulk"] > 1000


@pytest.mark.parametrize(
    ("response", "how"),
    [("side", ()), ("claims", ("--likelihood", "poisson", "--exposure", "years")), ("x2", ("--likelihood", "student"))],
)
def test_an_exported_network_says_which_quantity_its_mean_and_sd_are_those_of(ridgelet, table, tmp_path, response, how):
    table("x1", "years", response)
    fitted = ridgelet("fit", "data.csv", "--x", "x1", "--y", response, "--kernel", "se()", "--json", *how).json
    for to, ending in FORMATS.items():
        assert ridgelet("export", "model.nc", "--to", to, "--out", f"m.{ending}", "--quiet").code == 0
    facts = json.loads((tmp_path / "m.json").read_text())["facts"]
    assert facts["quantity"] == QUANTITIES[response]
    assert facts["likelihood"] == fitted["likelihood"]
    assert facts.get("exposure") == ("years" if response == "claims" else None)
    props = {each.key: each.value for each in onnx.load(str(tmp_path / "m.onnx")).metadata_props}
    for key in ("quantity", "likelihood", "exposure"):
        assert props.get(key) == facts.get(key)
    of_c, of_torch = (" ".join((tmp_path / name).read_text().split()) for name in ("m.c", "m.py"))
    assert "standard deviation of " + QUANTITIES[response].replace("tell classes", "tell them") in of_c
    assert of_torch.startswith(f'"""A fitted network: RidgeletNetwork()(x) is (mean, sd) of {QUANTITIES[response]}.')
    assert ("new observations" in of_c) == (response == "x2")


def test_a_picture_refuses_counts_that_cannot_be(ridgelet, table, tmp_path):
    table("x1", "claims")
    assert ridgelet("fit", "data.csv", "--y", "claims", "--likelihood", "poisson", "--quiet").code == 0
    (tmp_path / "new.csv").write_text("x1,claims\n0.1,2\n0.2,-1\n")
    for command in (("plot", "model.nc", "--data", "new.csv", "--out", "checks.svg"), ("score", "model.nc", "new.csv")):
        run = ridgelet(*command)
        assert run.code == 2
        assert run.err.endswith("data: 'new.csv', line 3, column 'claims': must be a count 0, 1, 2, ..., got -1\n")
        assert run.err.count("\n") == 1
    assert not (tmp_path / "checks.svg").exists()


def test_learning_knows_the_exposure_of_counts_as_fitting_does(ridgelet, table):
    table("x1", "x2", "years", "claims")
    arguments = ("--y", "claims", "--exposure", "years", "--likelihood", "poisson", "--json")
    learned = ridgelet("learn", "data.csv", *arguments, "--out", "model.toml").json
    fitted = ridgelet("fit", "data.csv", *arguments, "--out", "model.nc").json
    assert learned["kernel"] == fitted["kernel"] and "years" not in learned["inputs"]
    for report in (learned, fitted):
        assert (report["outputs"], report["exposure"]) == (["claims"], "years")
    for command in (("summary", "model.nc"), ("learn", "data.csv", *arguments[:-1])):
        assert ridgelet(*command).out.startswith("claims given x1, x2")
    assert ridgelet("fit", "data.csv", "--y", "x1", "--x", "x2", "--kernel", "se()", "--json").json["exposure"] is None
    refused = ridgelet("learn", "data.csv", "--y", "claims", "--exposure", "years")
    assert refused.code == 2 and "--exposure: is for counts" in refused.err


@pytest.mark.parametrize("count", [0, 3])
def test_counts_that_are_the_same_in_every_row_tell_of_their_rate(ridgelet, rows, tmp_path, count):
    write_rows(tmp_path / "data.csv", "x1,years,n", [(x, t, count) for x, t in zip(rows["x1"], rows["years"])])
    for how in (("--exposure", "years"), ("--x", "x1", "--kernel", "se()", "--standardise"),
                ("--exposure", "years", "--holdout", 0.1), ("--x", "x1", "--kernel", "se()", "--holdout", 0.1)):  # fmt: skip
        fit = ("fit", "data.csv", "--y", "n", "--likelihood", "poisson", *how, "--quiet")
        assert ridgelet(*fit).code == 0
        header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--latent", "--quiet"), "p.csv")
        rate, upper = (np.array([line[header.index(name)] for line in lines], float) for name in ("mean", "upper"))
        total = count * 160 / (rows["years"].sum() if "--exposure" in how else 160)
        assert (upper < 0.5).all() if count == 0 else np.abs(np.log(rate / total)).mean() < 0.3
        assert ridgelet("score", "model.nc", "data.csv", "--json").code == 0
    run = ridgelet("fit", "data.csv", "--y", "n", "--x", "x1", "--likelihood", "poisson")
    assert run.code == 2 and f"column 'n': is {count} in every row; there is nothing to learn" in run.err


def test_counts_that_are_too_large_are_refused_with_a_word_on_their_likelihood(ridgelet, tmp_path):
    rows = "".join(f"{i / 10},{10**15 + 3 * 10**14 * (i % 7 - 3)}\n" for i in range(40))
    (tmp_path / "large.csv").write_text("x,y\n" + rows)
    fit = ("fit", "large.csv", "--y", "y", "--likelihood", "poisson", "--quiet")
    run = ridgelet(*fit, "--kernel", "linear()", "--learn")
    (line,) = run.err.splitlines()
    assert run.code == 2 and line.startswith("ridgelet: --likelihood: poisson has no evidence")
    assert line.endswith("the counts are too large; fit their logarithm with Gaussian noise")


def test_an_export_of_counts_states_how_far_its_rates_are_from_those_of_the_draws(ridgelet, table, tmp_path):
    table("x1", "x2", "years", "claims")
    ridgelet("fit", "data.csv", "--y", "claims", "--exposure", "years", "--likelihood", "poisson", "--out", "model.nc", "--quiet")
    stated = ridgelet("export", "model.nc", "--to", "json", "--out", "network.json", "--json").json["rate_differences"]
    assert 0 < stated["data"]["sd"] < 0.5 and stated["outside"]["sd"] > stated["data"]["sd"]
    assert json.loads((tmp_path / "network.json").read_text())["facts"]["rate_differences"] == stated
    words = ridgelet("export", "model.nc", "--to", "c", "--out", "network.c").out
    assert f"sds by {100 * stated['data']['sd']:.2g} %" in words


def test_a_count_that_cannot_be_is_named_by_its_place_in_the_file_though_rows_are_left_out(ridgelet, tmp_path):
    counts = np.random.default_rng(0).poisson(3, 60)
    rows = [[i / 10, count] for i, count in enumerate(counts)]
    rows[4][0] = ""
    write_rows(tmp_path / "good.csv", "x,c", rows)
    rows[9][1] = 2.5
    write_rows(tmp_path / "bad.csv", "x,c", rows)
    np.save(tmp_path / "bad.npy", np.array([(x or np.nan, c) for x, c in rows], dtype=[("x", float), ("c", float)]))
    of_counts = ("--y", "c", "--likelihood", "poisson", "--missing", "drop")
    assert ridgelet("fit", "good.csv", *of_counts, "--quiet").code == 0
    for place, table in (("line 11", "bad.csv"), ("row 10", "bad.npy")):
        for command in (
            ("fit", table, *of_counts, "--out", "m.nc"),
            ("fit", table, *of_counts, "--holdout", 0.5, "--out", "m.nc"),
            ("learn", table, *of_counts, "--out", "m.toml"),
            ("score", "model.nc", table, "--missing", "drop"),
            ("plot", "model.nc", "--data", table, "--missing", "drop", "--out", "m.svg"),
        ):
            run = ridgelet(*command)
            assert run.code == 2
            assert run.err.endswith(f"data: '{table}', {place}, column 'c': must be a count 0, 1, 2, ..., got 2.5\n")
            assert "learning" not in run.err
