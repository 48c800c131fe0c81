"""Kernels of scikit-learn translated into ours: the same values, white noise as our noise, and refusals by name."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process.kernels import (
    RBF, CompoundKernel, ConstantKernel, DotProduct, Exponentiation, ExpSineSquared, Matern, PairwiseKernel,
    RationalQuadratic, WhiteKernel,
)  # fmt: skip

import ridgelet as rl
from ridgelet.sklearn_kernels import translate

ONE = np.random.default_rng(1).uniform(-3, 3, (30, 1))
TWO = np.random.default_rng(2).uniform(-3, 3, (30, 2))

KERNELS = [
    RBF(0.7), RBF([0.7, 2.5]), RBF([0.7]), Matern(1.3, nu=0.5), Matern([0.4, 3.0], nu=1.5), Matern(1.3, nu=2.5),
    Matern([2.0, 1.0], nu=np.inf), RationalQuadratic(1.7, alpha=0.3), ExpSineSquared(0.8, periodicity=2.3),
    DotProduct(0.6), DotProduct(0.0), ConstantKernel(2.5) * RBF(1.1), 3.0 * Matern(0.9) + WhiteKernel(0.04),
    (RBF(1.0) + DotProduct(1.5)) * Matern(2.0, nu=2.5) + ConstantKernel(0.5),
    RBF(1.0) * (RBF(2.0) + (ExpSineSquared(1.0, 1.5) + RationalQuadratic(0.5, 2.0))),
    (2.0 * RBF(1.0) + WhiteKernel(0.3)) * (Matern(1.0) + WhiteKernel(0.2)) + WhiteKernel(0.1),
    ConstantKernel(4.0) * WhiteKernel(0.25) + RBF(1.0), DotProduct(1.0) * RBF(1.0) + WhiteKernel(1e-3),
]  # fmt: skip


@pytest.mark.parametrize("theirs", KERNELS, ids=str)
def test_a_translated_kernel_has_the_same_values(theirs):
    anisotropic = "[0.7, 2.5]" in str(theirs) or "[0.4, 3]" in str(theirs) or "[2, 1]" in str(theirs)
    X = TWO if anisotropic else ONE
    ours = translate(theirs)
    values = rl.kernel(ours.kernel)(X) + (ours.noise or 0.0) ** 2 * np.eye(len(X))
    expected = theirs(X)
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(4.0 * RBF(), "se(amplitude=2.0, lengthscale=1.0)"), (RBF() * 4.0, "se(amplitude=2.0, lengthscale=1.0)"),
     (ConstantKernel(4.0) * (9.0 * RBF()), "se(amplitude=6.0, lengthscale=1.0)"),
     (4.0 * (RBF() + WhiteKernel()), "se(amplitude=2.0, lengthscale=1.0)"),
     (4.0 * (RBF() + DotProduct(3.0)), "se(amplitude=2.0, lengthscale=1.0) + 36.0 + linear(amplitude=2.0)"),
     (4.0 * (RBF() * RBF(2.0)), "se(amplitude=2.0, lengthscale=1.0) * se(lengthscale=2.0)"),
     (4.0 * ((RBF() + RBF(3.0)) * RBF(2.0)), "4.0 * (se(lengthscale=1.0) + se(lengthscale=3.0)) * se(lengthscale=2.0)"),
     (ConstantKernel(4.0) + RBF(), "4.0 + se(lengthscale=1.0)")],
    ids=str,
)  # fmt: skip
def test_a_constant_that_multiplies_a_kernel_is_its_amplitude(theirs, ours):
    assert translate(theirs).kernel == ours
    np.testing.assert_allclose(rl.kernel(ours)(ONE), theirs(ONE) - (translate(theirs).noise or 0) ** 2 * np.eye(30), atol=1e-12 * 400)


@pytest.mark.parametrize("theirs", [RBF(1.2), Matern(0.8, nu=1.5), RationalQuadratic(), DotProduct()], ids=str)
def test_so_it_has_on_several_inputs(theirs):
    np.testing.assert_allclose(rl.kernel(translate(theirs).kernel)(TWO), theirs(TWO), rtol=0, atol=1e-12 * 20)


@pytest.mark.parametrize(
    ("theirs", "named"),
    [(Exponentiation(RBF(), 2), "Exponentiation"), (RBF() + PairwiseKernel(), "PairwiseKernel"),
     (CompoundKernel([RBF()]), "CompoundKernel"), (Matern(nu=1.0), "Matern must have nu"),
     (WhiteKernel(), "more than white noise"), (DotProduct() * WhiteKernel() + RBF(), "must not grow with x")],
    ids=str,
)  # fmt: skip
def test_what_has_no_translation_is_refused_by_name(theirs, named):
    with pytest.raises(ValueError, match=f"^kernel: .*{named}"):
        translate(theirs)


def test_numbers_are_where_learning_starts_unless_all_of_them_are_fixed():
    assert translate(2.0 * RBF()).learn is True
    fixed = ConstantKernel(2.0, "fixed") * RBF(1.0, "fixed")
    assert translate(fixed).learn is False
    assert translate(fixed * RBF(2.0)).learn is None


def test_the_regressor_learns_from_their_values_or_keeps_them():
    random = np.random.default_rng(3)
    X = random.uniform(-2, 2, (40, 1))
    y = np.sin(2 * X[:, 0]) + 0.1 * random.standard_normal(40)
    theirs = 1.5 * RBF(0.8) + WhiteKernel(0.04)
    learned = rl.RidgeletRegressor(theirs, random_state=0).fit(X, y)
    assert learned.noise_ != 0.2 and str(learned.kernel_).count("se(") == 1
    kept = rl.RidgeletRegressor(theirs, learn=False, random_state=0).fit(X, y)
    assert kept.noise_ == pytest.approx(0.2, rel=1e-12)
    np.testing.assert_allclose(kept.kernel_(X), (1.5 * RBF(0.8))(X), rtol=0, atol=1e-12)
    assert kept.log_marginal_likelihood() < learned.log_marginal_likelihood()
    with pytest.raises(ValueError, match="^kernel: has fixed numbers"):
        rl.RidgeletRegressor(ConstantKernel(1.0, "fixed") * RBF()).fit(X, y)
    with pytest.raises(ValueError, match="^noise: must be given once"):
        rl.RidgeletRegressor(theirs, noise=0.1).fit(X, y)


SIDE = np.where(TWO[:, 0] + 0.5 * TWO[:, 1] ** 2 > 1, "right", "left")


def classifier_of(kernel, **settings):
    return rl.RidgeletClassifier(kernel, units=100, random_state=0, **settings)


@pytest.mark.parametrize("learn", [False, True])
def test_the_classifier_takes_them_as_their_translation(learn):
    theirs = ConstantKernel(2.0) * RBF([1, 2])
    classifier = classifier_of(theirs, learn=learn)
    assert classifier.get_params()["kernel"] is theirs and clone(classifier).get_params()["kernel"] == theirs
    given, again = (each.fit(TWO, SIDE).predict_proba(TWO) for each in (classifier, clone(classifier)))
    translated = classifier_of(translate(theirs).kernel, learn=learn).fit(TWO, SIDE)
    np.testing.assert_array_equal(given, translated.predict_proba(TWO))
    np.testing.assert_array_equal(given, again)
    assert classifier.kernel is theirs and classifier.kernel_ == translated.kernel_


def test_the_classifier_learns_unless_all_numbers_are_fixed_where_learn_is_none():
    free, fixed = 2.0 * RBF([1, 2]), ConstantKernel(2.0, "fixed") * RBF([1, 2], "fixed")
    for theirs, learn in ((free, True), (fixed, False)):
        expected = classifier_of(theirs, learn=learn).fit(TWO, SIDE).kernel_
        assert classifier_of(theirs, learn=None).fit(TWO, SIDE).kernel_ == expected
    assert classifier_of(free, learn=True).fit(TWO, SIDE).kernel_ != expected
    with pytest.raises(ValueError, match="^kernel: has fixed numbers beside free ones"):
        classifier_of(fixed * RBF([1, 2]), learn=None).fit(TWO, SIDE)


def test_the_classifier_refuses_white_noise_and_what_has_no_translation_by_name():
    with pytest.raises(ValueError) as refused:
        classifier_of(RBF([1, 2]) + WhiteKernel(0.1)).fit(TWO, SIDE)
    got = "RBF(length_scale=[1, 2]) + WhiteKernel(noise_level=0.1)"
    assert str(refused.value) == f"kernel: must have no WhiteKernel, since classes have no such noise, got {got}"
    with pytest.raises(ValueError, match="^kernel: Exponentiation has no translation"):
        classifier_of(Exponentiation(RBF(), 2)).fit(TWO, SIDE)


def test_the_network_predicts_what_scikit_learn_s_process_predicts():
    from sklearn.gaussian_process import GaussianProcessRegressor

    random = np.random.default_rng(4)
    X, Xs = random.uniform(-2, 2, (50, 1)), np.linspace(-2, 2, 25)[:, None]
    y = np.sin(2 * X[:, 0]) + 0.1 * random.standard_normal(50)
    theirs = 1.5 * RBF(0.8) + WhiteKernel(0.01)
    exact = GaussianProcessRegressor(theirs, optimizer=None).fit(X, y)
    network = rl.RidgeletRegressor(theirs, learn=False, units=300, random_state=0).fit(X, y)
    for got, expected in zip(network.predict(Xs, return_std=True), exact.predict(Xs, return_std=True), strict=True):
        np.testing.assert_allclose(got, expected, rtol=0, atol=4e-3)
    covariance, expected = (each.predict(Xs, return_cov=True)[1] for each in (network, exact))
    np.testing.assert_allclose(covariance, expected, rtol=0, atol=1e-3)
    assert network.log_marginal_likelihood() == pytest.approx(exact.log_marginal_likelihood(), abs=0.05)
