"""`ridgelet sample`: the table, the figure, and what they depend on."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest

MODEL = ("--kernel", "se(amplitude=1, lengthscale=1.5)", "--units", 100, "--points", 60)
SMALL = ("sample", *MODEL, "--draws", 3, "--eval-points", 21, "--out", "paths.csv")
TWO_INPUTS = (
    "sample", "--kernel", "se(lengthscale=2)", "--domain=-2:2,0:3", "--points", 10, "--units", 80, "--draws", 2,
    "--eval-points", 49, "--out", "paths.csv",
)  # fmt: skip
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def test_the_example_of_the_help_text_runs(run_examples):
    (run,) = run_examples("sample")
    assert (run.code, run.err) == (0, "")
    assert {path.name for path in run.directory.iterdir()} == {"paths.csv", "paths.svg"}
    assert "paths.csv" in run.out and "paths.svg" in run.out


def test_the_table_has_a_row_for_each_point_and_a_column_for_each_path(ridgelet):
    header, values = ridgelet(*SMALL).table("paths.csv")
    assert header == ["x1", "network_1", "network_2", "network_3", "gp_1", "gp_2", "gp_3"]
    assert values.shape == (21, 7)
    assert np.all(np.isfinite(values))
    np.testing.assert_allclose(values[:, 0], np.linspace(-5, 5, 21), rtol=0, atol=1e-14)


def test_numbers_of_six_digits_beside_the_colours_stay_on_the_page(ridgelet):
    large = [each.replace("se(", "se(amplitude=3e5, ") if isinstance(each, str) else each for each in TWO_INPUTS]
    root = xml.fromstring((ridgelet(*large, "--plot", "a.svg").directory / "a.svg").read_text())
    svg, letter, ends = "{http://www.w3.org/2000/svg}", 11, []  # letters of a PNG are wider than those of an SVG
    for group in root.iter(svg + "g"):
        text = "".join(" ".join(each.itertext()) for each in group.findall(svg + "text")).strip()
        if group.get("text-anchor") == "start" and text.lstrip("-").endswith("00000"):
            ends.append(float(group.get("transform").split("(")[1].split(",")[0]) + letter * len(text))
    assert len(ends) >= 4 and max(ends) < float(root.get("width"))


def test_the_defaults_are_ten_draws_at_two_hundred_points(ridgelet):
    header, values = ridgelet("sample", *MODEL, "--out", "paths.csv").table("paths.csv")
    assert header == ["x1", *(f"network_{i}" for i in range(1, 11)), *(f"gp_{i}" for i in range(1, 11))]
    assert values.shape == (200, 21)


def test_the_table_of_two_inputs_has_both_columns(ridgelet):
    header, values = ridgelet(*TWO_INPUTS).table("paths.csv")
    assert header == ["x1", "x2", "network_1", "network_2", "gp_1", "gp_2"]
    assert values.shape == (49, 6)
    assert (values[:, 0].min(), values[:, 0].max()) == (-2, 2)
    assert (values[:, 1].min(), values[:, 1].max()) == (0, 3)
    assert len(np.unique(values[:, :2], axis=0)) == 49


@pytest.mark.parametrize(("operator", "units", "most"), [("least-squares", 400, 0.05), ("ridgelet", 8000, 1)])
def test_the_error_is_the_distance_of_each_network_from_the_path_that_made_it(ridgelet, operator, units, most):
    amplitude = 0.5
    run = ridgelet(
        "sample", "--kernel", f"se(amplitude={amplitude}, lengthscale=1.5)", "--operator", operator, "--units", units,
        "--points", 60, "--draws", 8, "--eval-points", 41, "--out", "paths.csv", "--plot", "paths.svg", "--json",
    )  # fmt: skip
    _, values = run.table("paths.csv")
    networks, process = values[:, 1:9], values[:, 9:]
    error = np.sqrt(np.mean((networks - process) ** 2)) / amplitude
    assert run.json["error"] == pytest.approx(error, rel=1e-6)
    assert f"error {error:.2g} of the process" in (run.directory / "paths.svg").read_text()
    unrelated = np.sqrt(np.mean((networks - np.roll(process, 1, axis=1)) ** 2)) / amplitude
    assert error < min(most, 0.8 * unrelated)


def test_in_two_inputs_the_default_is_a_grid_fine_enough_for_maps(ridgelet):
    header, values = ridgelet(
        "sample", "--kernel", "se(lengthscale=2)", "--domain=-2:2,0:3", "--points", 10, "--units", 80, "--draws", 1,
        "--out", "paths.csv",
    ).table("paths.csv")  # fmt: skip
    assert values.shape == (2500, 4)
    assert [len(np.unique(values[:, k])) for k in (0, 1)] == [50, 50]


def test_paths_differ_from_each_other(ridgelet):
    _, values = ridgelet(*SMALL).table("paths.csv")
    paths = values[:, 1:].T
    assert len(np.unique(paths, axis=0)) == 6


@pytest.mark.parametrize("model", [SMALL, TWO_INPUTS], ids=["one-input", "two-inputs"])
def test_same_seed_gives_the_same_file_for_one_and_two_threads(ridgelet, model):
    files = []
    for threads in (1, 2, 1):
        run = ridgelet(*model, "--threads", threads, "--seed", 5)
        assert run.code == 0
        files.append((run.directory / "paths.csv").read_bytes())
    assert files[0] == files[1] == files[2]


def test_another_seed_gives_other_paths_at_the_same_points(ridgelet):
    _, first = ridgelet(*SMALL, "--seed", 1).table("paths.csv")
    _, second = ridgelet(*SMALL, "--seed", 2).table("paths.csv")
    np.testing.assert_array_equal(first[:, 0], second[:, 0])
    assert not np.any(first[:, 1:] == second[:, 1:])


def test_more_draws_leave_the_earlier_ones_as_they_are(ridgelet):
    _, few = ridgelet(*SMALL).table("paths.csv")
    _, more = ridgelet("sample", *MODEL, "--draws", 5, "--eval-points", 21, "--out", "paths.csv").table("paths.csv")
    np.testing.assert_array_equal(more[:, 1:4], few[:, 1:4])
    np.testing.assert_array_equal(more[:, 6:9], few[:, 4:7])


def test_paths_scatter_about_the_mean_with_the_standard_deviation_of_the_kernel(ridgelet):
    draws, amplitude = 400, 0.5
    _, values = ridgelet(
        "sample", "--kernel", f"se(amplitude={amplitude}, lengthscale=1.5)", "--mean", "10+x", "--points", 60,
        "--units", 100, "--draws", draws, "--eval-points", 11, "--out", "paths.csv",
    ).table("paths.csv")  # fmt: skip
    mean = 10 + values[:, 0]
    for paths in (values[:, 1 : draws + 1], values[:, draws + 1 :]):
        distance = np.abs(paths.mean(axis=1) - mean) / (amplitude / np.sqrt(draws))
        assert distance.max() <= 4.5
        spread = np.abs(paths.var(axis=1, ddof=1) / amplitude**2 - 1) / np.sqrt(2 / draws)
        assert spread.max() <= 4.5


@pytest.mark.parametrize("model", [SMALL, TWO_INPUTS], ids=["one-input", "two-inputs"])
def test_a_vector_figure_is_well_formed_xml(ridgelet, model):
    run = ridgelet(*model, "--plot", "paths.svg")
    assert (run.code, run.err) == (0, "")
    content = (run.directory / "paths.svg").read_text()
    assert content.startswith("<?xml")
    assert xml.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    assert "Gaussian process" in content
    assert "least-squares" in content


@pytest.mark.parametrize("model", [SMALL, TWO_INPUTS], ids=["one-input", "two-inputs"])
def test_a_bitmap_figure_is_a_whole_png(ridgelet, model):
    run = ridgelet(*model, "--plot", "paths.png")
    assert (run.code, run.err) == (0, "")
    content = (run.directory / "paths.png").read_bytes()
    assert content.startswith(PNG_SIGNATURE)
    assert b"IEND" in content[-12:]


def test_a_figure_has_one_colour_for_each_operator(ridgelet):
    figures = {}
    for operator in ("ridgelet", "least-squares"):
        run = ridgelet(*SMALL, "--operator", operator, "--plot", "paths.svg")
        figures[operator] = (run.directory / "paths.svg").read_text().lower()
    assert "rgb(213,  94,   0)" in figures["ridgelet"] and "rgb(213,  94,   0)" not in figures["least-squares"]
    assert "rgb(  0, 114, 178)" in figures["least-squares"] and "rgb(  0, 114, 178)" not in figures["ridgelet"]


def test_only_the_asked_files_are_left_behind(ridgelet):
    run = ridgelet(*SMALL, "--plot", "paths.svg")
    assert {path.name for path in run.directory.iterdir()} == {"paths.csv", "paths.svg"}


def test_an_older_file_is_replaced_whole(ridgelet, tmp_path):
    (tmp_path / "paths.csv").write_text("old\n" * 10000)
    header, values = ridgelet(*SMALL).table("paths.csv")
    assert header[0] == "x1"
    assert values.shape == (21, 7)


def test_a_name_that_a_shell_would_read_otherwise_is_only_a_name(ridgelet):
    names = ("it's $(touch oops).csv", "a 'quoted' \"name\".svg")
    run = ridgelet(*SMALL[:-1], names[0], "--plot", names[1])
    assert (run.code, run.err) == (0, "")
    assert {path.name for path in run.directory.iterdir()} == set(names)


def test_json_says_what_was_written(ridgelet):
    written = ridgelet(*SMALL, "--json").json
    assert 0 < written.pop("error") < 0.1
    assert written == {
        "operator": "least-squares", "units": 100, "draws": 3, "points": 21, "standardised": False, "out": "paths.csv",
        "plot": None,
    }  # fmt: skip
    assert ridgelet(*SMALL, "--plot", "paths.svg", "--json").json["plot"] == "paths.svg"


def test_quiet_prints_nothing_and_writes_all(ridgelet):
    run = ridgelet(*SMALL, "--plot", "paths.svg", "--quiet")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert {path.name for path in run.directory.iterdir()} == {"paths.csv", "paths.svg"}


@pytest.mark.parametrize("how", [(), ("--quiet",), ("--json",)])
def test_nodes_that_leave_most_of_the_process_unknown_are_warned_of_whatever_is_printed(ridgelet, how):
    eight = ("--kernel", "se()", "--domain=" + ",".join(8 * ["-5:5"]), "--operator", "ridgelet", "--units", 20)
    run = ridgelet("sample", *eight, "--draws", 2, "--eval-points", 20, "--out", "paths.csv", *how)
    assert run.code == 0
    assert run.err.startswith("warning: 991 nodes with weight, and the kernel asks for at least 200: 1e+02 % of")
    assert run.err.count("\n") == 1


def test_a_model_of_standardised_columns_has_its_inputs_in_the_units_of_the_table(ridgelet, tmp_path):
    scaled = 'centre = 5\nscale = 2\nstandardise = "yes"\nrange = "1:9"\n'
    numbers = 'kernel = "se(lengthscale=1.5)"\nunits = 100\npoints = 60\n'
    (tmp_path / "learned.toml").write_text(numbers + scaled)
    (tmp_path / "plain.toml").write_text(numbers)
    drawn = ("--draws", 3, "--eval-points", 21, "--out", "paths.csv")
    run = ridgelet("sample", "--model", "learned.toml", "--domain", "0:10", *drawn, "--plot", "paths.svg")
    assert "inputs are in the units of the table" in run.out and "standard deviations of its response" in run.out
    assert "f(x), standardised" in (run.directory / "paths.svg").read_text()
    _, own = run.table("paths.csv")
    np.testing.assert_allclose(own[:, 0], np.linspace(0, 10, 21), atol=1e-12)
    same = ridgelet("sample", "--model", "plain.toml", "--domain=-2.5:2.5", *drawn)
    assert "units of the table" not in same.out
    np.testing.assert_allclose(own[:, 1:], same.table("paths.csv")[1][:, 1:], atol=1e-9)
    assert ridgelet("sample", "--model", "learned.toml", *drawn, "--json").json["standardised"] is True
