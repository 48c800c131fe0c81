"""Classes, counts and heavy tails: fit, predict, score, summary."""

import numpy as np
import pytest
from responses import cells, write_rows


def test_a_response_of_two_texts_is_predicted_by_the_probability_of_the_second(ridgelet, write_columns):
    write_columns("x1", "x2", "side")
    report = ridgelet("fit", "data.csv", "--y", "side", "--json").json
    assert report["likelihood"] == "bernoulli"
    assert report["classes"] == ["left", "right"]
    header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
    assert header == ["x1", "x2", "side", "probability", "lower", "upper", "error", "outside"]
    p, low, high = np.array([line[3:6] for line in lines], float).T
    assert ((0 <= low) & (low <= p) & (p <= high) & (high <= 1)).all()
    assert np.mean((p > 0.5) == np.array([line[2] == "right" for line in lines])) > 0.85


def test_a_response_of_several_texts_has_a_probability_for_each_and_a_class(ridgelet, write_columns):
    write_columns("x1", "x2", "part")
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


def test_probabilities_of_several_classes_have_intervals_of_every_level(ridgelet, write_columns):
    write_columns("x1", "x2", "part")
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


def test_classes_may_be_numbers_where_the_likelihood_says_so(ridgelet, responses, tmp_path):
    write_rows(tmp_path / "n.csv", "x1,y", [(x, 10 if x > 1 else 2 if x > 0 else 1) for x in responses["x1"]])
    report = ridgelet("fit", "n.csv", "--y", "y", "--likelihood", "categorical", "--json").json
    assert report["classes"] == ["1", "2", "10"]


def test_counts_are_predicted_for_one_unit_of_exposure_with_intervals_that_hold(ridgelet, write_columns):
    write_columns("x1", "years", "claims")
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
def test_rates_far_beyond_what_doubles_count_have_intervals_about_them(ridgelet, responses, tmp_path, likelihood):
    write_rows(tmp_path / "c.csv", "x1,claims", zip(responses["x1"], responses["claims"]))
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


def test_drawn_counts_of_different_rows_are_independent(ridgelet, responses, tmp_path):
    write_rows(tmp_path / "c.csv", "x1,claims", zip(responses["x1"], responses["claims"]))
    block = 8192  # rows that are predicted at once
    write_rows(tmp_path / "same.csv", "x1", [(1.5,)] * (2 * block))
    model = ["--likelihood", "poisson", "--kernel", "se()", "--function-draws", 20]
    assert ridgelet("fit", "c.csv", "--y", "claims", *model, "--quiet").code == 0
    header, lines = cells(ridgelet("predict", "model.nc", "same.csv", "--draws", 1, "--out", "p.csv", "--quiet"), "p.csv")
    drawn = np.array([line[header.index("draw_1")] for line in lines], float)
    assert np.abs(np.corrcoef(drawn[:block], drawn[block:])[0, 1]) < 0.05


def test_an_exposure_that_is_the_same_in_every_row_is_one(ridgelet, responses, tmp_path):
    write_rows(tmp_path / "c.csv", "x1,years,claims", [(x, 2, c) for x, c in zip(responses["x1"], responses["claims"])])
    write_rows(tmp_path / "d.csv", "x1,claims", zip(responses["x1"], responses["claims"]))
    means = []
    for table, more in (("c.csv", ["--exposure", "years"]), ("d.csv", [])):
        arguments = ["--y", "claims", "--likelihood", "poisson", "--kernel", "se()", "--standardise", *more, "--quiet"]
        assert ridgelet("fit", table, *arguments).code == 0
        header, lines = cells(ridgelet("predict", "model.nc", "d.csv", "--out", "p.csv", "--latent", "--quiet"), "p.csv")
        means.append(np.array([line[2] for line in lines], float))
    np.testing.assert_allclose(2 * means[0], means[1], rtol=1e-6)


@pytest.mark.parametrize("likelihood", ["negative-binomial", "student"])
def test_numbers_of_a_likelihood_are_learned_and_kept(ridgelet, write_columns, likelihood):
    write_columns("x1", "claims")
    fitted = ridgelet("fit", "data.csv", "--y", "claims", "--likelihood", likelihood, "--json").json
    again = ridgelet("summary", "model.nc", "--json").json
    assert fitted["likelihood"].startswith(likelihood + "(")
    assert again["likelihood"] == fitted["likelihood"]
    assert ridgelet("score", "model.nc", "data.csv", "--json").json["coverage"]["95"] > 0.85


@pytest.mark.parametrize("likelihood", ["poisson", "negative-binomial", "student"])
def test_scores_of_numbers_are_the_same_in_words_and_in_json(ridgelet, write_columns, likelihood):
    write_columns("x1", "claims")
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


def test_degrees_at_their_lower_bound_are_a_warning_of_what_the_sd_is_worth(ridgelet, responses, tmp_path):
    noise = np.random.default_rng(1).standard_cauchy(160)
    bound = "the degrees of freedom ended at their lower bound, 2.1"
    for heavy in (True, False):
        y = responses["x1"] + (noise if heavy else np.clip(noise, -1, 1))
        write_rows(tmp_path / "data.csv", "x1,y", zip(responses["x1"], y))
        report = ridgelet("fit", "data.csv", "--y", "y", "--likelihood", "student", "--json").json
        assert bool([text for text in report["warnings"] if text.startswith(bound)]) == heavy


def test_classes_with_commas_in_their_names_are_quoted(ridgelet, responses, tmp_path):
    write_rows(tmp_path / "data.csv", "x1,kind", [(x, '"blue, dark"' if x > 0 else "low") for x in responses["x1"]])
    assert ridgelet("fit", "data.csv", "--y", "kind", "--kernel", "se()", "--quiet").code == 0
    assert "classes 'blue, dark', low (probabilities are of low)" in ridgelet("summary", "model.nc").out
    assert "classes  'blue, dark', low\n" in ridgelet("export", "model.nc", "--to", "json", "--out", "m.json").out


def test_held_out_rows_are_scored_as_what_they_are(ridgelet, write_columns):
    write_columns("x1", "x2", "side")
    report = ridgelet("fit", "data.csv", "--y", "side", "--holdout", 0.25, "--json").json
    assert report["holdout"]["rows"] == 40
    assert report["holdout"]["accuracy"] > 0.75


def test_sampled_coordinates_say_nearly_what_corrected_ones_say(ridgelet, write_columns):
    write_columns("x1", "x2", "side")
    both = []
    for how in ("laplace", "sampled"):
        arguments = ["--kernel", "se(amplitude=2)", "--coordinates", how, "--function-draws", 2000, "--quiet"]
        assert ridgelet("fit", "data.csv", "--y", "side", *arguments).code == 0
        _, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
        both.append(np.array([line[3] for line in lines], float))
    assert 0 < np.abs(both[0] - both[1]).max() < 0.05


def compare_with_fixed(ridgelet, write_columns, *how):
    """The largest difference of probabilities from those of one fixed hidden layer, and what the summary says."""
    write_columns("x1", "x2", "side")
    both = []
    for more in ((), how):
        arguments = ["--kernel", "se(amplitude=2)", "--units", 60, *more, "--quiet"]
        assert ridgelet("fit", "data.csv", "--y", "side", *arguments).code == 0
        _, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
        both.append(np.array([line[3] for line in lines], float))
    return np.abs(both[0] - both[1]).max(), ridgelet("summary", "model.nc", "--json").json


def test_hidden_layers_can_be_sampled_and_say_nearly_the_same(ridgelet, write_columns):
    chains = ("--hidden", "sampled", "--chains", 2, "--warmup", 20, "--draws", 40)
    difference, summary = compare_with_fixed(ridgelet, write_columns, *chains)
    assert summary["hidden"] == "sampled"
    assert summary["function_draws"] == 80
    assert 0 < difference < 0.2


@pytest.mark.parametrize("directions", [0, 1])
def test_hidden_layers_of_the_closest_normal_distribution_say_nearly_the_same(ridgelet, write_columns, directions):
    normal = ("--hidden", "variational", "--directions", directions, "--steps", 200, "--draws", 10)
    difference, summary = compare_with_fixed(ridgelet, write_columns, *normal)
    assert summary["hidden"] == "variational"
    assert summary["networks"] == 10 and summary["steps"] == 200
    assert summary["elbo"] >= summary["elbo_of_prior"]
    assert 0 < difference < 0.1
    assert summary["from_chains"]["draws"] == 400 and 0 < summary["from_chains"]["mean"] < 0.4


def test_classes_that_are_numbers_are_the_same_however_they_are_written(ridgelet, responses, tmp_path):
    sides = (responses["side"] == "right").astype(int)
    fit = ("--y", "y", "--x", "x1,x2", "--likelihood", "bernoulli", "--kernel", "se()")
    scores = []
    for fitted, scored in (("{}", "{}"), ("{}", "{}.0"), ("{}.0", "{}"), ("{}", "+{}.00")):
        for name, form in (("fitted.csv", fitted), ("scored.csv", scored)):
            write_rows(tmp_path / name, "x1,x2,y", zip(responses["x1"], responses["x2"], map(form.format, sides)))
        assert ridgelet("fit", "fitted.csv", *fit, "--quiet").code == 0
        scores.append(ridgelet("score", "model.nc", "scored.csv", "--json").json)
    np.save(tmp_path / "scored.npy", np.array(list(zip(responses["x1"], responses["x2"], sides)), dtype=[(n, float) for n in ("x1", "x2", "y")]))
    scores.append(ridgelet("score", "model.nc", "scored.npy", "--json").json)
    assert all(score == scores[0] for score in scores)
    mixed = [f"{side}.0" if i % 3 else side for i, side in enumerate(sides)]
    write_rows(tmp_path / "mixed.csv", "x1,x2,y", zip(responses["x1"], responses["x2"], mixed))
    assert ridgelet("fit", "mixed.csv", *fit, "--json").json["classes"] == ["0", "1"]
    assert ridgelet("score", "model.nc", "scored.npy", "--json").json == scores[0]


def test_a_report_of_sampled_coordinates_says_why_and_what_the_evidence_is(ridgelet, write_columns):
    write_columns("x1", "x2", "side")
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
        (("--x", "x1,x2", "--y", "side"), True, "ELBO, with Laplace's approximation<"),
        (("--x", "x2", "--y", "x1", "--noise", 1), False, "ELBO, lower bound of the log evidence<"),
    ],
)
def test_an_elbo_says_whether_it_is_a_bound_of_laplaces_approximation(ridgelet, write_columns, tmp_path, how, in_words, in_picture):
    write_columns("x1", "x2", "side")
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


def test_a_posterior_is_called_exact_if_its_chains_agree(ridgelet, write_columns):
    write_columns("x1", "x2", "side")
    fit = ("fit", "data.csv", "--y", "side", "--kernel", "se(amplitude=2)", "--coordinates", "sampled", "--function-draws")
    for draws in (200, 2000):
        report = ridgelet(*fit, draws, "--json").json
        agree = report["coordinates_rhat"] <= 1.05 and report["coordinates_bulk"] >= 100
        assert report["converged"] == agree == (not [text for text in report["warnings"] if "chains do not agree" in text])
        summary = ridgelet("summary", "model.nc").out
        assert ("the posterior is exact" in summary) == agree
        assert f"effective size {int(report['coordinates_bulk'])}, at least 100 is good" in summary
    assert agree and report["coordinates_bulk"] > 1000


def test_learning_knows_the_exposure_of_counts_as_fitting_does(ridgelet, write_columns):
    write_columns("x1", "x2", "years", "claims")
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
def test_counts_that_are_the_same_in_every_row_tell_of_their_rate(ridgelet, responses, tmp_path, count):
    write_rows(tmp_path / "data.csv", "x1,years,n", [(x, t, count) for x, t in zip(responses["x1"], responses["years"])])
    for how in (("--exposure", "years"), ("--x", "x1", "--kernel", "se()", "--standardise"),
                ("--exposure", "years", "--holdout", 0.1), ("--x", "x1", "--kernel", "se()", "--holdout", 0.1)):  # fmt: skip
        fit = ("fit", "data.csv", "--y", "n", "--likelihood", "poisson", *how, "--quiet")
        assert ridgelet(*fit).code == 0
        header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--latent", "--quiet"), "p.csv")
        rate, upper = (np.array([line[header.index(name)] for line in lines], float) for name in ("mean", "upper"))
        total = count * 160 / (responses["years"].sum() if "--exposure" in how else 160)
        assert (upper < 0.5).all() if count == 0 else np.abs(np.log(rate / total)).mean() < 0.3
        assert ridgelet("score", "model.nc", "data.csv", "--json").code == 0
    run = ridgelet("fit", "data.csv", "--y", "n", "--x", "x1", "--likelihood", "poisson")
    assert run.code == 2 and f"column 'n': is {count} in every row; there is nothing to learn" in run.err


@pytest.mark.parametrize(("response", "how", "said"), [
    ("side", (), "log-odds, from those of the classes' shares of its rows"),
    ("claims", ("--likelihood", "poisson"), "logarithms of rates, from that of its mean count"),
    ("x2", ("--likelihood", "student"), "standard deviations of its response, from its mean"),
])  # fmt: skip
def test_paths_of_a_model_that_was_learned_say_what_they_are(ridgelet, write_columns, response, how, said):
    write_columns("x1", response)
    ridgelet("learn", "data.csv", "--y", response, "--out", "m.toml", "--quiet", *how)
    run = ridgelet("sample", "--model", "m.toml", "--draws", 2, "--out", "paths.csv")
    assert run.code == 0 and run.out.count(f"model was learned from, paths in {said}\n") == 1


def test_rows_that_cannot_be_held_out_are_refused_with_a_way_out_that_there_is(ridgelet, tmp_path):
    write_rows(tmp_path / "rare.csv", "x,label", [(i, "rare" if i == 7 else "usual") for i in range(40)])
    runs = [ridgelet("fit", "rare.csv", "--y", "label", "--holdout", 0.6, "--seed", seed, "--quiet") for seed in range(4)]
    refusals = [run.err for run in runs if run.code != 0]
    assert refusals
    for refusal in refusals:
        assert refusal.endswith("leaves the column 'label' the same in every row that is fitted; hold fewer rows out, or use "
                                "another --seed\n")  # fmt: skip


def test_a_response_called_class_leaves_the_other_predictions_their_names(ridgelet, responses, tmp_path):
    write_rows(tmp_path / "data.csv", "x1,class", zip(responses["x1"], responses["part"]))
    ridgelet("fit", "data.csv", "--y", "class", "--kernel", "se()", "--quiet")
    run = ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv")
    header, _ = cells(run, "p.csv")
    assert header[:5] == ["x1", "class", "p_core", "p_east", "p_west"]
    assert header[-3:] == ["predicted_class", "error", "outside"]
    assert "note: a column has the name of a prediction, so the predictions are called p_core, p_east, p_west, " in run.out + run.err
