"""The guide's advice as a table: what to use, by kind of classifier and number of cases.

The page's script offers two lists that choose a row; without scripts the whole table stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compendium.book.numbers import number
from compendium.book.templating import fill
from compendium.guide.advice.experiment import AdviceParameters, Band, bands_of
from compendium.guide.names import INTERVALS, LEARNERS, unbroken

__all__ = ["advice_html", "advice_rows"]

_READ = ("guide-which-estimator", "guide-coverage-map", "guide-coverage-width")
_HEADS = ("Kind of classifier", "Cases", "Estimator", "Costs", "Is off by", "Its 95 % interval",
          "Interval of any estimator", "Settings measured")  # fmt: skip
_NONE = "–"
_SLACK = 2.0
"""Points by which a coverage may fall short of what is promised and still count."""

_Values = Mapping[str, tuple[float, float]]


def advice_html(manifests: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table, marked where it opens: on a row that advises something; nothing where a preview lacks it."""
    if not set(_READ) <= set(manifests):
        return ""
    rows = list(advice_rows(manifests))
    start = next((place for place, row in enumerate(rows) if row[3] != _NONE), 0)
    return fill("advice.html", heads=_HEADS, rows=rows, start=start)


def advice_rows(manifests: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each row: for each kind of classifier, each range of sample sizes."""
    use: dict[str, str] = {}
    fields: dict[str, dict[str, tuple[float, float]]] = {}
    for r in manifests[_READ[0]]["rows"]:
        place, _, use[place] = str(r["row"]).partition(": ")
        fields.setdefault(place, {})[str(r["column"])] = _measured(r)
    for learner in LEARNERS.values():
        for band in bands_of(AdviceParameters()):
            place = unbroken(f"{learner.title}/{band.title}")
            field = fields.get(place, {"cases": (0.0, 0.0)})
            told = use.get(place, "nothing was measured here").removeprefix("use ")
            kind = learner.title[:1].upper() + learner.title[1:]
            yield kind, band.title, told, *_found(field), _interval(manifests, band), f"{field['cases'][0]:.0f}"


def _found(row: _Values) -> tuple[str, str, str]:
    """Say what an estimator costs, how far off it is, and what its interval held; dashes where none is advised."""
    if "fits" not in row:
        return _NONE, _NONE, _NONE
    held = "none goes with this estimator"
    if "coverage-percent" in row:
        held = f"held the true error in {_with_error(row['coverage-percent'])} % of samples"
    off, bias = _with_error(row["off-by-percent"]), _with_error(row["bias-percent"])
    return f"{row['fits'][0]:,.0f} fits", f"{off} points (root mean square), bias {bias}", held


def _interval(manifests: Mapping[str, Mapping[str, Any]], band: Band) -> str:
    """Name the narrowest interval whose mean coverage of this classifier's error falls short by two points at most."""
    covered, width = (
        {(str(r["row"]), str(r["column"])): _measured(r) for r in manifests[name]["rows"]} for name in _READ[1:]
    )
    sizes = sorted(n for n in {int(column.partition("-")[0]) for _, column in covered} if band.holds(n))
    if not sizes:
        return _NONE
    at = f"{sizes[0]}-cases"
    held = {row.partition("/")[2]: value for (row, column), value in covered.items()
            if row.startswith("this-classifier/") and column == at}  # fmt: skip
    good = [m for m, (mean, _) in held.items() if mean >= 95 - _SLACK and (f"points/{m}", at) in width]
    if not good:
        return _NONE
    best = min(good, key=lambda m: width[f"points/{m}", at])
    worst = covered[f"worst-cell-this-classifier/{best}", at][0]
    return (
        f"{INTERVALS[best]}: held this classifier's error in {_with_error(held[best])} % of samples of {sizes[0]:,} on "
        f"the average, at worst in {worst:.0f} %; {width[f'points/{best}', at][0]:.0f} points wide"
    )


def _measured(row: Mapping[str, Any]) -> tuple[float, float]:
    return float(row["value"]), float(row["se"] or 0.0)


def _with_error(measured: tuple[float, float]) -> str:
    value, se = measured
    text = number(value, se, 1)
    return f"{text} ± {number(se, se, 1)}" if se > 0 else text
