"""Arrays of every kind that a person may pass: good ones give the same numbers, bad ones are refused by name; so are
bad settings."""

import subprocess
import sys

import numpy as np
import pytest

import ridgelet as rl

X = np.array([[-2.0], [0.0], [1.0], [3.0]])
Y = np.array([1.0, -1.0, 0.0, 2.0])
NOISE = 0.5


# Every place that takes points: (argument, call with an array in it, the number of columns that it needs or None).
POINTS = {
    "kernel-X1": ("X1", lambda s, a: s.process.kernel(a, X), 1),
    "kernel-X2": ("X2", lambda s, a: s.process.kernel(X, a), 1),
    "mollifier": ("X", lambda s, a: rl.mollifier(a, 5, 6), None),
    "nodes": ("points", lambda s, a: rl.Nodes(a, np.ones(4)), None),
    "given-W": ("W", lambda s, a: s.prior.given(a, np.ones(4)), 1),
    "given-mean": ("X", lambda s, a: s.given.mean(a), 1),
    "given-rmse": ("X", lambda s, a: s.given.rmse(a), 1),
    "given-covariance-X1": ("X1", lambda s, a: s.given.covariance(a, X), 1),
    "given-covariance-X2": ("X2", lambda s, a: s.given.covariance(X, a), 1),
    "given-likelihood": ("X", lambda s, a: s.given.log_marginal_likelihood(a, Y, NOISE), 1),
    "given-predict-X": ("X", lambda s, a: s.given.predict(a, Y, NOISE, X), 1),
    "given-predict-Xs": ("Xs", lambda s, a: s.given.predict(X, Y, NOISE, a), 1),
    "network": ("X", lambda s, a: s.network(a), 1),
    "process-sample": ("X", lambda s, a: s.process.sample(a), None),
    "process-likelihood": ("X", lambda s, a: s.process.log_marginal_likelihood(a, Y, NOISE), None),
    "process-predict-X": ("X", lambda s, a: s.process.predict(a, Y, NOISE, X), None),
    "process-predict-Xs": ("Xs", lambda s, a: s.process.predict(X, Y, NOISE, a), 1),
    "process-covariance-X1": ("X1", lambda s, a: s.process.posterior_covariance(X, Y, NOISE, a, X), 1),
    "process-covariance-X2": ("X2", lambda s, a: s.process.posterior_covariance(X, Y, NOISE, X, a), 1),
    "mmd-S1": ("S1", lambda s, a: rl.gaussian_mmd2(a, np.eye(4), 1), 4),
    "mmd-S2": ("S2", lambda s, a: rl.gaussian_mmd2(np.eye(4), a, 1), 4),
    "split": ("X", lambda s, a: rl.error_split(s.ridgelet_prior, rl.grid(6, 24), a, replicates=1), 1),
}
NUMBERS = {
    "nodes-weights": ("weights", lambda s, a: rl.Nodes(X, a)),
    "given-b": ("b", lambda s, a: s.prior.given(X, a)),
    "given-likelihood": ("y", lambda s, a: s.given.log_marginal_likelihood(X, a, NOISE)),
    "given-predict": ("y", lambda s, a: s.given.predict(X, a, NOISE, X)),
    "given-log-density": ("w", lambda s, a: s.given.log_density(a)),
    "process-likelihood": ("y", lambda s, a: s.process.log_marginal_likelihood(X, a, NOISE)),
    "process-predict": ("y", lambda s, a: s.process.predict(X, a, NOISE, X)),
}
OPTIONAL = {"kernel-X2", "given-covariance-X2"}  # None means the first argument again
BAD_POINTS = {
    "one-dimensional": X[:, 0],
    "three-dimensional": X[:, :, None],
    "a-number": 1.0,
    "nan": np.array([[0.0], [np.nan], [0.0], [0.0]]),
    "infinity": np.array([[0.0], [np.inf], [0.0], [0.0]]),
    "minus-infinity": np.array([[0.0], [-np.inf], [0.0], [0.0]]),
    "complex": X + 0j,
    "texts": [["a"], ["b"], ["c"], ["d"]],
    "objects": np.array([[None]] * 4),
    "dates": np.array([["2021-01-01"]] * 4, dtype="M8[D]"),
    "ragged": [[1.0], [1.0, 2.0]],
    "a-dictionary": {},
    "none": None,
    "masked": np.ma.masked_array(X, mask=[[False], [True], [False], [False]]),
    "rows-masked": [np.ma.masked_array(row, mask=[i == 1]) for i, row in enumerate(X)],
}
BAD_NUMBERS = {
    "two-dimensional": X,
    "a-number": 1.0,
    "nan": [0.0, np.nan, 0.0, 0.0],
    "infinity": [0.0, np.inf, 0.0, 0.0],
    "too-short": [1.0, 2.0, 3.0],
    "too-long": [1.0, 2.0, 3.0, 4.0, 5.0],
    "complex": Y + 0j,
    "texts": ["a", "b", "c", "d"],
    "none": None,
    "masked": np.ma.masked_less(Y, 0),
}


class Subjects:
    process = rl.GaussianProcess("se()")
    prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=12), units=10)
    ridgelet_prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=12), units=10, operator="ridgelet")
    given = prior.given(*prior.draw_hidden(seed=0))
    network = prior.sample(seed=1)


@pytest.fixture
def subjects():
    return Subjects()


def assert_refused(call, argument):
    with pytest.raises(ValueError) as refused:
        call()
    message = str(refused.value)
    assert f"{argument}: must" in message, message
    assert message.startswith((f"{argument}: ", f"nodes: {argument}: ")), message
    assert "\n" not in message


@pytest.mark.parametrize("bad", BAD_POINTS)
@pytest.mark.parametrize("place", POINTS)
def test_points_that_are_not_a_table_of_finite_numbers_are_refused_by_name(subjects, place, bad):
    argument, call, _ = POINTS[place]
    if place in OPTIONAL and bad == "none":
        np.testing.assert_array_equal(call(subjects, None), call(subjects, X))
    else:
        assert_refused(lambda: call(subjects, BAD_POINTS[bad]), argument)


@pytest.mark.parametrize("place", [name for name in POINTS if POINTS[name][2]])
def test_points_with_a_wrong_number_of_columns_are_refused_by_name(subjects, place):
    argument, call, columns = POINTS[place]
    if place == "kernel-X1":
        argument = "X2"  # the first argument sets the number of inputs
    assert_refused(lambda: call(subjects, np.ones((4, columns + 1))), argument)


def test_nodes_of_another_dimension_cannot_split_the_error(subjects):
    square = rl.grid(half_width=6, points_per_axis=5, dimension=2)
    assert_refused(lambda: rl.error_split(subjects.ridgelet_prior, square, X, replicates=1), "finer")


@pytest.mark.parametrize("bad", BAD_NUMBERS)
@pytest.mark.parametrize("place", NUMBERS)
def test_a_bad_list_of_numbers_is_refused_by_name(subjects, place, bad):
    argument, call = NUMBERS[place]
    assert_refused(lambda: call(subjects, BAD_NUMBERS[bad]), argument)


@pytest.mark.parametrize("function", ["phi", "psi"])
@pytest.mark.parametrize("bad", [None, "a", ["a"], 1j, {}, np.ma.masked_less(Y, 0), [np.ma.masked, 1.0]])
def test_what_is_not_a_real_number_has_no_activation(function, bad):
    assert_refused(lambda: getattr(rl.ActivationPair("tanh"), function)(bad), "z")


@pytest.mark.parametrize("noise", [0, -1, float("nan"), float("inf")])
@pytest.mark.parametrize("method", ["log_marginal_likelihood", "predict"])
@pytest.mark.parametrize("subject", ["given", "process"])
def test_noise_that_is_not_a_standard_deviation_is_refused(subjects, subject, method, noise):
    new_points = [X] if method == "predict" else []
    assert_refused(lambda: getattr(getattr(subjects, subject), method)(X, Y, noise, *new_points), "noise")


GOOD_FORMS = {
    "float32": lambda a: a.astype(np.float32),
    "float16": lambda a: a.astype(np.float16),
    "int64": lambda a: a.astype(np.int64),
    "int8": lambda a: a.astype(np.int8),
    "lists": lambda a: a.tolist(),
    "fortran": lambda a: np.asfortranarray(a),
    "big-endian": lambda a: a.astype(">f8"),
    "read-only": lambda a: np.frombuffer(a.tobytes()).reshape(a.shape),
    "every-other": lambda a: np.repeat(a, 2, axis=0)[::2],
    "reversed": lambda a: a[::-1].copy()[::-1],
    "transposed": lambda a: a.T.copy().T,
    "broadcast": lambda a: np.broadcast_to(a, (3, *a.shape))[1],
    "masked-nowhere": lambda a: np.ma.masked_array(a, mask=np.zeros(a.shape, bool)),
}


@pytest.mark.parametrize("form", GOOD_FORMS)
def test_the_form_of_an_array_does_not_change_the_numbers(form):
    convert = GOOD_FORMS[form]
    P = np.array([[-2, 1], [0, 3], [1, -1], [3, 2]], dtype=float)
    targets = np.array([1, -1, 0, 2], dtype=float)
    square = rl.grid(half_width=4, points_per_axis=6, dimension=2)
    prior = rl.Prior("matern32(lengthscale=[1, 2])", mean="x1 - x2", nodes=square, units=4)
    plain, other = prior.given(P, targets), prior.given(convert(P), convert(targets))
    np.testing.assert_array_equal(other.W, P)
    np.testing.assert_array_equal(other.b, targets)
    np.testing.assert_array_equal(other.operator(), plain.operator())
    np.testing.assert_array_equal(plain.covariance(convert(P)), plain.covariance(P))
    np.testing.assert_array_equal(rl.kernel("rq()")(convert(P)), rl.kernel("rq()")(P))
    for got, expected in zip(
        plain.predict(convert(P), convert(targets), NOISE, convert(P)), plain.predict(P, targets, NOISE, P)
    ):
        np.testing.assert_array_equal(got, expected)
    pair = rl.ActivationPair("tanh", dimension=2)
    np.testing.assert_array_equal(pair.psi(convert(P)), pair.psi(P))


def test_inputs_are_left_as_they_were(given):
    points, targets = X.copy(), Y.copy()
    given.predict(points, targets, NOISE, points)
    rl.ActivationPair("tanh").phi(points)
    np.testing.assert_array_equal(points, X)
    np.testing.assert_array_equal(targets, Y)


EMPTY_POINTS = """
import numpy as np, ridgelet as rl
X, y, none = np.ones((3, 1)), np.ones(3), np.ones((0, 1))
process = rl.GaussianProcess("se()")
prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=10), units=10)
ridgelet_prior = rl.Prior("se()", nodes=rl.grid(half_width=6, points_per_axis=10), units=10, operator="ridgelet")
given = prior.given(*prior.draw_hidden(seed=0))
shapes = {
    "kernel": lambda: process.kernel(none, X).shape == (0, 3),
    "mean": lambda: given.mean(none).shape == (0,),
    "rmse": lambda: given.rmse(none).shape == (0,),
    "network": lambda: prior.sample(seed=0)(none).shape == (0,),
    "process.sample": lambda: process.sample(none).shape == (1, 0),
    "process.predict": lambda: process.predict(X, y, 0.1, none)[1].shape == (0,),
    "given.predict": lambda: given.predict(X, y, 0.1, none)[1].shape == (0,),
    "mmd": lambda: rl.gaussian_mmd2(np.ones((0, 0)), np.ones((0, 0)), 1) == 0,
    "split": lambda: rl.error_split(ridgelet_prior, rl.grid(6, 20), none, replicates=1)["total"] == 0,
    "given": lambda: prior.given(none, np.ones(0)) is None,
    "nodes": lambda: len(rl.Nodes(none, np.ones(0))) == 0,
    "mollifier": lambda: rl.mollifier(none, 1, 2).shape == (0,),
    "covariance": lambda: given.covariance(none).shape == (0, 0),
    "posterior_covariance": lambda: process.posterior_covariance(X, y, 0.1, none, X).shape == (0, 3),
    "log_marginal_likelihood": lambda: given.log_marginal_likelihood(none, np.ones(0), 0.1) == 0,
    "process.log_marginal_likelihood": lambda: process.log_marginal_likelihood(none, np.ones(0), 0.1) == 0,
    "log_density": lambda: given.log_density(np.ones(0)) == 0,
    "phi": lambda: rl.ActivationPair("tanh").phi(np.ones((0, 3))).shape == (0, 3),
}
"""


@pytest.mark.parametrize(
    "call",
    ["kernel", "mean", "rmse", "network", "process.sample", "process.predict", "given.predict", "mmd", "split", "given",
     "nodes", "mollifier", "covariance", "posterior_covariance", "log_marginal_likelihood",
     "process.log_marginal_likelihood", "log_density", "phi"],
)  # fmt: skip
def test_no_points_give_no_values_or_a_value_error(call):
    attempt = f"try:\n    assert shapes[{call!r}]()\nexcept ValueError as refused:\n    assert 'must' in str(refused)\n"
    child = subprocess.run([sys.executable, "-c", EMPTY_POINTS + attempt], capture_output=True, text=True, check=False)
    assert (child.returncode, child.stderr) == (0, "")


@pytest.mark.parametrize(
    ("settings", "argument"),
    [
        ({"units": 0}, "units"),
        ({"units": -3}, "units"),
        ({"units": 10**13}, "units"),
        ({"layer_scale": 0}, "layer_scale"),
        ({"layers": 0}, "layers"),
        ({"sigma_w": 0}, "sigma_w"),
        ({"sigma_w": float("nan")}, "sigma_w"),
        ({"sigma_w": [3, 1]}, "sigma_w"),
        ({"sigma_w": []}, "sigma_w"),
        ({"sigma_w": [-1]}, "sigma_w"),
        ({"sigma_b": 0}, "sigma_b"),
        ({"sigma_b": float("inf")}, "sigma_b"),
        ({"ridge": 0}, "ridge"),
        ({"ridge": -1e-6}, "ridge"),
        ({"order": 3}, "order"),
        ({"order": 0}, "order"),
        ({"activation": "relu", "order": 2}, "order"),
        ({"activation": "tahn"}, "activation"),
        ({"operator": "leastsquares"}, "operator"),
        ({"density": "cauchy"}, "density"),
        ({"mean": "x2"}, "mean"),
        ({"mean": "sine(x)"}, "mean"),
        ({"mean": "1/0"}, "mean"),
        ({"kernel": "sse()"}, "kernel"),
        ({"kernel": None}, "kernel"),
        ({"kernel": "se(active=[2])"}, "kernel"),
    ],
    ids=str,
)
def test_a_bad_setting_is_refused_by_name(nodes, settings, argument):
    with pytest.raises(ValueError, match=f"^{argument}: ") as refused:
        rl.Prior(**{"kernel": "se()", "nodes": nodes, **settings})
    assert "\n" not in str(refused.value)
