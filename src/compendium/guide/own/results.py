"""Rows, lists and bars that the tables of a reader's own data share."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import pandas as pd

from compendium.evidence.results import Row
from compendium.plots.picture import Line, Picture
from errorest import plots
from errorest.assessment.results import Estimate as OwnEstimate


def rounded_rows(row: str, values: Mapping[str, float], digits: int = 1) -> list[Row]:
    """Make rows of numbers without an error, which decides nowhere else how many digits count."""
    return [Row("literal", row, column, round(value, digits), nan, 1) for column, value in values.items()]


def limits_of(result: OwnEstimate) -> tuple[float, float]:
    return (nan, nan) if result.interval is None else (result.interval.low, result.interval.high)


def listed(names: list[str], most: int = 5) -> str:
    """List names as code, since they may be anything; the first of them where there are many."""
    shown = ", ".join("`" + name.replace("`", "'") + "`" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


_LONGEST = 24


def short_name(text: object) -> str:
    """Cut a name so that the figure keeps its width, and write it as it stands."""
    name = str(text)
    return plots.plain(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")


DASHED: Line = {"linestyle": "--"}


def draw_intervals(picture: Picture, table: pd.DataFrame, place: str, colours: Mapping[object, str]) -> None:
    """Draw an interval a row as a horizontal bar; nothing where it has no limits."""
    ends = pd.concat([table.assign(end=table[side]) for side in ("low", "high")]).dropna(subset=["end"])
    looks = {key: {"color": colour, "linewidth": 2, "marker": "|"} for key, colour in colours.items()}
    if len(ends):
        picture.lines(ends, "end", place, by=place, looks=looks, names=lambda _: "")
