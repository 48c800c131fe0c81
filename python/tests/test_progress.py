"""How a fit shows its progress: one line that rewrites itself, or a line for each stage."""

import io
import os
import pty
import subprocess
import sys

import pytest
from ridgelet._progress import ProgressLine

FIT = """
import numpy as np, ridgelet as rl
X = np.linspace(-2, 2, 30)[:, None]
rl.fit(X, np.sin(X[:, 0]), seed=1, verbose=True)
print("done")
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def screen(self):
        """The lines as a person sees them at the end."""
        lines = []
        for line in self.getvalue().split("\n"):
            seen = ""
            for part in line.split("\r"):
                seen = part + seen[len(part) :]
            lines.append(seen.rstrip())
        return lines


Notebook = type("OutStream", (Terminal,), {"__module__": "ipykernel.iostream", "isatty": lambda self: False})


@pytest.fixture(params=[Terminal, Notebook])
def stream(request):
    return request.param()


def test_steps_rewrite_one_line_and_say_how_long_the_rest_takes(stream):
    now = [0.0]
    line = ProgressLine(stream, clock=lambda: now[0])
    line.stage("sampling")
    assert stream.screen() == ["sampling ..."]
    now[0] = 6.0
    line.progress(25, 100)
    assert stream.screen() == ["sampling [#####...............] 25 of 100, about 18 s left"]
    line.progress(100, 100)
    assert stream.screen() == ["sampling [####################] 100 of 100, about 0 s left"]


def test_what_is_told_stays_and_the_line_goes(stream):
    line = ProgressLine(stream)
    line.stage("learning the process")
    line.tell("learned: se()")
    line.stage("judging the fit")
    line.close()
    assert stream.screen() == ["learned: se()", ""]


def test_a_line_is_no_longer_than_the_terminal_is_wide(stream, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    line = ProgressLine(stream)
    line.stage("passing over the rows")
    line.progress(1, 2)
    assert stream.screen() == ["passing over the rows [######"]


def test_in_a_file_every_stage_is_a_line_and_steps_are_none():
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.stage("sampling")
    line.progress(1, 2)
    line.stage("judging the chains")
    line.close()
    assert stream.getvalue() == "sampling\njudging the chains\n"


def test_a_fit_in_a_terminal_leaves_what_it_learned_and_no_bar():
    leader, follower = pty.openpty()
    done = subprocess.run([sys.executable, "-c", FIT], stdout=follower, env=os.environ | {"COLUMNS": "200"}, check=True)
    os.close(follower)
    assert done.returncode == 0
    terminal = Terminal()
    terminal.write(read_all(leader).replace("\r\n", "\n"))
    assert "learning the process [" in terminal.getvalue() and "passing over the rows [" in terminal.getvalue()
    seen = [line.split(":")[0] for line in terminal.screen()]
    assert seen == ["learned", "chosen", "done", ""]


def read_all(descriptor):
    text = b""
    try:
        while part := os.read(descriptor, 1 << 16):
            text += part
    except OSError:  # the other end is closed
        pass
    return text.decode()
