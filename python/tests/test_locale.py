"""The calling program has set a locale with decimal commas: this changes no number that is read or written."""

import os
import subprocess
import sys

# Whatever reads or writes numbers, in text and in every format.
WORK = """
import locale
import sys

import numpy as np

import ridgelet as rl

locale.setlocale(locale.LC_ALL, sys.argv[1])
print(locale.localeconv()["decimal_point"], file=sys.stderr)
x = np.linspace(-2, 2, 20)[:, None]
fitted = rl.fit(x, np.sin(x[:, 0]), kernel="se(amplitude=1.5, lengthscale=[0.75])", mean="0.25 + 1.5*x1", noise=0.125, units=30)
fitted.save("model.nc")
for ending in ("json", "c", "onnx", "py"):
    fitted.network.export("network." + ending)
counts = rl.fit(x, np.round(3 + x[:, 0]), kernel="se(lengthscale=0.5)", likelihood="negative-binomial(shape=2.5)", units=30)
for each in (rl.load("model.nc"), counts):
    print(repr(each), repr(each.predict(x[:3] + 0.25)), each.kernel)
"""


def run_in_locale(locale, folder, locales):
    folder.mkdir()
    environment = {**os.environ, "LOCPATH": str(locales)}
    return subprocess.run([sys.executable, "-c", WORK, locale], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False, timeout=300)  # fmt: skip


def test_decimal_commas_of_the_caller_change_no_byte(tmp_path):
    locales = tmp_path / "locales"
    locales.mkdir()
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], check=True)
    points = run_in_locale("C", tmp_path / "points", locales)
    commas = run_in_locale("de_DE.UTF-8", tmp_path / "commas", locales)
    assert (points.returncode, commas.returncode) == (0, 0), (points.stderr, commas.stderr)
    assert (points.stderr.splitlines()[0], commas.stderr.splitlines()[0]) == (".", ",")
    assert commas.stdout == points.stdout
    files = sorted((tmp_path / "points").iterdir())
    assert len(files) == 5
    for file in files:
        assert (tmp_path / "commas" / file.name).read_bytes() == file.read_bytes(), file.name
