"""Kernels: their formulas, their algebra, their text; and draws of the process they define."""

import copy
import pickle

import numpy as np
import pytest

import ridgelet as rl

STANDARD_ERRORS = 4.5  # statistical tests: fixed seeds, at most this many standard errors
RNG = np.random.default_rng(11)
X1 = RNG.uniform(-3, 3, (7, 2))
X2 = RNG.uniform(-3, 3, (5, 2))

TEXTS = [
    "se(amplitude=1.3, lengthscale=1.5)",
    "se(amplitude=1, lengthscale=[1, 2.5])",
    "se(amplitude=1, lengthscale=2, active=[2])",
    "rq(amplitude=1, lengthscale=0.75, alpha=1.5)",
    "periodic(amplitude=1, lengthscale=0.75, period=1.8, active=[1])",
    "matern12(amplitude=1, lengthscale=2)",
    "matern32(amplitude=0.8, lengthscale=1.2)",
    "matern52(amplitude=1, lengthscale=2)",
    "linear(amplitude=0.3)",
    "constant(amplitude=2)",
    "white(amplitude=0.5)",
    "cosine(amplitude=1, period=3, active=[1])",
    "outer(x1*x2 + 1)",
    "se(lengthscale=2) * periodic(period=2.5) + linear(amplitude=0.3)",
    "(se() + white(amplitude=0.1)) * (linear() + 2)",
]


def distance(lengthscale=(1, 1)):
    scaled = (X1[:, None, :] - X2[None, :, :]) / np.asarray(lengthscale)
    return np.sqrt((scaled**2).sum(axis=2))


R = distance()
R_FIRST = np.abs(X1[:, :1] - X2[:, 0])
FORMULAS = {
    "se(amplitude=1.3, lengthscale=[0.7, 2.5])": 1.3**2 * np.exp(-(distance((0.7, 2.5)) ** 2) / 2),
    "se(lengthscale=0.7, active=[1])": np.exp(-((R_FIRST / 0.7) ** 2) / 2),
    "se(lengthscale=[0.7], active=[1])": np.exp(-((R_FIRST / 0.7) ** 2) / 2),
    "rq(amplitude=2, lengthscale=0.75, alpha=1.5)": 4 * (1 + R**2 / (2 * 1.5 * 0.75**2)) ** -1.5,
    "periodic(amplitude=2, lengthscale=0.75, period=1.8)": 4 * np.exp(-2 * np.sin(np.pi * R / 1.8) ** 2 / 0.75**2),
    "matern12(amplitude=2, lengthscale=0.7)": 4 * np.exp(-R / 0.7),
    "matern32(amplitude=2, lengthscale=0.7)": 4 * (1 + np.sqrt(3) * R / 0.7) * np.exp(-np.sqrt(3) * R / 0.7),
    "matern52(amplitude=2, lengthscale=0.7)": 4
    * (1 + np.sqrt(5) * R / 0.7 + 5 * R**2 / (3 * 0.7**2))
    * np.exp(-np.sqrt(5) * R / 0.7),
    "linear(amplitude=0.3)": 0.3**2 * X1 @ X2.T,
    "constant(amplitude=3)": np.full((7, 5), 9.0),
    "cosine(amplitude=2, period=3)": 4 * np.cos(2 * np.pi * R / 3),
    "outer(sin(x1) + x2^2)": np.outer(np.sin(X1[:, 0]) + X1[:, 1] ** 2, np.sin(X2[:, 0]) + X2[:, 1] ** 2),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_a_kernel_is_the_formula_of_its_name(text):
    np.testing.assert_allclose(rl.kernel(text)(X1, X2), FORMULAS[text], rtol=1e-12, atol=1e-15)


def test_every_named_kernel_has_its_formula_checked():
    checked = {text.split("(")[0] for text in FORMULAS} | {"white"}
    assert checked == set(rl.kernel_names())


def test_white_is_the_amplitude_squared_where_points_coincide_and_zero_elsewhere():
    k = rl.kernel("white(amplitude=0.5)")
    np.testing.assert_array_equal(k(X1), 0.25 * np.eye(7))
    np.testing.assert_array_equal(k(X1, X2), np.zeros((7, 5)))


@pytest.mark.parametrize("text", TEXTS)
def test_one_argument_means_the_same_points_twice(text):
    k = rl.kernel(text)
    np.testing.assert_array_equal(k(X1), k(X1, X1))
    np.testing.assert_array_equal(k(X1, None), k(X1, X1))
    np.testing.assert_allclose(k(X1, X2), k(X2, X1).T, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("left", TEXTS[:4])
@pytest.mark.parametrize("right", TEXTS[8:])
def test_sums_and_products_of_kernels_are_those_of_their_matrices(left, right):
    a, b = rl.kernel(left), rl.kernel(right)
    np.testing.assert_allclose((a + b)(X1, X2), a(X1, X2) + b(X1, X2), rtol=1e-14)
    np.testing.assert_allclose((a * b)(X1, X2), a(X1, X2) * b(X1, X2), rtol=1e-14)


@pytest.mark.parametrize("text", TEXTS)
def test_a_number_scales_or_shifts_a_kernel_from_either_side(text):
    k = rl.kernel(text)
    for scaled in (2 * k, k * 2, 2.0 * k, np.float64(2) * k, rl.kernel(f"2 * ({text})")):
        np.testing.assert_allclose(scaled(X1, X2), 2 * k(X1, X2), rtol=1e-14)
    for shifted in (3 + k, k + 3, rl.kernel(f"3 + {text}")):
        np.testing.assert_allclose(shifted(X1, X2), 3 + k(X1, X2), rtol=1e-14)


@pytest.mark.parametrize("text", TEXTS)
def test_text_reads_back_as_an_equal_kernel(text):
    k = rl.kernel(text)
    back = rl.kernel(str(k))
    assert back == k
    assert str(back) == str(k)
    assert hash(back) == hash(k)
    np.testing.assert_array_equal(back(X1, X2), k(X1, X2))
    assert str(k) in repr(k)


def test_text_keeps_the_parentheses_of_a_sum_inside_a_product():
    a, b, c = rl.kernel("se()"), rl.kernel("linear()"), rl.kernel("matern32()")
    k = (a + b) * c
    expected = (a(X1, X2) + b(X1, X2)) * c(X1, X2)
    np.testing.assert_allclose(rl.kernel(str(k))(X1, X2), expected, rtol=1e-14)
    assert rl.kernel(str(k)) != a + b * c


def test_kernels_are_equal_exactly_when_they_say_the_same():
    assert rl.kernel("se()") == rl.kernel(" se( amplitude = 1 , lengthscale=1.0 ) ")
    assert rl.kernel("se()") != rl.kernel("se(lengthscale=2)")
    assert rl.kernel("se()") + rl.kernel("linear()") == rl.kernel("se() + linear()")
    assert len({rl.kernel("se()"), rl.kernel("se(amplitude=1)"), rl.kernel("rq()")}) == 2


def test_sum_copy_and_pickle_give_the_kernel_back():
    k = rl.kernel("se(lengthscale=2) + linear()")
    assert sum([k, k]) == k + k
    assert copy.copy(k) == k
    assert pickle.loads(pickle.dumps(k)) == k


def test_a_kernel_equals_nothing_that_is_not_a_kernel():
    assert (rl.kernel("se()") == 3) is False
    assert (rl.kernel("se()") != "se()") is True


@pytest.mark.parametrize("number", [0, -1, float("nan"), float("inf")])
def test_a_number_that_is_not_a_variance_is_refused(number):
    k = rl.kernel("se()")
    combinations = [lambda: k * number, lambda: number * k, lambda: k + number]
    if number != 0:  # Python's sum() starts with 0 + k
        combinations.append(lambda: number + k)
    for combine in combinations:
        with pytest.raises(ValueError, match="kernel: .*must be positive and finite"):
            combine()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sse()", ["unknown kernel 'sse'", "column 1", "did you mean 'se'"]),
        ("se() + perodic()", ["unknown kernel 'perodic'", "column 8", "did you mean 'periodic'"]),
        ("se(lenghtscale=1)", ["unknown parameter 'lenghtscale'", "column 4", "did you mean 'lengthscale'"]),
        ("se(lengthscale=-1)", ["lengthscale", "positive", "-1", "column 16"]),
        ("se(amplitude=[1, 2])", ["one number", "column 14"]),
        ("se(lengthscale=nan)", ["number", "column 16"]),
        ("(se()", ["expected ')'", "column 6"]),
        ("se() se()", ["expected '+', '*'", "column 6"]),
        ("outer(sin(x)", ["parenthesis", "never closed"]),
        ("outer(foo)", ["unknown name 'foo'", "column 7"]),
        ("se(active=[0])", ["active", "counted from 1"]),
        ("se(active=[1, 1])", ["active", "different"]),
        ("-2 * se()", ["positive", "-2", "column 1"]),
        ("", ["expected a kernel", "end of the text"]),
    ],
)
def test_text_that_is_no_kernel_is_refused_with_its_place(text, words):
    with pytest.raises(ValueError) as refused:
        rl.kernel(text)
    assert str(refused.value).startswith("kernel: ")
    for word in words:
        assert word in str(refused.value)


def test_a_kernel_on_inputs_that_are_not_there_is_refused():
    with pytest.raises(ValueError, match="kernel: se: active: .*at most 2.*got 3"):
        rl.kernel("se(active=[3])")(X1)
    with pytest.raises(ValueError, match="kernel: se: lengthscale: .*one number or 2"):
        rl.kernel("se(lengthscale=[1, 2, 3])")(X1)


def test_a_periodic_kernel_of_a_distance_in_two_inputs_is_refused_as_a_prior():
    square = rl.grid(half_width=5, points_per_axis=10, dimension=2)
    with pytest.raises(ValueError, match="kernel: must be positive semi-definite"):
        rl.Prior("periodic(period=2)", nodes=square)


def test_draws_of_a_process_have_its_mean_and_covariance():
    process = rl.GaussianProcess("matern52(amplitude=2, lengthscale=1.5)", mean="1 - 2*x")
    X = np.linspace(-2, 2, 5)[:, None]
    count = 20000
    draws = process.sample(X, draws=count, seed=5)
    assert draws.shape == (count, 5)
    K, m = process.kernel(X), 1 - 2 * X[:, 0]
    mean_error = np.abs(draws.mean(axis=0) - m) / np.sqrt(np.diag(K) / count)
    assert mean_error.max() <= STANDARD_ERRORS
    centred = draws - m
    standard_error = np.sqrt((np.outer(np.diag(K), np.diag(K)) + K**2) / count)
    assert (np.abs(centred.T @ centred / count - K) / standard_error).max() <= STANDARD_ERRORS


def test_draws_of_a_process_repeat_with_the_seed_and_leave_earlier_ones_alone():
    process = rl.GaussianProcess("se()")
    X = np.linspace(-2, 2, 5)[:, None]
    np.testing.assert_array_equal(process.sample(X, draws=3, seed=1), process.sample(X, draws=3, seed=1))
    np.testing.assert_allclose(process.sample(X, draws=9, seed=1)[:3], process.sample(X, draws=3, seed=1), rtol=1e-12)
    assert not np.allclose(process.sample(X, draws=3, seed=1), process.sample(X, draws=3, seed=2))


def test_the_posterior_covariance_agrees_with_dense_algebra():
    process = rl.GaussianProcess("matern32(lengthscale=2)", mean="x")
    X, Xs = np.linspace(-2, 2, 6)[:, None], np.linspace(-3, 3, 4)[:, None]
    y = np.sin(X[:, 0])
    k = process.kernel
    C = k(X) + 0.2**2 * np.eye(6)
    expected = k(Xs) - k(Xs, X) @ np.linalg.solve(C, k(X, Xs))
    covariance = process.posterior_covariance(X, y, 0.2, Xs, Xs)
    np.testing.assert_allclose(covariance, expected, rtol=0, atol=1e-12)
    mean, variance = process.predict(X, y, 0.2, Xs)
    np.testing.assert_allclose(variance, np.diag(expected), rtol=0, atol=1e-12)
    np.testing.assert_allclose(mean, Xs[:, 0] + k(Xs, X) @ np.linalg.solve(C, y - X[:, 0]), rtol=0, atol=1e-12)
