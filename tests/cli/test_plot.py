"""`ridgelet plot`: a picture for each number of inputs, and what it refuses."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest

RUN = ("--noise", 0.2, "--standardise", "--units", 60)
KERNEL = {1: "se(lengthscale=0.6)", 2: "se(lengthscale=1.5)", 4: "se(lengthscale=3)"}
NAMES = ["it's_a {name}", "b^2", "x3", "x4"]
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="session")
def models(run_in, write_table, tmp_path_factory):
    """The directory of model-1.nc, model-2.nc and model-4.nc, named by the number of inputs; each has two outputs."""
    directory = tmp_path_factory.mktemp("plot")
    random = np.random.default_rng(3)
    for inputs, kernel in KERNEL.items():
        x = random.uniform(-2, 2, (50, inputs))
        y = 10 + np.sin(2 * x[:, 0]) + x.sum(axis=1) + 0.2 * random.standard_normal(50)
        columns = {**dict(zip(NAMES[:inputs], x.T, strict=True)), "y": y, "z": -y}
        write_table(directory / f"data-{inputs}.csv", columns)
        run = run_in(
            directory, "fit", f"data-{inputs}.csv", "--x", ",".join(NAMES[:inputs]), "--y", "y,z", "--kernel", kernel, *RUN,
            "--out", f"model-{inputs}.nc",
        )  # fmt: skip
        assert run.code == 0, run.err
    return directory


@pytest.fixture
def plot(models, run_in, tmp_path):
    def run(inputs, *flags):
        return run_in(tmp_path, "plot", models / f"model-{inputs}.nc", *flags)

    return run


def words(path):
    root = xml.fromstring(path.read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return " ".join("".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text"))


def test_one_input_shows_data_mean_bands_and_the_exact_process(plot, tmp_path):
    run = plot(1, "--out", "fit.svg")
    assert (run.code, run.err) == (0, "")
    assert "fit.svg" in run.out
    text = words(tmp_path / "fit.svg")
    for word in ("data", "95 %", "50 %", "exact process", "least-squares", "it's_a {name}", "y"):
        assert word in text


def test_two_inputs_are_maps_of_mean_and_standard_deviation(plot, tmp_path):
    assert plot(2, "--out", "fit.svg").code == 0
    text = words(tmp_path / "fit.svg")
    for word in ("mean of y", "standard deviation", "it's_a {name}", "b^2"):
        assert word in text


def test_more_inputs_have_checks_and_a_panel_for_each(plot, tmp_path):
    assert plot(4, "--out", "fit.svg").code == 0
    text = words(tmp_path / "fit.svg")
    for word in ("predicted y", "observed", "RMSE", "calibration", *NAMES):
        assert word in text


def test_of_many_inputs_the_twelve_that_matter_most_have_panels(run_in, write_table, tmp_path):
    x = np.random.default_rng(0).uniform(-1, 1, (16, 60))
    table = {**{f"in-{k:02}": x[k] for k in range(16)}, "y": x[3] + x[9]}
    table["side"] = table["y"] > 0
    write_table(tmp_path / "t.csv", table)
    for response in ("y", "side"):
        fit = ("--y", response, "--x", ",".join(f"in-{k:02}" for k in range(16)), "--kernel", "linear()", "--units", 60)
        noise = ("--noise", 0.1) if response == "y" else ("--likelihood", "bernoulli")
        assert run_in(tmp_path, "fit", "t.csv", *fit, *noise, "--force", "--out", "m.nc").code == 0
        assert run_in(tmp_path, "plot", "m.nc", "--out", "m.svg").code == 0
        text = words(tmp_path / "m.svg")
        assert "in-03" in text and "in-09" in text
        assert sum(f"in-{k:02}" in text for k in range(16)) == 12
        assert text.count("not shown: 4 columns of less effect") == 1


@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_numbers_that_differ_in_their_seventh_digit_are_told_apart(run_in, write_table, tmp_path, inputs):
    random = np.random.default_rng(inputs)
    x = random.uniform(-1, 1, (inputs, 50))
    columns = {f"x{k}": 1.7e9 + 1000 * x[k] for k in range(inputs)}
    write_table(tmp_path / "t.csv", {**columns, "y": 10 + 1e-6 * (2 * x[0] + 0.1 * random.standard_normal(50))})
    fit = ("--y", "y", "--kernel", "se(lengthscale=2)", "--noise", 0.1, "--standardise", "--units", 60)
    assert run_in(tmp_path, "fit", "t.csv", *fit, "--out", "m.nc").code == 0
    assert run_in(tmp_path, "plot", "m.nc", "--out", "m.svg").code == 0
    text = words(tmp_path / "m.svg")
    assert "y − 10, in 1e-6" in text and "x0 − 1700000000" in text
    for tic in ("-1", "0", "1", "-500", "500"):
        assert f" {tic} " in f" {text} "


PLACE = "{http://www.w3.org/2000/svg}"


def texts_of(path):
    """The texts of a picture, each with its place on the page, whether it is upright, and how it is aligned."""
    for group in xml.fromstring(path.read_text()).iter(PLACE + "g"):
        for text in group.findall(PLACE + "text"):
            words = group.get("transform").replace(",", " ").replace("(", " ").replace(")", " ").split()
            upright = "rotate" in words
            yield "".join(text.itertext()), float(words[1]), float(words[2]), upright, group.get("text-anchor")


def reach_of(text, place, anchor, letter):
    """Where a text begins and ends along its line, if its letters have this width."""
    before = {"start": 0, "middle": 0.5, "end": 1}[anchor] * letter * len(text)
    return place - before, place - before + letter * len(text)


LONG = ["gross internal floor area measured by surveyor (square metres)", "age in full years at the date of the sale (years)"]


@pytest.fixture(scope="session")
def houses(run_in, tmp_path_factory):
    """The directory of houses.nc, with long names of columns and of levels, and large numbers."""
    directory = tmp_path_factory.mktemp("long")
    random = np.random.default_rng(4)
    rows = [",".join([f'"{name}"' for name in [*LONG, "district", "city", "sale price in the local currency (nominal)"]])]
    for i in range(80):
        area, age, town = random.uniform(30, 200), random.uniform(0, 90), i % 3
        price = 2000 * area + 20000 * town + 5000 * random.standard_normal()
        rows.append(f"{area:.2f},{age:.2f},District number {i % 12} west,{['Bonn', 'Köln', 'New York'][town]},{price:.0f}")
    (directory / "data.csv").write_text("\n".join(rows) + "\n")
    assert run_in(directory, "fit", "data.csv", "--y", "sale price in the local currency (nominal)", "--out", "houses.nc").code == 0
    return directory


def test_long_names_stay_in_their_panels_and_levels_can_be_told_apart(houses, run_in, tmp_path):
    assert run_in(tmp_path, "plot", houses / "houses.nc", "--out", "fit.svg").code == 0
    panel, letter = 350, 7.5
    texts = list(texts_of(tmp_path / "fit.svg"))
    names = [each for each in texts if "…" in each[0] and not each[0].startswith("…")]
    assert {each[0][:8] for each in names} >= {"gross in", "age in f", "predicte", "sale pri"}
    for name, x, y, upright, anchor in names:
        first, last = reach_of(name, y if upright else x, anchor, letter)
        size = 270 if upright else panel
        assert first // size == last // size or last % size < 10, name
    assert any(name.endswith("metres)") for name, *_ in names)
    assert {"Bonn", "Köln", "New York"} <= {name for name, *_ in texts}
    levels = [name for name, *_ in texts if name.startswith("…")]
    assert len(levels) > 2 and len(set(levels)) == len(levels)
    assert all(x >= 12 for name, x, _, upright, _ in texts if upright)


@pytest.mark.parametrize("inputs", [1, 2, 4])
def test_a_bitmap_is_a_whole_png_and_the_only_file(plot, tmp_path, inputs):
    run = plot(inputs, "--out", "fit.png", "--quiet")
    assert (run.code, run.out, run.err) == (0, "", "")
    content = (tmp_path / "fit.png").read_bytes()
    assert content.startswith(PNG_SIGNATURE) and b"IEND" in content[-12:]
    assert [path.name for path in tmp_path.iterdir()] == ["fit.png"]


def test_an_output_is_chosen_by_its_name(plot, tmp_path):
    assert plot(2, "--out", "z.svg", "--y", "z", "--json").json == {
        "out": "z.svg", "output": "z", "inputs": NAMES[:2],
    }  # fmt: skip
    assert "mean of z" in words(tmp_path / "z.svg")


def test_the_same_fit_gives_the_same_picture_for_any_number_of_threads(plot, tmp_path):
    for threads in (1, 2):
        assert plot(4, "--out", f"{threads}.svg", "--threads", threads).code == 0
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (("--out", "fit.pdf"), 2, ["--out: must end in .svg or .png, got 'fit.pdf'"]),
        (("--out", "fit"), 2, ["--out: must end in .svg or .png"]),
        ((), 2, ["--out"]),
        (("--out", "fit.svg", "--y", "w"), 2, ["--y: must be one of y, z, got 'w'"]),
        (("--out", "no/such/place/fit.svg"), 3, ["no/such/place"]),
    ],
    ids=str,
)
def test_bad_input_is_one_line_and_nothing_is_written(plot, tmp_path, flags, code, words):
    run = plot(1, *flags)
    assert run.code == code
    assert run.out == ""
    assert run.err.count("\n") == 1
    for word in words:
        assert word in run.err
    assert list(tmp_path.iterdir()) == []


def test_the_model_itself_is_not_overwritten(models, run_in, tmp_path):
    (tmp_path / "model.svg").write_bytes((models / "model-1.nc").read_bytes())
    run = run_in(tmp_path, "plot", "model.svg", "--out", "model.svg")
    assert (run.code, run.out) == (2, "")
    assert "--out: must not be 'model.svg', which is read" in run.err


def test_a_model_that_is_not_there_or_not_a_model_is_refused(run_in, tmp_path):
    missing = run_in(tmp_path, "plot", "model.nc", "--out", "fit.svg")
    assert missing.code == 3 and missing.err.count("\n") == 1 and "model.nc" in missing.err
    (tmp_path / "model.nc").write_text("not a model\n")
    other = run_in(tmp_path, "plot", "model.nc", "--out", "fit.svg")
    assert other.code == 2 and other.err.count("\n") == 1
    assert not (tmp_path / "fit.svg").exists()
