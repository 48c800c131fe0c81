"""Responses that a likelihood cannot have are refused in one line."""

import numpy as np
import pytest
from responses import write_rows


@pytest.mark.parametrize("response", ["side", "part"])
def test_classes_have_no_noise_to_leave_out(ridgelet, write_columns, response):
    write_columns("x1", "x2", response)
    ridgelet("fit", "data.csv", "--y", response, "--kernel", "se()", "--quiet")
    run = ridgelet("predict", "model.nc", "data.csv", "--latent")
    assert run.code == 2
    assert "--latent: is not for classes, whose probabilities are without noise; leave it out" in run.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--y", "x1", "--likelihood", "poisson"], "line 2, column 'x1': must be a count 0, 1, 2, ..., got"),
        (["--y", "part", "--likelihood", "bernoulli"], "bernoulli needs two classes, and 'part' has 3; use categorical"),
        (["--y", "part", "--likelihood", "poisson"], "must be a number"),
        (["--y", "log(years)", "--likelihood", "student"], "student is for the response itself; fit log(years) with Gaussian noise"),
        (["--y", "side", "--noise", "0.1"], "belongs to Gaussian noise"),
        (["--y", "side", "--likelihood", "bernouli"], "bernoulli"),
        (["--y", "x1,side"], "--y: 'side' is of classes, as text is, and they must be the only column"),
        (["--y", "side,x1"], "--y: 'side' is of classes, as text is, and they must be the only column"),
        (["--y", "side,part"], "--y: 'side' is of classes, as text is, and they must be the only column"),
        (["--y", "side,part", "--likelihood", "categorical"], "--y: must be one column for categorical, got side, part"),
        (["--y", "years,x2", "--likelihood", "student"], "--y: must be one column for student, got years, x2"),
        (["--y", "side", "--exposure", "years"], "is for counts; add --likelihood poisson or negative-binomial"),
        (["--y", "side", "--hidden", "sampled", "--sampler", "nuts"], "nuts is for Gaussian noise"),
        (["--y", "side", "--coordinates", "exact"], "must be auto, laplace or sampled, got 'exact'"),
        (["--y", "side", "--kernel", "best"], "best is for Gaussian noise"),
        (["--y", "x1", "--coordinates", "laplace"], "is for noise that is not Gaussian; name a --likelihood"),
        (["--y", "x1", "--function-draws", 30], "is for noise that is not Gaussian; name a --likelihood"),
        (["--y", "side", "--hidden", "sampled", "--coordinates", "sampled"], "does nothing with --hidden sampled"),
        (["--y", "side", "--hidden", "sampled", "--function-draws", 30], "does nothing with --hidden sampled"),
    ],
)
def test_what_cannot_be_is_one_clear_line(ridgelet, write_columns, arguments, complaint):
    write_columns("x1", "x2", "side", "part", "years")
    run = ridgelet("fit", "data.csv", *arguments, "--quiet", "--out", "none.nc")
    assert run.code == 2
    assert complaint in run.err
    assert len(run.err.strip().splitlines()) == 1
    assert not (run.directory / "none.nc").exists()


def test_a_response_of_text_beside_another_is_refused_before_anything_is_learned(ridgelet, write_columns):
    write_columns("x1", "x2", "side", "part")
    for y in ("x1,side", "side,x1", "side,part"):
        for command in (("fit",), ("fit", "--holdout", 0.2), ("fit", "--hidden", "sampled"), ("learn",)):
            run = ridgelet(command[0], "data.csv", "--y", y, *command[1:])
            assert run.code == 2 and "is of classes" in run.err
            assert "learning" not in run.err + run.out


def test_a_noise_that_the_likelihood_does_not_have_is_refused_before_a_file_is_opened(ridgelet, write_columns):
    for command in ("fit", "learn"):
        run = ridgelet(command, "none.csv", "--y", "y", "--likelihood", "poisson", "--noise", 0.1)
        assert (run.code, run.err) == (2, "ridgelet: --noise: belongs to Gaussian noise, not to --likelihood poisson; leave it out\n")
    write_columns("x1", "x2", "side")
    run = ridgelet("fit", "data.csv", "--y", "side", "--noise", 0.1)
    assert (run.code, run.err) == (2, "ridgelet: --noise: belongs to Gaussian noise, not to --likelihood bernoulli; leave it out\n")


@pytest.mark.parametrize("years", [0, -1.5])
def test_an_exposure_that_is_not_positive_is_refused_as_an_exposure(ridgelet, write_columns, responses, tmp_path, years):
    write_columns("x1", "years", "claims")
    of_counts = ("--y", "claims", "--exposure", "years", "--likelihood", "poisson")
    assert ridgelet("fit", "data.csv", *of_counts, "--kernel", "se()", "--quiet").code == 0
    wrong = [list(row) for row in zip(responses["x1"], responses["years"], responses["claims"])]
    wrong[3][1] = years
    write_rows(tmp_path / "wrong.csv", "x1,years,claims", wrong)
    np.save(tmp_path / "wrong.npy", np.array([tuple(row) for row in wrong], dtype=[(name, float) for name in ("x1", "years", "claims")]))
    for file, place in (("wrong.csv", "line 5"), ("wrong.npy", "row 4")):
        for command in (("fit", file, *of_counts, "--out", "none.nc"), ("score", "model.nc", file)):
            run = ridgelet(*command)
            rule = f"column 'years': an exposure must be positive, got '{years}'; correct it, or leave the row out"
            assert (run.code, run.err) == (2, f"ridgelet: data: '{file}', {place}, {rule}\n")


def test_a_single_class_is_refused_by_its_name(ridgelet, tmp_path):
    write_rows(tmp_path / "one.csv", "x1,side", [(0, "left"), (1, "left"), (2, "left")])
    run = ridgelet("fit", "one.csv", "--y", "side")
    assert run.code == 2
    assert "'one.csv', column 'side': is 'left' in every row; there is nothing to learn" in run.err


def test_an_unknown_class_is_refused_with_its_line(ridgelet, write_columns, tmp_path):
    write_columns("x1", "x2", "side")
    ridgelet("fit", "data.csv", "--y", "side", "--kernel", "se()", "--quiet")
    write_rows(tmp_path / "new.csv", "x1,x2,side", [(0, 0, "left"), (0, 0, "up")])
    run = ridgelet("score", "model.nc", "new.csv")
    assert run.code == 2
    assert "line 3, column 'side': 'up' is no class of the fit, which had left, right" in run.err


def test_a_picture_refuses_counts_that_cannot_be(ridgelet, write_columns, tmp_path):
    write_columns("x1", "claims")
    assert ridgelet("fit", "data.csv", "--y", "claims", "--likelihood", "poisson", "--quiet").code == 0
    (tmp_path / "new.csv").write_text("x1,claims\n0.1,2\n0.2,-1\n")
    for command in (("plot", "model.nc", "--data", "new.csv", "--out", "checks.svg"), ("score", "model.nc", "new.csv")):
        run = ridgelet(*command)
        assert run.code == 2
        assert run.err.endswith("data: 'new.csv', line 3, column 'claims': must be a count 0, 1, 2, ..., got -1\n")
        assert run.err.count("\n") == 1
    assert not (tmp_path / "checks.svg").exists()


def test_counts_that_are_too_large_are_refused_with_a_word_on_their_likelihood(ridgelet, tmp_path):
    rows = "".join(f"{i / 10},{10**15 + 3 * 10**14 * (i % 7 - 3)}\n" for i in range(40))
    (tmp_path / "large.csv").write_text("x,y\n" + rows)
    fit = ("fit", "large.csv", "--y", "y", "--likelihood", "poisson", "--quiet")
    run = ridgelet(*fit, "--kernel", "linear()", "--learn")
    (line,) = run.err.splitlines()
    assert run.code == 2 and line.startswith("ridgelet: --likelihood: poisson has no evidence")
    assert line.endswith("the counts are too large; fit their logarithm with Gaussian noise")


def test_a_count_that_cannot_be_is_named_by_its_place_in_the_file_though_rows_are_left_out(ridgelet, tmp_path):
    counts = np.random.default_rng(0).poisson(3, 60)
    rows = [[i / 10, count] for i, count in enumerate(counts)]
    rows[4][0] = ""
    write_rows(tmp_path / "good.csv", "x,c", rows)
    rows[9][1] = 2.5
    write_rows(tmp_path / "bad.csv", "x,c", rows)
    np.save(tmp_path / "bad.npy", np.array([(x or np.nan, c) for x, c in rows], dtype=[("x", float), ("c", float)]))
    of_counts = ("--y", "c", "--likelihood", "poisson", "--missing", "drop")
    assert ridgelet("fit", "good.csv", *of_counts, "--quiet").code == 0
    for place, table in (("line 11", "bad.csv"), ("row 10", "bad.npy")):
        for command in (
            ("fit", table, *of_counts, "--out", "m.nc"),
            ("fit", table, *of_counts, "--holdout", 0.5, "--out", "m.nc"),
            ("learn", table, *of_counts, "--out", "m.toml"),
            ("score", "model.nc", table, "--missing", "drop"),
            ("plot", "model.nc", "--data", table, "--missing", "drop", "--out", "m.svg"),
        ):
            run = ridgelet(*command)
            assert run.code == 2
            assert run.err.endswith(f"data: '{table}', {place}, column 'c': must be a count 0, 1, 2, ..., got 2.5\n")
            assert "learning" not in run.err
