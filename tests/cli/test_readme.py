"""What the README shows can be typed as it stands, in a clone that was built."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["RIDGELET_SOURCE"])
PROGRAM = Path(os.environ["RIDGELET_PROGRAM"])
README = (SOURCE / "README.md").read_text()
SHOWN = re.findall(r"^    ((?:ridgelet|export|cmake) .*)$", README, re.M)
INLINE = re.findall(r"`((?:ridgelet|cmake|pip|\./|scripts/)[^`]+)`", README.replace("\n", " "))
# Commands within a sentence that another test or a person runs, each with the reason.
ELSEWHERE = {
    "./quickstart --all": "minutes; its fits are those of test_reproduce.py",
    "./check": "runs this test",
    "scripts/build": "has made the program that runs here",
    "ridgelet predict": "a name",
    "ridgelet learn": "a name; test_learn.py",
    "ridgelet reproduce co2 --seed 4 --out co2": "minutes; test_reproduce.py",
    "ridgelet reproduce hidden-points --out hidden-points": "minutes; test_reproduce_hidden_points.py",
    "pip install --no-build-isolation .": "minutes; python/tests/test_pip.py",
}
MODEL_FILE = re.search(r"`model.toml`\s+say:\n\n((?:    .+\n)+)", README)[1]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder that looks like a clone after the build; nothing of the real clone is written to."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / "build").mkdir()
    (folder / "build" / "release").symlink_to(PROGRAM.parent)
    (folder / "data").symlink_to(SOURCE / "data")
    (folder / "model.toml").write_text("\n".join(line.strip() for line in MODEL_FILE.splitlines()))
    rows = [f"{i % 3 + 0.01 * (i * 7 % 50)},{1 + 0.02 * (i * 11 % 50)},{['iris', 'lily', 'rose'][i % 3]}" for i in range(60)]
    (folder / "flowers.csv").write_text("\n".join(["size,width,species", *rows]) + "\n")
    return folder


def in_shell(clone, command):
    """Runs a line of the README after the README's own line about the PATH; nothing else leads to the program."""
    (path,) = [line for line in SHOWN if line.startswith("export PATH=")]
    environment = os.environ | {"PATH": os.defpath, "HOME": str(clone)}
    run = subprocess.run(["bash", "-c", f"{path}\n{command}"], cwd=clone, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, (command, run.stderr)
    return run.stdout


@pytest.fixture(scope="module")
def printed(clone):
    """What every command printed, run in their order."""
    commands = [*SHOWN, *(line for line in INLINE if line not in ELSEWHERE)]
    return {command: in_shell(clone, command) for command in commands}


def test_every_command_of_the_readme_runs(printed, clone):
    assert len(printed) >= 18 and "ridgelet selftest" in printed
    for name in ("paths.svg", "model.svg", "model.onnx", "model.c", "sampled.nc"):
        assert (clone / name).stat().st_size > 1000
    assert (clone / "pred.csv").read_text().startswith("year,month,passengers,mean,sd,lower,upper")


def test_what_is_not_run_here_still_stands_in_the_readme():
    assert set(ELSEWHERE) <= set(INLINE)


def test_a_number_of_the_table_of_errors_is_what_its_command_prints(printed):
    (out,) = [out for command, out in printed.items() if "--replicates 100" in command]
    error = float(re.search(r"largest rmse +(\S+)", out)[1])
    assert re.search(r"^\| 300 \| [\d.]+ \| ([\d.]+) \|$", README, re.M)[1] == f"{error:.5f}"


def test_the_table_of_the_split_is_what_the_program_prints(printed):
    command, table = re.search(r"\n    (ridgelet assess .* --split)\n\n((?:    .+\n)+)", README).groups()
    lines = {line.strip() for line in printed[command].splitlines()}
    assert len(table.splitlines()) == 6
    for line in table.splitlines():
        assert line.strip() in lines


def test_the_results_file_opens_as_the_readme_says(printed, clone):
    opened = re.search(r"^    (xarray\..*)$", README, re.M)[1]
    subprocess.run([sys.executable, "-c", f"import xarray\nassert len({opened})"], cwd=clone, check=True)


def test_the_python_examples_of_the_readme_run(tmp_path):
    examples = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(examples) == 2
    run = subprocess.run([sys.executable, "-c", "\n".join(examples)], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert 0 < float(run.stdout) < 0.01


def test_the_cpp_example_of_the_readme_compiles_and_runs_against_what_is_installed(printed, clone):
    example = re.search(r"```cpp\n(.*?)```", README, re.S)[1]
    head, body = re.split(r"(?<=using namespace ridgelet;\n)", example)
    lines = re.search(r"^    (find_package.*)\n    (target_link.*)$", README, re.M)
    project = clone / "mine"
    project.mkdir()
    (project / "main.cpp").write_text(f"{head}int main() {{\n{body}}}\n")
    (project / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(mine LANGUAGES CXX)\n{lines[1]}\nadd_executable(mine main.cpp)\n{lines[2]}\n"
    )
    in_shell(clone, "cmake -S mine -B mine/build -G Ninja -DCMAKE_PREFIX_PATH=$HOME/ridgelet && cmake --build mine/build")
    (clone / "model.nc").unlink()
    in_shell(clone, "mine/build/mine && ridgelet summary model.nc")
