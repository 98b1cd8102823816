"""Figures of the true accuracies: every reading beside the print, and learning curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from errorest.evidence.records import distinct, each, parts, printed_values
from errorest.evidence.regenerated import Made, at_base, at_largest
from errorest.papers.kohavi.looks import HOLLOW, MARKERS, printed_accuracies
from errorest.papers.kohavi.names import column_and_reading, title_of
from errorest.papers.kohavi.truth.experiment import TruthParameters
from errorest.plots import COLOURS, GREY, PUBLISHED, Drawn, in_style, legend_of, panels, plain

__all__ = ["draw_learning_curves", "draw_table_1"]


@in_style
def draw_table_1(p: TruthParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the true accuracies of every reading beside the printed ones."""
    scale, result = at_largest(made)
    table = result.data["accuracies"]
    printed = printed_values(published)
    sets, of_inducers = distinct(table["set"]), parts(table.set_index("set"), "inducer")
    columns: dict[str, list[str]] = {}
    for name in p.inducers:
        columns.setdefault(column_and_reading(name)[0], []).append(name)
    figure, shown = panels(
        [title_of(readings[0]).partition(",")[0] for readings in columns.values()],
        lambda _: 1.6 + 0.48 * len(sets),
        columns=len(columns),
        letters=True,
        across="accuracy (%)",
        sharey=True,
        sharex=True,
    )
    said: list[str] = []
    looks: dict[str, dict[str, Any]] = {}
    for axes, (column, readings) in zip(shown, columns.items(), strict=True):
        own_looks = dict(zip(readings, zip(COLOURS * len(readings), MARKERS, strict=False), strict=False))
        looks |= {title_of(i): {"color": c, "marker": m, "linestyle": "none"} for i, (c, m) in own_looks.items()}
        for number, name in reversed(list(enumerate(readings))):
            own, (colour, marker) = of_inducers[name].loc[sets], own_looks[name]
            y = np.arange(len(sets)) + 0.14 * number
            axes.errorbar(own["accuracy"], y, xerr=2 * own["se"], fmt=marker, color=colour, markersize=5.5)
        accuracies = of_inducers[readings[0]]["accuracy"]
        said.append(f"{title_of(readings[0])}: " + ", ".join(f"{s} {accuracies[s]:.1f} %" for s in sets))
        known = [(printed[s, column], k) for k, s in enumerate(sets) if (s, column) in printed]
        if known:
            axes.plot(*zip(*known, strict=True), **HOLLOW)
        axes.grid(axis="x")
    shown[0].set_yticks(range(len(sets)), [plain(s) for s in sets])
    shown[0].set_ylim(len(sets) - 0.4, -0.5)
    legend_of(figure, {**looks, "printed": HOLLOW} if printed else looks, columns=2)
    against = " Open diamonds: printed." if printed else ""
    return Drawn(
        figure,
        f"True accuracies of {len(sets)} data sets, a panel for each inducer. {'. '.join(said)}.{against}",
        f"Mean accuracy over {int(table['n'].max()):,} holdouts ({scale} scale) with two standard errors, mostly "
        f"smaller than the marks; readings of the same inducer are shifted downwards.{against}",
    )


@in_style
def draw_learning_curves(p: TruthParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw accuracy against the number of training cases, a panel for each data set."""
    table = at_base(made).data["curves"]
    sets, inducers, curves = distinct(table["set"]), distinct(table["inducer"]), parts(table, "set", "inducer")
    printed = printed_accuracies(made)
    colours = dict(zip(inducers, COLOURS * len(inducers), strict=False))
    figure, shown = panels(sets, lambda rows: 1.0 + 2.15 * rows, across="training cases", up="accuracy (%)")
    line: dict[str, Any] = {"marker": "o", "markersize": 3}
    said = []
    for axes, name, size in zip(shown, sets, p.sizes, strict=True):
        axes.axvline(size, color=GREY, linewidth=1, linestyle="--")
        for inducer, colour in colours.items():
            own = curves[name, inducer]
            low, high = own["accuracy"] - 2 * own["se"], own["accuracy"] + 2 * own["se"]
            axes.fill_between(own["n"], low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(own["n"], own["accuracy"], color=colour, **line)
            first, last = each(own)[0], each(own)[-1]
            said.append(f"{title_of(inducer)} on {name} {first.accuracy:.0f} to {last.accuracy:.0f} %")
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
    return Drawn(
        figure,
        f"Learning curves, a panel for each of {len(sets)} data sets, from the fewest to the most training cases: "
        f"{'; '.join(said)}.",
        f"Mean accuracy over {p.learning_holdouts} holdouts against the number of training cases (note the logarithmic "
        "axis and the different ranges of accuracy); shaded: two standard errors. Dashed: the sample size at which the "
        f"data set is studied.{' Open diamonds: Table 1 as printed.' if printed else ''}",
    )
