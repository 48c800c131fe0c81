"""`ridgelet reproduce inpainting`: the missing middle of a picture, with the exact process by a second route."""

import csv
import json
import xml.etree.ElementTree as xml

import numpy as np
import pytest

MODELS = ["ridgelet", "least-squares", "iid", "gp"]
EDGE, MISSING, NOISE = 20, 100, 0.1


@pytest.fixture(scope="module")
def result(run_in, tmp_path_factory):
    """The small version, run once: its directory and its JSON."""
    directory = tmp_path_factory.mktemp("inpainting")
    call = run_in(directory, "reproduce", "inpainting", "--out", "out", "--fast", "--json", "--threads", 2, "--seed", 1)
    return directory / "out", call.json


@pytest.fixture(scope="module")
def columns(result):
    """Columns of the table for one model and part."""
    with open(result[0] / "inpainting.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))

    def select(model, part):
        chosen = [row for row in rows if (row["model"], row["part"]) == (model, part)]
        return {
            name: np.array([float(row[name]) for row in chosen])
            for name in chosen[0]
            if name not in ("model", "part") and all(row[name] for row in chosen)
        }

    return select


def picture(x1, x2):
    return (np.cos(np.pi * x1 / 2) + 1) * (np.cos(np.pi * x2 / 2) + 1)


def kernel(a, b):
    square = np.subtract.outer(a["x1"], b["x1"]) ** 2 + np.subtract.outer(a["x2"], b["x2"]) ** 2
    return 0.01 * np.exp(-square / (2 * 0.01)) + np.outer(picture(a["x1"], a["x2"]), picture(b["x1"], b["x2"]))


def test_the_four_files_are_whole(result):
    directory, report = result
    assert {path.name for path in directory.iterdir()} == {f"inpainting.{end}" for end in ("csv", "json", "svg", "png")}
    assert json.loads((directory / "inpainting.json").read_text()) == report
    assert xml.parse(directory / "inpainting.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    svg = (directory / "inpainting.svg").read_text()
    for words in ("the picture", "what is seen", "exact process", "ridgelet", "least-squares", "iid", "brightness"):
        assert words in svg


def test_the_middle_of_the_picture_is_missing_and_the_rest_is_seen_with_noise(columns):
    known, missing = columns("gp", "known"), columns("gp", "missing")
    assert (len(known["x1"]), len(missing["x1"])) == (EDGE**2 - MISSING, MISSING)
    assert np.all(np.maximum(np.abs(missing["x1"]), np.abs(missing["x2"])) <= 2.5)
    assert np.all(np.maximum(np.abs(known["x1"]), np.abs(known["x2"])) > 2.5)
    assert "observed" not in missing
    np.testing.assert_allclose(known["picture"], picture(known["x1"], known["x2"]), atol=1e-12)
    errors = known["observed"] - known["picture"]
    assert np.std(errors) == pytest.approx(NOISE, rel=4 / np.sqrt(2 * len(errors)))


def test_the_exact_process_agrees_with_numpy(result, columns):
    known, missing = columns("gp", "known"), columns("gp", "missing")
    C = kernel(known, known) + NOISE**2 * np.eye(len(known["x1"]))
    across = kernel(missing, known)
    mean = across @ np.linalg.solve(C, known["observed"])
    variance = np.diag(kernel(missing, missing)) - np.sum(across * np.linalg.solve(C, across.T).T, axis=1)
    np.testing.assert_allclose(missing["mean"], mean, atol=1e-9)
    np.testing.assert_allclose(missing["sd"], np.sqrt(variance + NOISE**2), atol=1e-9)
    assert result[1]["gp"]["rmse"] < 0.01


@pytest.mark.parametrize("model", MODELS)
def test_scores_are_those_of_the_missing_pixels_of_the_table(result, columns, model):
    missing, process = columns(model, "missing"), columns("gp", "missing")
    scores = result[1][model]
    assert scores["rmse"] == pytest.approx(np.sqrt(np.mean((missing["mean"] - missing["picture"]) ** 2)))
    assert scores["width"] == pytest.approx(np.mean(missing["upper"] - missing["lower"]))
    inside = (missing["lower"] <= missing["picture"]) & (missing["picture"] <= missing["upper"])
    assert scores["coverage"] == pytest.approx(np.mean(inside))
    differences = np.concatenate([missing["mean"] - process["mean"], missing["sd"] - process["sd"]])
    assert scores["gp_distance"] == pytest.approx(np.sqrt(np.mean(differences**2)), abs=1e-12)


def test_least_squares_knows_the_picture_and_independent_weights_do_not(result):
    report = result[1]
    assert report["least-squares"]["rmse"] < 0.4
    for other in ("ridgelet", "iid"):
        assert report[other]["rmse"] > 2 * report["least-squares"]["rmse"]


def test_chains_that_have_not_mixed_are_reported(result):
    report = result[1]
    for model in ("ridgelet", "iid"):
        assert report[model]["rhat_max"] > 1.01
        assert any("the chains have not mixed" in warning for warning in report[model]["warnings"])
    assert report["gp"]["warnings"] == []
