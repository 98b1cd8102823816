"""Pictures of what was measured: independence of hits and class, the cure, and the number of settings tried."""

from __future__ import annotations

from math import ceil
from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from compendium.evidence.records import distinct, each, matching
from compendium.evidence.results import ResultsByScale
from compendium.papers.scheffer_herbrich.measured.experiment import MeasuredParameters
from compendium.papers.scheffer_herbrich.names import DATA, INDUCERS, WAYS
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, GREEN, GREY, VERMILION

_DASHED: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2))}
_CHANCES: dict[str, dict[str, Any]] = {"equation": _DASHED, "coupled": {"color": BLUE}}
_WAYS = {"untuned": (GREY, "s"), "best-of-grid": (BLUE, "o"), "per-fold": (VERMILION, "^"), "nested": (GREEN, "D")}


def draw_independence(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the chance of the gain over the labels told: two calculations and the optimizer on real classifiers."""
    table = made.published.data["chances"]
    cells = {(r.data, r.inducer): f"{DATA[r.data]}, {INDUCERS[r.inducer]}" for r in each(table)}
    columns = len(distinct(table["inducer"]))
    picture = Picture(
        2.6 * ceil(len(cells) / columns),
        cells,
        ("data", "inducer"),
        columns=columns,
        x="Labels told, c",
        y="Chance of the gain, %",
        sharex=True,
    )
    for way, name in (("equation", "equation (17)"), ("coupled", "class-coupled")):
        picture.lines(table, "c", way, label=name, **_CHANCES[way])
    picture.scatter(table, "c", "measured", se="measured se", z=1.96, label="measured", color=VERMILION)
    picture.limits(ylim=(0, None))
    for axes in picture.axes.values():
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return picture.done()


def draw_cure(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of four ways to report a cross-validated error, by data set and inducer and over all."""
    table = made.published.data["biases"]
    of = pd.Series([(r.data, r.inducer) for r in each(table)], table.index)
    cells = {(d, i): "All" if d == "all" else f"{DATA[d]}, {INDUCERS[i]}" for d, i in of}
    picture = Picture(1.3 + 0.52 * len(cells), x="Estimate − error on held-out cases, points", y_levels=cells)
    picture.guide(x=0, color=BLACK, linewidth=0.9)
    looks = {way: {"color": colour, "marker": marker} for way, (colour, marker) in _WAYS.items()}
    how: dict[str, Any] = {"by": "way", "looks": looks, "names": lambda way: WAYS[way].heading, "dodge": 0.19}
    picture.scatter(table.assign(cell=of), "bias", "cell", x_se="se", z=1.96, **how, elinewidth=1.3)
    (axes,) = picture.axes.values()
    axes.axhline(len(cells) - 1.5, color=GREY, linewidth=0.9)
    axes.xaxis.set_major_formatter(plots.signed())
    every = {r.way: r for r in each(matching(table, data="all"))}
    words = [f"{WAYS[way].heading} {every[way].bias:+.1f} ± {every[way].se:.1f}" for way in _WAYS]
    return picture.done(columns=4, biases="; ".join(words))


def draw_settings(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias over the number of settings tried, with what independent settings would do."""
    curves = made.published.data["curves"]
    ways, attempted = distinct(curves["way"]), sorted(set(curves["tried"]))
    titles = {way: WAYS[way].heading for way in ways}
    picture = Picture(3.9, titles, "way", letters=True, x="Settings tried, t", y="Bias, points", sharey=True)
    picture.guide(y=0, linewidth=0.9)
    every = matching(curves, data="all")
    shade: dict[str, Any] = {"color": BLACK, "marker": "o", "linewidth": 2.2}
    picture.lines(every, "tried", "bias", se="se", z=1.96, band=True, label="all, measured", **shade)
    picture.lines(every, "tried", "independent", label="independent", **_DASHED)
    looks = dict(zip((i for i in INDUCERS if i in set(curves["inducer"])), COLOURS, strict=False))
    for data in distinct(curves["data"]):
        how: dict[str, Any] = {"by": "inducer", "looks": looks, "names": INDUCERS}
        picture.lines(matching(curves, data=data), "tried", "bias", **how, linewidth=0.9, alpha=0.7)
    for axes in picture.axes.values():
        axes.set_xscale("log", base=2)
        axes.set_xticks(attempted, [str(t) for t in attempted])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(plots.signed())
    return picture.done(columns=5)
