"""A model in a TOML file: the same names as the flags, and flags win."""

import pytest

WORK = ("--replicates", 2, "--eval-points", 20, "--json")
MODEL = """
kernel = "matern52(lengthscale=2)"
mean = "0.1*x"
activation = "sigmoid"
operator = "least-squares"
units = 40
layers = 1
ridge = 1e-4
sigma-w = 2.5
sigma-b = 8
density = "logistic"
order = 4
domain = "-3:3"
margin = 0.5
nodes = "grid"
points = 30
"""
FLAGS = (
    "--kernel", "matern52(lengthscale=2)", "--mean", "0.1*x", "--activation", "sigmoid", "--operator",
    "least-squares", "--units", 40, "--layers", 1, "--ridge", 1e-4, "--sigma-w", 2.5, "--sigma-b", 8, "--density",
    "logistic", "--order", 4, "--domain=-3:3", "--margin", 0.5, "--nodes", "grid", "--points", 30,
)  # fmt: skip


@pytest.fixture
def assess(ridgelet, tmp_path):
    """assess(text of the model file, flags...) -> Run."""

    def run(text, *flags):
        (tmp_path / "model.toml").write_text(text)
        return ridgelet("assess", "--model", "model.toml", *WORK, *flags)

    return run


def numbers(run):
    return {key: value for key, value in run.json.items() if key != "seconds"}


def refusal(run):
    assert (run.code, run.out) == (2, "")
    (line,) = run.err.splitlines()
    assert line.startswith("ridgelet: --")
    return line


def test_a_file_gives_the_same_numbers_as_its_flags(ridgelet, assess):
    report = numbers(assess(MODEL))
    assert report == numbers(ridgelet("assess", *FLAGS, *WORK))
    assert (report["activation"], report["units"], report["nodes"]) == ("sigmoid", 40, 30)


def test_the_model_file_serves_sample_too(ridgelet, tmp_path):
    (tmp_path / "model.toml").write_text(MODEL)
    _, values = ridgelet("sample", "--model", "model.toml", "--draws", 2, "--out", "a.csv").table("a.csv")
    assert (values[:, 0].min(), values[:, 0].max()) == (-3, 3)


@pytest.mark.parametrize("flags_first", [True, False])
def test_flags_win_over_the_file_wherever_they_stand(ridgelet, tmp_path, flags_first):
    (tmp_path / "model.toml").write_text(MODEL)
    file, flags = ("--model", "model.toml"), ("--units", 7, "--kernel", "se(lengthscale=3)")
    parts = (*flags, *file) if flags_first else (*file, *flags)
    report = ridgelet("assess", *parts, *WORK).json
    assert report["units"] == 7
    assert report["kernel"] == "se(amplitude=1, lengthscale=3)"
    assert report["activation"] == "sigmoid"


def test_a_flag_repairs_a_bad_value_only_if_the_file_can_be_read(assess):
    assert assess(MODEL.replace("units = 40", "units = 0"), "--units", 5).json["units"] == 5
    assert "--units" in refusal(assess(MODEL.replace("units = 40", 'units = "many"'), "--units", 5))


def test_underscores_and_hyphens_in_keys_mean_the_same(assess):
    hyphens = numbers(assess(MODEL))
    underscores = numbers(assess(MODEL.replace("sigma-w", "sigma_w").replace("sigma-b", "sigma_b")))
    assert underscores == hyphens
    assert numbers(assess(MODEL.replace("sigma-w = 2.5", "sigma_w = 1"))) != hyphens


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("units = 40", 'units = "40"'),
        ("sigma-b = 8", "sigma-b = 8.0"),
        ("ridge = 1e-4", "ridge = 0.0001"),
        ("units = 40", "units = 0x28  # in hexadecimal"),
    ],
)
def test_a_number_may_be_written_in_every_way_that_toml_allows(assess, before, after):
    assert numbers(assess(MODEL.replace(before, after))) == numbers(assess(MODEL))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("unts = 40", ["'unts'", "did you mean 'units'?", "model.toml"]),
        ("sigma_v = 1", ["'sigma-v'", "did you mean 'sigma-w'?"]),
        ("learning-rate = 1", ["'learning-rate'", "kernel", "units"]),
        ("[model]\nunits = 40", ["'model'"]),
    ],
)
def test_an_unknown_key_is_refused_with_a_suggestion(assess, change, words):
    line = refusal(assess('kernel = "se()"\n' + change + "\n"))
    assert line.startswith("ridgelet: --model: ")
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('kernel = "se()"\nunits = \nridge = 1\n', 2),
        ('kernel = "se()"\n\n\nunits 40\n', 4),
        ('kernel = "se()\n', 1),
        ('kernel = "se()"\nunits = 1\nunits = 2\n', 3),
    ],
)
def test_text_that_is_not_toml_is_refused_with_its_line(assess, text, number):
    line = refusal(assess(text))
    assert "'model.toml' is not a TOML file" in line
    assert line.endswith(f"in line {number}")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("units = 1.5", ["--units", "whole number", "1.5"]),
        ("units = 0", ["--units", "at least 1", "0"]),
        ("units = true", ["--units", "number", "text in quotes"]),
        ("units = [1, 2]", ["--units", "whole number"]),
        ("sigma-w = 0", ["--sigma-w", "positive"]),
        ("sigma_w = nan", ["--sigma-w", "positive", "nan"]),
        ("sigma-b = inf", ["--sigma-b", "positive", "inf"]),
        ('domain = "5:-5"', ["--domain", "LO below HI"]),
        ("domain = 5", ["--domain", "LO:HI"]),
        ('activation = "tahn"', ["--activation", "did you mean 'tanh'?"]),
        ('mean = "x9"', ["--mean", "x9"]),
        ("margin = -1", ["--margin", "at least 0"]),
    ],
)
def test_a_bad_value_is_refused_under_its_flag(assess, setting, words):
    line = refusal(assess('kernel = "se()"\n' + setting + "\n"))
    for word in words:
        assert word in line


def test_a_file_without_a_kernel_needs_the_flag(assess):
    assert "--kernel: is required" in refusal(assess("units = 40\n"))
    assert assess("units = 40\n", "--kernel", "se()").json["units"] == 40


def test_an_empty_file_is_an_empty_model(assess, ridgelet):
    report = numbers(assess("", "--kernel", "se()"))
    assert report == numbers(ridgelet("assess", "--kernel", "se()", *WORK))


def test_comments_and_other_alphabets_are_read(assess):
    assert assess('# Vorwissen über f: glatt, höchstens ±2\nkernel = "se()"  # 平滑\nunits = 70\n').json["units"] == 70


@pytest.mark.parametrize("name", ["none.toml", "folder"])
def test_a_file_that_cannot_be_read_is_an_io_error(ridgelet, tmp_path, name):
    (tmp_path / "folder").mkdir()
    run = ridgelet("assess", "--model", name)
    assert (run.code, run.out) == (3, "")
    assert run.err == f"ridgelet: cannot read the model file '{name}'\n"


@pytest.mark.parametrize("command", ["fit", "learn", "assess"])
@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("sigma-w = 2\nsigma_w = 3", "--sigma-w: stands twice in 'given.toml', as sigma-w and as sigma_w; keep one of them"),
        ("centre = 1\nscale = 0", "scale: must be positive and finite, got 0"),
        ("centre = nan\nscale = 1", "centre: must be finite, got nan"),
        ('range = "3:-3"', "range: must have LO below HI, both finite, for every input, got 3:-3 for input 1"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_is_refused_by_every_command(ridgelet, table, tmp_path, command, lines, complaint):
    """Also by those that have a table of their own, and do not look at the one that the model was learned from."""
    (tmp_path / "given.toml").write_text(f'kernel = "se()"\n{lines}\n')
    data = () if command == "assess" else ("data.csv", "--y", "y")
    run = ridgelet(command, *data, "--model", "given.toml")
    assert (run.code, run.out, run.err) == (2, "", f"ridgelet: {complaint}\n")


@pytest.mark.parametrize(("in_file", "flag", "standardised"), [("yes", "--standardise=no", False), ("no", "--standardise=yes", True)])
def test_standardising_that_the_file_says_is_taken_back_by_the_flag(ridgelet, table, tmp_path, in_file, flag, standardised):
    (tmp_path / "model.toml").write_text(f'kernel = "se()"\nnoise = 0.1\nunits = 20\nstandardise = "{in_file}"\n')
    fit = ("fit", "data.csv", "--y", "y", "--model", "model.toml", "--json", "--force")
    assert ("scaling" in ridgelet(*fit).json) != standardised
    assert ("scaling" in ridgelet(*fit, flag).json) == standardised
    assert ridgelet(*fit, flag[:13]).json["scaling"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--standardise", "no"), "--standardise takes its value behind an equals sign; write --standardise=no"),
        (("--standardise=maybe",), "--standardise: must be yes or no, got 'maybe'"),
        (("--standardise=",), "--standardise: must be yes or no, got ''"),
    ],
)  # fmt: skip
def test_a_value_of_standardise_that_cannot_be_is_refused(ridgelet, table, words, complaint):
    run = ridgelet("fit", "data.csv", "--y", "y", *words)
    assert (run.code, run.out, run.err) == (2, "", f"ridgelet: {complaint}\n")
