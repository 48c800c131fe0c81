"""`ridgelet compare` and `fit --holdout`: models judged by rows that they have not seen."""

import numpy as np
import pytest

OF_THE_MODEL = ["model", "seconds", "fitted_rows", "units"]
KEYS = [*OF_THE_MODEL, "response", "rows", "rmse", "mae", "r2", "log_density", "crps", "coverage", "width"]
MODEL = ("--kernel", "se(lengthscale=1.5)", "--noise", 0.1)


@pytest.fixture
def many(write_table, tmp_path):
    """A hundred noisy rows of a curve."""
    random = np.random.default_rng(3)
    x = random.uniform(-3, 3, 100)
    write_table(tmp_path / "data.csv", {"x": x, "y": np.sin(2 * x) + 0.1 * random.standard_normal(100)})


def test_three_models_are_scored_at_the_same_rows(many, ridgelet):
    scores = ridgelet("compare", "data.csv", "--y", "y", "--json").json
    assert [list(score) for score in scores] == [KEYS] * 3
    assert [score["model"] for score in scores] == ["gp", "iid", "ridgelet"]
    assert {score["rows"] for score in scores} == {10}
    gp, _, ridgelet_network = scores
    assert ridgelet_network["rmse"] == pytest.approx(gp["rmse"], rel=0.03)
    assert ridgelet_network["log_density"] == pytest.approx(gp["log_density"], abs=0.03)


def test_fit_holds_the_same_rows_out_and_scores_them_alike(many, ridgelet):
    flags = ("data.csv", "--y", "y", *MODEL, "--holdout", 0.2, "--seed", 5, "--json")
    report = ridgelet("fit", *flags).json
    compared = ridgelet("compare", *flags).json[-1]
    assert report["rows"] == 80 and report["holdout"]["rows"] == 20
    assert report["holdout"] == {key: compared[key] for key in KEYS[len(OF_THE_MODEL) :]}


def test_the_rows_held_out_are_scored_as_score_does(many, ridgelet, tmp_path):
    report = ridgelet("fit", "data.csv", "--y", "y", *MODEL, "--holdout", 0.2, "--json").json
    import xarray

    fitted = set(xarray.load_dataset(tmp_path / "model.nc", group="constant_data").x.values[:, 0])
    header, *rows = (tmp_path / "data.csv").read_text().splitlines()
    held_out = [row for row in rows if float(row.split(",")[0]) not in fitted]
    assert len(held_out) == 20
    (tmp_path / "held-out.csv").write_text("\n".join([header, *held_out]) + "\n")
    scored = ridgelet("score", "model.nc", "held-out.csv", "--json").json
    for key in ("rmse", "mae", "log_density", "crps"):
        assert report["holdout"][key] == pytest.approx(scored[key], rel=1e-9)


def test_the_report_for_people_has_a_line_for_each_model(many, ridgelet):
    run = ridgelet("compare", "data.csv", "--y", "y", *MODEL)
    assert run.code == 0
    first, header, *lines = run.out.splitlines()
    assert first.startswith("90 rows fitted, 10 held out; both networks have ")
    assert header.split()[:2] == ["y", "RMSE"]
    assert [line[2:18].strip() for line in lines] == ["exact process", "i.i.d. network", "ridgelet network"]
    held_out = ridgelet("fit", "data.csv", "--y", "y", *MODEL, "--holdout", 0.1)
    assert "10 of 100 rows are held out" in held_out.err
    assert "held out: y at 10 rows\n  RMSE " in held_out.out


def test_the_warnings_of_the_fit_are_told(many, ridgelet):
    rough = ("compare", "data.csv", "--y", "y", "--kernel", "se(lengthscale=0.3)", "--noise", 0.1, "--units", 25)
    run = ridgelet(*rough, "--quiet")
    assert run.code == 0
    assert "warning: the ridgelet network: the network follows its process to" in run.err
    assert "warning" not in ridgelet("compare", "data.csv", "--y", "y", *MODEL, "--quiet").err


def test_several_responses_are_compared_one_by_one(ridgelet, wave, write_table, tmp_path):
    write_table(tmp_path / "data.csv", {**wave, "z": 10 * wave["y"]})
    scores = ridgelet("compare", "data.csv", "--x", "x", "--y", "y,z", *MODEL[:2], "--noise", "0.1,1", "--json").json
    assert [(score["model"], score["response"]) for score in scores] == [
        (model, response) for model in ("gp", "iid", "ridgelet") for response in ("y", "z")
    ]


def test_the_exact_process_is_left_out_of_many_rows_and_that_is_said(ridgelet, write_table, tmp_path):
    x = np.linspace(-3, 3, 5600)
    write_table(tmp_path / "data.csv", {"x": x, "y": np.sin(2 * x) + 0.1 * np.cos(1e4 * x)})
    run = ridgelet("compare", "data.csv", "--y", "y", *MODEL, "--json")
    assert [score["model"] for score in run.json] == ["iid", "ridgelet"]
    assert run.err == "warning: the exact process is left out: it takes at most 5000 rows, and 5040 are fitted\n"


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (("--holdout", "0"), "--holdout: must be a part of the rows between 0 and 1, e.g. 0.1, got '0'"),
        (("--holdout", "1"), "--holdout: must be a part of the rows between 0 and 1, e.g. 0.1, got '1'"),
        (("--holdout", "some"), "--holdout: must be a number, got 'some'"),
        (("--holdout", "0.999"), "--holdout: keeps 100 of 100 rows back, and a fit needs at least two"),
    ],
)
@pytest.mark.parametrize("command", ["fit", "compare"])
def test_a_part_that_cannot_be_held_out_is_refused(many, ridgelet, tmp_path, command, flags, complaint):
    run = ridgelet(command, "data.csv", "--y", "y", *flags)
    assert (run.code, run.out, run.err) == (2, "", f"ridgelet: {complaint}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize(("response", "likelihood", "named"), [
    ("y", "student", ("--likelihood", "student")),
    ("count", "poisson", ("--likelihood", "poisson")),
    ("side", "bernoulli", ()),
])  # fmt: skip
def test_other_noise_than_gaussian_is_refused_before_anything_is_fitted(ridgelet, tmp_path, response, likelihood, named):
    lines = [f"{x},{np.sin(x)},{x % 4},{'left' if x < 20 else 'right'}" for x in range(40)]
    (tmp_path / "data.csv").write_text("\n".join(["x,y,count,side", *lines]) + "\n")
    run = ridgelet("compare", "data.csv", "--x", "x", "--y", response, *named)
    assert run.code == 2
    assert f"--likelihood: must be gaussian in a comparison, got '{likelihood}'; fit with --holdout 0.1 instead" in run.err
    assert "learning" not in run.err
