"""What is installed beside the program: the man page and the completion of the shell."""

import os
import re
import subprocess
from pathlib import Path

import pytest

SOURCE, PROGRAM = Path(os.environ["RIDGELET_SOURCE"]), os.environ["RIDGELET_PROGRAM"]


@pytest.fixture
def commands(ridgelet):
    listed = ridgelet("--help").out.split("Subcommands:\n")[1]
    return re.findall(r"^  ([a-z]+) ", listed, re.M)


def completed(*words):
    """What bash would offer for the last word."""
    script = f"""
        source {SOURCE}/apps/ridgelet/completion.bash
        COMP_WORDS=({PROGRAM} {" ".join(f"'{word}'" for word in words)}); COMP_CWORD={len(words)}
        _ridgelet; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


def test_the_man_page_has_every_command(commands):
    page = (SOURCE / "docs" / "ridgelet.1").read_text()
    assert re.findall(r"^\.TP\n\.B ([a-z]+)$", page, re.M) == commands


def test_commands_are_completed(commands):
    assert completed("") == [*commands, "--help", "--version"]
    assert completed("pre") == ["predict"]


def test_flags_are_those_of_the_command():
    assert completed("fit", "--hol") == ["--holdout"]
    assert "--holdout" not in completed("predict", "--")
    assert {"--x", "--y", "--kernel", "--help"} <= set(completed("fit", "--"))


def test_file_names_are_left_to_the_shell():
    assert completed("predict", "mod") == []
