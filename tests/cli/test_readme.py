"""What the README shows can be typed as it stands."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["RIDGELET_SOURCE"])
README = (SOURCE / "README.md").read_text()
MODEL_FILE = re.search(r"flags win:\n\n((?:    .+\n)+)", README)[1]


def readme_commands():
    return [line.strip() for line in README.splitlines() if re.match(r"    ridgelet (assess|sample)", line)]


def test_every_command_of_the_readme_runs(tmp_path):
    (tmp_path / "model.toml").write_text("\n".join(line.strip() for line in MODEL_FILE.splitlines()))
    commands = readme_commands()
    assert len(commands) >= 3
    for command in commands:
        words = [os.environ["RIDGELET_PROGRAM"], *shlex.split(command)[1:]]
        run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, (command, run.stderr)
    assert (tmp_path / "paths.svg").stat().st_size > 1000


def test_the_python_example_of_the_readme_runs(tmp_path):
    example = re.search(r"```python\n(.*?)```", README, re.S)[1]
    run = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert 0 < float(run.stdout) < 0.01
