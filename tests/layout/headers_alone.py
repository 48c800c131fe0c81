"""Every public header compiles alone: the syntax of a file that includes nothing else is checked.

Usage: headers_alone.py SOURCE_DIR COMPILER "INCLUDE_DIR INCLUDE_DIR ..."

Most headers begin with Eigen, whose parsing takes longer than everything else. It is compiled once and used for the
headers that include it anyway, so it cannot hide an include that is missing.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'#include "(ridgelet/[^"]+)"')
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def includes_eigen(header, include):
    """Whether the header includes Eigen, itself or through other headers of ours."""
    text = (include / header).read_text()
    return "<Eigen/" in text or any(includes_eigen(other, include) for other in INCLUDE.findall(text))


def complaint(header, include, compiler, flags, eigen):
    """What the compiler says of the header, or an empty text."""
    first = ["-include", str(eigen)] if includes_eigen(header, include) else []
    source = eigen.parent / (header.replace("/", "_") + ".cpp")
    source.write_text(f'#include "{header}"\n')
    return run([compiler, *flags, *first, "-fsyntax-only", str(source)]).stderr


def main():
    root, compiler, directories = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3].split()
    include = root / "include"
    headers = sorted(str(path.relative_to(include)) for path in include.rglob("*.hpp"))
    flags = [*FLAGS, f"-I{include}", *(f"-isystem{directory}" for directory in directories if directory not in (str(include), "/usr/include"))]
    with tempfile.TemporaryDirectory() as scratch:
        eigen = pathlib.Path(scratch) / "eigen.hpp"
        eigen.write_text("#include <Eigen/Core>\n")
        subprocess.run([compiler, *flags, "-x", "c++-header", str(eigen), "-o", f"{eigen}.gch"], check=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            complaints = list(pool.map(lambda header: complaint(header, include, compiler, flags, eigen), headers))
    for text in filter(None, complaints):
        print(text)
    return 1 if any(complaints) else 0


if __name__ == "__main__":
    sys.exit(main())
