"""`ridgelet reproduce` for the figures about approximation: what they say of networks and their process."""

import csv
import json
import math
import xml.etree.ElementTree as xml

import numpy as np
import pytest

NAMES = ["approximation", "mmd", "bandwidths", "dynamic-bandwidths", "activations", "covariances"]
KERNELS = {
    "se": lambda r: np.exp(-(r**2) / (2 * 1.5**2)),
    "rq": lambda r: 1 / (1 + r**2 / (2 * 0.75**2)),
    "periodic": lambda r: np.exp(-2 * np.sin(np.pi * r / 2) ** 2 / 0.75**2),
}


@pytest.fixture(scope="module")
def results(run_in, tmp_path_factory):
    """The small version of an experiment, run once: its directory and its JSON."""
    done = {}

    def run(name):
        if name not in done:
            directory = tmp_path_factory.mktemp(name)
            call = run_in(directory, "reproduce", name, "--out", "out", "--fast", "--json", "--threads", 2, "--seed", 1)
            done[name] = (directory / "out", call.json)
        return done[name]

    return run


def read_rows(directory, name):
    with open(directory / f"{name}.csv", newline="") as stream:
        return list(csv.DictReader(stream))


def curve(rows, **wanted):
    """x and value of the rows with these cells, in order."""
    found = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return np.array([float(row["x"]) for row in found]), np.array([float(row["value"]) for row in found])


def pick(entries, **wanted):
    return [entry for entry in entries if all(entry[key] == value for key, value in wanted.items())]


def slope(entries):
    """The slope of the log of the error against the log of the units."""
    units, errors = zip(*((entry["units"], entry["mean"]) for entry in entries), strict=True)
    return np.polyfit(np.log(units), np.log(errors), 1)[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_four_files_are_whole(results, name):
    directory, report = results(name)
    assert {path.name for path in directory.iterdir()} == {f"{name}.{ending}" for ending in ("csv", "json", "svg", "png")}
    assert json.loads((directory / f"{name}.json").read_text()) == report
    assert xml.parse(directory / f"{name}.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    svg = (directory / f"{name}.svg").read_text()
    for word in ("ridgelet", "least-squares", "process", "units N"):
        assert word in svg
    assert (directory / f"{name}.png").read_bytes().endswith(b"IEND\xaeB`\x82")


def test_the_error_of_the_ridgelet_falls_as_the_root_of_the_units(results):
    errors = results("approximation")[1]["mrmse"]
    assert [entry["units"] for entry in errors] == [100, 300, 1000, 3000]
    assert {entry["operator"] for entry in errors} == {"ridgelet"}
    assert -0.56 < slope(errors) < -0.42
    for entry, known in zip(errors, [5.3, 2.9, 1.7, 1.0], strict=True):
        assert entry["mean"] == pytest.approx(known, rel=0.15)
        assert entry["standard_error"] == pytest.approx(entry["sd"] / math.sqrt(entry["replicates"]), rel=1e-12)


def test_least_squares_is_hundreds_of_times_closer_with_as_many_units(results):
    report = results("approximation")[1]
    ridgelet = {entry["units"]: entry["mean"] for entry in report["mrmse"]}
    least_squares = {entry["units"]: entry["mean"] for entry in report["mrmse_least_squares"]}
    assert least_squares[100] < ridgelet[100] / 300
    assert least_squares[300] < ridgelet[300] / 2000
    assert least_squares[30] < ridgelet[3000]


def test_the_variance_of_networks_comes_down_to_the_process(results):
    entries = results("approximation")[1]["covariance"]
    ridgelet = [entry["at_zero"]["mean"] for entry in pick(entries, operator="ridgelet")]
    assert ridgelet == sorted(ridgelet, reverse=True)
    last = pick(entries, operator="ridgelet", units=3000)[0]["at_zero"]
    assert abs(last["mean"] - 1.54) < 4 * last["standard_error"]
    assert 0 < last["standard_error"] < 0.25
    for entry in pick(entries, operator="least-squares"):
        assert entry["process_at_zero"] == pytest.approx(1, rel=1e-12)
        if entry["units"] >= 100:
            assert entry["at_zero"]["mean"] == pytest.approx(1, abs=2e-3)
            assert entry["largest_error"] < 2e-3


def test_the_covariance_of_the_table_is_that_of_the_report_and_its_process_is_the_kernel(results):
    directory, report = results("approximation")
    rows = read_rows(directory, "approximation")
    x, exact = curve(rows, operator="gp", quantity="covariance")
    np.testing.assert_allclose(exact, KERNELS["se"](x), rtol=0, atol=1e-12)
    for entry in report["covariance"]:
        at, values = curve(rows, operator=entry["operator"], units=str(entry["units"]), quantity="covariance")
        np.testing.assert_array_equal(at, x)
        assert values[np.abs(at) < 1e-12] == pytest.approx(entry["at_zero"]["mean"], rel=1e-12)
        assert np.abs(values - exact).max() == pytest.approx(entry["largest_error"], rel=1e-9, abs=1e-14)


def test_least_squares_is_as_far_from_the_process_as_the_process_from_itself(results):
    directory, report = results("mmd")
    null = report["null"]
    draws = report["task"]["draws"]
    spread = 6 * null["sd"]
    for entry in pick(report["mmd2"], operator="least-squares"):
        assert abs(entry["mean"] - null["mean"]) < spread
    # The expected value for two samples of S draws, (2 / S)(1 - E K), E K = det(I + 4 K / alpha^2)^{-1/2}.
    x = np.linspace(-5, 5, report["task"]["inputs"])
    K = KERNELS["se"](np.subtract.outer(x, x))
    expected = 2 / draws * (1 - np.linalg.det(np.eye(len(x)) + 0.004 * K) ** -0.5)
    assert null["mean"] == pytest.approx(expected, rel=0.5)
    values = [float(row["mmd2"]) for row in read_rows(directory, "mmd") if row["operator"] == "gp"]
    assert null["mean"] == pytest.approx(np.mean(values), rel=1e-12)


def test_the_ridgelet_comes_nearer_with_units_and_is_far_with_few(results):
    report = results("mmd")[1]
    distances = [entry["mean"] for entry in pick(report["mmd2"], operator="ridgelet")]
    assert distances == sorted(distances, reverse=True)
    assert distances[0] > 100 * report["null"]["mean"]
    assert distances[-1] > 4 * report["null"]["mean"]


def test_wide_bandwidths_need_more_units_and_narrow_ones_stop_improving(results):
    cases = results("bandwidths")[1]["cases"]
    at_100 = [case["mrmse"]["mean"] for case in pick(cases, operator="ridgelet", units=100)]
    assert at_100 == sorted(at_100) and len(at_100) == 5

    def gain(sigma_w):
        errors = {case["units"]: case["mrmse"]["mean"] for case in pick(cases, operator="ridgelet", sigma_w=sigma_w)}
        return errors[300] / errors[1000]

    assert gain(1) < 1.35 < 1.5 < gain(5)
    for case in pick(cases, operator="least-squares", units=300):
        assert case["mrmse"]["mean"] < 5e-3


def test_growing_bandwidths_start_below_fixed_ones(results):
    report = results("dynamic-bandwidths")[1]
    dynamic, fixed = pick(report["dynamic"], operator="ridgelet"), report["fixed"]
    settings = [(case["sigma_w"], case["sigma_b"], case["units"]) for case in dynamic]
    assert settings == [(1, 2, 30), (2, 6, 100), (3, 12, 300), (4, 20, 1000), (5, 30, 3000)]
    assert dynamic[0]["mrmse"]["mean"] < fixed[0]["mrmse"]["mean"] / 2
    assert dynamic[2]["mrmse"] == fixed[2]["mrmse"]
    assert slope([{"units": case["units"], "mean": case["mrmse"]["mean"]} for case in fixed]) < -0.35
    for case in pick(report["dynamic"], operator="least-squares"):
        assert case["mrmse"]["mean"] < 0.05


def test_the_gaussian_activation_converges_first_and_relu_last(results):
    cases = results("activations")[1]["cases"]
    for units in (100, 300, 1000):
        errors = {case["activation"]: case["mrmse"]["mean"] for case in pick(cases, operator="ridgelet", units=units)}
        assert 1.5 * errors["gaussian"] < errors["tanh"] < errors["relu"] / 1.5
    for case in pick(cases, operator="least-squares", units=300):
        assert case["mrmse"]["mean"] < 0.02


def test_each_process_has_its_kernel_and_the_periodic_one_is_hardest(results):
    directory, report = results("covariances")
    rows = read_rows(directory, "covariances")
    for name, kernel in KERNELS.items():
        text = next(case["kernel"] for case in report["cases"] if case["kernel"].startswith(name + "("))
        x, values = curve(rows, operator="gp", kernel=text, quantity="covariance")
        np.testing.assert_allclose(values, kernel(x), rtol=0, atol=1e-12)
    for operator in ("ridgelet", "least-squares"):
        errors = [case["mrmse"]["mean"] for case in pick(report["cases"], operator=operator, units=3000)]
        se, rq, periodic = errors
        assert periodic > 1.1 * max(se, rq)


def test_the_paths_of_a_close_network_are_those_of_the_process(results):
    directory, report = results("dynamic-bandwidths")
    rows = read_rows(directory, "dynamic-bandwidths")
    error = pick(report["dynamic"], operator="least-squares", units=300)[0]["mrmse"]["mean"]
    for draw in ("1", "6"):
        _, process = curve(rows, operator="gp", quantity="path", draw=draw)
        _, network = curve(rows, operator="least-squares", units="300", quantity="path", draw=draw)
        _, ridgelet = curve(rows, operator="ridgelet", units="300", quantity="path", draw=draw)
        assert np.abs(network - process).max() < 6 * error
        assert np.abs(ridgelet - process).max() > 0.3


def test_the_numbers_depend_on_the_seed_and_not_on_the_threads(run_in, results, tmp_path):
    call = ("reproduce", "dynamic-bandwidths", "--out", "out", "--fast", "--json")
    again = run_in(tmp_path, *call, "--threads", 1, "--seed", 1).json
    other = run_in(tmp_path, *call, "--threads", 2, "--seed", 2).json
    assert again == results("dynamic-bandwidths")[1]
    assert other["dynamic"][0]["mrmse"]["mean"] != again["dynamic"][0]["mrmse"]["mean"]
