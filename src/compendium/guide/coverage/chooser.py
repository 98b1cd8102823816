"""The coverage map for one inducer and one size: rows of a table that a reader chooses from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import Any

import pandas as pd

from compendium.evidence.records import parts
from compendium.guide.names import INDUCERS, INTERVALS

_TARGETS = ("this-classifier", "the-procedure")


def by_inducer(manifests: Mapping[str, Any], data: Callable[..., pd.DataFrame | None]) -> dict[str, Any] | None:
    """Return coverage and width of each interval by inducer and size, in percent; None where no run has them."""
    cells = data("guide-coverage-map", "cells")
    if cells is None:
        return None
    rows = []
    for (inducer, n, method), own in parts(cells, "inducer", "n", "method").items():
        percent = {target: own[target].dropna() * 100 for target in _TARGETS}
        rows.append(
            {
                "inducer": INDUCERS[inducer].title if inducer in INDUCERS else inducer.capitalize(),
                "n": n,
                "interval": INTERVALS[method],
                "coverages": [(values.mean(), values.min()) for values in percent.values()],
                "width": 100 * own["width"].mean(),
                "populations": own["population"].nunique(),
            }
        )
    names = list(dict.fromkeys(row["inducer"] for row in rows))
    nearest = sizes_nearest_to(sorted({row["n"] for row in rows}))
    return {"rows": [row | nearest[row["n"]] for row in rows], "start": 50, "first": names[0]}


def sizes_nearest_to(sizes: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return from which number of cases to which a measured size is the nearest, by ratio, up to twice or half of it.

    Examples
    --------
    >>> sizes_nearest_to([20, 50])
    {20: {'low': 10, 'high': 31}, 50: {'low': 32, 'high': 100}}
    """
    between = [ceil(sqrt(low * high)) for low, high in pairwise(sizes)]
    lows, highs = [ceil(sizes[0] / 2), *between], [*(bound - 1 for bound in between), 2 * sizes[-1]]
    return {n: {"low": low, "high": high} for n, low, high in zip(sizes, lows, highs, strict=True)}
