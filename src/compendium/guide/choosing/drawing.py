"""What the drawings of choosing share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compendium.evidence.names import Name
from compendium.guide.marks import look
from compendium.guide.names import TARGETS
from compendium.plots.picture import Line, Picture

# The error of this classifier
FIRST = next(iter(TARGETS))


def lines_by_size(
    table: pd.DataFrame,
    panels: Mapping[tuple[int, Any], str],
    by: tuple[str, str],
    x: tuple[str, str],
    y: tuple[str, str],
    names: dict[str, Name],
) -> Picture:
    """Draw a panel a size and population (or inducer), a line a method (or test); x and y are columns and labels."""
    sizes = len({n for n, _ in panels})
    height, across = 0.9 + 2.0 * sizes, len(panels) // sizes
    picture = Picture(
        height, panels, ("n", by[0]), columns=across, letters=True, x=x[1], y=y[1], sharex=True, sharey=True
    )
    looks: dict[str, Line] = {key: {**look(k), "markersize": 4.5} for k, key in enumerate(names)}
    symbols = {key: name.symbol for key, name in names.items()}
    picture.lines(table, x[0], y[0], se="se", by=by[1], looks=looks, names=symbols, capsize=2)
    for axes in picture.axes.values():
        axes.grid(axis="y")
    return picture
