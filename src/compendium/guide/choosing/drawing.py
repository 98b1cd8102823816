"""What the drawings of choosing share."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compendium.evidence.names import Name
from compendium.guide.marks import look
from compendium.guide.names import TARGETS
from compendium.plots.picture import Picture

# The error of this classifier
FIRST = next(iter(TARGETS))


def lines_by_size(
    panels: dict[Any, str],
    columns: tuple[str, str],
    table: pd.DataFrame,
    axes: dict[str, tuple[str, str]],
    names: dict[str, Name],
) -> Picture:
    """Draw a panel a size and population (or inducer), and a line a method (or test); axes are columns and labels."""
    sizes = len({key[0] for key in panels})
    labels = {side: label for side, (_, label) in axes.items()}
    across = len(panels) // sizes
    settings = {"columns": across, "letters": True, "sharex": True, "sharey": True}
    picture = Picture(0.9 + 2.0 * sizes, panels, ("n", columns[0]), **labels, **settings)  # type: ignore[arg-type]
    looks = {key: {**look(k), "markersize": 4.5} for k, key in enumerate(names)}
    symbols = {key: name.symbol for key, name in names.items()}
    picture.lines(table, axes["x"][0], axes["y"][0], se="se", by=columns[1], looks=looks, names=symbols, capsize=2)
    for one in picture.axes.values():
        one.grid(axis="y")
    return picture
