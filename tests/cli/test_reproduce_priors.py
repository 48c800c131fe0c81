"""`ridgelet reproduce` of the figures that show priors: their numbers by a second route, and what the figures claim."""

import csv
import json
import subprocess
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from conftest import PROGRAM

NAMES = ["bnn-priors", "weight-covariance", "sample-paths", "mollifier", "depth"]
OPERATORS = ["ridgelet", "least-squares"]
KERNEL = "se(amplitude=1, lengthscale=1.5)"
SEED = 1


def reproduce(directory, *arguments):
    return subprocess.run(
        [PROGRAM, "reproduce", *map(str, arguments)], cwd=directory, capture_output=True, text=True, check=False
    )


class Result:
    """The four files of one experiment, and what --json printed."""

    def __init__(self, name, directory):
        self.name, self.directory = name, directory
        run = reproduce(directory, name, "--out", ".", "--fast", "--json", "--threads", 2, "--seed", SEED)
        assert (run.returncode, run.stderr) == (0, "")
        self.printed, self.json = run.stdout, json.loads(run.stdout)
        with open(directory / f"{name}.csv", newline="") as stream:
            self.rows = list(csv.DictReader(stream))

    def column(self, column, **chosen):
        """Numbers of the rows with these values in other columns."""
        rows = [row for row in self.rows if all(row[key] == str(value) for key, value in chosen.items())]
        return np.array([float(row[column]) for row in rows])


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    done = {}

    def run(name):
        if name not in done:
            done[name] = Result(name, tmp_path_factory.mktemp(name))
        return done[name]

    return run


def sampled_paths(ridgelet, **model):
    """Networks of `ridgelet sample` in the setting of the figures: inputs x draws."""
    flags = {"kernel": KERNEL, "domain": "-5:5", "margin": 1, "eval-points": 101, "seed": SEED, "out": "paths.csv",
             "sigma-w": 3, "sigma-b": 12, "ridge": 1e-6, "units-from": "independent", **model}  # fmt: skip
    run = ridgelet("sample", *(part for flag, value in flags.items() for part in (f"--{flag}", value)), "--quiet")
    header, numbers = run.table("paths.csv")
    return numbers[:, [i for i, name in enumerate(header) if name.startswith("network")]]


@pytest.mark.parametrize("name", NAMES)
def test_the_four_files_are_whole_and_nothing_else_is_there(results, name):
    result = results(name)
    assert {path.name for path in result.directory.iterdir()} == {f"{name}.{end}" for end in ("csv", "json", "svg", "png")}
    assert (result.directory / f"{name}.json").read_text() == result.printed
    assert xml.parse(result.directory / f"{name}.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert (result.directory / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "mollifier"])
def test_wherever_a_prior_is_shown_both_operators_stand_beside_each_other_in_their_colours(results, name):
    svg = (results(name).directory / f"{name}.svg").read_text()
    for words in (*OPERATORS, "rgb(213,  94,   0)", "rgb(  0, 114, 178)"):
        assert words in svg


def test_the_mollifier_is_1_on_the_domain_and_0_from_the_edge_of_the_box_on(results):
    result = results("mollifier")
    x, value = result.column("x", curve="mollifier"), result.column("value", curve="mollifier")
    assert np.all(value[np.abs(x) <= 5] == 1)
    assert np.all(value[np.abs(x) >= 7.5] == 0)
    between = value[(x >= 5) & (x <= 7.5)]
    assert np.all(np.diff(between) <= 0) and np.all(np.diff(between[2:-2]) < 0)
    values = {entry["x"]: entry["value"] for entry in result.json["mollifier"]}
    assert values[np.sqrt((5**2 + 7.5**2) / 2)] == pytest.approx(0.5, abs=1e-12)
    t = (7**2 - 5**2) / (7.5**2 - 5**2)
    assert values[7] == pytest.approx(np.exp(-1 / (1 - t)) / (np.exp(-1 / t) + np.exp(-1 / (1 - t))), rel=1e-12)


def test_the_mollified_function_is_the_function_on_the_domain_and_nothing_outside_of_the_box(results):
    result = results("mollifier")
    x, f = (result.column(column, curve="function") for column in ("x", "value"))
    product = result.column("value", curve="product")
    assert np.array_equal(f[np.abs(x) <= 5], product[np.abs(x) <= 5])
    assert np.all(product[np.abs(x) >= 7.5] == 0)
    assert np.abs(f[np.abs(x) >= 7.5]).max() > 0.1
    assert result.json["largest_change_on_domain"] == 0


def normal_expectation(phi, x, other):
    """E phi(u) phi(v) for u = a x + b, v = a other + b with a, b standard normal, by Gauss and Hermite."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    u, v = (np.add.outer(nodes * at, nodes) for at in (x, other))
    return weights @ (phi(u) * phi(v)) @ weights


ACTIVATIONS = {
    "linear": lambda z: z,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "tanh": np.tanh,
    "gaussian": lambda z: np.exp(-(z**2) / 2),
}


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_covariance_of_independent_weights_is_an_expectation_over_one_unit(results, activation):
    x = results("bnn-priors").column("x", part="covariance", model=activation)[::10]
    value = results("bnn-priors").column("value", part="covariance", model=activation)[::10]
    phi = ACTIVATIONS[activation]
    expected = [normal_expectation(phi, at, 1) / normal_expectation(phi, 1, 1) for at in x]
    np.testing.assert_allclose(value, expected, rtol=0, atol=1e-4)


def test_the_covariance_of_independent_weights_is_linear_for_linear_units_and_the_arc_cosine_kernel_for_relu(results):
    result = results("bnn-priors")
    x = result.column("x", part="covariance", model="linear")
    np.testing.assert_allclose(result.column("value", part="covariance", model="linear"), (1 + x) / 2, atol=1e-12)
    length = np.sqrt(2 * (1 + x**2))
    angle = np.arccos(np.clip((1 + x) / length, -1, 1))
    arc_cosine = length * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)
    np.testing.assert_allclose(result.column("value", part="covariance", model="relu"), arc_cosine, atol=1e-7)


def test_relu_networks_with_independent_weights_spread_out_from_the_origin_and_the_prior_keeps_its_variance(results):
    report = results("bnn-priors").json
    np.testing.assert_allclose(report["iid"]["sd_at_-5_0_5"], np.sqrt([13, 0.5, 13]), rtol=1e-12)
    f = results("bnn-priors").column("value", part="path", model="iid").reshape(10, 101)
    assert np.mean(f[:, [0, -1]] ** 2) > 3 * np.mean(f[:, 50] ** 2)
    assert report["least-squares"]["sd"] == pytest.approx(1, abs=0.02)
    assert report["least-squares"]["rmse"] < 0.01 < 0.3 < report["ridgelet"]["rmse"]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("realisation", [1, 2, 3])
def test_a_weight_covariance_is_symmetric_positive_semi_definite_and_of_low_rank(results, operator, realisation):
    result = results("weight-covariance")
    C = result.column("covariance", operator=operator, realisation=realisation).reshape(50, 50)
    np.testing.assert_allclose(C, C.T, rtol=0, atol=1e-12 * np.abs(C).max())
    eigenvalues = np.linalg.eigvalsh(C)[::-1]
    assert eigenvalues[-1] > -1e-12 * eigenvalues[0]
    assert eigenvalues[30] < 1e-12 * eigenvalues[0]
    (entry,) = (
        entry for entry in result.json["results"] if (entry["operator"], entry["realisation"]) == (operator, realisation)
    )
    np.testing.assert_allclose(entry["eigenvalues"][:8], eigenvalues[:8], rtol=1e-8)
    assert entry["trace"] == pytest.approx(np.trace(C), rel=1e-10)
    assert entry["dimensions_of_99_percent"] == 1 + np.argmax(np.cumsum(eigenvalues) >= 0.99 * eigenvalues.sum())
    assert 10 <= entry["rank"] <= 30


def test_independent_weights_have_the_identity_as_covariance(results):
    C = results("weight-covariance").column("covariance", operator="iid").reshape(50, 50)
    assert np.array_equal(C, np.eye(50))


def test_the_paths_are_those_of_the_sample_command(results, ridgelet):
    for op, layers, units, nodes in (("ridgelet", 1, 100, 200), ("least-squares", 1, 300, 200), ("ridgelet", 3, 500, 50)):
        f = results("sample-paths").column("f", model=op, layers=layers, units=units).reshape(10, 101).T
        sampled = sampled_paths(ridgelet, operator=op, layers=layers, units=units, points=nodes, draws=10)
        np.testing.assert_allclose(f, sampled, rtol=0, atol=1e-6)


def test_with_more_units_ridgelet_networks_come_nearer_and_least_squares_is_there_with_few(results):
    found = {(e["operator"], e["layers"], e["units"]): e for e in results("sample-paths").json["results"]}
    few, more, most = (found["ridgelet", 1, units] for units in (100, 1000, 3000))
    assert few["rmse"] > 1.5 * more["rmse"] > 2 * most["rmse"] > 0.5
    assert few["sd"] > more["sd"] > most["sd"] > 1
    for key, entry in found.items():
        if key[0] == "least-squares":
            assert entry["sd"] == pytest.approx(1, abs=0.02)
            assert entry["rmse"] < 0.03


@pytest.mark.parametrize(("operator", "units"), [("ridgelet", 1000), ("least-squares", 200)])
def test_one_walk_through_five_layers_gives_the_networks_of_every_depth(results, ridgelet, operator, units):
    for layers in (1, 2, 5):
        f = results("depth").column("value", part="path", model=operator, layers=layers, units=units).reshape(8, 101).T
        sampled = sampled_paths(ridgelet, operator=operator, layers=layers, units=units, points=50, draws=8)
        np.testing.assert_allclose(f, sampled, rtol=0, atol=1e-6)


def test_the_list_of_depths_has_the_keys_of_the_contract_and_the_means_of_its_rows(results):
    result = results("depth")
    assert len(result.json) == 15
    for entry in result.json:
        assert {"operator", "layers", "units", "mmd2", "null"} <= set(entry)
        values = result.column(
            "value", part="mmd2", model=entry["operator"], layers=entry["layers"], units=entry["units"]
        )
        assert entry["mmd2"] == pytest.approx(values.mean(), rel=1e-12)
        assert entry["mmd2_standard_error"] == pytest.approx(values.std(ddof=1) / np.sqrt(len(values)), rel=1e-9)
        assert entry["null"] == pytest.approx(result.column("value", part="mmd2", model="gp").mean(), rel=1e-12)


def test_deep_ridgelet_networks_leave_the_process_and_least_squares_stays_at_the_null(results):
    found = {(e["operator"], e["units"], e["layers"]): e for e in results("depth").json}
    for layers in range(1, 6):
        assert found["least-squares", 200, layers]["mmd2"] < 0.003
        assert found["least-squares", 200, layers]["sd"] == pytest.approx(1, abs=0.05)
    for layers in range(2, 6):
        assert found["ridgelet", 1000, layers]["mmd2"] > 5 * found["ridgelet", 1000, 1]["mmd2"]
        assert found["ridgelet", 200, layers]["mmd2"] > found["ridgelet", 1000, layers]["mmd2"]


@pytest.mark.parametrize("name", ["bnn-priors", "weight-covariance", "sample-paths"])
def test_the_numbers_do_not_depend_on_threads(results, tmp_path, name):
    run = reproduce(tmp_path, name, "--out", ".", "--fast", "--quiet", "--threads", 1, "--seed", SEED)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert (tmp_path / f"{name}.csv").read_bytes() == (results(name).directory / f"{name}.csv").read_bytes()
