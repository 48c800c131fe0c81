"""The Python package for pip: CMake builds it in build/release, as scripts/build does, and setuptools installs that."""

import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
WORK = ROOT / "build" / "pip"


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        subprocess.run([ROOT / "scripts" / "build", "ridgelet_python"], check=True)
        (built,) = (ROOT / "build" / "release" / "python" / "ridgelet").glob("_ridgelet*.so")
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, target)


WORK.mkdir(parents=True, exist_ok=True)
setup(
    version=re.search(r"project\(ridgelet VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1],
    ext_modules=[Extension("ridgelet._ridgelet", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
    options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}},
)
