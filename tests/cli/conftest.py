"""Runs the program in an empty directory of its own."""

import json
import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

PROGRAM = os.environ["RIDGELET_PROGRAM"]


@dataclass
class Run:
    code: int
    out: str
    err: str
    directory: Path

    @property
    def json(self):
        assert (self.code, self.err) == (0, ""), self.err
        return json.loads(self.out)

    def table(self, name):
        """Header and numbers of a CSV that the program wrote."""
        assert (self.code, self.err) == (0, ""), self.err
        header, *rows = (self.directory / name).read_text().splitlines()
        return header.split(","), np.array([[float(number) for number in row.split(",")] for row in rows])


@pytest.fixture
def ridgelet(tmp_path):
    """ridgelet("assess", "--units", 10) -> Run; every call of a test works in the same directory."""

    def run(*arguments):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        return Run(done.returncode, done.stdout, done.stderr, tmp_path)

    return run


@pytest.fixture
def run_examples(ridgelet):
    """Runs every line of a command's help that is a call of the program, and returns the runs."""
    def run(command):
        described = ridgelet(command, "--help")
        assert (described.code, described.err) == (0, "")
        footer = described.out[described.out.index("Example") :]
        calls = [shlex.split(line) for line in footer.splitlines() if line.strip().startswith("ridgelet ")]
        return [ridgelet(*call[1:]) for call in calls]

    return run
