"""A header or source of a stage includes earlier stages and its own only, and each stage has its folders.

Usage: include_order.py SOURCE_DIR "core;linalg;..." (the stages in flow order, as CMake knows them).
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'#include "ridgelet/(\w+)/')


def violations(root, stages):
    rank = {stage: position for position, stage in enumerate(stages)}
    for folder in ("include/ridgelet", "src"):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            relative = path.relative_to(root / folder)
            if len(relative.parts) == 1:
                continue  # the umbrella header
            stage = relative.parts[0]
            if stage not in rank:
                yield f"{path}: '{stage}' is not a stage"
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                included = INCLUDE.match(line)
                if included and rank.get(included[1], len(stages)) > rank[stage]:
                    yield f"{path}:{number}: {stage} includes the later stage {included[1]}"


def main():
    root, stages = pathlib.Path(sys.argv[1]), sys.argv[2].split(";")
    headers = list((root / "include/ridgelet").rglob("*.hpp"))
    if len(headers) < len(stages):
        sys.exit(f"found only {len(headers)} headers under {root}")
    found = list(violations(root, stages))
    print("\n".join(found) or f"{len(headers)} headers in {len(stages)} stages, in order")
    sys.exit(1 if found else 0)


main()
