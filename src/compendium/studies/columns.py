"""Columns of a study: numbers, or texts that are coded by their place in a table of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

__all__ = ["Coded", "Column"]


class Coded(NamedTuple):
    """A column of texts: each line's place in a table of texts.

    Parameters
    ----------
    codes : int32 array, shape (lines,)
    texts : tuple of str
        Each once.

    Examples
    --------
    >>> coded = Coded.of(["loo", "cv", "loo"])
    >>> coded.codes.tolist(), coded.texts
    ([0, 1, 0], ('loo', 'cv'))
    """

    codes: np.ndarray
    texts: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Coded:
        """Code texts, the table in the order in which they first appear."""
        codes, table = pd.factorize(np.array(texts, dtype=object))
        return cls(codes.astype(np.int32), tuple(table))


Column = np.ndarray | Coded
"""What a chunk holds under a name."""


def read_column(name: str, values: object, lines: int, what: str) -> Column:
    """Convert what a measure returned to float64, int64 or coded texts; TypeError for anything else."""
    array = values.codes if isinstance(values, Coded) else np.asarray(values)
    if array.shape != (lines,) or array.dtype.kind not in "biufU":
        kind = "texts" if isinstance(values, Coded) else array.dtype
        raise TypeError(
            f"column '{name}' has shape {array.shape} and type {kind}; expected numbers or texts of shape ({lines},), "
            f"one a {what}"
        )
    if isinstance(values, Coded):
        return values
    if array.dtype.kind == "U":
        return Coded.of(array.tolist())
    return np.asarray(array.astype(np.float64 if array.dtype.kind == "f" else np.int64))


def joined(parts: Sequence[Column]) -> np.ndarray | pd.Categorical[str]:
    """Concatenate the parts of a column; texts become a categorical of all their tables."""
    some = [part for part in parts if len(part[0] if isinstance(part, Coded) else part)] or parts[:1]
    coded = [part for part in some if isinstance(part, Coded)]
    if not coded:
        return np.concatenate([part for part in some if not isinstance(part, Coded)])
    if len(coded) < len(some):
        raise TypeError("texts in some chunks and numbers in others")
    return union_categoricals([pd.Categorical.from_codes(c.codes, pd.Index(list(c.texts))) for c in coded])
