"""What ours is meant to reach compared with the exact process, on the same rows."""

from dataclasses import dataclass

import numpy as np

from regression_study import means
from regression_study.data import LARGE, SETS

LARGEST_RMSE_RATIO = 1.03
LEAST_DENSITY_DIFFERENCE = -0.03
LEAST_SPEEDUP = 10
LEAST_LIKELIHOOD_DIFFERENCE = -0.5
COVERAGE = (0.92, 0.98)


@dataclass(frozen=True)
class Check:
    """A target on one set; `met` is None where nothing is asked."""

    text: str
    met: bool | None

    def __str__(self):
        return self.text + {True: ", met", False: ", **missed**", None: ""}[self.met]


def rmse_ratio(results, name):
    ours, process = means.pairs(results, name, "ridgelet", "process", "rmse")
    if not len(ours):
        return None
    ratio = means.mean(ours / process)
    return Check(str(ratio), ratio.value <= LARGEST_RMSE_RATIO)


def density_difference(results, name):
    ours, process = means.pairs(results, name, "ridgelet", "process", "log_density")
    if not len(ours):
        return None
    difference = means.mean(ours - process)
    return Check(str(difference), difference.value >= LEAST_DENSITY_DIFFERENCE)


def speedup(results, name):
    ours, process = means.pairs(results, name, "ridgelet", "process", "processor_seconds")
    if not len(ours):
        return None
    ratio = means.mean(process / ours)
    return Check(str(ratio), ratio.value >= LEAST_SPEEDUP if name in LARGE else None)


def likelihood_difference(results, name):
    """The smallest difference over the splits. A fit without settings has learned from all rows on the small sets."""
    learner = "ridgelet-learn" if name in LARGE else "ridgelet"
    ours, process = means.pairs(results, name, learner, "process", "log_likelihood")
    if not len(ours):
        return None
    smallest = float(np.min(ours - process))
    return Check(f"{smallest:.2f}", smallest >= LEAST_LIKELIHOOD_DIFFERENCE)


COLUMNS = {
    f"RMSE, ours / process (at most {LARGEST_RMSE_RATIO})": rmse_ratio,
    f"log density, ours - process (at least {LEAST_DENSITY_DIFFERENCE})": density_difference,
    f"processor seconds, process / ours (large sets: at least {LEAST_SPEEDUP})": speedup,
    f"learned log likelihood, ours - process, smallest (at least {LEAST_LIKELIHOOD_DIFFERENCE})": likelihood_difference,
}


def coverage(results):
    """The mean over the sets of the share of held-out responses inside our 95 % intervals."""
    found = [means.over_splits(results, name, "ridgelet", "coverage") for name in SETS]
    values = [each.value for each in found if each]
    if not values:
        return None
    value = float(np.mean(values))
    low, high = COVERAGE
    return Check(f"{100 * value:.1f} %, mean over {len(values)} sets", low <= value <= high)
