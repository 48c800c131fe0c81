"""The prior against a dense NumPy implementation; its networks and its density; grids that are refused."""

import gc
import math

import numpy as np
import pytest

import ridgelet as rl

TWO_ROUTES = 1e-9  # the same number by two formulas in double precision
BASE_FREQUENCY = {"tanh": math.pi / 2, "sigmoid": math.pi, "gaussian": 0.0, "relu": 0.0}
PHI = {
    "tanh": np.tanh,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "gaussian": lambda z: np.exp(-z * z / 2),
    "relu": lambda z: np.maximum(0, z),
}


def relative_error(a, b):
    """Largest |a - b| relative to the largest |b|; infinite if the shapes differ or a number is NaN."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape or not np.all(np.isfinite(a)):
        return np.inf
    return np.abs(a - b).max() / np.abs(b).max()


def dense_psi(name, d, n, z):
    """psi = C d^n/dz^n exp(-z^2/2 + iaz): the imaginary part if a > 0, or else the real one."""
    sign, whole = (-1) ** (n // 2), (2 * math.pi) ** (d / 2)
    a = BASE_FREQUENCY[name]
    he_n = np.polynomial.hermite_e.hermeval(z - 1j * a, [0] * n + [1])
    derivative = he_n * np.exp(-z * z / 2 + 1j * a * z)
    if name in ("tanh", "sigmoid"):
        growth = math.exp(a * a / 2)
        constant = sign * growth / (
            whole * math.sqrt(math.pi / 2) * 2 ** ((n - d + 1) / 2) * math.gamma((n - d + 1) / 2)
        )
        return constant * derivative.imag
    if name == "gaussian":
        return sign / (whole * math.gamma((n - d + 1) / 2)) * derivative.real
    constant = -sign * math.sqrt(2 * math.pi) / (whole * 2 ** ((n - d - 1) / 2) * math.gamma((n - d - 1) / 2))
    return constant * derivative.real


def dense_operator(operator, activation, nodes, W, b, sigma_w, sigma_b, ridge):
    d = nodes.points.shape[1]
    z = W @ nodes.points.T + b[:, None]
    if operator == "ridgelet":
        order = rl.ActivationPair(activation, dimension=d).order
        Z = math.sqrt(2 * math.pi) * sigma_w**d * sigma_b
        return Z / len(b) * nodes.weights * dense_psi(activation, d, order, z)
    kept = nodes.weights > 0
    u = nodes.weights[kept]
    features = PHI[activation](z[:, kept]).T
    S = features @ features.T
    S += ridge * np.trace(S) / len(u) * np.diag(u.mean() / u)
    B = np.zeros((len(b), len(nodes.weights)))
    B[:, kept] = np.linalg.solve(S, features).T
    return B


class Dense:
    """Sections 2 to 4 of the mathematics with every matrix written out."""

    def __init__(self, operator, activation, dimension):
        self.nodes = rl.grid(half_width=3, points_per_axis=30 if dimension == 1 else 7, dimension=dimension, support=2.5)
        self.kernel = rl.kernel("matern32(amplitude=1.2, lengthscale=1.5)")
        self.prior = rl.Prior(
            self.kernel, mean="0.5 - 0.3*x", nodes=self.nodes, activation=activation, units=50, operator=operator,
            sigma_w=1.5, sigma_b=4, ridge=1e-2,
        )
        self.W, self.b = self.prior.draw_hidden(seed=8)
        self.given = self.prior.given(self.W, self.b)
        self.activation = activation
        self.B = dense_operator(operator, activation, self.nodes, self.W, self.b, 1.5, 4, 1e-2)
        self.X = np.random.default_rng(2).uniform(-2.5, 2.5, (9, dimension))
        self.A = PHI[activation](self.X @ self.W.T + self.b) @ self.B

    @staticmethod
    def mean(X):
        return 0.5 - 0.3 * X[:, 0]


one_and_two_inputs = pytest.mark.parametrize("dimension", [1, 2])
every_activation = pytest.mark.parametrize("activation", PHI)


@pytest.fixture(params=["ridgelet", "least-squares"])
def dense(request, activation, dimension):
    return Dense(request.param, activation, dimension)


@one_and_two_inputs
@every_activation
def test_the_operator_is_the_dense_formula(dense):
    assert relative_error(dense.given.operator(), dense.B) <= TWO_ROUTES


@one_and_two_inputs
@every_activation
def test_mean_and_covariance_follow_from_the_dense_operator(dense):
    K = dense.kernel(dense.nodes.points)
    assert relative_error(dense.given.mean(dense.X), dense.A @ dense.mean(dense.nodes.points)) <= TWO_ROUTES
    expected = dense.A @ K @ dense.A.T
    assert relative_error(dense.given.covariance(dense.X), expected) <= TWO_ROUTES
    assert relative_error(dense.given.covariance(dense.X, dense.X[:4]), expected[:, :4]) <= TWO_ROUTES


@one_and_two_inputs
@every_activation
def test_rmse_is_the_formula_of_section_four(dense):
    nodes, X, A = dense.nodes.points, dense.X, dense.A
    squared = (
        np.diag(dense.kernel(X))
        - 2 * np.sum(A * dense.kernel(X, nodes), axis=1)
        + np.sum((A @ dense.kernel(nodes)) * A, axis=1)
        + (dense.mean(X) - A @ dense.mean(nodes)) ** 2
    )
    assert relative_error(dense.given.rmse(X), np.sqrt(squared)) <= TWO_ROUTES


@pytest.mark.parametrize("rows", [5, 60])  # fewer than the rank of the node covariance, and more
def test_likelihood_and_predictions_follow_from_the_dense_covariance(rows):
    dense = Dense("least-squares", "tanh", 1)
    rng = np.random.default_rng(4)
    X, Xs = rng.uniform(-2.5, 2.5, (rows, 1)), dense.X
    y, noise = rng.standard_normal(rows), 0.3
    given = dense.given
    C = given.covariance(X) + noise**2 * np.eye(rows)
    r = y - given.mean(X)
    cross = given.covariance(Xs, X)
    likelihood = -0.5 * (r @ np.linalg.solve(C, r) + np.linalg.slogdet(C)[1] + rows * math.log(2 * math.pi))
    assert given.log_marginal_likelihood(X, y, noise) == pytest.approx(likelihood, rel=TWO_ROUTES)
    mean, variance = given.predict(X, y, noise, Xs)
    assert relative_error(mean, given.mean(Xs) + cross @ np.linalg.solve(C, r)) <= TWO_ROUTES
    expected = np.diag(given.covariance(Xs) - cross @ np.linalg.solve(C, cross.T))
    assert relative_error(variance, expected) <= TWO_ROUTES


@pytest.mark.parametrize("activation", PHI)
def test_a_network_is_the_literal_sum_over_its_units(nodes, activation):
    prior = rl.Prior("se(lengthscale=2)", nodes=nodes, units=700, activation=activation)
    net = prior.sample(seed=4)
    X = np.linspace(-5, 5, 31)[:, None]
    terms = PHI[activation](X @ net.W.T + net.b) * net.output_weights
    error = np.abs(net(X) - terms.sum(axis=1))
    assert (error / np.abs(terms).sum(axis=1)).max() <= 1e-13
    assert net.activation == activation
    assert net.W.shape == (700, 1) and net.b.shape == net.output_weights.shape == (700,)


def test_the_same_seed_gives_the_same_network_and_another_seed_another(prior):
    a, b, c = prior.sample(seed=1), prior.sample(seed=1), prior.sample(seed=2)
    for name in ("W", "b", "output_weights"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
        assert not np.any(getattr(a, name) == getattr(c, name))


def test_a_network_has_the_hidden_layer_and_the_weights_of_its_seed(prior):
    net = prior.sample(seed=9)
    W, b = prior.draw_hidden(seed=9)
    np.testing.assert_array_equal(net.W, W)
    np.testing.assert_array_equal(net.b, b)
    drawn = prior.given(W, b).draw_weights(seed=9)
    assert relative_error(net.output_weights, drawn) <= TWO_ROUTES


@pytest.mark.parametrize("density", ["gaussian", "logistic"])
def test_hidden_layers_have_the_asked_scale_and_grow_without_changing(nodes, density):
    variance = 1 if density == "gaussian" else math.pi**2 / 3
    kurtosis_excess = 2 if density == "gaussian" else 3.2

    def draw(units):
        return rl.Prior("se()", nodes=nodes, units=units, sigma_w=2, sigma_b=7, density=density).draw_hidden(seed=1)

    W, b = draw(20000)
    assert W.shape == (20000, 1) and b.shape == (20000,)
    standard_error = variance * math.sqrt(kurtosis_excess / 20000)
    assert abs(np.mean((W / 2) ** 2) - variance) <= 4.5 * standard_error
    assert abs(np.mean((b / 7) ** 2) - variance) <= 4.5 * standard_error
    np.testing.assert_array_equal(draw(100)[0], W[:100])
    np.testing.assert_array_equal(draw(100)[1], b[:100])


@pytest.mark.parametrize("sigma_w", [[3, 0.5], (3, 0.5), np.array([3, 0.5])])
def test_hidden_weights_have_a_bandwidth_for_each_input(sigma_w):
    nodes = rl.grid(half_width=2, points_per_axis=5, dimension=2, support=2)
    W, b = rl.Prior("se()", nodes=nodes, units=50, sigma_w=sigma_w).draw_hidden(seed=1)
    one_W, one_b = rl.Prior("se()", nodes=nodes, units=50, sigma_w=1).draw_hidden(seed=1)
    np.testing.assert_array_equal(W, one_W * [3, 0.5])
    np.testing.assert_array_equal(b, one_b)


def test_a_prior_given_its_hidden_layer_outlives_the_prior(nodes):
    prior = rl.Prior("se()", nodes=nodes, units=20)
    given = prior.given(*prior.draw_hidden(seed=1))
    before = given.mean([[0.5]])
    del prior
    np.testing.assert_array_equal(given.mean([[0.5]]), before)


def test_least_squares_needs_no_psi_in_fifty_inputs():
    points = np.random.default_rng(1).normal(size=(30, 50))
    nodes = rl.Nodes(points, np.ones(30))
    prior = rl.Prior("se(lengthscale=10)", nodes=nodes, units=200, sigma_w=0.1, sigma_b=1)
    assert prior.given(*prior.draw_hidden(seed=1)).rmse(points).max() <= 0.01
    with pytest.raises(ValueError, match="^order: "):
        rl.Prior("se(lengthscale=10)", nodes=nodes, units=200, operator="ridgelet")


@pytest.mark.parametrize("support", [6, 5])  # at 5 the first node has no weight, and the rank falls by one
def test_log_density_is_that_of_a_gaussian_on_its_support(support):
    nodes = rl.grid(half_width=6, points_per_axis=10, support=support)
    prior = rl.Prior("matern12()", mean="x", nodes=nodes, units=30, ridge=1e-2)
    given = prior.given(*prior.draw_hidden(seed=2))
    B = given.operator()
    mean = B @ nodes.points[:, 0]
    factor = B @ np.linalg.cholesky(rl.kernel("matern12()")(nodes.points))
    U, s, _ = np.linalg.svd(factor, full_matrices=False)
    rank = int(np.sum(nodes.weights > 0))
    U, s = U[:, :rank], s[:rank]
    w = given.draw_weights(seed=6)
    along = U.T @ (w - mean)
    expected = -0.5 * (rank * math.log(2 * math.pi) + 2 * np.log(s).sum() + np.sum((along / s) ** 2))
    assert given.log_density(w) == pytest.approx(expected, rel=TWO_ROUTES)


def test_weights_off_the_support_have_no_density_and_the_reason_is_given(given):
    mean, factor = given.weights()
    w = given.draw_weights(seed=0)
    U = np.linalg.svd(factor, full_matrices=True)[0]
    assert math.isfinite(given.log_density(w))
    with pytest.raises(ValueError, match="^w: must lie on the support of the prior, a subspace of dimension"):
        given.log_density(w + 1e-3 * np.linalg.norm(w - mean) * U[:, -1])


def test_a_given_layer_works_after_its_prior_went_out_of_scope(nodes):
    def make():
        prior = rl.Prior("matern32()", mean="x", nodes=nodes, units=30)
        return prior, prior.given(*prior.draw_hidden(seed=1))

    X = np.linspace(-4, 4, 9)[:, None]
    prior, given = make()
    before = given.rmse(X), given.covariance(X), given.operator()
    del prior
    gc.collect()
    [make() for _ in range(20)]
    for earlier, later in zip(before, (given.rmse(X), given.covariance(X), given.operator())):
        np.testing.assert_array_equal(earlier, later)


def test_the_error_of_least_squares_falls_with_the_number_of_units(nodes):
    X = np.linspace(-5, 5, 41)[:, None]

    def largest(units):
        prior = rl.Prior("se(lengthscale=2.5)", nodes=nodes, units=units, ridge=1e-8)
        return prior.given(*prior.draw_hidden(seed=1)).rmse(X).max()

    assert largest(300) < largest(60) < largest(12)


def test_the_ridgelet_operator_needs_no_ridge(nodes):
    assert rl.Prior("se()", nodes=nodes, operator="ridgelet", ridge=0, units=7).units == 7


@pytest.mark.parametrize(
    ("settings", "argument"),
    [
        ({"half_width": 0}, "half_width"),
        ({"half_width": float("nan")}, "half_width"),
        ({"points_per_axis": 0}, "points_per_axis"),
        ({"dimension": 0}, "dimension"),
        ({"support": 7}, "support"),
        ({"support": 0}, "support"),
    ],
    ids=str,
)
def test_a_bad_grid_is_refused_by_name(settings, argument):
    with pytest.raises(ValueError, match=f"^{argument}: must"):
        rl.grid(**{"half_width": 6, "points_per_axis": 10, **settings})


def test_a_grid_too_large_for_memory_is_refused_with_numbers():
    with pytest.raises(ValueError, match=r"a grid of 30 points on each of 9 axes .* of memory are available"):
        rl.grid(half_width=6, points_per_axis=30, dimension=9)
