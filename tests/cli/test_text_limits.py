"""Expressions of any length and depth: what is too long or too deep ends in one clear line."""

import pytest

BAD_INPUT = 2
TERMS = 20_000
DEPTH = 20_000

CASES = {
    "a kernel of many terms": ("--kernel", "+".join(["se()"] * TERMS), "at most 10000 characters"),
    "a kernel of many factors": ("--kernel", "*".join(["se()"] * TERMS), "at most 10000 characters"),
    "a kernel in many parentheses": ("--kernel", "(" * DEPTH + "se()" + ")" * DEPTH, "at most 10000 characters"),
    "a kernel in some parentheses": ("--kernel", "(" * 200 + "se()" + ")" * 200, "parentheses inside each other"),
    "a long expression in a kernel": ("--kernel", f"outer({'+'.join(['x1'] * TERMS)})", "at most 10000 characters"),
    "a deep expression in a kernel": ("--kernel", f"outer({'(' * 200}x1{')' * 200})", "parentheses inside each other"),
    "a kernel that opens only": ("--kernel", "(" * 9000, "parentheses inside each other"),
    "a mean of many terms": ("--mean", "+".join(["x1"] * TERMS), "at most 10000 characters"),
    "a mean of many signs": ("--mean", "-" * DEPTH + "x1", "at most 10000 characters"),
    "a mean of many functions": ("--mean", "sin(" * 1000 + "x1" + ")" * 1000, "inside each other"),
}


@pytest.fixture
def refuse(ridgelet, tmp_path):
    """refuse("--kernel", text) -> the one line; nothing may be written."""

    def run(*options):
        done = ridgelet("sample", "--units", 20, "--points", 15, "--out", "paths.csv", *options)
        assert (done.code, done.out) == (BAD_INPUT, ""), done.err
        (line,) = done.err.splitlines()
        assert line.startswith("ridgelet: ")
        assert len(line) < 300
        assert not (tmp_path / "paths.csv").exists()
        return line

    return run


@pytest.mark.parametrize("case", CASES)
def test_a_text_beyond_the_limits_is_refused_in_one_short_line(refuse, case):
    option, text, words = CASES[case]
    kernel = () if option == "--kernel" else ("--kernel", "se()")
    line = refuse(option, text, *kernel)
    assert line.startswith(f"ridgelet: {option}: ") and words in line


@pytest.mark.parametrize("case", CASES)
def test_a_model_file_has_the_same_limits(refuse, tmp_path, case):
    option, text, words = CASES[case]
    name = option.removeprefix("--")
    lines = {"kernel": '"se()"'} | {name: f'"{text}"'}
    (tmp_path / "model.toml").write_text("".join(f"{key} = {value}\n" for key, value in lines.items()))
    line = refuse("--model", "model.toml")
    assert name in line and words in line


def test_a_text_within_the_limits_serves(ridgelet):
    kernel = "+".join(["se(amplitude=0.1)"] * 200)
    mean = "(" * 50 + "+".join(["0.001*x1"] * 300) + ")" * 50
    done = ridgelet("sample", "--kernel", kernel, "--mean", mean, "--units", 20, "--points", 15, "--out", "paths.csv")
    assert (done.code, done.said) == (0, "")
