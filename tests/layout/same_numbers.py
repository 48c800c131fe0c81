"""Fails unless two files have the same lines `name number`, the numbers to nine digits."""

import math
import sys


def numbers(path):
    with open(path) as file:
        return {name: float(value) for name, value in (line.split() for line in file)}


first, second = map(numbers, sys.argv[1:])
same = bool(first) and first.keys() == second.keys()
if not same or not all(math.isclose(first[name], second[name], rel_tol=1e-9) for name in first):
    sys.exit(f"{sys.argv[1]} has {first}, {sys.argv[2]} has {second}")
