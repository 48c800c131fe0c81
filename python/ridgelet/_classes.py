"""Classes of a response, as the program finds them in a column of its table.

Classes that are all numbers are sorted by their size, and each is one class however it is written; others are sorted by
their letters.
"""

import math
import numbers
import re

import numpy as np

from . import _ridgelet

MOST_CLASSES = 100

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def has_texts(y):
    """Whether a column has a text in any row."""
    is_numeric = getattr(getattr(y, "dtype", None), "kind", "O") in "biuf"
    return not is_numeric and any(isinstance(value, str) for value in _values_in(y))


def labels_in(y):
    """The class in each row as text, or None where y is for C++ to judge: no column, or one without finite numbers."""
    values = _values_in(y)
    are_words = [isinstance(value, (str, bool, np.bool_)) for value in values]
    if not any(are_words):
        return _texts_of_numbers(values)
    if not all(are_words):
        row = are_words.index(False)
        odd = f"{values[row]!r} in row {row + 1}"
        raise ValueError(f"y: must have texts or numbers in all its rows, got {odd} among texts")
    return [str(value) for value in values]


def classes_of(labels):
    """The different classes among labels, in order: 9 and 10 of "10", "9", "9.0"; 10, 9 and x of "9", "10", "x"."""
    different = set(labels)
    if len(different) > MOST_CLASSES:
        raise ValueError(
            f"y: has {len(different)} different values, too many for classes; if they are classes, name them by "
            "classes=[...] and give their places 0, 1, ..."
        )
    identity = _identity_among(different)
    shortest = {}
    for label in sorted(different, key=lambda label: (identity(label), len(label), label)):
        shortest.setdefault(identity(label), label)
    return list(shortest.values())


def places_of(labels, classes):
    """The place of each label among the classes. One that is a class as it is written counts as that class."""
    identity = _identity_among(classes)
    places = {identity(name): place for place, name in enumerate(classes)}
    places |= {name: place for place, name in enumerate(classes)}
    known = {label: places.get(label, places.get(identity(label))) for label in set(labels)}
    for row, label in enumerate(labels, start=1):
        if known[label] is None:
            raise ValueError(f"y: '{label}' in row {row} is no class of the fit, which had {', '.join(classes)}")
    return np.array([known[label] for label in labels], dtype=np.float64)


def places_in(y, classes):
    """The place of each row's class, or None where the numbers of y are places already.

    Numbers are taken for classes where the classes are numbers and y has no others. Where y may as well have places, and
    these are other classes, nobody can tell what was meant.
    """
    labels = labels_in(y)
    if has_texts(y):
        return places_of(labels, classes)
    numbers_of_classes = {_number_in(name) for name in classes}
    if labels is None or not {float(label) for label in labels} <= numbers_of_classes:
        return None
    places = places_of(labels, classes)
    given = np.array(labels, dtype=np.float64)
    if np.isin(given, np.arange(len(classes))).all() and (given != places).any():
        raise ValueError(
            f"y: has numbers that may be classes of the fit, which had {', '.join(classes)}, or places among them; give "
            "the classes as texts"
        )
    return places


def _values_in(y):
    """The values of a column, or of a table that has one; none of anything else."""
    _ridgelet.require_unmasked(y, "y")
    try:
        values = np.asarray(y, dtype=object)
    except (TypeError, ValueError):
        return []
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    return values.tolist() if values.ndim == 1 else []


def _texts_of_numbers(values):
    """Numbers as the program writes them: 3, 0.1, 1e-06, the shortest texts that read back as the same."""
    if not values or not all(isinstance(value, numbers.Real) for value in values):
        return None
    array = np.asarray(values)
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        return None
    column = (array.astype(np.float64) + 0.0).tolist()  # -0.0 + 0.0 is 0.0
    texts = {number: repr(number).removesuffix(".0") for number in set(column)}
    return [texts[number] for number in column]


def _identity_among(texts):
    """What tells classes apart: their numbers if all of them are numbers, or else their texts."""
    return _number_in if all(_number_in(text) is not None for text in texts) else str


def _number_in(text):
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None
