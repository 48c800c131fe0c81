"""fitted.network: the fitted network by itself, and the ways to export it."""

import json
import pathlib
import pickle

import numpy as np
import pytest

import ridgelet as rl

MODEL = {"kernel": "se(lengthscale=1.5)", "noise": [0.1, 0.2], "units": 50}


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(7)
    X = random.uniform(-3, 3, (40, 2))
    y = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] + 0.1 * random.standard_normal(40)
    return X, np.c_[y, 100 - 3 * y]


@pytest.fixture(scope="module")
def fitted(table):
    return rl.fit(*table, networks=2, standardise=True, mean="0.25*x1 + 1", inputs=["a", "b"], **MODEL)


@pytest.fixture(scope="module")
def network(fitted):
    return fitted.network


def test_it_predicts_what_the_fit_predicts(table, fitted, network):
    for latent in (False, True):
        mean, sd = network(table[0], latent=latent)
        expected_mean, expected_sd = fitted.predict(table[0], latent=latent)
        np.testing.assert_allclose(mean, expected_mean, rtol=1e-11)
        np.testing.assert_allclose(sd, expected_sd, rtol=1e-10)


def test_it_outlives_the_fit(table):
    X, Y = table
    network = rl.fit(X, Y[:, 0], kernel="se()", noise=0.1).network
    mean, sd = network(X[:3])
    assert mean.shape == sd.shape == (3,)
    assert network(X[:3].tolist())[0].tolist() == mean.tolist()


def test_it_draws_the_functions_of_the_fit(table, fitted, network):
    Xs = table[0][:4]
    np.testing.assert_allclose(network.functions(Xs, 5, 3), fitted.functions(Xs, 5, 3), rtol=1e-9)
    assert network.functions(Xs, draws=6, seed=1, output=1).shape == (6, 4)


def test_its_arrays_are_those_of_the_json_export(network, tmp_path):
    network.export(tmp_path / "m.json")
    stored = json.loads((tmp_path / "m.json").read_text())
    arrays = network.to_numpy()
    assert set(arrays) == set(stored) - {"format", "version", "facts"}
    assert arrays["networks"][0]["V"][1].shape == (50, network.rank)

    def compare(got, expected):
        if isinstance(got, dict):
            assert set(got) == set(expected)
            for key in got:
                compare(got[key], expected[key])
        elif isinstance(got, list):
            for one, other in zip(got, expected, strict=True):
                compare(one, other)
        else:
            np.testing.assert_array_equal(got, expected)

    compare(arrays, {key: stored[key] for key in arrays})


def test_the_ending_or_the_name_says_the_format(network, tmp_path):
    for name, to in (("m.onnx", "onnx"), ("m.c", "c"), ("m.py", "torch"), ("m.json", "json")):
        network.export(str(tmp_path / name))
        network.export(pathlib.Path(tmp_path / "other"), to=to)
        assert (tmp_path / name).read_bytes() == (tmp_path / "other").read_bytes()
    network.export(tmp_path / "small.c", precision="float32")
    assert (tmp_path / "small.c").stat().st_size < 0.8 * (tmp_path / "m.c").stat().st_size


def sd_of(arrays, X):
    """The sd of new observations from the arrays of a JSON export, for each output."""
    centre, scale = (np.array(arrays["input_scaling"][key]) for key in ("centre", "scale"))
    x, outputs = (X - centre) / scale, len(arrays["noise"])
    means, variances = [], []
    for one in arrays["networks"]:
        phi = np.tanh(x @ np.array(one["layers"][0]["W"]).T + one["layers"][0]["b"])
        means.append(phi @ np.array(one["w"]))
        spread = [np.sum((phi @ np.array(one["V"][k])) ** 2, axis=1) + arrays["noise"][k] ** 2 for k in range(outputs)]
        variances.append(np.transpose(spread))
    return np.sqrt(np.mean(variances, axis=0) + np.var(means, axis=0)) * arrays["output_scaling"]["scale"]


def test_a_factor_of_fewer_columns_loses_what_it_says(table, network, tmp_path):
    assert network.export(tmp_path / "whole.json") is None
    loss = network.export(tmp_path / "cut.json", rank=4)
    whole, cut = (json.loads((tmp_path / name).read_text()) for name in ("whole.json", "cut.json"))
    assert np.shape(cut["networks"][0]["V"]) == (2, 50, 4) and cut["facts"]["sd_loss"] == loss
    sd = sd_of(whole, table[0])
    np.testing.assert_allclose(sd, network(table[0])[1], rtol=1e-10)
    lost = (sd - sd_of(cut, table[0])) / sd
    assert loss["largest"] == pytest.approx(lost.max(), rel=1e-8) and lost.max() > 0.01
    assert loss["root_mean_square"] == pytest.approx(np.sqrt(np.mean(lost**2)), rel=1e-8)


def test_what_cannot_be_is_refused_by_name(table, network, tmp_path):
    X, Y = table
    for call, argument in (
        (lambda: network.export(tmp_path / "m.txt"), "path"),
        (lambda: network.export(tmp_path / "m.c", to="cpp"), "to"),
        (lambda: network.export(tmp_path / "m.c", precision="half"), "precision"),
        (lambda: network.export(tmp_path / "m.c", rank=0), "rank"),
        (lambda: network.export(tmp_path / "m.c", rank=network.rank + 1), "rank"),
        (lambda: network(X[:, :1]), "Xs"),
        (lambda: network(X * np.nan), "Xs"),
        (lambda: network(X[:0]), "Xs"),
        (lambda: network.functions(X, 0), "draws"),
        (lambda: network.functions(X, 1, output=2), "output"),
    ):
        with pytest.raises(ValueError, match=f"^{argument}: "):
            call()
    with pytest.raises(OSError, match="cannot write"):
        network.export(tmp_path / "none" / "m.c")
    bent = rl.fit(X, Y[:, 0], kernel="se()", noise=0.1, mean="x1^2").network
    assert np.isfinite(bent(X)[0]).all()
    for leave in (lambda: bent.export(tmp_path / "m.c"), bent.to_numpy):
        with pytest.raises(ValueError, match="^mean: .*network_mean=True"):
            leave()
    assert list(tmp_path.iterdir()) == []


def test_torch_gives_a_module_or_says_that_it_is_missing(table, network):
    try:
        import torch
    except ImportError:
        with pytest.raises(ImportError, match="needs PyTorch"):
            network.to_torch()
        return
    for got, expected in zip(network.to_torch()(torch.as_tensor(table[0])), network(table[0]), strict=True):
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-10)


def test_a_sampled_fit_is_a_mixture(table):
    X, Y = table
    fitted = rl.fit(X, Y[:, 0], kernel="se()", noise=0.1, units=40, hidden="sampled", chains=2, warmup=5, draws=8)
    np.testing.assert_allclose(fitted.network(X)[0], fitted.predict(X)[0], rtol=1e-9)
    assert "16 networks" in repr(fitted.network)


def test_a_mixture_has_the_chosen_number_of_draws(table, fitted, tmp_path):
    X, Y = table
    sampled = rl.fit(X, Y[:, 0], kernel="se()", noise=0.1, units=40, hidden="sampled", chains=2, warmup=5, draws=15)
    count = lambda: len(json.loads((tmp_path / "m.json").read_text())["networks"])  # noqa: E731
    sampled.network.export(tmp_path / "m.json")
    assert count() == 20
    sampled.network.export(tmp_path / "m.json", draws=5)
    assert count() == 5
    five = sampled.network_of_draws(5)
    stored = json.loads((tmp_path / "m.json").read_text())
    np.testing.assert_array_equal(stored["networks"][4]["w"], five.to_numpy()["networks"][4]["w"])
    copy = pickle.loads(pickle.dumps(five))
    np.testing.assert_array_equal(copy(X)[0], five(X)[0])
    five.export(tmp_path / "m.json", rank=3)
    assert count() == 5
    for call in (lambda: fitted.network_of_draws(5), lambda: fitted.network.export(tmp_path / "n.json", draws=5)):
        with pytest.raises(ValueError, match="^draws: are of sampled hidden layers, and those of this fit are fixed"):
            call()
    with pytest.raises(ValueError, match="^draws: must be at least 1, got 0"):
        sampled.network_of_draws(0)


def test_it_says_what_it_is(network):
    assert repr(network) == f"<ridgelet.PredictiveNetwork: 2 inputs, 2 outputs, 2 networks of 50 tanh units, rank {network.rank}>"
    assert (network.inputs, network.activation) == (["a", "b"], "tanh")


@pytest.mark.parametrize("classes", [2, 3])
def test_a_network_of_classes_has_the_probabilities_of_its_fit(classes, tmp_path):
    random = np.random.default_rng(4)
    X = random.uniform(-2, 2, (90, 2))
    y = np.digitize(X[:, 0] + 0.3 * random.standard_normal(90), [0] if classes == 2 else [-0.7, 0.7])
    classifier = rl.RidgeletClassifier("se(amplitude=2)", function_draws=80, random_state=1).fit(X, y)
    network = classifier.network_
    np.testing.assert_allclose(network.probability(X), classifier.predict_proba(X), rtol=0, atol=1e-12)
    functions = [network.functions(X[:4], 80, output=k) for k in range(1 if classes == 2 else 3)]
    mean, sd = network(X[:4])
    np.testing.assert_allclose(mean.reshape(4, -1).T, np.mean(functions, 1), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(sd.reshape(4, -1).T, np.std(functions, 1), rtol=1e-12)
    assert network.to_numpy()["link"] == ("logistic" if classes == 2 else "softmax")
    loss = network.export(tmp_path / "m.json", rank=20)
    assert json.loads((tmp_path / "m.json").read_text())["facts"]["probability_loss"] == loss


def test_all_networks_of_classes_leave_where_hidden_layers_are_fixed():
    X = np.linspace(-2, 2, 30)[:, None]
    side = (X[:, 0] > 0).astype(float)
    fitted = rl.fit(X, side, kernel="se()", likelihood="bernoulli", classes=["left", "right"], units=10, networks=25)
    np.testing.assert_allclose(fitted.network.probability(X)[:, 1], fitted.predict(X)[0], rtol=0, atol=1e-12)
    assert "25 networks" in repr(fitted.network)


def test_a_network_of_numbers_has_no_probabilities(network, table):
    with pytest.raises(ValueError, match="^link: this network has no classes"):
        network.probability(table[0])
