"""Subtitles of figures: a sentence of ``artifacts.yaml`` whose numbers are those of the artifact's rows.

``subtitle: .632+ misses by {632-plus | rms-percent} points`` names a number by its row and column; a further field is
``digits=2`` (decimals, else one), ``reading=...``, or ``of=mean``, ``of=least`` or ``of=greatest``, where a ``*`` in
the row or column matches any text.  The literal reading goes before an unstated and a fitted one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pandas as pd

from compendium.evidence.records import Fields
from compendium.evidence.verdicts import KINDS
from errorest.errors import UsageError

LONGEST = 90
"""Letters of a subtitle at most: two lines of a picture."""

MOST_USED = Path(__file__).with_name("most_used.yaml")
"""The figures that readers meet first, by the reason: each has a subtitle."""

_NUMBER = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_SUMMARIES: Mapping[str, Callable[[pd.Series], float]] = {
    "mean": pd.Series.mean,
    "least": pd.Series.min,
    "greatest": pd.Series.max,
}


def fill_subtitle(subtitle: str, rows: pd.DataFrame) -> str:
    """Put the published scale's numbers into a subtitle.

    Parameters
    ----------
    subtitle : str
    rows : DataFrame
        Columns as in ``data/regenerated``.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        If the rows have no such number, or several without a summary.

    Examples
    --------
    >>> columns = ["reading", "scale", "row", "column", "value"]
    >>> bias = [("loo", -0.25), ("app", -7)]
    >>> rows = pd.DataFrame([("literal", "published", row, "bias", x) for row, x in bias], columns=columns)
    >>> fill_subtitle("Bias {loo | bias} points, at worst {* | bias | of=least | digits=0}", rows)
    'Bias −0.2 points, at worst −7'
    """
    return _NUMBER.sub(partial(_number, rows=rows[rows["scale"] == "published"]), subtitle)


def _number(found: re.Match[str], rows: pd.DataFrame) -> str:
    row, column, *more = (field.strip() for field in found[1].split("|"))
    how: Fields = dict(field.split("=", 1) for field in more)
    values = rows[_like(rows["row"], row) & _like(rows["column"], column)]
    if "reading" in how:
        values = values[values["reading"] == how["reading"]]
    kinds = values["reading"].map(lambda reading: KINDS.index(reading.partition(":")[0]))
    values = values.loc[kinds.sort_values(kind="stable").index].drop_duplicates(["row", "column"])
    summary = _SUMMARIES.get(how.get("of", ""))
    if values.empty or (summary is None and len(values) > 1):
        raise UsageError(
            f"the subtitle's '{found[1].strip()}' is {len(values)} numbers", "write: row | column [| of=mean]"
        )
    value = float(values["value"].iloc[0] if summary is None else summary(values["value"]))
    text = f"{abs(value):,.{how.get('digits', 1)}f}"
    return f"−{text}" if value < 0 and text.strip("0.,") else text


def _like(texts: pd.Series, pattern: str) -> pd.Series:
    """Whether texts are a pattern in which ``*`` matches any text."""
    return texts.str.fullmatch(".*".join(map(re.escape, pattern.split("*"))))
