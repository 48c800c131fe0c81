"""What the README shows can be typed as it stands."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["RIDGELET_SOURCE"])
README = (SOURCE / "README.md").read_text()
MODEL_FILE = re.search(r"flags win:\n\n((?:    .+\n)+)", README)[1]


def readme_commands():
    return [line.strip() for line in README.splitlines() if re.match(r"    ridgelet [a-z]", line)]


def write_other_tables(folder):
    """Classes, counts and numbers with outliers."""
    flowers, claims, lab = ["size,width,species"], ["age,years,claims"], ["heat,yield"]
    for i in range(60):
        kind = i % 3
        flowers.append(f"{kind + 0.01 * (i * 7 % 50)},{1 + 0.02 * (i * 11 % 50)},{['iris', 'lily', 'rose'][kind]}")
        claims.append(f"{20 + i},{1 + i % 4},{(i * 13 % 7) * (1 + i % 4) // 3}")
        lab.append(f"{i},{0.1 * i + 0.1 * (i * 7 % 5) + (30 if i % 20 == 7 else 0)}")
    for name, lines in (("flowers", flowers), ("claims", claims), ("lab", lab)):
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def test_every_command_of_the_readme_runs(tmp_path):
    (tmp_path / "model.toml").write_text("\n".join(line.strip() for line in MODEL_FILE.splitlines()))
    shutil.copy(SOURCE / "data" / "airline_passengers.csv", tmp_path / "data.csv")
    shutil.copy(SOURCE / "data" / "airline_passengers.csv", tmp_path / "held-out.csv")
    (tmp_path / "new.csv").write_text("year,month\n1961,1\n1962,2\n")
    write_other_tables(tmp_path)
    commands = readme_commands()
    assert len(commands) >= 8
    for command in commands:
        words = [os.environ["RIDGELET_PROGRAM"], *shlex.split(command)[1:]]
        run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, (command, run.stderr)
    assert (tmp_path / "paths.svg").stat().st_size > 1000
    assert (tmp_path / "pred.csv").read_text().startswith("year,month,mean,sd,lower,upper")


def test_the_python_example_of_the_readme_runs(tmp_path):
    example = re.search(r"```python\n(.*?)```", README, re.S)[1]
    run = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert 0 < float(run.stdout) < 0.01


def test_the_table_of_the_split_is_what_the_program_prints(tmp_path):
    command, table = re.search(r"\n    build/release/(ridgelet assess .* --split)\n\n((?:    .+\n)+)", README).groups()
    words = [os.environ["RIDGELET_PROGRAM"], *shlex.split(command)[1:]]
    printed = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    lines = {line.strip() for line in printed.splitlines()}
    assert len(table.splitlines()) == 6
    for line in table.splitlines():
        assert line.strip() in lines
