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


def test_the_numbers_of_the_text_are_those_of_the_commands(runs):
    assert "29 units on 200 nodes" in output_of(runs, "tune") and "29 units are enough" in PAGE
    fit = output_of(runs, "fit")
    assert re.search(r"year .* se\.lengthscale\[1\] 17\.28\n +month .* se\.lengthscale\[2\] 2\.418\n", fit) and "over 17 years and over 2.4 months" in PAGE
    assert "with 100 units of tanh" in fit and "100 units of tanh" in PAGE
    assert re.search(r"RMSE +13\.06", fit) and "holds 100.0 % of the rows; width 58.17" in fit


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
