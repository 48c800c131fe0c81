"""Networks of classes, counts and heavy tails leave with what predict says of them."""

import json
import subprocess

import exported
import numpy as np
import onnx
import pytest
from responses import cells

FORMATS = {"onnx": "onnx", "c": "c", "torch": "py", "json": "json"}
NETWORKS = {
    "one": ("--function-draws", 80),
    "two": ("--networks", 2, "--function-draws", 60),
    "deep": ("--layers", 2, "--units", 40, "--function-draws", 50),
    "sampled": ("--hidden", "sampled", "--units", 20, "--chains", 2, "--warmup", 3, "--draws", 12, "--force"),
}


@pytest.mark.parametrize("networks", NETWORKS)
@pytest.mark.parametrize("response", ["side", "part"])
def test_a_network_of_classes_leaves_with_the_probabilities_that_predict_has(ridgelet, write_columns, responses, response, networks):
    write_columns("x1", "x2", response)
    run = ridgelet("fit", "data.csv", "--y", response, "--kernel", "se(amplitude=2)", "--quiet", *NETWORKS[networks])
    assert run.code == 0, run.err
    header, lines = cells(ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", "--quiet"), "p.csv")
    classes = ["left", "right"] if response == "side" else ["core", "east", "west"]
    wanted = np.array([[float(line[header.index(name)]) for name in header if name.startswith("p")
                        and name != "part"] for line in lines])  # fmt: skip
    if response == "side":
        wanted = np.hstack([1 - wanted, wanted])
    x = np.column_stack([responses["x1"], responses["x2"]])
    for to, ending in FORMATS.items():
        report = ridgelet("export", "model.nc", "--to", to, "--out", f"m.{ending}", "--json", "--quiet").json
        path = run.directory / f"m.{ending}"
        np.testing.assert_allclose(exported.probabilities(path, to, x, len(classes)), wanted, rtol=0, atol=1e-12)
        assert report["bytes"] == path.stat().st_size
    facts = json.loads((run.directory / "m.json").read_text())["facts"]
    assert facts["outputs"] == [{"name": response, "fitted": "logistic" if response == "side" else "softmax", "classes": classes}]


def test_fewer_draws_of_classes_change_their_probabilities_by_what_is_stated(ridgelet, write_columns, responses):
    write_columns("x1", "x2", "part")
    ridgelet("fit", "data.csv", "--y", "part", "--kernel", "se(amplitude=2)", "--quiet")
    x = np.column_stack([responses["x1"], responses["x2"]])
    of = {}
    for name, cut in (("whole", ()), ("cut", ("--rank", 20))):
        run = ridgelet("export", "model.nc", "--to", "json", "--out", f"{name}.json", "--json", "--quiet", *cut)
        of[name] = exported.probabilities(run.directory / f"{name}.json", "json", x, 3)
    change = np.abs(of["cut"] - of["whole"])
    assert run.json["rank"] == 20
    assert run.json["probability_loss"]["largest"] == pytest.approx(change.max(), rel=1e-6)
    assert run.json["probability_loss"]["root_mean_square"] == pytest.approx(np.sqrt(np.mean(change**2)), rel=1e-6)
    assert 0 < change.max() < 0.3


def test_fewer_networks_of_classes_change_their_probabilities_by_what_is_stated(ridgelet, write_columns, responses):
    write_columns("x1", "x2", "side")
    chains = ("--hidden", "sampled", "--units", 20, "--chains", 2, "--warmup", 3, "--draws", 12, "--force")
    ridgelet("fit", "data.csv", "--y", "side", "--kernel", "se(amplitude=2)", "--quiet", *chains)
    x = np.column_stack([responses["x1"], responses["x2"]])
    of, reports = {}, {}
    for name, fewer in (("whole", ()), ("few", ("--draws", 6))):
        run = ridgelet("export", "model.nc", "--to", "json", "--out", f"{name}.json", "--json", "--quiet", *fewer)
        of[name], reports[name] = exported.probabilities(run.directory / f"{name}.json", "json", x, 2), run.json
    assert (reports["whole"]["networks"], reports["few"]["networks"]) == (24, 6)
    assert "probability_loss" not in reports["whole"]
    change = np.abs(of["few"] - of["whole"])
    assert reports["few"]["probability_loss"]["largest"] == pytest.approx(change.max(), rel=1e-6)
    assert change.max() > 1e-3


def test_single_precision_leaves_the_probabilities_of_classes_as_they_are(ridgelet, write_columns, responses):
    write_columns("x1", "x2", "part")
    ridgelet("fit", "data.csv", "--y", "part", "--kernel", "se(amplitude=2)", "--function-draws", 80, "--quiet")
    x = np.column_stack([responses["x1"], responses["x2"]])
    run = ridgelet("export", "model.nc", "--to", "json", "--out", "m.json", "--quiet")
    wanted = exported.probabilities(run.directory / "m.json", "json", x, 3)
    for to, ending in FORMATS.items():
        ridgelet("export", "model.nc", "--to", to, "--out", f"m.{ending}", "--float", "--quiet")
        np.testing.assert_allclose(exported.probabilities(run.directory / f"m.{ending}", to, x, 3), wanted, rtol=0, atol=1e-3)


@pytest.mark.parametrize(("likelihood", "latent"), [("poisson", ["--latent"]), ("student", [])])
def test_a_network_of_counts_or_heavy_tails_leaves_with_its_mean_and_sd(ridgelet, write_columns, tmp_path, likelihood, latent):
    write_columns("x1", "claims")
    ridgelet("fit", "data.csv", "--y", "claims", "--likelihood", likelihood, "--quiet")
    run = ridgelet("export", "model.nc", "--to", "c", "--out", "model.c", "--quiet")
    assert run.code == 0, run.err
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\nvoid ridgelet_predict(const double *x, double *mean, double *sd);\n'
        'int main(void) { double x, m, s; while (scanf("%lf", &x) == 1) {'
        ' ridgelet_predict(&x, &m, &s); printf("%.17g %.17g\\n", m, s); } return 0; }\n'
    )
    subprocess.run(["gcc", "-std=c99", "-O1", "model.c", "main.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    predicted = ridgelet("predict", "model.nc", "data.csv", "--out", "p.csv", *latent, "--quiet")
    _, lines = cells(predicted, "p.csv")
    x = "\n".join(line[0] for line in lines)
    out = subprocess.run([tmp_path / "main"], input=x, capture_output=True, text=True, check=True).stdout
    ours = np.array([line[2:4] for line in lines], float)
    theirs = np.array([line.split() for line in out.splitlines()], float)
    # One is a normal distribution, the other 500 draws.
    np.testing.assert_allclose(theirs, ours, rtol=0.1)


QUANTITIES = {
    "side": "the functions that tell classes apart",
    "claims": "the rate of counts for one unit of exposure, without the noise of new counts",
    "x2": "new observations, noise included",
}


@pytest.mark.parametrize(
    ("response", "how"),
    [("side", ()), ("claims", ("--likelihood", "poisson", "--exposure", "years")), ("x2", ("--likelihood", "student"))],
)
def test_an_exported_network_says_which_quantity_its_mean_and_sd_are_those_of(ridgelet, write_columns, tmp_path, response, how):
    write_columns("x1", "years", response)
    fitted = ridgelet("fit", "data.csv", "--x", "x1", "--y", response, "--kernel", "se()", "--json", *how).json
    for to, ending in FORMATS.items():
        assert ridgelet("export", "model.nc", "--to", to, "--out", f"m.{ending}", "--quiet").code == 0
    facts = json.loads((tmp_path / "m.json").read_text())["facts"]
    assert facts["quantity"] == QUANTITIES[response]
    assert facts["likelihood"] == fitted["likelihood"]
    assert facts.get("exposure") == ("years" if response == "claims" else None)
    props = {each.key: each.value for each in onnx.load(str(tmp_path / "m.onnx")).metadata_props}
    for key in ("quantity", "likelihood", "exposure"):
        assert props.get(key) == facts.get(key)
    of_c, of_torch = (" ".join((tmp_path / name).read_text().split()) for name in ("m.c", "m.py"))
    assert "standard deviation of " + QUANTITIES[response].replace("tell classes", "tell them") in of_c
    assert of_torch.startswith(f'"""A fitted network: RidgeletNetwork()(x) is (mean, sd) of {QUANTITIES[response]}.')
    assert ("new observations" in of_c) == (response == "x2")


def test_an_export_of_counts_states_how_far_its_rates_are_from_those_of_the_draws(ridgelet, write_columns, tmp_path):
    write_columns("x1", "x2", "years", "claims")
    ridgelet("fit", "data.csv", "--y", "claims", "--exposure", "years", "--likelihood", "poisson", "--out", "model.nc", "--quiet")
    stated = ridgelet("export", "model.nc", "--to", "json", "--out", "network.json", "--json").json["rate_differences"]
    assert 0 < stated["data"]["sd"] < 0.5 and stated["outside"]["sd"] > stated["data"]["sd"]
    assert json.loads((tmp_path / "network.json").read_text())["facts"]["rate_differences"] == stated
    words = ridgelet("export", "model.nc", "--to", "c", "--out", "network.c").out
    assert f"sds by {100 * stated['data']['sd']:.2g} %" in words
