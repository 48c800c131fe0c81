"""`ridgelet plot` of classes, counts, rows that were held out, and the trace of a variational fit."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest

KINDS = ["it's^{a}", "naïve_2", "x"]
NAMES = ["x1", "x2", "x3"]


def write_rows(path, columns):
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")


def columns_of(rows, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-2, 2, (3, rows)).round(3)
    score = x[0] + x[1] / 2 + 0.3 * random.standard_normal(rows)
    years = random.uniform(0.5, 3, rows).round(3)
    return {
        **dict(zip(NAMES, x)),
        "kind": [KINDS[int(each > -0.7) + int(each > 0.7)] for each in score],
        "side": np.where(score > 0, "right", "left"),
        "years": years,
        "claims": random.poisson(years * np.exp(x[0] / 2)),
        "y": score.round(4),
        "price": np.exp(score).round(4),
    }


@pytest.fixture(scope="session")
def models(run_in, tmp_path_factory):
    """The directory of kind-1.nc ... side-3.nc by response and number of inputs, claims-3.nc, trace.nc, held-out.csv."""
    directory = tmp_path_factory.mktemp("kinds")
    write_rows(directory / "data.csv", columns_of(90, 3))
    write_rows(directory / "held-out.csv", columns_of(40, 4))

    def fit(name, inputs, response, *flags):
        run = run_in(
            directory, "fit", "data.csv", "--x", ",".join(NAMES[:inputs]), "--y", response, "--kernel", "se()",
            "--units", 40, "--standardise", *flags, "--out", name,
        )  # fmt: skip
        assert run.code == 0, run.err

    for inputs in (1, 2, 3):
        fit(f"kind-{inputs}.nc", inputs, "kind")
        fit(f"side-{inputs}.nc", inputs, "side")
    fit("claims-3.nc", 3, "claims", "--likelihood", "poisson", "--exposure", "years")
    fit("claims-1.nc", 1, "claims", "--likelihood", "poisson", "--exposure", "years")
    fit("price-3.nc", 3, "log(price)", "--noise", 0.3)
    fit("trace.nc", 1, "y", "--noise", 0.3, "--hidden", "variational", "--steps", 120, "--draws", 20)
    return directory


@pytest.fixture
def plot(models, run_in, tmp_path):
    """plot("kind-1.nc", ...) -> the words of the picture."""

    def run(model, *flags):
        run = run_in(tmp_path, "plot", models / model, "--out", "fit.svg", *flags)
        assert (run.code, run.said) == (0, ""), run.err
        root = xml.fromstring((tmp_path / "fit.svg").read_text())
        return " ".join("".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text"))

    return run


def test_one_input_shows_the_probability_of_each_class(plot):
    text = plot("kind-1.nc")
    for word in (*KINDS, "probability of each kind", "95 %", "data", "x1"):
        assert word in text


def test_two_inputs_show_the_likeliest_class_by_name(plot):
    text = plot("kind-2.nc")
    for word in (*KINDS, "likeliest kind", "boundary", "P = 0.9", "standard deviation", "x1", "x2"):
        assert word in text


def test_more_inputs_have_the_calibration_of_classes_and_an_effect_for_each(plot, models, run_in):
    text = plot("kind-3.nc")
    score = run_in(models, "score", "kind-3.nc", "data.csv", "--json").json
    for word in (*KINDS, "in the fit", "share observed", "likeliest kind", *NAMES):
        assert word in text
    assert f"accuracy {score['accuracy']:.3f}" in text
    assert f"log loss {score['log_loss']:.3f}, ECE {score['ece']:.3f}" in text


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (1, ["P(right)", "50 %", "right above", "left below"]),
        (2, ["P(right)", "P = 0.5", "left", "right", "standard deviation"]),
        (3, ["predicted P(right)", "share observed", "ECE", "likeliest side", *NAMES]),
    ],
)
def test_two_classes_show_the_probability_of_the_second(plot, inputs, words):
    text = plot(f"side-{inputs}.nc")
    for word in words:
        assert word in text


def test_checks_are_of_any_number_of_inputs(plot):
    assert "share observed" in plot("side-1.nc", "--show", "checks")
    assert "rows inside of it" in plot("trace.nc", "--show", "checks")


def test_counts_are_checked_as_counts_and_their_effects_are_rates(plot):
    text = plot("claims-3.nc")
    for word in ("predicted claims", "claims / years", "rows inside of it", *NAMES):
        assert word in text
    text = plot("claims-1.nc")
    for word in ("claims / years", "95 % of the rate"):
        assert word in text


@pytest.fixture(scope="session")
def houses(run_in, tmp_path_factory):
    """The directory of houses-4.nc, log(price) given numbers, text and dates, and of sold.nc and town.nc given one of them."""
    directory = tmp_path_factory.mktemp("houses")
    random = np.random.default_rng(6)
    area, age, days, town = random.uniform(30, 200, 80), random.uniform(0, 90, 80), random.integers(0, 900, 80), random.integers(0, 3, 80)
    price = np.exp(11 + 0.008 * area + 0.3 * (town == 1) + 0.001 * days + 0.05 * random.standard_normal(80))
    write_rows(directory / "data.csv", {
        "area": area.round(1), "age": age.round(1), "town": np.array(["Hull", "Leeds", "York"])[town],
        "sold": np.datetime64("2022-01-01") + days, "price": price.round(),
    })  # fmt: skip
    for name, columns in (("houses-4.nc", "area,age,town,sold"), ("sold.nc", "sold"), ("town.nc", "town")):
        run = run_in(directory, "fit", "data.csv", "--x", columns, "--y", "log(price)", "--out", name)
        assert run.code == 0, run.err
    return directory


@pytest.mark.parametrize("model", ["houses-4.nc", "sold.nc", "town.nc"])
def test_a_response_whose_logarithm_was_fitted_is_shown_itself(plot, houses, run_in, model):
    text = plot(houses / model, "--show", "checks")
    assert "predicted price" in text and "log(price)" not in text
    score = run_in(houses, "score", model, "data.csv", "--json").json
    assert f"RMSE {score['rmse']:.3g}, R² {score['r2']:.3f}" in text
    assert "price" in plot(houses / model) and "log(price)" not in plot(houses / model)


def test_text_has_one_panel_with_its_levels_and_dates_are_dates(plot, houses):
    text = plot(houses / "houses-4.nc").split()
    assert [text.count(word) for word in ("town", "sold", "Hull", "Leeds", "York")] == [1] * 5
    assert not any(word.startswith("town=") for word in text)
    assert {"2022", "2023", "2024"} <= set(text)
    assert {"2022-07", "2023-01", "2023-07", "2024-01"} <= set(plot(houses / "sold.nc").split())
    assert {"Hull", "Leeds", "York"} <= set(plot(houses / "town.nc").split())


@pytest.mark.parametrize("model", ["kind-1.nc", "kind-2.nc", "side-1.nc", "side-2.nc", "claims-3.nc", "trace.nc"])
def test_rows_that_were_held_out_are_named_in_the_picture(plot, models, model):
    assert "held-out.csv" in plot(model, "--data", models / "held-out.csv")


def test_checks_of_rows_that_were_held_out_are_what_the_score_says_of_them(plot, models, run_in):
    text = plot("kind-3.nc", "--data", models / "held-out.csv")
    score = run_in(models, "score", "kind-3.nc", "held-out.csv", "--json").json
    assert f"held-out.csv: accuracy {score['accuracy']:.3f}" in text
    assert f"log loss {score['log_loss']:.3f}, ECE {score['ece']:.3f}" in text


@pytest.mark.parametrize("model", ["kind-3.nc", "claims-3.nc", "price-3.nc"])
def test_the_rows_of_the_fit_given_again_are_checked_as_they_were(plot, models, model):
    again = plot(model, "--data", models / "data.csv")
    assert "data.csv: " in again
    assert again.replace("data.csv: ", "in the fit: ") == plot(model)


def test_of_a_long_table_some_rows_are_shown_and_all_are_counted(plot, tmp_path):
    write_rows(tmp_path / "long.csv", columns_of(25000, 5))
    assert "long.csv (2000 of 25000 rows)" in plot("kind-1.nc", "--data", "long.csv")


@pytest.mark.parametrize(("model", "rows"), [("price-3.nc", 500), ("kind-3.nc", 5000)])
def test_checks_of_some_rows_say_of_how_many(plot, tmp_path, model, rows):
    write_rows(tmp_path / "held-out rows.csv", columns_of(5100, 5))
    assert f"held-out r…, {rows} of 5100 rows: " in plot(model, "--show", "checks", "--data", "held-out rows.csv")
    write_rows(tmp_path / "held-out rows.csv", columns_of(500, 5))
    assert "held-out rows.csv: " in plot(model, "--show", "checks", "--data", "held-out rows.csv")


def test_a_class_that_no_row_has_is_still_in_the_key(plot, tmp_path):
    columns = columns_of(40, 4)
    rows = [i for i, kind in enumerate(columns["kind"]) if kind != KINDS[0]]
    write_rows(tmp_path / "some.csv", {name: np.array(values)[rows] for name, values in columns.items()})
    for model in ("kind-1.nc", "kind-2.nc", "kind-3.nc"):
        assert KINDS[0] in plot(model, "--data", "some.csv")


def test_the_trace_shows_the_elbo_of_every_step_and_where_it_ended(plot, models, run_in):
    text = plot("trace.nc", "--show", "trace")
    report = run_in(models, "summary", "trace.nc", "--json").json
    for word in ("ELBO", "step", "mean of 100 steps", f"of the prior: {report['elbo_of_prior']:.2f}"):
        assert word in text


@pytest.mark.parametrize(
    ("model", "flags", "code", "complaint"),
    [
        ("kind-2.nc", ("--show", "trace"), 2, "--show: a trace is of --hidden variational"),
        ("kind-2.nc", ("--show", "all"), 2, "--show: must be fit, checks or trace, got 'all'"),
        ("trace.nc", ("--show", "trace", "--data", "held-out.csv"), 2, "--data: belongs to --show fit or checks"),
        ("kind-2.nc", ("--data", "none.csv"), 3, "none.csv"),
        ("kind-2.nc", ("--data", "short.csv"), 2, "'kind'"),
        ("kind-2.nc", ("--data", "other.csv"), 2, "'other'"),
        ("claims-1.nc", ("--y", "log(years)"), 2, "--y: must be one of claims, got 'log(years)'"),
    ],
    ids=str,
)  # fmt: skip
def test_bad_input_is_one_line_and_nothing_is_written(models, run_in, tmp_path, model, flags, code, complaint):
    (tmp_path / "short.csv").write_text("x1,x2\n1,2\n")
    (tmp_path / "other.csv").write_text("x1,x2,kind\n1,2,other\n")
    before = sorted(tmp_path.iterdir())
    run = run_in(tmp_path, "plot", models / model, "--out", "fit.svg", *flags)
    assert (run.code, run.out) == (code, "")
    assert run.err.count("\n") == 1
    assert complaint in run.err
    assert sorted(tmp_path.iterdir()) == before


def test_the_rows_themselves_are_not_overwritten(models, run_in, tmp_path):
    (tmp_path / "rows.svg").write_text("x1,x2,kind\n1,2,x\n")
    run = run_in(tmp_path, "plot", models / "kind-2.nc", "--data", "rows.svg", "--out", "rows.svg")
    assert (run.code, run.out) == (2, "")
    assert "--out: must not be 'rows.svg', which is read" in run.err
