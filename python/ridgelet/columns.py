"""Columns of a data frame, read as the program reads those of a table.

Numbers are inputs as they are, dates, also as ISO texts, are days since 1970-01-01, and a column of other texts or categories becomes an input of
0 or 1 for each of its levels, in the order of their texts.
"""

import numpy as np

from . import _ridgelet

MOST_LEVELS = 100


def is_frame(X):
    """Whether X has named columns of types of their own, as those of pandas."""
    return hasattr(X, "columns") and hasattr(X, "iloc") and hasattr(X, "dtypes")


class Columns:
    """What the columns of a fit's table were: their names, the levels of texts, and which were dates."""

    def __init__(self, X):
        self.names = list(X.columns) if is_frame(X) else []
        self.levels = {}
        self.dates = []
        for name, column in X.items() if is_frame(X) else ():
            is_text = not _is_date(column) and _is_text(name, column)
            if _is_date(column) or (is_text and _are_dates(column)):
                self.dates.append(name)
            elif is_text:
                self.levels[name] = _levels_of(name, column)

    def coded(self, X):
        """X with numbers in the place of texts and dates, if it is a frame: a level is its place among the levels."""
        if not is_frame(X) or not (self.levels or self.dates):
            return X
        X = X.copy(deep=False)
        for name in self.dates:
            if name in X:
                X[name] = _days_of(name, X[name])
        for name, levels in self.levels.items():
            if name in X:
                X[name] = _codes_of(name, X[name], levels)
        return X

    def expanded(self, coded, used):
        """The columns that are used, with columns of 0 and 1 in the place of codes."""
        if not self.levels:
            return coded if used.all() else coded[:, used]
        parts = []
        for k in np.flatnonzero(used):
            column = coded[:, k : k + 1]
            if self.names[k] in self.levels:
                column = (column == np.arange(len(self.levels[self.names[k]]))).astype(float)
            parts.append(column)
        return np.hstack(parts)


def _is_date(column):
    return column.dtype.kind == "M" or type(column.dtype).__name__ == "DatetimeTZDtype"


def _are_dates(texts):
    """Whether every text is a date; the first that is none settles it."""
    present = [str(value) for value in texts[texts.notna()]]
    return bool(present) and all(_ridgelet.days_since_1970(text) is not None for text in present)


def _is_text(name, column):
    kind = type(column.dtype).__name__
    if kind in ("CategoricalDtype", "StringDtype"):
        return True
    if column.dtype.kind != "O":
        return False
    texts = [isinstance(value, str) for value in column[column.notna()]]
    if any(texts) and not all(texts):
        odd = next(value for value in column[column.notna()] if not isinstance(value, str))
        raise ValueError(f"X: column '{name}' must have texts or numbers in all its rows, got {odd!r} among texts")
    return any(texts)


def _texts_of(name, column):
    missing = np.flatnonzero(column.isna())
    if len(missing):
        raise ValueError(f"X: column '{name}' has a missing value in row {missing[0] + 1}; fill it, or leave the row out")
    return [str(value) for value in column]


def _levels_of(name, column):
    levels = sorted(set(_texts_of(name, column)), key=lambda text: text.encode())
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"X: column '{name}' has {len(levels)} different texts, too many for inputs of their own")
    return levels


def _codes_of(name, column, levels):
    places = {level: float(place) for place, level in enumerate(levels)}
    texts = _texts_of(name, column)
    for text in texts:
        if text not in places:
            raise ValueError(f"X: column '{name}' has '{text}', which was no level of the fit: {', '.join(levels)}")
    return np.array([places[text] for text in texts])


def _days_of(name, column):
    texts = _texts_of(name, column)
    if _is_date(column):
        since = column.dt.tz_convert("UTC").dt.tz_localize(None) if column.dt.tz is not None else column
        return (since.to_numpy() - np.datetime64("1970-01-01")) / np.timedelta64(1, "D")
    days = [_ridgelet.days_since_1970(text) for text in texts]
    for row, (text, day) in enumerate(zip(texts, days), start=1):
        if day is None:
            raise ValueError(f"X: column '{name}' must have dates, as in the fit, got '{text}' in row {row}")
    return np.array(days)


def constant_columns(X):
    """Which columns of numbers are the same in every row."""
    return np.array([bool((column == column[0]).all()) for column in np.transpose(X)])
