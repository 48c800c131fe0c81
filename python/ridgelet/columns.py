"""Columns of a data frame, read as the program reads those of a table.

Numbers are inputs unchanged. Dates, and ISO texts of dates or months, become days since 1970-01-01. A column of other
texts, categories, or True and False becomes one input of 0 or 1 for each of its levels, in the order of their texts.
"""

import numbers
import re
import warnings

import numpy as np

from . import _ridgelet
from ._classes import classes_of, labels_in, places_in, places_of

MOST_LEVELS = 100


def is_frame(X):
    """Whether X has named columns with types of their own, as the frames of pandas have."""
    return hasattr(X, "columns") and hasattr(X, "iloc") and hasattr(X, "dtypes")


def output_names(y):
    """Names of the columns of y, where it has any."""
    if getattr(y, "columns", None) is not None:
        return [str(name) for name in y.columns]
    name = getattr(y, "name", None)
    return None if name is None else [str(name)]


class Columns:
    """What the columns of a fit's table were: their names, the levels of texts, and which were dates."""

    def __init__(self, names=(), levels=None, dates=()):
        self.names = list(names)
        self.levels = {} if levels is None else dict(levels)
        self.dates = list(dates)

    @classmethod
    def of(cls, X):
        """The columns of a data frame; an array has no names."""
        if not is_frame(X):
            return cls()
        _require_different_names(X, "X")
        levels, dates = {}, []
        for name, column in X.items():
            is_text = not _is_date(column) and _is_text(name, column)
            if _is_date(column) or (is_text and _are_dates(column)):
                dates.append(name)
            elif is_text:
                levels[name] = _levels_of(name, column)
        return cls(X.columns, levels, dates)

    def coded(self, X, argument="X"):
        """X with numbers in place of texts and dates, if it is a frame: a level becomes its place among the levels."""
        if not is_frame(X) or not (self.levels or self.dates):
            return X
        X = X.copy(deep=False)
        for name in self.dates:
            if name in X:
                X[name] = _days_of(name, X[name], argument)
        for name, levels in self.levels.items():
            if name in X:
                X[name] = _codes_of(name, X[name], levels, argument)
        return X

    def expanded(self, coded, used):
        """The columns that are used, with columns of 0 and 1 in place of codes."""
        if not self.levels:
            return coded if used.all() else coded[:, used]
        parts = []
        for k in np.flatnonzero(used):
            column = coded[:, k : k + 1]
            if self.names[k] in self.levels:
                column = (column == np.arange(len(self.levels[self.names[k]]))).astype(float)
            parts.append(column)
        return np.hstack(parts)

    def inputs_in(self, frame, argument="X"):
        """The inputs of a fit, from a frame that has its columns."""
        return self.expanded(frame_numbers(self.coded(frame, argument), argument), np.ones(len(self.names), dtype=bool))

    def settings(self, used):
        """What fit is told of the columns that are used; an array's columns are named by their place among all."""
        if not self.names:
            return {} if used.all() else {"inputs": [f"x{k + 1}" for k in np.flatnonzero(used)]}
        inputs = [name for name, is_used in zip(self.names, used) if is_used]
        return {
            "inputs": [str(name) for name in inputs],
            "levels": {str(name): levels for name, levels in self.levels.items() if name in inputs},
            "dates": [str(name) for name in self.dates if name in inputs],
        }


def frame_numbers(frame, argument="X"):
    """A frame of numbers as an array."""
    numbers = np.empty(frame.shape)
    for k, (name, column) in enumerate(frame.items()):
        numbers[:, k] = _numbers_of(name, column, argument)
    return numbers


def inputs_by_name(frame, names, levels, dates, argument, logarithms=()):
    """The inputs of a fit from a frame, whose columns are taken by name, in whatever order; `logarithms` are the places of
    those whose logarithms were fitted.

    A fit to an array calls its columns x1, x2, ...; a frame without any of these names is taken column by column.
    """
    _require_different_names(frame, argument)
    places = {str(name): place for place, name in enumerate(frame.columns)}
    missing = [name for name in names if name not in places]
    if missing == names and names in (["x"], [f"x{k + 1}" for k in range(len(names))]):
        return frame_numbers(frame, argument)
    if missing:
        raise ValueError(f"{argument}: must have column '{missing[0]}', as in the fit, got {', '.join(places)}")
    taken = frame.iloc[:, [places[name] for name in names]].set_axis(names, axis=1)
    for place in logarithms:
        taken.isetitem(place, _logarithms_of(names[place], taken.iloc[:, place], argument))
    return Columns(names, levels, dates).inputs_in(taken, argument)


def fit_arguments(args, kwargs):
    """Arguments of fit(X, y, ...) or learn(X, y, ...), completed by what a frame given as X, and a named y, say about themselves."""
    given = _by_name(args, kwargs)
    if given is None:
        return args, kwargs
    if given.get("outputs") is None and output_names(given.get("y")):
        given["outputs"] = output_names(given["y"])
    given |= _classes_in_y(given)
    if given.get("inputs") is None:
        given |= _varying_inputs(given.get("X"), given)
    return (), given


def score_arguments(args, kwargs):
    """Arguments of Fitted.score(X, y), with places in y where it has classes."""
    given = _by_name(args[1:], kwargs)
    if given is None or not args or not args[0].classes:
        return args, kwargs
    places = places_in(given.get("y"), args[0].classes)
    return (args, kwargs) if places is None else (args[:1], given | {"y": places})


def _classes_in_y(settings):
    """The classes that y names itself, and their places in its stead, where a likelihood of classes is named."""
    likelihood, y = str(settings.get("likelihood")).strip(), settings.get("y")
    if settings.get("classes") is not None or not likelihood.startswith(("bernoulli", "categorical")):
        _require_no_text(y)
        return {}
    labels = labels_in(y)
    if labels is None:
        return {}
    classes = classes_of(labels)
    return {"classes": classes, "y": places_of(labels, classes)}


def _varying_inputs(X, settings):
    """X without columns that are the same in every row, of which a person is told, and what fit is told of the others."""
    columns = Columns.of(X)
    coded = frame_numbers(columns.coded(X)) if is_frame(X) else _array_of_numbers(X)
    if coded is None:
        return {}
    used = varying_columns(coded, settings) if len(coded) > 1 else np.ones(coded.shape[1], dtype=bool)
    names = columns.names or [f"x{k + 1}" for k in range(len(used))]
    left_out = [str(name) for name, is_used in zip(names, used) if not is_used]
    if not left_out and not is_frame(X):
        return {}
    if left_out:
        listed = ", ".join(f"'{name}'" for name in left_out)
        several = len(left_out) > 1
        warnings.warn(
            f"X: column{'s' * several} {listed} {'are' if several else 'is'} left out: the same value in every row",
            UserWarning,
            stacklevel=5,
        )
    return {"X": columns.expanded(coded, used), "left_out": left_out, **columns.settings(used)}


def _array_of_numbers(X):
    """X as an array of rows, or None where that is for C++ to judge."""
    if not isinstance(X, (np.ndarray, list, tuple)) or isinstance(X, np.ma.MaskedArray):
        return None
    try:
        array = np.asarray(X)
    except ValueError:
        return None
    return array if array.ndim == 2 and array.size and array.dtype.kind in "biuf" else None


def _by_name(args, kwargs):
    """X and y with the rest, or None where the call is wrong."""
    given = dict(zip(("X", "y"), args))
    return None if len(args) > 2 or given.keys() & kwargs.keys() else given | kwargs


def _require_no_text(y):
    is_column = isinstance(y, (list, tuple)) or getattr(y, "ndim", None) == 1
    first = next(iter(y), None) if is_column else None
    if isinstance(first, str):
        raise ValueError(
            f"y: must be numbers, got the text '{first}'; for classes use RidgeletClassifier, or likelihood='bernoulli' "
            "for two of them, 'categorical' for more; beside classes=[...], y must have their places 0, 1, ..."
        )


def _require_different_names(frame, argument):
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{argument}: must have columns of different names, got '{name}' twice")


def _is_date(column):
    return column.dtype.kind == "M" or type(column.dtype).__name__ == "DatetimeTZDtype"


def _are_dates(texts):
    """Whether every text is a date; the first that is not settles it."""
    present = [str(value) for value in texts[texts.notna()]]
    return bool(present) and all(_ridgelet.days_since_1970(text) is not None for text in present)


def _is_text(name, column):
    kind = type(column.dtype).__name__
    if kind in ("CategoricalDtype", "StringDtype") or column.dtype.kind == "b":
        return True
    if column.dtype.kind != "O":
        return False
    words = (str, bool, np.bool_)
    texts = [isinstance(value, words) for value in column[column.notna()]]
    if any(texts) and not all(texts):
        odd = next(value for value in column[column.notna()] if not isinstance(value, words))
        raise ValueError(f"X: column '{name}' must have texts or numbers in all its rows, got {odd!r} among texts")
    return any(texts)


def _texts_of(name, column, argument="X"):
    missing = np.flatnonzero(column.isna())
    if len(missing):
        raise ValueError(f"{argument}: column '{name}' has a missing value in row {missing[0] + 1}; fill it, or leave the row out")
    return [str(value) for value in column]


def _levels_of(name, column):
    levels = sorted(set(_texts_of(name, column)), key=lambda text: text.encode())
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"X: column '{name}' has {len(levels)} different texts, too many for inputs of their own")
    return levels


def _codes_of(name, column, levels, argument):
    places = {level: float(place) for place, level in enumerate(levels)}
    texts = _texts_of(name, column, argument)
    for text in texts:
        if text not in places:
            raise ValueError(f"{argument}: column '{name}' has '{text}', which was no level of the fit: {', '.join(levels)}")
    return np.array([places[text] for text in texts])


def _days_of(name, column, argument):
    texts = _texts_of(name, column, argument)
    if _is_date(column):
        since = column.dt.tz_convert("UTC").dt.tz_localize(None) if column.dt.tz is not None else column
        return (since.to_numpy() - np.datetime64("1970-01-01")) / np.timedelta64(1, "D")
    days = [_ridgelet.days_since_1970(text) for text in texts]
    for row, (text, day) in enumerate(zip(texts, days), start=1):
        if day is None:
            raise ValueError(f"{argument}: column '{name}' must have dates, as in the fit, got '{text}' in row {row}")
    return np.array(days)


def _logarithms_of(name, column, argument):
    numbers = _numbers_of(name, column, argument)
    if (numbers <= 0).any():
        row = np.flatnonzero(numbers <= 0)[0]
        raise ValueError(f"{argument}: column '{name}' must be positive for log({name}), got {numbers[row]:g} in row {row + 1}")
    return np.log(numbers)


def _numbers_of(name, column, argument):
    """Numbers as float64, NaN where they are missing."""
    if column.dtype.kind in "biuf" or column.dtype.kind == "O":
        try:
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError):
            pass
    odd = next(value for value in column if not isinstance(value, numbers.Real))
    raise ValueError(f"{argument}: column '{name}' must have numbers, got {odd!r}")


def varying_columns(X, settings):
    """The columns of numbers that vary, unless kernel or mean speaks of columns by their numbers, which would then be others."""
    varying = np.array([bool((column != column[0]).any()) for column in np.transpose(X)])
    if not varying.any():
        raise ValueError("X: must have a column that is not the same in every row")
    for name in ("kernel", "mean"):
        if not varying.all() and re.search(r"\bx\d*\b|\[", str(settings.get(name))):
            raise ValueError(
                f"{name}: speaks of columns by their numbers, and column {np.argmin(varying) + 1} of X is the same in every "
                "row; leave that column out"
            )
    return varying
