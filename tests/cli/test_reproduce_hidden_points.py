"""`ridgelet reproduce hidden-points`: what Sobol points in the hidden layer do to the error."""

import csv
import json
import math
import xml.etree.ElementTree as xml

import pytest

NAME = "hidden-points"


@pytest.fixture(scope="module")
def result(run_in, tmp_path_factory):
    """The small version, run once: its directory and its JSON."""
    directory = tmp_path_factory.mktemp(NAME)
    call = run_in(directory, "reproduce", NAME, "--out", "out", "--fast", "--json", "--threads", 2, "--seed", 1)
    return directory / "out", call.json


def errors(report, operator, units_from):
    return {
        entry["units"]: entry["mean"]
        for entry in report["mrmse"]
        if (entry["operator"], entry["units_from"]) == (operator, units_from)
    }


def test_the_four_files_are_whole_and_agree(result):
    directory, report = result
    assert {path.name for path in directory.iterdir()} == {f"{NAME}.{ending}" for ending in ("csv", "json", "svg", "png")}
    assert json.loads((directory / f"{NAME}.json").read_text()) == report
    assert (directory / f"{NAME}.png").read_bytes().endswith(b"IEND\xaeB`\x82")
    assert xml.parse(directory / f"{NAME}.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    svg = (directory / f"{NAME}.svg").read_text()
    for word in ("ridgelet", "least-squares", "Sobol points", "independent units", "bandwidths alone", "units N"):
        assert word in svg
    with open(directory / f"{NAME}.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["mrmse"]) for row in rows[:-1]] == [entry["mean"] for entry in report["mrmse"]]
    assert float(rows[-1]["mrmse"]) == report["floor_of_bandwidths"]


def test_the_ridgelet_gains_more_the_more_units_it_has(result):
    independent, sobol = (errors(result[1], "ridgelet", way) for way in ("independent", "sobol"))
    assert list(independent) == list(sobol) == [128, 512, 2048]
    assert [independent[units] for units in independent] == pytest.approx([4.6, 2.3, 1.2], rel=0.2)
    assert sobol[2048] < 0.6 * independent[2048]
    # The error falls like N^{-1/2} for independent units, and faster for Sobol points.
    assert math.log(sobol[512] / sobol[2048], 4) > 0.65 > math.log(independent[512] / independent[2048], 4)


def test_least_squares_gains_at_small_widths(result):
    independent, sobol = (errors(result[1], "least-squares", way) for way in ("independent", "sobol"))
    for units in (32, 64):
        assert sobol[units] < independent[units]


def test_no_number_of_units_goes_below_what_the_bandwidths_leave(result):
    report = result[1]
    # The parts of sigma_w and sigma_b that `assess --split` measures are 0.13 and 0.09.
    assert 0.13 < report["floor_of_bandwidths"] < 0.23
    for way in ("independent", "sobol"):
        assert min(errors(report, "ridgelet", way).values()) > report["floor_of_bandwidths"]
