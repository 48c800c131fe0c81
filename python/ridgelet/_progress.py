"""One line that says how far a fit has come."""

import shutil
import sys
import time

WIDTH = 20
"""Characters of the bar."""


def rewrites(stream):
    """Whether a carriage return goes back to the beginning of the line: in a terminal and in a notebook."""
    return stream.isatty() or type(stream).__module__.startswith("ipykernel.")


class ProgressLine:
    """What a fit is doing and how far it has come, in one line that rewrites itself.

    Where a line cannot be rewritten, in a file for instance, each stage has a line of its own and steps are not shown.
    """

    def __init__(self, stream=None, clock=time.monotonic):
        self.stream = stream or sys.stdout
        self.rewrites = rewrites(self.stream)
        self.clock = clock
        self.shown = 0  # characters in the line at present
        self.what = ""
        self.began = clock()

    def stage(self, what):
        """The fit begins something."""
        self.what, self.began = what, self.clock()
        if self.rewrites:
            self._show(what + " ...")
        else:
            self.tell(what)

    def progress(self, done, total):
        """`done` of `total` steps of the stage."""
        if not self.rewrites:
            return
        filled = WIDTH * done // total
        left = (self.clock() - self.began) * (total - done) / max(done, 1)
        self._show(f"{self.what} [{'#' * filled}{'.' * (WIDTH - filled)}] {done} of {total}, about {left:.0f} s left")

    def tell(self, line):
        """A line that stays."""
        self.close()
        self.stream.write(line + "\n")
        self.stream.flush()

    def close(self):
        """Removes the line."""
        if self.shown:
            self._show("")
            self.stream.write("\r")
            self.stream.flush()

    def _show(self, line):
        line = line[: shutil.get_terminal_size().columns - 1]
        self.stream.write("\r" + line.ljust(self.shown))
        self.stream.flush()
        self.shown = len(line)
