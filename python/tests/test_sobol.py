"""Sobol points: as nodes, and as hidden units."""

import math

import numpy as np
import pytest

import ridgelet as rl


def counts(coordinates, cells):
    return np.bincount(np.floor(coordinates * cells).astype(int), minlength=cells)


@pytest.mark.parametrize("dimension", [1, 2, 7])
def test_nodes_are_balanced_in_every_input(dimension):
    nodes = rl.sobol(half_width=3, points=128, dimension=dimension, seed=4)
    assert nodes.points.shape == (128, dimension)
    np.testing.assert_array_equal(nodes.weights, np.full(128, 6.0**dimension / 128))
    for axis in (nodes.points.T + 3) / 6:
        np.testing.assert_array_equal(counts(axis, 128), np.ones(128))


def test_nodes_are_mollified_to_their_support():
    nodes = rl.sobol(half_width=6, points=64, dimension=2, support=5)
    expected = 144 / 64 * rl.mollifier(nodes.points, support=5, half_width=6)
    np.testing.assert_allclose(nodes.weights, expected, rtol=1e-14)


def test_least_squares_carries_the_process_on_sobol_nodes_in_five_inputs():
    nodes = rl.sobol(half_width=1, points=256, dimension=5, seed=1)
    prior = rl.Prior("se(lengthscale=2)", nodes=nodes, units=512, sigma_w=0.25, sigma_b=1, units_from="sobol")
    X = np.random.default_rng(1).uniform(-1, 1, (50, 5))
    assert prior.given(*prior.draw_hidden(seed=1)).rmse(X).max() < 0.1


def test_hidden_units_are_balanced_draws_of_their_density(nodes):
    def draw(units, **settings):
        return rl.Prior("se()", nodes=nodes, units=units, sigma_w=2, sigma_b=7, **settings).draw_hidden(seed=1)

    W, b = draw(256, units_from="sobol")
    normal = np.vectorize(lambda z: math.erfc(-z / math.sqrt(2)) / 2)
    np.testing.assert_array_equal(counts(normal(W[:, 0] / 2), 256), np.ones(256))
    np.testing.assert_array_equal(counts(normal(b / 7), 256), np.ones(256))
    np.testing.assert_array_equal(draw(100, units_from="sobol")[0], W[:100])
    np.testing.assert_array_equal(draw(100)[0], draw(100, units_from="independent")[0])
    assert np.any(draw(100)[0] != W[:100])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: rl.sobol(3, 0), "points: must be at least 1, got 0"),
        (lambda: rl.sobol(3, 8, support=4), "support: must be at most the half_width 3, got 4"),
        (lambda: rl.sobol(3, 8, dimension=0), "dimension: must be at least 1, got 0"),
        (lambda: rl.sobol(1, 8, dimension=4000), "dimension: must be at most 3667 for Sobol points, got 4000"),
        (lambda: rl.Prior("se()", nodes=rl.grid(6, 24), units_from="halton"),
         "units_from: must be one of sobol, independent, got 'halton'"),
    ],
)
def test_bad_arguments_are_named(call, complaint):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value).startswith(complaint)
