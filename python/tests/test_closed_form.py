"""fit with nothing but data: what is learned, what is predicted, and a comparison with the dense formulas."""

import numpy as np
import pytest
import ridgelet as rl


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(5)
    X = random.uniform(-2, 2, (60, 2))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * random.standard_normal(60)


@pytest.fixture(scope="module")
def fitted(table):
    return rl.fit(*table)


def test_nothing_but_data_is_needed(table, fitted):
    X, y = table
    mean, sd = fitted.predict(X)
    assert np.sqrt(np.mean((mean - y) ** 2)) < 0.15
    assert 0.07 < fitted.noise[0] * y.std() < 0.14
    assert np.mean(np.abs(y - mean) < 1.96 * sd) > 0.85
    assert 0 < fitted.certificate["floor"] <= fitted.certificate["data"] < 0.1
    assert fitted.report["hidden"] == "fixed" and fitted.report["converged"]


def test_the_posterior_is_that_of_the_dense_formulas():
    random = np.random.default_rng(2)
    X, Xs = random.uniform(-3, 3, (40, 1)), np.linspace(-3, 3, 17)[:, None]
    y = np.sin(X[:, 0])
    fitted = rl.fit(X, y, kernel="se(lengthscale=1.5)", noise=0.2, nodes="grid", points=40, units=60, sigma_w=1,
                    sigma_b=4, ridge=1e-6, domain="-3:3", units_from="independent", seed=3)  # fmt: skip
    nodes = rl.grid(half_width=3.6, points_per_axis=40, dimension=1, support=3)
    prior = rl.Prior(kernel="se(lengthscale=1.5)", nodes=nodes, units=60, sigma_w=1, sigma_b=4, ridge=1e-6)
    given = prior.given(*prior.draw_hidden(3))
    C = given.covariance(X, X) + 0.04 * np.eye(40)
    k = given.covariance(Xs, X)
    mean, sd = fitted.predict(Xs, latent=True)
    np.testing.assert_allclose(mean, k @ np.linalg.solve(C, y), rtol=0, atol=1e-8)
    variance = np.diag(given.covariance(Xs, Xs)) - np.sum(k * np.linalg.solve(C, k.T).T, axis=1)
    np.testing.assert_allclose(sd**2, variance, rtol=0, atol=1e-8)


def test_the_network_is_the_mean(table, fitted):
    for got, expected in zip(fitted.network(table[0]), fitted.predict(table[0]), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-8)


def test_functions_scatter_about_the_mean(table, fitted):
    X = table[0][:5]
    functions = fitted.functions(X, draws=2000, seed=1)
    mean, sd = fitted.predict(X, latent=True)
    assert functions.shape == (2000, 5)
    assert np.abs((functions.mean(0) - mean) / (sd / np.sqrt(2000))).max() < 4.5


def test_what_is_given_stays_and_with_learn_is_where_learning_starts(table):
    X, y = table
    given = rl.fit(X, y, kernel="se(lengthscale=1.5)", noise=0.3)
    assert (str(given.kernel), given.noise.tolist()) == ("se(amplitude=1, lengthscale=1.5)", [0.3])
    assert given.learned["log_evidence"] is None
    learned = rl.fit(X, y, kernel="se(lengthscale=1.5)", noise=0.3, learn=True)
    assert learned.noise[0] != 0.3 and learned.learned["log_evidence"] is not None


def test_mixed_precision_says_what_it_costs(table):
    plain, mixed = rl.fit(*table), rl.fit(*table, precision="mixed")
    assert mixed.report["precision"] == "mixed" and "precision" not in plain.report
    assert 0 < mixed.report["mixed_precision"]["mean"] < 0.01
    mean, sd = plain.predict(table[0], latent=True)
    assert np.all(np.abs(mixed.predict(table[0], latent=True)[0] - mean) < 0.01 * sd)


def test_several_networks_are_mixed(table):
    one, five = rl.fit(*table, units=30), rl.fit(*table, units=30, networks=5)
    X, y = table
    density = [np.mean(-np.log(sd) - 0.5 * ((y - mean) / sd) ** 2) for mean, sd in (one.predict(X), five.predict(X))]
    assert density[1] > density[0] - 0.05


def test_a_saved_fit_predicts_the_same(table, fitted, tmp_path):
    fitted.save(str(tmp_path / "model.nc"))
    loaded = rl.load(str(tmp_path / "model.nc"))
    for got, expected in zip(loaded.predict(table[0]), fitted.predict(table[0]), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-9)
    assert loaded.certificate == fitted.certificate and loaded.learned == fitted.learned


@pytest.mark.parametrize(
    ("settings", "argument"),
    [({"hidden": "free"}, "hidden"), ({"networks": 0}, "networks"), ({"precision": "single"}, "precision"), ({"activation": "tahn"}, "activation"),
     ({"learn_rows": 1}, "learn_rows"), ({"nodes": "gird"}, "nodes"), ({"kernel": "se(lengthscale=[1,2,3])"}, "kernel")],
)  # fmt: skip
def test_bad_settings_are_refused_by_name(table, settings, argument):
    with pytest.raises(ValueError, match=f"^{argument}"):
        rl.fit(*table, **settings)
