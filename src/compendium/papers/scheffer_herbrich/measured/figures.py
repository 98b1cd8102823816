"""Pictures of what was measured: independence of hits and class, the cure, and the number of settings tried."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator

from compendium.evidence.records import distinct, each, parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.scheffer_herbrich.measured.experiment import MeasuredParameters
from compendium.papers.scheffer_herbrich.names import DATA, INDUCERS, WAYS
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, GREEN, GREY, VERMILION

__all__ = ["draw_cure", "draw_independence", "draw_settings"]

_DASHED: dict[str, Any] = {"color": GREY, "linestyle": (0, (4, 2))}
_WAYS: dict[str, dict[str, Any]] = {
    "untuned": {"color": GREY, "marker": "s", "linestyle": "none"},
    "best-of-grid": {"color": BLUE, "marker": "o", "linestyle": "none"},
    "per-fold": {"color": VERMILION, "marker": "^", "linestyle": "none"},
    "nested": {"color": GREEN, "marker": "D", "linestyle": "none"},
}


@plots.in_style
def draw_independence(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the chance of the gain over the labels told: two calculations and the optimizer on real classifiers."""
    cells = parts(made.published.data["chances"], "data", "inducer")
    columns = len(distinct(inducer for _, inducer in cells))
    titles = [f"{DATA[data]}, {INDUCERS[inducer]}" for data, inducer in cells]
    figure, shown = plots.panels(
        titles,
        lambda rows: 2.6 * rows,
        columns=columns,
        across="Labels told, c",
        up="Chance of the gain, %",
        sharex=True,
    )
    looks = {
        "equation (17)": _DASHED,
        "class-coupled": {"color": BLUE, "linestyle": "-"},
        "measured": {"color": VERMILION, "marker": "o", "linestyle": "none"},
    }
    for axes, cell in zip(shown, cells.values(), strict=True):
        axes.plot(cell["c"], cell["equation"], **looks["equation (17)"])
        axes.plot(cell["c"], cell["coupled"], **looks["class-coupled"])
        axes.errorbar(cell["c"], cell["measured"], yerr=1.96 * cell["measured se"], **looks["measured"])
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
    plots.legend_of(figure, looks)
    return Drawing(figure)


@plots.in_style
def draw_cure(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of four ways to report a cross-validated error, by data set and inducer and over all."""
    biases = made.published.data["biases"]
    cells = distinct((r.data, r.inducer) for r in each(biases))
    figure, grid = plots.new_figure(height=1.3 + 0.52 * len(cells))
    axes = grid[0, 0]
    words = []
    for place, (way, look) in enumerate(_WAYS.items()):
        own = biases[biases["way"] == way]
        y = [cells.index((r.data, r.inducer)) + 0.19 * (place - 1.5) for r in each(own)]
        axes.errorbar(own["bias"], y, xerr=1.96 * own["se"], linewidth=1.3, **look)
        every = each(own[own["data"] == "all"])[0]
        words.append(f"{WAYS[way].heading} {every.bias:+.1f} ± {every.se:.1f}")
    axes.axvline(0, color=BLACK, linewidth=0.9)
    axes.axhline(len(cells) - 1.5, color=GREY, linewidth=0.9)
    axes.set_yticks(range(len(cells)))
    axes.set_yticklabels(["All" if d == "all" else f"{DATA[d]}, {INDUCERS[i]}" for d, i in cells])
    axes.set_ylim(len(cells) - 0.5, -0.5)
    axes.xaxis.set_major_formatter(plots.signed())
    axes.set_xlabel("Estimate − error on held-out cases, points")
    axes.grid(axis="x")
    plots.legend_of(figure, {name.heading: _WAYS[way] for way, name in WAYS.items()}, columns=4)
    return Drawing(figure, facts={"biases": "; ".join(words)})


@plots.in_style
def draw_settings(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias over the number of settings tried, with what independent settings would do."""
    ways = parts(made.published.data["curves"], "way")
    figure, grid = plots.new_figure(1, len(ways), height=3.9, sharey=True)
    inducers = [i for i in INDUCERS if any(i in set(own["inducer"]) for own in ways.values())]
    colours = dict(zip(inducers, COLOURS, strict=False))
    measured = {"color": BLACK, "marker": "o", "linewidth": 2.2}
    for letter, (way, own), axes in zip("AB", ways.items(), grid[0], strict=True):
        for (_, inducer), cell in parts(own[own["data"] != "all"], "data", "inducer").items():
            axes.plot(cell["tried"], cell["bias"], color=colours[inducer], linewidth=0.9, alpha=0.7)
        every = own[own["data"] == "all"]
        low, high = every["bias"] - 1.96 * every["se"], every["bias"] + 1.96 * every["se"]
        axes.fill_between(every["tried"], low, high, color=BLACK, alpha=0.14, linewidth=0)
        axes.plot(every["tried"], every["bias"], **measured)
        axes.plot(every["tried"], every["independent"], **_DASHED)
        axes.axhline(0, color=GREY, linewidth=0.9)
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(every["tried"]), [str(t) for t in every["tried"]])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(plots.signed())
        axes.grid(axis="y")
        axes.set_xlabel("Settings tried, t")
        plots.panel_title(axes, letter, WAYS[way].heading)
    grid[0, 0].set_ylabel("Bias, points")
    lines = {INDUCERS[i]: {"color": colour} for i, colour in colours.items()}
    plots.legend_of(figure, {"all, measured": measured, "independent": _DASHED, **lines}, columns=5)
    return Drawing(figure)
