"""What X, y, groups and strata bring along beside their values: masks, and an index that says whose each value is."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest.errors import UsageError

__all__ = ["check_order", "unmasked"]


def unmasked(values: Any) -> Any:
    """Write what is masked in a masked array as missing, NaN in numbers and None in text; all else stays as it is."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    plain = np.asarray(values.data)
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return plain
    missing: Any = np.nan if plain.dtype.kind in "biuf" else None
    out = plain.astype(np.float64 if missing is not None else object)
    out[mask] = missing
    return out


def check_order(**given: Any) -> None:
    """Refuse pandas objects of which the index says that they are not in the same order.

    An index that counts from 0 stands for the order alone, as an array does, unless the other index holds the
    same labels in another order.
    """
    indexed = [(name, values.index) for name, values in given.items() if hasattr(values, "iloc")]
    for name, index in indexed[1:]:
        first, other = indexed[0]
        if len(index) != len(other) or index.equals(other):
            continue  # other lengths are refused where they are counted
        same = len(other.symmetric_difference(index)) == 0
        if same or not (_counts(index) or _counts(other)):
            how = "the same index in another order" if same else "different indexes"
            raise UsageError(
                f"{first} and {name} have {how} ({first} begins with {other[0]!r}, {name} with {index[0]!r}), so that "
                f"{name} may be of other cases; expected the same index in the same order; write "
                f"{name}.loc[{first}.index], or {name}.to_numpy() if they belong together as they stand"
            )


def _counts(index: Any) -> bool:
    """Whether an index is the one that pandas gives to rows without names."""
    import pandas as pd

    return isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1
