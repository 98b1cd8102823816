"""Figures of choosing: bias and coverage of the best of many, tests against chance, calibration of posteriors."""

from __future__ import annotations

from itertools import product
from typing import Any

import pandas as pd

from compendium.evidence.names import Name
from compendium.evidence.results import ResultsByScale
from compendium.guide.choosing.experiment import METHODS, TESTED, TESTS, ChoosingParameters
from compendium.guide.marks import look
from compendium.guide.names import CHOOSING, TARGETS
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from errorest.plots import in_style, log_axis

# The error of this classifier
FIRST = next(iter(TARGETS))

# The least probability that counts as sure
SURE = 0.9


def _lines(
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


def _by_candidates(p: ChoosingParameters, table: pd.DataFrame, column: str, level: float, y: str) -> Picture:
    titles = {key: CHOOSING["populations"][key].symbol for key in p.populations}
    panels = {(n, key): f"{title}, n = {n}" for n, (key, title) in product(p.sizes, titles.items())}
    names = {m: CHOOSING["methods"][m] for m in METHODS}
    axes = {"x": ("candidates", "candidates"), "y": (column, y)}
    picture = _lines(panels, ("population", "method"), table, axes, names)
    picture.guide(y=level, linestyle="--")
    for one in picture.axes.values():
        log_axis(one, sorted(p.candidates))
    return picture


@in_style
def draw_biases(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw estimate less truth over the number of candidates, a panel for each population and size."""
    picture = _by_candidates(p, made.largest[1].data["biases"], "bias", 0.0, "bias (points)")
    for axes in picture.axes.values():
        axes.yaxis.set_major_formatter(signed_ticks())
    return picture.done()


@in_style
def draw_coverages(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw coverage of the error of what is chosen, a panel for each population and size."""
    table = made.largest[1].data["coverages"]
    picture = _by_candidates(p, table[table["target"] == FIRST], "coverage", 100 * p.confidence, "coverage (%)")
    populations = "; ".join(CHOOSING["populations"][k].sentence for k in p.populations)
    return picture.done(nominal=f"{100 * p.confidence:g}", populations=populations)


@in_style
def draw_tests(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw how often each test finds something over the distance of the classes."""
    titles = {key: CHOOSING["tested"][key].symbol for key in TESTED}
    panels = {(n, key): f"{title}, n = {n}" for n, (key, title) in product(p.sizes, titles.items())}
    axes = {"x": ("distance", "distance of the classes"), "y": ("found", "found (%)")}
    names = {test: CHOOSING["tests"][test] for test in TESTS}
    picture = _lines(panels, ("inducer", "test"), made.largest[1].data["tests"], axes, names)
    picture.guide(y=100 * p.level, linestyle="--")
    return picture.done(percent=f"{100 * p.level:g}")


@in_style
def draw_calibration(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the share of statements that are true over the probability with which they were made."""
    table = made.largest[1].data["calibration"]
    first = table[(table["target"] == FIRST) & (table["outcome"] == "better")]
    first = first[(first["low"] != SURE) | (first["high"] != 1)]
    panels = {gap: f"{gap:g} apart" for gap in p.gaps}
    x, y = "probability stated (%)", "true (%)"
    picture = Picture(3.9, panels, "gap", letters=True, x=x, y=y, sharex=True, sharey=True)
    picture.guide(linestyle="--")
    looks = {n: {**look(k), "markersize": 4.5} for k, n in enumerate(p.sizes)}
    picture.lines(first, "stated", "true", se="se", by="n", looks=looks, names="n = {}".format, capsize=2)
    picture.limits(xlim=(48, 102), ylim=(min(48, float(first["true"].min()) - 3), 102))
    for axes in picture.axes.values():
        axes.grid()
    return picture.done()
