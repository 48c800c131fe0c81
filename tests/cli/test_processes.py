"""Several processes that share a run, by MPI: the same bytes from any number of them, and one line if one fails."""

import os
import shutil
import subprocess

import numpy as np
import pytest

from program import PROGRAM, run

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def together(processes, *arguments, **options):
    """Runs the program on so many processes with one thread each, however few cores there are."""
    command = ["mpirun", "-q", "--oversubscribe", "-n", str(processes), PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=300, **options)
