"""benchmarks/regression: what it runs, keeps and prints. The models' numbers are scikit-learn's business, and ours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

SOURCE = Path(os.environ["RIDGELET_SOURCE"])
PROGRAM = SOURCE / "benchmarks" / "regression"
sys.path.insert(0, str(PROGRAM.parent))

from regression_study import data, means, measures, models, report  # noqa: E402
from regression_study.results import Results  # noqa: E402

FAST = ("--fast", "--sets", "diabetes", "--models", "nystroem,forest")
KEYS = {"set", "split", "model", "rows", "rmse", "wall_seconds", "processor_seconds"}


def regression(directory, *arguments, **environment):
    command = [PROGRAM, "--out", directory, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)


def kept(directory):
    return [json.loads(line) for line in (directory / "results.jsonl").read_text().splitlines()]


def keep(directory, lines):
    directory.mkdir(exist_ok=True)
    (directory / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture(scope="module")
def fast(tmp_path_factory):
    directory = tmp_path_factory.mktemp("fast")
    run = regression(directory, *FAST)
    assert (run.returncode, run.stderr) == (0, "")
    return directory, run.stdout


def test_a_fast_run_keeps_a_line_for_each_split_and_model(fast):
    directory, printed = fast
    lines = kept(directory)
    expected = [("diabetes", split, model) for split in (0, 1) for model in ("nystroem", "forest")]
    assert [(line["set"], line["split"], line["model"]) for line in lines] == expected
    assert len(printed.splitlines()) == 4
    for line in lines:
        assert KEYS <= line.keys()
        assert line["rows"] == 398
        assert 30 < line["rmse"] < 90  # the response has a standard deviation of 77
        assert line["processor_seconds"] > 0
        assert ("coverage" in line) == ("log_density" in line) == (line["model"] == "nystroem")


def test_a_run_goes_on_where_the_last_one_stopped(fast, tmp_path):
    first, second, *_ = kept(fast[0])
    keep(tmp_path, [first])
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write(json.dumps(second)[:40])  # stopped while it wrote
    assert len(regression(tmp_path, *FAST).stdout.splitlines()) == 3
    lines = [line for line in (tmp_path / "results.jsonl").read_text().splitlines() if line.endswith("}")]
    assert json.loads(lines[0]) == first
    assert json.loads(lines[1])["rmse"] == second["rmse"]
    assert regression(tmp_path, *FAST).stdout == ""


def test_tables_hold_means_over_splits_with_their_standard_errors(fast):
    directory, _ = fast
    rmse = [line["rmse"] for line in kept(directory) if line["model"] == "forest"]
    table = regression(directory, "--table").stdout
    assert str(means.mean(rmse)) in table
    assert "Fewer than 10 splits: nystroem on diabetes (2), nystroem on friedman1-500 (0), " in table


def test_a_standard_error_is_the_sample_s_over_the_root_of_the_count():
    assert str(means.mean([1, 2, 3])) == "2.00 ± 0.58"  # 1 / sqrt(3)
    assert str(means.mean([1234.5])) == "1230"
    assert str(means.mean([0.5, 0.5])) == "0.5 ± 0"


def test_the_page_takes_its_numbers_from_the_results_and_keeps_its_words(fast, tmp_path):
    page = tmp_path / "benchmarks.md"
    original = (SOURCE / "docs" / "benchmarks.md").read_text()
    page.write_text(original)
    assert regression(fast[0], "--markdown", page).returncode == 0
    renewed = page.read_text()
    assert "| diabetes |" in renewed
    titles = [line for line in original.splitlines() if line.startswith(("#", "<!--"))]
    assert [line for line in renewed.splitlines() if line.startswith(("#", "<!--"))] == titles
    assert regression(fast[0], "--markdown", page).returncode == 0
    assert page.read_text() == renewed


def line(name, split, model, **numbers):
    conditions = {"threads": 1, "cores": 2, "scikit_learn": "1", "numpy": "1", "scipy": "1", "rows": 450}
    usual = {"rmse": 2.0, "log_density": -1.0, "coverage": 0.95, "processor_seconds": 5.0, "wall_seconds": 3.0}
    return {"set": name, "split": split, "model": model, **conditions, **usual, **numbers}


@pytest.mark.parametrize(
    ("ours", "verdicts"),
    [
        ({}, ["1 ± 0, met", "0 ± 0, met", "20 ± 0, met", "0.00, met"]),
        ({"rmse": 2.04, "log_density": -1.02}, ["1.02 ± 0, met", "-0.02 ± 0, met", "20 ± 0, met", "0.00, met"]),
        ({"rmse": 2.08}, ["1.04 ± 0, **missed**", "0 ± 0, met", "20 ± 0, met", "0.00, met"]),
        ({"log_density": -1.05}, ["1 ± 0, met", "-0.05 ± 0, **missed**", "20 ± 0, met", "0.00, met"]),
        ({"processor_seconds": 20.0}, ["1 ± 0, met", "0 ± 0, met", "5 ± 0, **missed**", "0.00, met"]),
        ({"log_likelihood": -100.6}, ["1 ± 0, met", "0 ± 0, met", "20 ± 0, met", "-0.60, **missed**"]),
    ],
)
def test_each_target_is_met_or_missed_on_the_same_rows(tmp_path, ours, verdicts):
    lines = []
    for split in (0, 1):
        process = line("friedman1-5000", split, "process", processor_seconds=100.0, log_likelihood=-100.0)
        mine = line("friedman1-5000", split, "ridgelet", **{k: v for k, v in ours.items() if k != "log_likelihood"})
        learned = line("friedman1-5000", split, "ridgelet-learn", **{"log_likelihood": -100.0, **ours})
        lines += [process, mine, learned]
    keep(tmp_path, lines)
    table = report.text(Results(tmp_path))
    row = next(row for row in table.splitlines() if row.startswith("| friedman1-5000 "))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == verdicts
    assert "95.0 %, mean over 1 sets, met." in table


def test_a_rival_that_is_better_beyond_chance_is_named(tmp_path):
    scatter = [0.0, 0.1, 0.2]
    ours = [line("diabetes", split, "ridgelet", rmse=2 + scatter[split]) for split in range(3)]
    better = [line("diabetes", split, "mlp", rmse=1.8 + scatter[split]) for split in range(3)]
    alike = [line("diabetes", split, "forest", rmse=1.99 + scatter[2 - split]) for split in range(3)]
    keep(tmp_path, ours + better + alike)
    losses = report.losses(Results(tmp_path))
    assert "- diabetes, a smaller RMSE: mlp, 0.9" in losses
    assert "forest" not in losses


STAND_IN = '''
import numpy as np
class Fitted:
    learned = {"log_evidence": -7.0}
    def __init__(self, y): self.y = y
    def predict(self, X): return np.full(len(X), self.y.mean()), np.full(len(X), self.y.std())
def fit(X, y, *, seed, learn_rows=1000):
    print(len(y), learn_rows, abs(X).max() > 100)
    return Fitted(y)
'''


def test_ours_gets_the_table_as_it_is_on_the_process_s_rows_and_on_all(tmp_path):
    (tmp_path / "ridgelet.py").write_text(STAND_IN)
    chosen = ("--models", "ridgelet,ridgelet-all,ridgelet-learn", "--sets", "friedman2-500,friedman2-5000")
    run = regression(tmp_path, *chosen, "--splits", "1", PYTHONPATH=str(tmp_path))
    calls = [row for row in run.stdout.splitlines() if not row.startswith("friedman")]
    assert calls == ["450 1000 True", "2000 1000 True", "4500 1000 True", "2000 2000 True"]
    found = {(line["set"], line["model"]): line for line in kept(tmp_path)}
    assert ("friedman2-500", "ridgelet-all") not in found
    learned = {key for key, line in found.items() if line.get("log_likelihood") == -7}
    assert learned == {("friedman2-500", "ridgelet"), ("friedman2-5000", "ridgelet-learn")}


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["--sets", "iris"], 2, "has no 'iris': choose from diabetes,friedman1-500"),
        (["--models", "forest,tree"], 2, "has no 'tree': choose from ridgelet"),
        (["--splits", "11"], 2, "must be a whole number from 1 to 10: '11'"),
        (["--table"], 3, "results.jsonl: No such file or directory"),
    ],
)
def test_bad_input_is_refused_and_nothing_written(tmp_path, arguments, code, complaint):
    run = regression(tmp_path / "out", *arguments)
    assert run.returncode == code
    assert complaint in run.stderr.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_a_page_without_a_place_for_the_numbers_stays_as_it_is(fast, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- rmse -->\n<!-- /rmse -->\n")
    run = regression(fast[0], "--markdown", page)
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert "must have one place from <!-- conditions --> to <!-- /conditions -->" in run.stderr
    assert page.read_text() == "<!-- rmse -->\n<!-- /rmse -->\n"


def test_noise_of_friedman_s_functions_is_what_is_said():
    for name, make in (("friedman2-500", data.datasets.make_friedman2), ("friedman3-500", data.datasets.make_friedman3)):
        noisy = data.SETS[name]()
        X, clean = make(500, noise=0, random_state=data.SET_SEED)
        assert np.array_equal(X, noisy.X)
        assert np.std(noisy.y - clean) == pytest.approx(0.1 * clean.std(), rel=4 / np.sqrt(2 * 500))


def test_splits_hold_out_a_tenth_and_share_no_row():
    numbers = data.DataSet("numbers", np.arange(500.0)[:, None], np.arange(500.0))
    for number in (0, 1):
        split = data.split(numbers, number)
        assert len(split.y_test) == 50
        assert sorted([*split.y, *split.y_test]) == list(range(500))
        assert np.array_equal(split.first(20).y, split.y[:20])
    assert not np.array_equal(data.split(numbers, 0).y, data.split(numbers, 1).y)


def test_log_density_and_coverage_are_those_of_the_normal_distribution():
    random = np.random.default_rng(3)
    mean, sd = random.normal(size=400), random.uniform(0.5, 2, 400)
    y = mean + 1.3 * sd * random.normal(size=400)
    found = measures.accuracy(measures.Prediction(mean, sd), y)
    normal = stats.norm(mean, sd)
    low, high = normal.interval(0.95)
    assert found["log_density"] == pytest.approx(normal.logpdf(y).mean(), rel=1e-12)
    assert found["coverage"] == np.mean((low <= y) & (y <= high))


def test_likelihood_of_the_process_is_that_of_the_standardised_rows(monkeypatch):
    """So ours, which divides by the standard deviation with divisor n, has the same number for the same kernel."""
    seen = []
    regressor = models.GaussianProcessRegressor

    class Remembered(regressor):
        def fit(self, X, y):
            seen.append(self)
            return super().fit(X, y)

    monkeypatch.setattr(models, "GaussianProcessRegressor", Remembered)
    split = data.split(data.SETS["friedman2-500"](), 0).first(40)
    prediction = models.predict(models.MODELS["process"], split, seed=0)
    X = (split.X - split.X.mean(axis=0)) / split.X.std(axis=0)
    y = (split.y - split.y.mean()) / split.y.std()
    exact = stats.multivariate_normal(cov=seen[0].kernel_(X)).logpdf(y)
    assert prediction.log_likelihood == pytest.approx(exact, abs=1e-5)  # scikit-learn adds 1e-10 to the diagonal
