"""`pip install`: the package as others get it."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["RIDGELET_SOURCE"])


def test_pip_installs_a_package_that_works_alone(tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--target"]
    done = subprocess.run([*pip, str(tmp_path), str(SOURCE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    script = "import ridgelet, os; print(os.path.dirname(ridgelet.__file__)); print(ridgelet.kernel('se()')); print(ridgelet.__version__)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    folder, kernel, version = run.stdout.splitlines()
    assert Path(folder) == tmp_path / "ridgelet"
    assert kernel == "se(amplitude=1, lengthscale=1)"
    assert (tmp_path / "ridgelet" / "py.typed").exists() and (tmp_path / "ridgelet" / "__init__.pyi").exists()
    assert (tmp_path / f"ridgelet-{version}.dist-info").is_dir()
