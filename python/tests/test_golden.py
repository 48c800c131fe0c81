"""Every number of golden.json through the Python package, and what must hold for every activation pair."""

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

import ridgelet as rl

GOLDEN = json.loads((Path(os.environ["RIDGELET_SOURCE"]) / "tests" / "golden" / "golden.json").read_text())
VALUES = 1e-10
CASES = 1e-6


def relative_error(a, b):
    """Largest |a - b| relative to the largest |b|; infinite if the shapes differ or a number is NaN."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape or not np.all(np.isfinite(a)):
        return np.inf
    return np.abs(a - b).max() / np.abs(b).max()


def pair_name(pair):
    return f"{pair['activation']}-d{pair['dimension']}-n{pair['order']}"


def case_name(case):
    return f"{case['operator']}-{case['activation']}-d{case['dimension']}-{case['kernel'].split('(')[0]}"


every_pair = pytest.mark.parametrize("golden", GOLDEN["pairs"], ids=pair_name)
every_case = pytest.mark.parametrize("golden", GOLDEN["cases"], ids=case_name)


def pair_of(golden):
    return rl.ActivationPair(golden["activation"], dimension=golden["dimension"], order=golden["order"])


def given_of(golden):
    nodes = rl.grid(
        half_width=golden["half_width"],
        points_per_axis=golden["points_per_axis"],
        dimension=golden["dimension"],
        support=golden["support"],
    )
    prior = rl.Prior(
        golden["kernel"],
        mean=golden["mean"],
        nodes=nodes,
        activation=golden["activation"],
        order=golden["order"],
        units=golden["units"],
        operator=golden["operator"],
        ridge=golden["ridge"],
        sigma_w=golden["sigma_w"],
        sigma_b=golden["sigma_b"],
    )
    return prior.given(golden["W"], golden["b"])


def data_of(golden):
    return golden["X"], golden["y"], golden["noise"]


@every_pair
def test_psi_is_the_reference_at_every_point(golden):
    np.testing.assert_allclose(pair_of(golden).psi(golden["z"]), golden["psi"], rtol=VALUES, atol=0)


@every_pair
def test_the_constant_of_psi_is_the_reference(golden):
    pair = pair_of(golden)
    assert pair.order == golden["order"]
    assert pair.constant == pytest.approx(golden["constant"], rel=VALUES, abs=0)


@every_pair
def test_admissibility_is_one_and_not_minus_one(golden):
    pair = pair_of(golden)
    assert pair.admissibility == pytest.approx(1, rel=VALUES)
    assert pair.assumptions.admissible


@pytest.mark.parametrize("golden", GOLDEN["mollifier"], ids=lambda g: f"d{g['dimension']}-{g['half_width']}")
def test_the_mollifier_is_the_reference(golden):
    value = rl.mollifier(golden["x"], support=golden["support"], half_width=golden["half_width"])
    np.testing.assert_allclose(value, golden["value"], rtol=VALUES, atol=0)


@pytest.mark.parametrize("golden", GOLDEN["kernels"], ids=lambda g: g["kernel"].split("(")[0])
def test_every_entry_of_a_kernel_matrix_is_the_reference(golden):
    value = rl.kernel(golden["kernel"])(golden["X1"], golden["X2"])
    np.testing.assert_allclose(value, golden["value"], rtol=VALUES, atol=0)


def test_gaussian_mmd2_is_the_reference():
    golden = GOLDEN["gaussian_mmd2"]
    value = rl.gaussian_mmd2(golden["S1"], golden["S2"], golden["inverse_alpha_squared"])
    assert value == pytest.approx(golden["value"], rel=VALUES, abs=0)


@every_case
def test_the_networks_covariance_is_the_reference(golden):
    covariance = given_of(golden).covariance(golden["Xs"], golden["Xs"])
    assert relative_error(covariance, golden["network_covariance"]) <= CASES


@every_case
def test_rmse_is_the_reference(golden):
    assert relative_error(given_of(golden).rmse(golden["Xs"]), golden["rmse_at_Xs"]) <= CASES


@every_case
def test_the_networks_log_marginal_likelihood_is_the_reference(golden):
    value = given_of(golden).log_marginal_likelihood(*data_of(golden))
    assert value == pytest.approx(golden["log_marginal_likelihood"], rel=CASES, abs=0)


@every_case
def test_the_networks_predictions_are_the_reference(golden):
    mean, variance = given_of(golden).predict(*data_of(golden), golden["Xs"])
    assert relative_error(mean, golden["predictive_mean"]) <= CASES
    assert relative_error(variance, golden["predictive_variance"]) <= CASES


@every_case
def test_the_processs_log_marginal_likelihood_is_the_reference(golden):
    process = rl.GaussianProcess(golden["kernel"], mean=golden["mean"])
    value = process.log_marginal_likelihood(*data_of(golden))
    assert value == pytest.approx(golden["gp_log_marginal_likelihood"], rel=CASES, abs=0)


@every_case
def test_the_processs_predictions_are_the_reference(golden):
    process = rl.GaussianProcess(golden["kernel"], mean=golden["mean"])
    mean, variance = process.predict(*data_of(golden), golden["Xs"])
    assert relative_error(mean, golden["gp_mean"]) <= CASES
    assert relative_error(variance, golden["gp_variance"]) <= CASES


PHI = {
    "tanh": np.tanh,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "gaussian": lambda z: np.exp(-z * z / 2),
    "relu": lambda z: np.maximum(0, z),
    "erf": np.vectorize(math.erf),
    "gelu": np.vectorize(lambda z: z * math.erfc(-z / math.sqrt(2)) / 2),
    "silu": lambda z: z / (1 + np.exp(-z)),
    "softplus": lambda z: np.logaddexp(0, z),
    "sine": np.sin,
    "cosine": np.cos,
    "leaky-relu": lambda z: np.where(z > 0, z, 0.01 * z),
}


# In GELU's tail, exp(-z^2/2), z^2 is rounded, which costs 400 units of roundoff at -20.
@pytest.mark.parametrize("name", rl.activation_names())
def test_phi_is_what_its_name_says(name):
    z = np.linspace(-20, 20, 401)
    rtol = 1e-13 if name == "gelu" else 1e-14
    np.testing.assert_allclose(rl.Activation(name).phi(z), PHI[name](z), rtol=rtol, atol=0)
    assert rl.Activation(name).name == name


@pytest.mark.parametrize("name", rl.activation_names())
def test_the_derivative_is_the_slope_of_phi(name):
    activation, z, h = rl.Activation(name), np.linspace(-8.013, 8, 161), 1e-5
    slope = (activation.phi(z + h) - activation.phi(z - h)) / (2 * h)
    np.testing.assert_allclose(activation.derivative(z), slope, rtol=0, atol=3e-10)


@pytest.mark.parametrize("name", rl.ridgelet_activation_names())
def test_a_pair_has_the_phi_of_its_activation(name):
    z = np.linspace(-20, 20, 401)
    np.testing.assert_array_equal(rl.ActivationPair(name).phi(z), rl.Activation(name).phi(z))


@pytest.mark.parametrize("name", sorted(set(rl.activation_names()) - set(rl.ridgelet_activation_names())))
def test_an_activation_without_psi_serves_least_squares_and_nothing_else(name):
    with pytest.raises(ValueError, match=f"^activation: '{name}' has no associated function psi.*use one of tanh, sigmoid, gaussian, relu, or"):
        rl.ActivationPair(name)
    settings = {"kernel": rl.kernel("se(lengthscale=1.5)"), "nodes": rl.grid(6, 60, 1, 5), "activation": name}
    with pytest.raises(ValueError, match="^activation: "):
        rl.Prior(**settings, operator="ridgelet")
    prior = rl.Prior(**settings, operator="least-squares", units=100, sigma_w=1, sigma_b=5)
    assert prior.given(*prior.draw_hidden(seed=1)).rmse(np.linspace(-4, 4, 41)[:, None]).max() < 0.05


@pytest.mark.parametrize("name", rl.ridgelet_activation_names())
@pytest.mark.parametrize("function", ["phi", "psi"])
def test_an_array_of_any_shape_keeps_its_shape_and_its_nan(name, function):
    evaluate = getattr(rl.ActivationPair(name, dimension=2), function)
    z = np.linspace(-3, 3, 24).reshape(2, 3, 4)
    z[1, 2, 0] = np.nan
    values = evaluate(z)
    assert values.shape == z.shape
    np.testing.assert_array_equal(np.isnan(values), np.isnan(z))
    np.testing.assert_array_equal(values[0], evaluate(z[0]))
    assert evaluate(0.5).shape == ()
    assert np.isnan(evaluate(np.nan))
    assert evaluate([]).shape == (0,)
    assert evaluate(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("name", rl.ridgelet_activation_names())
@pytest.mark.parametrize("dimension", range(1, 11))
def test_the_default_order_is_admissible_in_every_dimension(name, dimension):
    pair = rl.ActivationPair(name, dimension=dimension)
    assert pair.dimension == dimension
    assert pair.order % 2 == 0
    assert pair.admissibility == pytest.approx(1, rel=1e-8)


@pytest.mark.parametrize(
    ("name", "order", "integrable"),
    [("tanh", 2, False), ("tanh", 4, True), ("relu", 4, False), ("relu", 6, True), ("gaussian", 4, True)],
)
def test_part_four_of_assumption_one_needs_a_high_enough_order(name, order, integrable):
    assumptions = rl.ActivationPair(name, dimension=1, order=order).assumptions
    assert assumptions.integrable is integrable
    assert assumptions.bounded is (name != "relu")
    assert assumptions.schwartz


@pytest.mark.parametrize(
    ("settings", "argument"),
    [
        ({"name": "maxout"}, "activation"),
        ({"dimension": 0}, "dimension"),
        ({"order": 3}, "order"),
        ({"name": "relu", "order": 2}, "order"),
        ({"dimension": 3, "order": 2}, "order"),
        ({"order": 42}, "order"),
    ],
    ids=str,
)
def test_a_pair_that_does_not_exist_is_refused_by_name(settings, argument):
    with pytest.raises(ValueError, match=f"^{argument}: must"):
        rl.ActivationPair(**{"name": "tanh", **settings})
