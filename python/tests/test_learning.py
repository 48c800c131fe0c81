"""rl.learn finds what `ridgelet learn` finds, whatever the response and its columns are."""

import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import ridgelet as rl


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(8)
    table = pd.DataFrame(random.uniform(-2, 2, (60, 2)), columns=["width", "height"])
    rate = np.exp(1 + np.sin(2 * table["width"]))
    years = random.uniform(1, 3, 60)
    noise = np.where(np.arange(60) % 20 == 0, 5, 0.1) * random.standard_normal(60)
    return table.assign(
        side=np.where(rate > np.e, "right", "left"),
        third=np.array(["a", "b", "c"])[np.digitize(rate, [2, 4])],
        level=np.array([10, 9, 2])[np.digitize(rate, [2, 4])],
        years=years,
        number=random.poisson(years * rate),
        size=rate + noise,
    )


def learned_by_program(folder, frame, *arguments):
    frame.to_csv(folder / "data.csv", index=False, float_format="%.17g")
    command = [os.environ["RIDGELET_PROGRAM"], "learn", "data.csv", *arguments, "--seed=3", "--json"]
    return json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout)


def codes(column):
    return {"y": np.unique(column, return_inverse=True)[1], "classes": sorted(set(column))}


RESPONSES = {
    "classes-2": ("side", lambda frame: codes(frame["side"]), []),
    "classes-3": ("third", lambda frame: codes(frame["third"]), []),
    "texts-named-by-y": (
        "side",
        lambda frame: {"y": frame["side"], "likelihood": "bernoulli"},
        ["--likelihood=bernoulli"],
    ),
    "numbers-named-by-y": (
        "level",
        lambda frame: {"y": frame["level"], "likelihood": "categorical"},
        ["--likelihood=categorical"],
    ),
    "counts": (
        "number",
        lambda frame: {"y": frame["number"], "exposure": frame["years"], "likelihood": "poisson"},
        ["--exposure=years", "--likelihood=poisson"],
    ),
    "shape": (
        "number",
        lambda frame: {"y": frame["number"], "likelihood": "negative-binomial"},
        ["--likelihood=negative-binomial"],
    ),
    "outliers": ("size", lambda frame: {"y": frame["size"], "likelihood": "student"}, ["--likelihood=student"]),
}


@pytest.mark.parametrize(("response", "settings", "options"), RESPONSES.values(), ids=RESPONSES)
def test_whatever_the_response_learning_is_that_of_the_program(frame, tmp_path, response, settings, options):
    expected = learned_by_program(tmp_path, frame, "--x=width,height", f"--y={response}", *options)
    learned = rl.learn(frame[["width", "height"]], **settings(frame), seed=3)
    for name in ("noise", "likelihood", "mean", "log_evidence", "objective", "at_bounds"):
        assert learned[name] == expected[name]
    assert str(learned["kernel"]) == expected["kernel"]
    of_starts = [(start["noise"], start["log_evidence"]) for start in learned["starts"]]
    assert of_starts == [(start["noise"], start["log_evidence"]) for start in expected["starts"]]
    assert learned["own_units"]["noise"] is None is expected["own_units"]["noise"]
    of_units = learned["own_units"]["kernel"]
    assert (of_units and str(of_units)) == expected["own_units"]["kernel"]


def test_the_numbers_of_a_likelihood_are_learned_by_their_names(frame):
    X, size, number = frame[["width", "height"]], frame["size"], frame["number"]
    assert rl.learn(X, size, likelihood="student")["noise"].keys() == {"scale", "degrees"}
    assert rl.learn(X, number, likelihood="negative-binomial")["noise"].keys() == {"shape"}
    assert rl.learn(X, number, likelihood="poisson")["noise"] == {}


def test_the_kernels_of_a_list_are_shown_with_their_evidences(frame, tmp_path):
    expected = learned_by_program(tmp_path, frame, "--x=width", "--y=size", "--kernel=best")["candidates"]
    candidates = rl.learn(frame[["width"]], frame["size"], kernel="best", seed=3)["candidates"]
    assert [each | {"kernel": str(each["kernel"])} for each in candidates] == expected
    assert "candidates" not in rl.learn(frame[["width"]], frame["size"], kernel="se()")


def test_columns_that_never_change_are_left_out_of_what_is_learned(frame):
    X, number = frame[["width", "height"]], frame["number"]
    said = "^X: column 'country' is left out: the same value in every row$"
    with pytest.warns(UserWarning, match=said) as warned:
        more = rl.learn(X.assign(country="France"), number)
    assert warned[0].filename == __file__
    alone = rl.learn(X, number)
    assert (more["left_out"], alone["left_out"]) == (["country"], [])
    assert str(more["kernel"]) == str(alone["kernel"])
    with pytest.warns(UserWarning, match="^X: column 'x2' is left out"):
        of_array = rl.learn(np.insert(X.to_numpy(), 1, 7, axis=1), number)
    assert str(of_array["kernel"]) == str(alone["kernel"])


def test_texts_in_place_of_numbers_are_refused(frame):
    with pytest.raises(ValueError, match="^y: must be numbers, got the text '(left|right)'; for classes use "):
        rl.learn(frame[["width"]], frame["side"])


def test_a_column_of_texts_hardly_matters_as_a_whole(frame):
    width = np.tile(frame["width"], 5)
    random = np.random.default_rng(2)
    X = pd.DataFrame({"width": width, "colour": random.choice(["red", "blue", "green"], len(width))})
    assert rl.learn(X, np.sin(2 * width) + 0.1 * random.standard_normal(len(width)))["irrelevant"] == ["colour"]
