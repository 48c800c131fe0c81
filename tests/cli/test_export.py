"""`ridgelet export`: every format says what `predict` says, and what cannot be exported is refused."""

import json
import math
import re
import subprocess

import exported
import numpy as np
import onnx
import pytest

ACTIVATIONS = (
    "tanh", "sigmoid", "gaussian", "relu", "erf", "gelu", "silu", "softplus", "sine", "cosine", "leaky-relu",
)  # fmt: skip
KERNEL = ("--kernel", "se(lengthscale=1.5)", "--noise", 0.1)
FORMATS = {"onnx": "onnx", "c": "c", "torch": "py", "json": "json"}
MEAN, SD = 1e-12, 1e-12


@pytest.fixture(scope="session")
def tables(write_table, wave, tmp_path_factory):
    """A directory with data.csv (x, y, z), prices.csv and bent.csv."""
    directory = tmp_path_factory.mktemp("export")
    write_table(directory / "data.csv", wave | {"z": 1000 + 50 * np.cos(wave["x"])})
    random = np.random.default_rng(5)
    lines = ["day,colour,size,price,weight"]
    for i in range(60):
        colour, size = ("red", "blue", "very \"dark\" green")[i % 3], random.uniform(1, 5)
        price = math.exp(0.5 * size + 0.3 * (i % 3) + 0.1 * random.standard_normal())
        quoted = colour.replace('"', '""')
        lines.append(f'2024-{1 + i % 12:02}-{1 + i % 28:02},"{quoted}",{size!r},{price!r},{size + 0.1 * i!r}')
    (directory / "prices.csv").write_text("\n".join(lines) + "\n")
    return directory


FITS = {
    "plain": ("data.csv", "--x", "x", "--y", "y", *KERNEL),
    "networks": ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--networks", 3, "--units", 15),
    "deep": ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--layers", 3, "--units", 40),
    "wide": ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--units", 4000),
    "skip": ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--layers", 3, "--units", 30, "--skip", "yes", "--networks", 2),
    "outputs": ("data.csv", "--x", "x", "--y", "y,z", "--standardise", "--kernel", "matern52()", "--noise", "0.1,0.3",
                "--mean", "0.5*x - 0.25"),
    "learned": ("data.csv", "--x", "x", "--y", "z"),
    "prices": ("prices.csv", "--x", "day,colour,size", "--y", "log(price),weight", "--networks", 2),
    "sampled": ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--units", 40, "--hidden", "sampled", "--chains", 2,
                "--warmup", 5, "--draws", 6),
    **{name: ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--activation", name) for name in ACTIVATIONS},
}  # fmt: skip


@pytest.fixture(scope="session")
def model(run_in, tables):
    """model(name) -> the results file of one of FITS, made when it is first asked for."""

    def fit(name):
        path = tables / f"{name}.nc"
        if not path.exists():
            done = run_in(tables, "fit", *FITS[name], "--out", path.name, "--quiet")
            assert done.code == 0, done.err
        return path

    return fit


def inputs_of(facts, table):
    """The columns of a table as the network's inputs, following what the export says of them."""
    columns = []
    for column in facts["columns"]:
        values = table[column["name"]]
        if column["kind"] == "levels":
            columns += [[float(value == level) for value in values] for level in column["levels"]]
        elif column["kind"] == "days since 1970-01-01":
            columns.append([float(np.datetime64(value).astype("datetime64[D]").astype(int)) for value in values])
        else:
            columns.append([float(value) for value in values])
    return np.array(columns).T


@pytest.fixture
def expected(run_in, tables, model):
    """expected(name) -> the table of new inputs, and mean and sd of every output there."""

    def predict(name):
        if name == "prices":
            table = {"day": ["2024-03-05", "2023-12-31", "2024-07-09"], "colour": ["blue", 'very "dark" green', "red"],
                     "size": [2.25, 4.0, 1.5]}  # fmt: skip
        else:
            table = {"x": np.linspace(-3.3, 3.3, 9).tolist()}
        rows = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in zip(*table.values(), strict=True)]
        (tables / "new.csv").write_text("\n".join([",".join(table), *rows]) + "\n")
        done = run_in(tables, "predict", model(name), "new.csv", "--out", "pred.csv", "--quiet")
        assert done.code == 0, done.err
        header, *lines = (tables / "pred.csv").read_text().splitlines()
        last = header.split(",")[len(table):]
        values = np.array([[float(cell) for cell in line.rsplit(",", len(last))[1:-1]] for line in lines])
        columns = {column: values[:, i] for i, column in enumerate(last[:-1])}
        of = {kind: np.transpose([columns[name] for name in columns if name.split("_")[-1] == kind]) for kind in ("mean", "sd")}
        return table, of["mean"], of["sd"]

    return predict


@pytest.fixture
def export(run_in, tables, model, tmp_path):
    """export("plain", "c", "--float") -> the file and what the program said of it."""

    def run(name, to, *options):
        path = tmp_path / f"{name}.{FORMATS[to]}"
        done = run_in(tables, "export", model(name), "--to", to, "--out", path, "--json", "--quiet", *options)
        return path, done.json

    return run


def facts_of(path, to):
    if to == "json":
        return json.loads(path.read_text())["facts"]
    if to == "onnx":
        props = {each.key: each.value for each in onnx.load(str(path)).metadata_props}
        texts = ("ridgelet", "precision", "kernel", "likelihood", "quantity", "exposure", "activation", "formula")
        return {key: value if key in texts else json.loads(value) for key, value in props.items()}
    return None


def evaluate(path, to, x, outputs):
    if to == "onnx":
        return exported.of_onnx(path, x)
    if to == "c":
        return exported.of_c(path, x, outputs)
    return exported.of_torch(path, x)[:2] if to == "torch" else exported.of_json(path, x)


def assert_near(got, wanted, tolerance):
    np.testing.assert_array_less(np.abs(got - wanted).max(axis=0) / np.abs(wanted).max(axis=0), tolerance)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("name", [name for name in FITS if name != "sampled"])
def test_every_format_says_what_predict_says(export, expected, name, to):
    path, report = export(name, to)
    assert (report["format"], report["bytes"]) == (to, path.stat().st_size)
    table, mean, sd = expected(name)
    x = inputs_of(facts_of(export(name, "json")[0], "json"), table)
    got_mean, got_sd = evaluate(path, to, x, mean.shape[1])
    assert got_mean.shape == got_sd.shape == mean.shape
    assert_near(got_mean, mean, MEAN)
    np.testing.assert_array_less(np.abs(got_sd - sd) / sd, SD)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("name", ["plain", "deep", "prices", "erf"])
def test_single_precision_agrees_to_its_own_digits(export, expected, name, to):
    path, report = export(name, to, "--float")
    table, mean, sd = expected(name)
    x = inputs_of(facts_of(export(name, "json")[0], "json"), table)
    got_mean, got_sd = evaluate(path, to, x, mean.shape[1])
    assert report["precision"] == "float32"
    assert_near(got_mean, mean, 2e-4)
    assert_near(got_sd, sd, 2e-3)
    assert np.abs(got_mean - mean).max() > 0
    if to != "json":
        assert path.stat().st_size < 0.8 * export(name, to)[0].stat().st_size


@pytest.mark.parametrize("to", FORMATS)
def test_a_sampled_fit_leaves_as_a_mixture_of_its_draws(export, expected, to):
    table, mean, sd = expected("sampled")
    path, report = export("sampled", to, "--draws", 12)
    assert report["networks"] == 12
    got_mean, got_sd = evaluate(path, to, np.transpose([table["x"]]), 1)
    assert_near(got_mean, mean, MEAN)
    np.testing.assert_array_less(np.abs(got_sd - sd) / sd, SD)
    assert export("sampled", to, "--draws", 3)[1]["networks"] == 3


@pytest.mark.parametrize("to", FORMATS)
def test_a_smaller_rank_loses_what_is_stated(export, tables, to):
    x = np.loadtxt(tables / "data.csv", delimiter=",", skiprows=1)[:, :1]
    path, whole = export("plain", to)
    mean, sd = evaluate(path, to, x, 1)
    path, report = export("plain", to, "--rank", 4)
    assert report["rank"] == 4 < whole["rank"]
    cut_mean, cut_sd = evaluate(path, to, x, 1)
    assert_near(cut_mean, mean, MEAN)
    loss = (sd - cut_sd) / sd
    assert loss.max() == pytest.approx(report["sd_loss"]["largest"], rel=1e-6)
    assert np.sqrt(np.mean(loss**2)) == pytest.approx(report["sd_loss"]["root_mean_square"], rel=1e-6)
    assert 0 < report["sd_loss"]["root_mean_square"] < report["sd_loss"]["largest"] < 1


def test_the_metadata_say_what_a_person_elsewhere_must_know(export, run_in, tables, model):
    path, _ = export("prices", "onnx")
    facts = facts_of(path, "onnx")
    assert facts == facts_of(export("prices", "json")[0], "json") == exported.of_torch(export("prices", "torch")[0], np.zeros((1, 5)))[2]
    summary = run_in(tables, "summary", model("prices"), "--json").json
    assert facts["kernel"] == summary["kernel"]
    assert facts["certificate"] == pytest.approx(summary["certificate"])
    assert facts["likelihood"] == "gaussian" and "exposure" not in facts
    assert facts["quantity"] == "new observations, noise included"
    assert facts["inputs"] == ["day", "colour=blue", "colour=red", 'colour=very "dark" green', "size"]
    assert facts["columns"][:2] == [
        {"name": "day", "kind": "days since 1970-01-01"},
        {"name": "colour", "kind": "levels", "levels": ["blue", "red", 'very "dark" green']},
    ]
    assert facts["outputs"] == [{"name": "price", "fitted": "logarithm"}, {"name": "weight", "fitted": "itself"}]
    assert len(facts["domain"]) == 5
    loaded = onnx.load(str(path))
    assert (loaded.producer_name, loaded.opset_import[0].version) == ("ridgelet", 13)
    assert [each.name for each in loaded.graph.output] == ["mean", "sd"]
    assert loaded.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "rows"


LIBRARY = {
    "tanh": {"tanh"}, "sigmoid": {"exp"}, "gaussian": {"exp"}, "relu": {"fmax"}, "erf": {"erf"}, "gelu": {"erf"},
    "silu": {"exp"}, "softplus": {"exp", "fabs", "fmax", "log"}, "sine": {"sin"}, "cosine": {"cos"}, "leaky-relu": {"fmax"},
}  # fmt: skip


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_c_file_states_its_size_and_needs_nothing_else(export, activation):
    path, report = export(activation, "c")
    text = path.read_text()
    tables = [int(size) for size in re.findall(r"static const real \w+\[(\d+)\]", text)]
    assert f"Tables: {8 * sum(tables)} bytes." in text
    assert re.findall(r"#include .*", text) == ["#include <math.h>"]
    called = set(re.findall(r"\b([a-z]\w*) *\(", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))
    own = {"evaluate", "phi", "ridgelet_predict", "scale_inputs", "for", "return"}
    assert called - own == LIBRARY[activation] | {"sqrt"}
    assert report["rank"] > 0


def test_a_number_of_draws_is_refused_where_hidden_layers_are_fixed(run_in, tables, model, tmp_path):
    for name, networks in (("plain", 1), ("networks", 3)):
        done = run_in(tables, "export", model(name), "--to", "json", "--out", tmp_path / "m.json", "--draws", 2)
        assert (done.code, done.out) == (2, "") and not (tmp_path / "m.json").exists()
        assert "draws: are of sampled hidden layers, and those of this fit are fixed" in done.err
        assert f"all of its networks ({networks}) leave; leave it out, got 2" in done.err


NASTY = ['*/ int x; /*', '"""', "a\\", "??/", "caf\u00e9 \U0001f600", "/*", "*", "${x}", "\\u0022"]


@pytest.mark.parametrize("name", NASTY)
def test_the_name_of_a_column_stays_a_name(run_in, wave, tmp_path, name):
    quoted = '"' + name.replace('"', '""') + '"'
    rows = [f"{x!r},{y!r}" for x, y in zip(wave["x"].tolist(), wave["y"].tolist(), strict=True)]
    (tmp_path / "data.csv").write_text("\n".join([f"{quoted},y", *rows]) + "\n")
    assert run_in(tmp_path, "fit", "data.csv", "--y", "y", *KERNEL, "--quiet").code == 0
    for to, ending in FORMATS.items():
        path = tmp_path / f"model.{ending}"
        run_in(tmp_path, "export", "model.nc", "--to", to, "--out", path, "--quiet", "--json").json
        mean, _ = evaluate(path, to, np.zeros((1, 1)), 1)
        assert np.isfinite(mean).all()
        if to in ("onnx", "json"):
            assert facts_of(path, to)["inputs"] == [name]
    assert exported.of_torch(tmp_path / "model.py", np.zeros((1, 1)))[2]["inputs"] == [name]
    subprocess.run(["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(tmp_path / "model.c")], check=True)


def test_a_mean_that_bends_leaves_only_through_the_network(run_in, tables, tmp_path):
    bent = ("data.csv", "--x", "x", "--y", "y", *KERNEL, "--mean", "x^2", "--quiet")
    assert run_in(tables, "fit", *bent, "--out", "bent.nc").code == 0
    refused = run_in(tables, "export", "bent.nc", "--to", "c", "--out", tmp_path / "m.c")
    assert refused.code == 2
    assert "--network-mean" in refused.err
    assert refused.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    assert run_in(tables, "fit", *bent, "--network-mean", "--out", "bent.nc").code == 0
    assert run_in(tables, "export", "bent.nc", "--to", "c", "--out", tmp_path / "m.c").code == 0


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--to", "onx", "--out", "m.onnx"), 2, "--to: must be one of onnx, c, torch, json, got 'onx'; did you mean 'onnx'?"),
        (("--to", "c"), 2, "--out is required"),
        (("--out", "m.c"), 2, "--to is required"),
        (("--to", "c", "--out", "m.c", "--rank", "0"), 2, "--rank: must be a whole number of at least 1"),
        (("--to", "c", "--out", "m.c", "--rank", "10000"), 2, "--rank: must be from 1 to "),
        (("--to", "c", "--out", "m.c", "--draws", "0"), 2, "--draws: must be a whole number of at least 1"),
        (("--to", "c", "--out", "none/m.c"), 3, "cannot write 'none/m.c'"),
        (("--to", "c", "--out", ""), 3, "the name is empty"),
        (("--to", "c", "--out", "."), 3, "it is a directory"),
        (("--to", "c", "--out", "model.nc"), 2, "--out: must not be 'model.nc', which is read"),
    ],
    ids=str,
)  # fmt: skip
def test_bad_input_is_one_line_and_writes_nothing(run_in, model, tmp_path, options, code, says):
    (tmp_path / "model.nc").write_bytes(model("plain").read_bytes())
    refused = run_in(tmp_path, "export", "model.nc", *options)
    assert (refused.code, refused.out) == (code, "")
    assert refused.err.startswith("ridgelet: ")
    assert refused.err.count("\n") == 1
    assert says in refused.err
    assert [each.name for each in tmp_path.iterdir()] == ["model.nc"]


def test_a_file_that_is_no_model_is_refused(ridgelet, tmp_path):
    assert ridgelet("export", "none.nc", "--to", "c", "--out", "m.c").code == 3
    (tmp_path / "data.nc").write_text("x,y\n1,2\n")
    assert ridgelet("export", "data.nc", "--to", "c", "--out", "m.c").code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["data.nc"]


def test_people_are_told_what_was_written(run_in, model, tmp_path):
    (tmp_path / "model.nc").write_bytes(model("networks").read_bytes())
    told = run_in(tmp_path, "export", "model.nc", "--to", "c", "--out", "m.c", "--rank", 3)
    assert told.code == 0
    for words in ("wrote m.c", "rank     3", "networks 3", "sd loss"):
        assert words in told.out
    assert run_in(tmp_path, "export", "model.nc", "--to", "c", "--out", "m.c", "--quiet").out == ""


def test_the_same_fit_leaves_as_the_same_bytes(export):
    for to in FORMATS:
        first = export("plain", to)[0].read_bytes()
        assert export("plain", to, "--threads", 1)[0].read_bytes() == first
