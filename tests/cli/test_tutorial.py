"""docs/tutorial.md: its commands run in their order, and what it says of their output is true."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["RIDGELET_SOURCE"])
PAGE = (SOURCE / "docs" / "tutorial.md").read_text()
COMMANDS = re.findall(r"^    ridgelet (.*)$", PAGE, re.M)


@pytest.fixture(scope="module")
def runs(run_in, tmp_path_factory):
    """What every command of the page printed, and the folder that they worked in."""
    folder = tmp_path_factory.mktemp("tutorial")
    shutil.copy(SOURCE / "data" / "airline_passengers.csv", folder)
    runs = {command: run_in(folder, *shlex.split(command)) for command in COMMANDS}
    for command, run in runs.items():
        assert run.code == 0, (command, run.err)
    return runs, folder


def output_of(runs, beginning):
    (run,) = [run for command, run in runs[0].items() if command.startswith(beginning)]
    return run.out


def test_every_file_of_the_page_is_written(runs):
    for name in re.findall(r"--(?:out|plot) (\S+)", PAGE):
        assert (runs[1] / name).stat().st_size > 0


# What the text says, the command whose output has the number, where it stands there, and how the text writes it.
SAID = [
    ("The networks of twenty units follow these four functions to {} of the", "sample", r"error, .*: (\S+) of the", "{:.1%}"),
    ("mean over {} hidden layers", "assess", r"s\.e\. of (\d+) hidden layers", "{:.0f}"),
    ("{} on average over the domain", "assess", r"mean rmse +(\S+)", "{:.1%}"),
    ("{} where it is largest", "assess", r"largest rmse +(\S+)", "{:.1%}"),
    ("{} units are enough for an error of at most 1 %", "tune", r"(\d+) units on 200 nodes: .* as wanted", "{:.0f}"),
    ("passengers changes over {} years", "fit", r"se\.lengthscale\[1\] (\S+)", "{:.0f}"),
    ("over {} months", "fit", r"se\.lengthscale\[2\] (\S+)", "{:.1f}"),
    ("that process up to {} % of its size at the data", "fit", r"certificate .* to (\S+) % of their size at", "{:.1f}"),
    ("up to {} % of its size at the data and between", "fit", r"certificate .* and (\S+) % between", "{:.1f}"),
    ("how the {} months came out that the fit has not seen", "fit", r"held out: passengers at (\d+) rows", "{:.0f}"),
    ("passengers to within {} (RMSE)", "fit", r"RMSE +(\S+)", "{:.0f}"),
    ("The fitted network is {} units of tanh", "fit", r"with (\d+) units of tanh", "{:.0f}"),
]


@pytest.mark.parametrize(("phrase", "command", "place", "form"), SAID)
def test_the_numbers_of_the_text_are_those_of_the_commands(runs, phrase, command, place, form):
    value = float(re.search(place, output_of(runs, command))[1])
    assert phrase.format(form.format(value).replace("%", " %")) in " ".join(PAGE.split())


def test_the_intervals_hold_as_much_as_the_text_says(runs):
    assert "95 % intervals hold all of them" in " ".join(PAGE.split())
    assert "95 % interval    holds 100.0 % of the rows" in output_of(runs, "fit")


def test_the_table_has_as_many_months_as_the_text_says(runs):
    months = len((runs[1] / "airline_passengers.csv").read_text().splitlines()) - 1
    assert f"the passengers of an airline in {months} months" in " ".join(PAGE.split())


def test_the_table_of_the_comparison_is_the_one_printed_but_for_seconds(runs):
    def rows(text):
        return [line.split()[:-1] for line in text.splitlines() if re.match(r" *(exact|i\.i\.d\.|ridgelet) (pro|net)", line)]

    assert len(rows(PAGE)) == 3
    assert rows(PAGE) == rows(output_of(runs, "compare"))


def test_the_exported_function_is_the_one_of_the_page(runs):
    declaration = re.search(r"^    (void ridgelet_predict.*);$", PAGE, re.M)[1]
    assert declaration in (runs[1] / "model.c").read_text()
    assert (runs[1] / "small.c").stat().st_size < 0.5 * (runs[1] / "model.c").stat().st_size


def test_the_python_of_the_page_runs(runs):
    example = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
    done = subprocess.run([sys.executable, "-c", example], cwd=runs[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (runs[1] / "from_python.c").exists()


@pytest.mark.parametrize("picture", re.findall(r"\((figures/[^)]+)\)", PAGE))
def test_every_picture_is_there_and_small(picture):
    content = (SOURCE / "docs" / picture).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) < 150_000
