"""Numbers at the ends of their ranges, against 60 digits: right to the digits stated here, or refused with a reason."""

import itertools

import mpmath as mp
import numpy as np
import pytest

import ridgelet as rl

mp.mp.dps = 60
RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, (8, 1))
Y = np.sin(3 * X[:, 0]) + 0.3
XS = np.array([[-1.9], [-0.3], [0.77], [X[3, 0]], [2.5]])
LENGTHSCALES = [1e-8, 1e-3, 1.0, 1e2, 1e4, 1e8]
NOISES = [1e-10, 1e-6, 1e-4, 1e-2, 1.0, 1e4]
REFUSED = "noise: must be larger: "
ROUNDING = 2.0**-53

CORRELATIONS = {
    "se": lambda s: mp.exp(-s / 2),
    "matern12": lambda s: mp.exp(-mp.sqrt(s)),
    "matern32": lambda s: (1 + mp.sqrt(3 * s)) * mp.exp(-mp.sqrt(3 * s)),
    "matern52": lambda s: (1 + mp.sqrt(5 * s) + 5 * s / 3) * mp.exp(-mp.sqrt(5 * s)),
    "rq": lambda s: 1 / (1 + s / 2),
}


def numbers(values):
    return [mp.mpf(float(value)) for value in values]


class Term:
    """amplitude^2 rho(|x - x'|^2 / lengthscale^2) or, without a lengthscale, a constant or linear kernel."""

    def __init__(self, name, amplitude, lengthscale=None):
        self.name, self.amplitude, self.lengthscale = name, amplitude, lengthscale

    def __str__(self):
        scale = "" if self.lengthscale is None else f", lengthscale={self.lengthscale!r}"
        return f"{self.name}(amplitude={self.amplitude!r}{scale})"

    def __call__(self, a, b):
        a, b = numbers(a), numbers(b)
        if self.name == "constant":
            shape = mp.mpf(1)
        elif self.name == "linear":
            shape = sum(p * q for p, q in zip(a, b, strict=True))
        else:
            r2 = sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) / mp.mpf(self.lengthscale) ** 2
            shape = CORRELATIONS[self.name](r2)
        return mp.mpf(self.amplitude) ** 2 * shape


class Exact:
    """Posterior of a process, in 60 digits; its covariance k is a function of two points."""

    def __init__(self, k, X, y, noise, Xs):
        self.L = mp.cholesky(mp.matrix([[k(a, b) + (mp.mpf(noise) ** 2 if i == j else 0) for j, b in enumerate(X)]
                                        for i, a in enumerate(X)]))  # fmt: skip
        z = self.whiten(numbers(y))
        cross = [self.whiten([k(x, a) for a in X]) for x in Xs]
        self.mean = [mp.fdot(c, z) for c in cross]
        self.variance = [k(x, x) - mp.fdot(c, c) for c, x in zip(cross, Xs, strict=True)]
        log_root = sum(mp.log(self.L[i, i]) for i in range(len(X)))
        self.evidence = -mp.fdot(z, z) / 2 - log_root - len(X) * mp.log(2 * mp.pi) / 2

    def whiten(self, values):
        z = []
        for i, value in enumerate(values):
            z.append((value - sum(self.L[i, j] * z[j] for j in range(i))) / self.L[i, i])
        return z


def sum_of(terms):
    return lambda a, b: sum(term(a, b) for term in terms)


def largest(got, expected, scale=1):
    """Largest error in units of the scale."""
    return max(float(abs(mp.mpf(float(g)) - e) / scale) for g, e in zip(got, expected, strict=True))


class Errors:
    """Errors of the process in doubles, relative to the largest response (mean), the prior's variance, the evidence."""

    def __init__(self, terms, X, y, noise, Xs):
        process = rl.GaussianProcess(" + ".join(map(str, terms)))
        mean, variance = process.predict(X, y, noise, Xs)
        evidence = process.log_marginal_likelihood(X, y, noise)
        assert np.all(variance >= 0)
        k = sum_of(terms)
        exact = Exact(k, X, y, noise, Xs)
        self.mean = largest(mean, exact.mean, np.abs(y).max())
        self.variance = largest(variance, exact.variance, max(k(x, x) for x in Xs))
        self.evidence = largest([evidence], [exact.evidence], max(1, abs(exact.evidence)))


@pytest.mark.parametrize("name", CORRELATIONS)
def test_a_kernel_is_right_to_fifteen_digits_of_its_variance_at_every_lengthscale(name):
    for amplitude, lengthscale in itertools.product([1e-6, 1.0, 1e9], LENGTHSCALES):
        term = Term(name, amplitude, lengthscale)
        points = np.vstack([X, X[:2] + 1e-9 * lengthscale, X[:2] + lengthscale])
        values = rl.kernel(str(term))(points, XS)
        expected = [term(a, b) for a in points for b in XS]
        assert largest(values.ravel(), expected, mp.mpf(amplitude) ** 2) < 1e-15


@pytest.mark.parametrize("period", [1e-8, 1e-3, 1.0, 1e4, 1e8])
def test_a_repeating_kernel_is_right_to_fifteen_digits_and_to_the_phase_that_its_inputs_have(period):
    """Inputs are rounded by 1e-16 of their distance, so their phase is uncertain by 1e-16 of the periods between."""
    points = np.vstack([X, X[:2] + period, X[:2] + period / 3])
    distances = [[abs(mp.mpf(float(a)) - mp.mpf(float(b))) for b in XS[:, 0]] for a in points[:, 0]]
    phase = [mp.pi * r / mp.mpf(period) for row in distances for r in row]
    certain = [4 * ROUNDING * (1 + 2 * p) for p in phase]
    for amplitude, lengthscale in itertools.product([1e-6, 1e9], [1e-3, 1.0, 1e8]):
        text = f"amplitude={amplitude!r}, period={period!r}"
        waves = {
            f"cosine({text})": [(mp.cos(2 * p), 2) for p in phase],
            # The slope of exp(-2 sin^2 / l^2) in the phase is at most 2 e^{-1/2} / l.
            f"periodic({text}, lengthscale={lengthscale!r})": [
                (mp.exp(-2 * mp.sin(p) ** 2 / mp.mpf(lengthscale) ** 2), 1 + 2 / lengthscale) for p in phase
            ],
        }
        for kernel, expected in waves.items():
            values = rl.kernel(kernel)(points, XS).ravel() / amplitude**2
            for value, (right, slope), digits in zip(values, expected, certain, strict=True):
                assert abs(mp.mpf(float(value)) - right) < slope * digits, kernel


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("name", CORRELATIONS)
def test_a_process_keeps_three_digits_of_the_response_or_is_refused(name, noise):
    for lengthscale in LENGTHSCALES:
        term = Term(name, 1.0, lengthscale)
        bound = 20 * len(X) * ROUNDING / noise**2  # what rounding does to a matrix of condition 1 / noise^2
        if noise >= 1e-4:
            errors = Errors([term], X, Y, noise, XS)
            assert errors.mean < bound and errors.evidence < bound + 1e-14
        elif name == "matern12" or lengthscale <= 1:
            errors = Errors([term], X, Y, noise, XS)
            assert errors.mean < 1e-6 and errors.evidence < 1e-5
        else:
            try:
                errors = Errors([term], X, Y, noise, XS)
            except ValueError as refusal:
                assert str(refusal).startswith(REFUSED)
                continue
            assert errors.mean < 1e-3 and errors.evidence < 1e-3
        assert errors.variance < 1e-9


@pytest.mark.parametrize("lengthscale", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("noise", [1e-10, 1e-6])
def test_a_wave_that_a_stiff_kernel_cannot_follow_in_doubles_is_refused(lengthscale, noise):
    with pytest.raises(ValueError, match=REFUSED):
        rl.GaussianProcess(f"se(lengthscale={lengthscale!r})").predict(X, Y, noise, XS)


@pytest.mark.parametrize("size", [1.0, 1e6])
@pytest.mark.parametrize("noise", [1e-6, 1e-2])
@pytest.mark.parametrize("large", ["constant", "linear"])
def test_terms_from_a_millionth_to_a_thousand_million_are_kept_in_one_sum(large, noise, size):
    terms = [Term(large, 1e9), Term("se", 1.0, 1.0), Term("matern12", 1e-6, 0.1)]
    errors = Errors(terms, X, size * Y, noise, XS)
    assert errors.mean < 1e-7 and errors.variance < 1e-15 and errors.evidence < 1e-7


@pytest.mark.parametrize("terms", [
    [Term("se", 1e9, 100.0), Term("se", 1.0, 1.0)],
    [Term("matern32", 1e9, 1e4), Term("matern52", 1e3, 1.0), Term("se", 1e-6, 0.1)],
])  # fmt: skip
@pytest.mark.parametrize("noise", [1e-6, 1e-1])
def test_a_large_smooth_term_whose_rounding_hides_the_others_is_refused(terms, noise):
    with pytest.raises(ValueError, match=REFUSED):
        rl.GaussianProcess(" + ".join(map(str, terms))).predict(X, Y, noise, XS)


def test_a_response_of_a_million_keeps_a_noise_of_a_hundredth():
    y = 1e6 + Y
    with_level = Errors([Term("constant", 1e6), Term("se", 1.0, 1.0)], X, y, 1e-2, XS)
    assert with_level.mean * 1e6 < 1e-2 * 1e-5  # 1e-5 of the noise, 1e-2
    mean, variance = rl.GaussianProcess("se()", mean="1e6").predict(X, y, 1e-2, XS)
    exact = Exact(Term("se", 1.0, 1.0), X, y - 1e6, 1e-2, XS)
    assert largest(mean - 1e6, exact.mean) < 1e-9 and largest(variance, exact.variance) < 1e-12


@pytest.mark.parametrize("name", CORRELATIONS)
@pytest.mark.parametrize("noise", [1e-3, 1.0])
def test_duplicate_and_collinear_inputs_are_rows_like_others(name, noise):
    once = np.column_stack([X[:4], 2 * X[:4], -X[:4]])  # three inputs on one line
    points, y = np.vstack([once, once[:2], once[:1]]), np.r_[Y[:4], Y[:2] + noise, Y[:1] - noise]
    errors = Errors([Term(name, 1.0, 2.0)], points, y, noise, points[:3] + 0.1)
    bound = 20 * len(y) * ROUNDING / noise**2
    assert errors.mean < bound and errors.variance < 1e-13 and errors.evidence < bound + 1e-14


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("inputs", [1, 50])
def test_one_row_is_a_closed_form_in_one_input_and_in_fifty(inputs, noise):
    row = RNG.uniform(-2, 2, (1, inputs))
    errors = Errors([Term("matern52", 1.0, 3.0)], row, Y[:1], noise, np.vstack([row, row + 0.1, row + 100]))
    assert errors.mean < 1e-14 and errors.variance < 1e-15
    assert errors.evidence < 1e-14 + 5e-17 / noise  # |r / sd| is rounded with r


def test_fifty_inputs_are_as_right_as_one():
    points = np.random.default_rng(3).uniform(-2, 2, (8, 50))
    for name in CORRELATIONS:
        errors = Errors([Term(name, 1.0, 7.0)], points, Y, 1e-3, points + 0.3)
        assert errors.mean < 1e-9 and errors.variance < 1e-13 and errors.evidence < 1e-9


ACTIVATIONS = {
    "tanh": mp.tanh,
    "erf": mp.erf,
    "sigmoid": lambda z: 1 / (1 + mp.exp(-z)),
    "relu": lambda z: z if z > 0 else mp.mpf(0),
}


class NetworkCovariance:
    """phi(x) H K H^T phi(x')^T of least squares, H = F^T (F F^T + ridge tr(F F^T) / D U)^{-1}, in 60 digits."""

    def __init__(self, phi, k, nodes, W, b, ridge):
        self.phi, self.W, self.b = phi, [numbers(row) for row in W], numbers(b)
        kept = nodes.weights > 0
        self.points, self.u = nodes.points[kept], numbers(nodes.weights[kept])
        self.K = mp.matrix([[k(a, b) for b in self.points] for a in self.points])
        self.H = self.operator(ridge)
        self.weights = self.H * self.K * self.H.T

    def operator(self, ridge):
        F = mp.matrix([self.features(point) for point in self.points])
        S, D = F * F.T, len(self.u)
        penalty = mp.mpf(ridge) * sum(S[i, i] for i in range(D)) / D * sum(self.u) / D
        for i in range(D):
            S[i, i] += penalty / self.u[i]
        return F.T * mp.inverse(S)

    def seen(self, x):
        """What the units receive for an input x."""
        return numbers(x)

    def features(self, x):
        seen = self.seen(x)
        return [self.phi(mp.fdot(row, seen) + bias) for row, bias in zip(self.W, self.b, strict=True)]

    def __call__(self, a, b):
        left, right = mp.matrix([self.features(a)]), mp.matrix([self.features(b)])
        return (left * self.weights * right.T)[0]


class DeepCovariance(NetworkCovariance):
    """The same for a second hidden layer, which receives phi(x) H L of the first; L factors K by largest pivots."""

    def __init__(self, phi, k, nodes, first, W, b, ridge):
        self.first = first
        self.bridge = first.H * factor_by_pivots(first.K)
        super().__init__(phi, k, nodes, W, b, ridge)

    def seen(self, x):
        return list(mp.matrix([self.first.features(x)]) * self.bridge)


def factor_by_pivots(K):
    D = K.rows
    L, left = mp.matrix(D, D), [K[i, i] for i in range(D)]
    for r in range(D):
        p = max(range(D), key=left.__getitem__)
        root = mp.sqrt(left[p])
        for i in range(D):
            L[i, r] = (K[i, p] - sum(L[i, j] * L[p, j] for j in range(r))) / root
            left[i] -= L[i, r] ** 2
        left[p] = mp.mpf(-1)
    return L


class RidgeletCovariance(NetworkCovariance):
    """The paper's operator for tanh and one input: H_ij = Z u_j psi(W_i x_j + b_i) / N, psi = C (exp(-z^2/2) sin(pi z/2))''."""

    def __init__(self, k, nodes, W, b, spread_w, spread_b):
        self.measure = mp.sqrt(2 * mp.pi) * mp.mpf(spread_w) * mp.mpf(spread_b)
        super().__init__(mp.tanh, k, nodes, W, b, None)

    @staticmethod
    def psi(z):
        a = mp.pi / 2
        constant = -mp.exp(mp.pi**2 / 8) / (mp.sqrt(2 * mp.pi) * mp.sqrt(a) * 2 * mp.gamma(1))
        wave = (z * z - 1 - a * a) * mp.sin(a * z) - 2 * a * z * mp.cos(a * z)
        return constant * mp.exp(-z * z / 2) * wave

    def operator(self, _):
        units = range(len(self.b))
        return mp.matrix([[self.measure * u / len(self.b) * self.psi(mp.fdot(self.W[i], numbers(x)) + self.b[i])
                           for u, x in zip(self.u, self.points, strict=True)] for i in units])  # fmt: skip


def given_hidden_layer(term, activation, units, nodes, spread=1.0):
    prior = rl.Prior(rl.kernel(str(term)), nodes=nodes, activation=activation, units=units, operator="least-squares",
                     ridge=1e-4, sigma_w=spread, sigma_b=2 * spread)  # fmt: skip
    W, b = prior.draw_hidden(seed=1)
    return prior.given(W, b), NetworkCovariance(ACTIVATIONS[activation], term, nodes, W, b, 1e-4)


def network_errors(given, covariance, y, noise, X=X[:5], Xs=XS[:3]):
    """Errors of the mean in predictive standard deviations, of the variance relative to the predictive variance, and of
    the evidence relative to itself."""
    exact = Exact(covariance, X, y, noise, Xs)
    mean, variance = given.predict(X, y, noise, Xs)
    sd = [mp.sqrt(v + mp.mpf(noise) ** 2) for v in exact.variance]
    evidence = given.log_marginal_likelihood(X, y, noise)
    return max(
        max(float(abs(mp.mpf(float(m)) - e) / s) for m, e, s in zip(mean, exact.mean, sd, strict=True)),
        max(float(abs(mp.mpf(float(v)) - e) / s**2) for v, e, s in zip(variance, exact.variance, sd, strict=True)),
        largest([evidence], [exact.evidence], max(1, abs(exact.evidence))),
    )


def few_nodes():
    return rl.grid(half_width=3, points_per_axis=9, dimension=1, support=2.5)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("lengthscale", [1e-8, 1.0, 1e8])
def test_a_network_is_right_to_six_digits_of_its_sd_where_the_noise_is_a_thousandth_or_more(activation, lengthscale):
    given, covariance = given_hidden_layer(Term("se", 1.0, lengthscale), activation, 8, few_nodes())
    for noise in (1e-3, 1.0, 1e4):
        assert network_errors(given, covariance, Y[:5], noise) < 1e-6


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("lengthscale", [1e-8, 1.0, 100.0, 1e8])
def test_a_network_with_less_noise_is_right_or_refused(activation, lengthscale):
    given, covariance = given_hidden_layer(Term("se", 1.0, lengthscale), activation, 8, few_nodes())
    for noise in (1e-4, 1e-5, 1e-6, 1e-8, 1e-10):
        try:
            assert network_errors(given, covariance, Y[:5], noise) < 3
        except ValueError as refusal:
            assert str(refusal).startswith("noise: must be larger for data that the function cannot follow")


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("units", [1, 8])
def test_saturated_features_and_a_single_unit_are_networks_like_others(activation, units):
    given, covariance = given_hidden_layer(Term("matern32", 1.0, 1.0), activation, units, few_nodes(), spread=1e3)
    for noise in (1e-2, 1.0):
        assert network_errors(given, covariance, Y[:5], noise) < 1e-6


def test_a_single_node_is_a_prior_of_one_number():
    given, covariance = given_hidden_layer(Term("se", 2.0, 1.0), "tanh", 4, rl.Nodes([[0.5]], [1.0]))
    assert network_errors(given, covariance, Y[:5], 0.1) < 1e-9


def test_responses_of_a_million_are_as_right_as_those_of_one():
    given, covariance = given_hidden_layer(Term("se", 1e6, 1.0), "tanh", 8, few_nodes())
    assert network_errors(given, covariance, 1e6 * Y[:5], 1e3) < 1e-6


def uneven_nodes(inputs, count=6):
    """Nodes without symmetry, so that no two pivots are equal."""
    return rl.Nodes(np.random.default_rng(5).uniform(-2, 2, (count, inputs)), np.linspace(0.5, 1.5, count))


@pytest.mark.parametrize("lengthscale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("spread", [1.0, 1e3])
def test_the_papers_operator_is_right_to_six_digits_of_its_sd(lengthscale, spread):
    term, nodes = Term("se", 1.0, lengthscale), few_nodes()
    prior = rl.Prior(rl.kernel(str(term)), nodes=nodes, units=8, operator="ridgelet", sigma_w=spread, sigma_b=2 * spread)
    W, b = prior.draw_hidden(seed=1)
    covariance = RidgeletCovariance(term, nodes, W, b, spread, 2 * spread)
    for noise in (1e-2, 1.0, 1e4):
        assert network_errors(prior.given(W, b), covariance, Y[:5], noise) < 1e-6


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("lengthscale", [1e-8, 1.0, 3.0])
def test_two_layers_are_right_to_six_digits_of_their_sd(activation, lengthscale):
    term, nodes, phi = Term("se", 1.0, lengthscale), uneven_nodes(1), ACTIVATIONS[activation]
    prior = rl.Prior(rl.kernel(str(term)), nodes=nodes, activation=activation, units=7, layers=2, ridge=1e-4,
                     sigma_w=1.0, sigma_b=2.0)  # fmt: skip
    W, b, W2, b2 = prior.draw_hidden(seed=1)
    first = NetworkCovariance(phi, term, nodes, W, b, 1e-4)
    covariance = DeepCovariance(phi, term, nodes, first, W2, b2, 1e-4)
    for noise in (1e-2, 1.0, 1e4):
        assert network_errors(prior.given(W, b, W2, b2), covariance, Y[:5], noise) < 1e-6


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("lengthscale", [1e-8, 7.0, 1e8])
def test_a_network_of_fifty_inputs_is_right_to_six_digits_of_its_sd(activation, lengthscale):
    points = np.random.default_rng(4).uniform(-2, 2, (8, 50))
    given, covariance = given_hidden_layer(Term("se", 1.0, lengthscale), activation, 8, uneven_nodes(50), spread=0.2)
    for noise in (1e-2, 1.0, 1e4):
        assert network_errors(given, covariance, Y[:5], noise, points[:5], points[5:]) < 1e-6


REFUSED_PROCESSES = {
    "an evidence that overflows": ("se()", "0", X, 1e155 * Y, 1.0, XS, "y: must be smaller beside kernel and noise: its evidence overflows"),
    "a noise whose square overflows": ("se()", "0", X, Y, 1e200, XS, "noise: must be at most 1e+150, got 1e+200, whose square overflows"),
    "a mean without a value": ("se()", "log(x)", X + 3, Y, 0.1, [[-1.0]], "mean: must be finite at every point, and 'log(x)' is not"),
    "a mean of minus infinity": ("se()", "log(x)", X + 3, Y, 0.1, [[0.0]], "mean: must be finite at every point, and 'log(x)' is not"),
    "a variance that overflows": ("linear()", "0", X, Y, 0.1, [[1e200]], "kernel: must be finite at every point, and 'linear"),
    "a variance of data that overflows": ("linear()", "0", 1e200 * X, Y, 0.1, XS, "kernel: must be finite at every point, and 'linear"),
    "squares that lose digits": ("se(amplitude=1e-160)", "0", X, 1e-160 * Y, 1e-160, XS, "kernel: must be larger: doubles lose digits"),
    "a noise whose square loses digits": ("linear()", "0", X, Y, 1e-160, XS, "noise: must be larger: doubles lose digits"),
    "squares that are 0": ("se(amplitude=1e-200)", "0", X, 1e-200 * Y, 1e-160, XS, "noise: must be larger: doubles lose digits"),
}


@pytest.mark.parametrize("case", REFUSED_PROCESSES)
def test_an_exact_process_beyond_doubles_is_refused_for_the_true_reason(case):
    kernel, mean, x, y, noise, xs, reason = REFUSED_PROCESSES[case]
    process = rl.GaussianProcess(kernel, mean=mean)
    with pytest.raises(ValueError) as refusal:
        process.predict(x, y, noise, xs)
    assert str(refusal.value).startswith(reason)


@pytest.mark.parametrize("case", [case for case in REFUSED_PROCESSES if "mean" not in case])
def test_so_is_its_covariance(case):
    kernel, mean, x, y, noise, xs, reason = REFUSED_PROCESSES[case]
    with pytest.raises(ValueError) as refusal:
        rl.GaussianProcess(kernel, mean=mean).posterior_covariance(x, y, noise, xs, xs)
    assert str(refusal.value).startswith(reason)


def test_a_prior_variance_that_overflows_is_refused():
    with pytest.raises(ValueError, match="kernel: must be finite at every point, and 'linear"):
        rl.GaussianProcess("linear()").prior([[1e200]])


@pytest.mark.parametrize("unit", [1e-140, 1e-60, 1e60, 1e140])
def test_an_exact_process_is_the_same_in_any_unit(unit):
    mean, variance = rl.GaussianProcess("se()").predict(X, Y, 0.1, XS)
    scaled_mean, scaled_variance = rl.GaussianProcess(f"se(amplitude={unit})").predict(X, unit * Y, 0.1 * unit, XS)
    assert scaled_mean / unit == pytest.approx(mean, rel=1e-9)
    assert scaled_variance / unit / unit == pytest.approx(variance, rel=1e-9)


def test_numbers_of_a_fit_that_overflow_are_refused(tmp_path):
    fitted = rl.fit(X, Y, kernel="se()", noise=0.1, units=20, activation="relu", force=True)
    with pytest.raises(ValueError, match="must be nearer to the data: the network's mean or sd overflows there"):
        fitted.network([[1e200]])
    with pytest.raises(ValueError, match="data: has responses, .* so large that squares leave the range of a double"):
        fitted.score(X, 1e155 * Y)
    with pytest.raises(ValueError, match="path: must not have a null character in it"):
        fitted.save(f"{tmp_path}/a\0b")
    assert list(tmp_path.iterdir()) == []
