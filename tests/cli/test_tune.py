"""tune: the smallest network that is close enough to its process."""

import xml.etree.ElementTree as xml

import pytest

SMOOTH = ("--kernel", "se(amplitude=1, lengthscale=1.5)")
SMALL = ("tune", "--kernel", "se(lengthscale=2)", "--points", 60, "--error", 0.1)


def test_section_6_1_needs_at_most_60_units(ridgelet):
    found = ridgelet("tune", *SMOOTH, "--error", 0.05, "--json").json
    assert found["reached"] and found["units"] <= 60 and found["mrmse"] <= 0.05
    assert found["sigma_w"] > 0 and found["sigma_b"] > 0 and found["floor"] < 0.05


def test_one_unit_fewer_is_not_enough(ridgelet):
    found = ridgelet(*SMALL, "--json").json
    errors = {step["units"]: step["mrmse"] for step in found["path"]}
    assert errors[found["units"]] == found["mrmse"] <= 0.1 < errors[found["units"] - 1]


def test_the_model_file_has_the_error_that_assess_finds(ridgelet):
    wide = ("--kernel", "se(amplitude=3, lengthscale=2)", "--points", 60)
    found = ridgelet("tune", *wide, "--error", 0.1, "--out", "model.toml", "--json")
    assessed = ridgelet("assess", "--model", "model.toml", "--replicates", 5, "--json").json
    assert assessed["units"] == found.json["units"]
    assert assessed["mrmse"]["mean"] == pytest.approx(3 * found.json["mrmse"], rel=1e-6)


def test_the_table_shows_the_path(ridgelet):
    found = ridgelet(*SMALL, "--json").json
    run = ridgelet(*SMALL, "--plot", "path.svg")
    header, *rows = run.out.splitlines()
    assert header.split() == ["units", "sigma-w", "sigma-b", "ridge", "error"]
    widths = [int(row.split()[0]) for row in rows[: len(found["path"])]]
    assert widths == [step["units"] for step in found["path"]]
    assert f"{found['units']} units" in rows[len(widths)]
    picture = (run.directory / "path.svg").read_text()
    assert "kriging floor" in picture and "wanted: 0.1" in picture


@pytest.mark.parametrize("lengthscale", [1.5, 0.2])
def test_the_axis_of_the_picture_has_widths_that_were_tried_and_the_chosen_one(ridgelet, lengthscale):
    run = ridgelet("tune", "--kernel", f"se(lengthscale={lengthscale})", "--plot", "path.svg", "--json")
    tried = {str(step["units"]) for step in run.json["path"]}
    root = xml.fromstring((run.directory / "path.svg").read_text())
    words = {"".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert str(run.json["units"]) in words
    assert len(tried & words) >= 4


def test_numbers_given_by_hand_stay(ridgelet):
    found = ridgelet(*SMALL, "--sigma-w", 0.7, "--ridge", 1e-5, "--json").json
    assert {step["sigma_w"] for step in found["path"]} == {0.7}
    assert {step["ridge"] for step in found["path"]} == {1e-5}
    assert [step["units"] for step in ridgelet(*SMALL, "--units", 40, "--json").json["path"]] == [40]


def test_a_budget_that_does_not_suffice_is_said(ridgelet):
    run = ridgelet(*SMALL, "--most-units", 5, "--json")
    assert not run.json["reached"] and run.json["units"] <= 5
    assert run.err.startswith("warning: the least error with up to 5 units is ")
    assert run.err.endswith("and 0.1 was wanted; raise --most-units\n")
    assert "leave --units out" in ridgelet(*SMALL, "--units", 3).err


def test_a_rough_process_in_two_inputs_reaches_its_error_with_fewer_units_than_nodes(ridgelet):
    found = ridgelet("tune", "--kernel", "matern32()", "--domain=-2:2,-2:2", "--points", 20, "--error", 0.1, "--json").json
    assert found["reached"] and found["mrmse"] <= 0.1
    assert found["units"] <= 400


def test_the_examples_of_the_help_text_run(run_examples):
    runs = run_examples("tune")
    assert len(runs) == 2
    assert [(run.code, run.err) for run in runs] == [(0, "")] * 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--error", "0"), ["--error: must be greater than 0 and less than 1, got 0"]),
        (("--error", "-0.1"), ["--error: must be greater than 0", "got -0.1"]),
        (("--error", "1"), ["--error: must be greater than 0 and less than 1, got 1"]),
        (("--error", "small"), ["--error", "'small'"]),
        (("--error", "0.1,0.2"), ["--error: must be a number, got '0.1,0.2'"]),
        (("--error", "nan"), ["--error"]),
        (("--error", "1e-9", "--points", "40"), ["--error: is below the kriging floor", "add nodes", "1e-09"]),
        (("--most-units", "0"), ["--most-units: must be a whole number of at least 1"]),
        (("--most-unit", "9"), ["unknown option '--most-unit' of tune; did you mean '--most-units'?"]),
        (("--plot", "path.gif"), ["--plot: must end in .svg or .png"]),
        (("--sigma-b", "-1"), ["--sigma-b"]),
        (("--plot", "model.toml"), ["--plot"]),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(ridgelet, tmp_path, arguments, words):
    run = ridgelet("tune", *SMOOTH, *arguments, "--out", "model.toml")
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1 and all(word in run.err for word in words), run.err
    assert list(tmp_path.iterdir()) == []


def test_a_kernel_is_needed(ridgelet):
    run = ridgelet("tune")
    assert run.code == 2 and "--kernel: is required" in run.err
