"""Learning curves: accuracy against training cases, with the sizes at which the data sets are studied."""

from __future__ import annotations

from math import ceil

import pandas as pd

from compendium.evidence.records import distinct, matching
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.looks import printed_accuracies
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.experiment import TruthParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import COLOURS, GREY


def draw_learning_curves(p: TruthParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw accuracy against the number of training cases, a panel for each data set."""
    table = made.published.data["curves"]
    sets, inducers, known = distinct(table["set"]), distinct(table["inducer"]), printed_accuracies(made)
    height, titles = 1.0 + 2.15 * ceil(len(sets) / 2), dict(zip(sets, sets, strict=True))
    picture = Picture(height, titles, "set", x="training cases", y="accuracy (%)")
    looks = {i: {"color": c, "marker": "o", "markersize": 3} for i, c in zip(inducers, COLOURS * 9, strict=False)}
    picture.lines(table, "n", "accuracy", se="se", band=True, by="inducer", looks=looks, names=title_of)
    places = [(name, i, size) for name, size in zip(sets, p.sizes, strict=True) for i in inducers]
    printed = pd.DataFrame(places, columns=["set", "inducer", "n"])
    printed["accuracy"] = [known.get((name, column_and_reading(i)[0])) for name, i, _ in places]
    if known:
        picture.scatter(printed.dropna(), "n", "accuracy", label="printed", printed=True, markersize=5.5)
    picture.limits(xscale="log")
    for (name, axes), size in zip(picture.axes.items(), p.sizes, strict=True):
        axes.axvline(size, color=GREY, linewidth=1, linestyle="--")
        n = matching(table, set=name)["n"]
        ticks = [tick for tick in (10, 100, 1000) if n.min() <= tick <= n.max()]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
    entries = len(inducers) + 1 + bool(known)
    legend = {"sample size": {"color": GREY, "linestyle": "--", "linewidth": 1}}
    return picture.done(columns=4 if entries < 5 else 3, legend=legend, sets=len(sets))
