"""Means over splits with their standard errors, and comparisons of two models split by split."""

import math
from dataclasses import dataclass

import numpy as np

DIGITS = 3
"""Significant digits of a mean that has no standard error."""


def rounded(value):
    """To three digits, without an exponent: 0.0123, 1230."""
    return f"{float(f'{value:.{DIGITS}g}'):g}"


@dataclass(frozen=True)
class Mean:
    """A mean over `count` splits; `error` is its standard error, NaN for a single split."""

    value: float
    error: float
    count: int

    def __str__(self):
        """With as many decimals as show two digits of the standard error: 1.034 ± 0.012."""
        if not math.isfinite(self.error):
            return rounded(self.value)
        if self.error == 0:
            return f"{rounded(self.value)} ± 0"
        decimals = max(0, 1 - math.floor(math.log10(self.error)))
        return f"{self.value:.{decimals}f} ± {self.error:.{decimals}f}"


def mean(values):
    values = np.asarray(values, dtype=float)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Mean(float(values.mean()), float(error), len(values))


def over_splits(results, data_set, model, measure, unit=1):
    """The mean of a measure in a unit, or None where no split has it."""
    values = [line[measure] / unit for line in results.of(data_set, model).values() if measure in line]
    return mean(values) if values else None


def pairs(results, data_set, first, second, measure):
    """The measure of two models on the splits that both have been run on, as two arrays."""
    a, b = results.of(data_set, first), results.of(data_set, second)
    common = [split for split in a if split in b and measure in a[split] and measure in b[split]]
    return np.array([a[split][measure] for split in common]), np.array([b[split][measure] for split in common])
