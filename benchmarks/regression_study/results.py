"""The results of a run: one line of JSON for each (set, split, model), written as soon as it is known."""

import json


class Results:
    """Reads what is there, adds to it. Several runs may add to one file at the same time."""

    def __init__(self, directory):
        self.path = directory / "results.jsonl"
        self._lines = {}
        if self.path.exists():
            for text in self.path.read_text().splitlines():
                self._remember(text)

    def _remember(self, text):
        try:
            line = json.loads(text)
        except json.JSONDecodeError:
            return  # a run was stopped while it wrote this line, and will do that part again
        self._lines[line["set"], line["split"], line["model"]] = line

    def required(self):
        """Returns itself; raises OSError if there is no such file."""
        self.path.stat()
        return self

    def __contains__(self, key):
        return key in self._lines

    def add(self, line):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(line)
        with self.path.open("ab+") as file:
            file.seek(max(0, file.seek(0, 2) - 1))
            unfinished = file.read() not in (b"", b"\n")
            file.write(("\n" * unfinished + text + "\n").encode())
        self._remember(text)

    def of(self, data_set, model):
        """Split number to line, for one model on one set."""
        wanted = (key for key in sorted(self._lines) if (key[0], key[2]) == (data_set, model))
        return {key[1]: self._lines[key] for key in wanted}

    def lines(self):
        return list(self._lines.values())
