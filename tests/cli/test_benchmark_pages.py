"""The pages with benchmarks, and the results that are kept for them in the repository."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SOURCE = Path(os.environ["RIDGELET_SOURCE"])
BENCHMARKS = SOURCE / "benchmarks"
PAGES = {"regression": "benchmarks.md", "classification": "classification.md"}
IRIS = ("--sets", "iris", "--models", "logistic", "--only-classes")


def benchmark(name, directory, *arguments):
    command = [BENCHMARKS / name, "--out", directory, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def kept(directory):
    return [json.loads(line) for line in (directory / "results.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", PAGES)
def test_every_number_in_the_tables_of_a_page_is_of_the_results_that_are_kept(name, tmp_path):
    page = shutil.copy(SOURCE / "docs" / PAGES[name], tmp_path)
    renewed = benchmark(name, BENCHMARKS / "results" / name, "--markdown", page)
    assert (renewed.returncode, renewed.stderr) == (0, "")
    assert Path(page).read_text() == (SOURCE / "docs" / PAGES[name]).read_text()


@pytest.mark.parametrize("name", PAGES)
def test_what_is_ours_among_the_kept_results_says_of_which_code_it_is(name):
    ours = [line for line in kept(BENCHMARKS / "results" / name) if line["model"].startswith("ridgelet")]
    assert ours
    assert all(len(line["code"]) >= 7 and "dirty" not in line["code"] for line in ours)


def test_classes_are_judged_by_the_rows_held_out_of_a_stratified_split(tmp_path):
    assert benchmark("classification", tmp_path, *IRIS, "--splits", "1").returncode == 0
    (line,) = kept(tmp_path)
    X, y = datasets.load_iris(return_X_y=True)
    train, test = next(StratifiedShuffleSplit(10, test_size=0.1, random_state=0).split(X, y))
    model = LogisticRegressionCV(Cs=10, cv=5, scoring="neg_log_loss", max_iter=5000)
    P = make_pipeline(StandardScaler(), model).fit(X[train], y[train]).predict_proba(X[test])
    assert line["log_loss"] == pytest.approx(log_loss(y[test], P), rel=1e-9)
    assert line["accuracy"] == accuracy_score(y[test], P.argmax(axis=1))
    rows, right, confidence = np.array(line["calibration_bins"])
    assert (rows.sum(), right.sum()) == (len(test), np.sum(P.argmax(axis=1) == y[test]))
    assert confidence.sum() == pytest.approx(P.max(axis=1).sum(), rel=1e-9)


def test_classification_goes_on_where_it_stopped(tmp_path):
    first = benchmark("classification", tmp_path, *IRIS, "--splits", "1")
    second = benchmark("classification", tmp_path, *IRIS, "--splits", "2")
    assert first.stdout.startswith("iris 0 logistic log_loss ")
    assert second.stdout.startswith("iris 1 logistic log_loss ")
    assert [line["split"] for line in kept(tmp_path)] == [0, 1]


def test_a_page_cannot_be_renewed_from_results_that_are_not_there(tmp_path):
    page = shutil.copy(SOURCE / "docs" / PAGES["classification"], tmp_path)
    refused = benchmark("classification", tmp_path / "nowhere", "--markdown", page)
    assert refused.returncode == 3
    assert refused.stderr == f"classification: {tmp_path}/nowhere/results.jsonl: No such file or directory\n"
    assert Path(page).read_text() == (SOURCE / "docs" / PAGES["classification"]).read_text()
