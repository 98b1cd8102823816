"""Figures of the true accuracies: every reading beside the print, and learning curves."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compendium.evidence.records import distinct, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.looks import printed_accuracies
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.experiment import TruthParameters
from compendium.plots.picture import Drawing
from errorest.plots import COLOURS, GREY, PUBLISHED, in_style, legend_of, panels


@in_style
def draw_learning_curves(p: TruthParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw accuracy against the number of training cases, a panel for each data set."""
    table = made.published.data["curves"]
    sets, inducers, curves = distinct(table["set"]), distinct(table["inducer"]), parts(table, "set", "inducer")
    printed = printed_accuracies(made)
    colours = dict(zip(inducers, COLOURS * len(inducers), strict=False))
    figure, shown = panels(sets, lambda rows: 1.0 + 2.15 * rows, across="training cases", up="accuracy (%)")
    line: dict[str, Any] = {"marker": "o", "markersize": 3}
    for axes, name, size in zip(shown, sets, p.sizes, strict=True):
        axes.axvline(size, color=GREY, linewidth=1, linestyle="--")
        for inducer, colour in colours.items():
            own = curves[name, inducer]
            low, high = own["accuracy"] - 2 * own["se"], own["accuracy"] + 2 * own["se"]
            axes.fill_between(own["n"], low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(own["n"], own["accuracy"], color=colour, **line)
            value = printed.get((name, column_and_reading(inducer)[0]))
            if value is not None:
                axes.plot([size], [value], zorder=5, **{**PUBLISHED, "markersize": 5.5})
        axes.set_xscale("log")
        ticks = [n for n in (10, 100, 1000) if own["n"].min() <= n <= own["n"].max()]
        axes.set_xticks(ticks, [str(n) for n in ticks])
        axes.minorticks_off()
    looks: dict[str, Any] = {
        title_of(i): {"color": colour, "marker": "o", "markersize": 3} for i, colour in colours.items()
    }
    looks["sample size"] = {"color": GREY, "linestyle": "--", "linewidth": 1}
    if printed:
        looks["printed"] = PUBLISHED
    legend_of(figure, looks, columns=4 if len(looks) < 5 else 3)
    return Drawing(figure, facts={"sets": len(sets)}, printed=bool(printed))
