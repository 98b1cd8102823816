"""Figures of Kohavi (1995), section 2: the majority inducer's holdout, the memorizer, equation 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from compendium.evidence.records import distinct, parts, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.iris.experiment import IrisParameters
from compendium.papers.kohavi.names import ESTIMATES, INTERVALS
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import BLACK, BLUE, GREEN, GREY, ORANGE, PUBLISHED, SKY, VERMILION
from errorest.plots.annotations import SHARE_OF_HEIGHT, annotate_offset

_TRUTH: dict[str, Any] = {"color": VERMILION, "linewidth": 1.8, "linestyle": "--"}


def _singles(axes: Axes, table: pd.DataFrame, expected: float) -> pd.DataFrame:
    """Draw the accuracies of single holdouts, simulated and by chance, and return those that are shown."""
    shown = table[(table["share"] > 0) | (table["exact"].fillna(0) > 1e-4)]
    step = float(np.diff(table["accuracy"]).min()) if len(table) > 1 else 1.0
    axes.bar(shown["accuracy"], 100 * shown["share"], width=0.8 * step, color=SKY)
    if shown["exact"].notna().any():
        axes.plot(shown["accuracy"], 100 * shown["exact"], "o", color=BLUE, markersize=5)
    axes.set_ylabel("holdouts (%)")
    axes.set_ylim(0, 1.2 * axes.get_ylim()[1])
    plots.panel_title(axes, "a", "accuracy of one holdout")
    axes.axvline(expected, **_TRUTH)
    told = f"truth: {expected:.1f} %"
    annotate_offset(axes, told, (expected, 0.97), (-5, 0), VERMILION, va="top", **SHARE_OF_HEIGHT)
    legend = [
        (Line2D([], [], color=SKY, linewidth=7), "simulated"),
        (Line2D([], [], color=BLUE, marker="o", linestyle="none"), "exact chance"),
    ]
    axes.legend(*zip(*legend, strict=True), loc="upper left", borderaxespad=0.2)
    return shown


def _means(axes: Axes, marks: dict[str, tuple[float, float]], exact: float | None, expected: float) -> None:
    """Draw means with what they reach to both sides, one below the other, and the exact expectation."""
    looks: dict[str, dict[str, Any]] = {
        "ours": {"fmt": "o", "color": BLUE},
        "printed": {"fmt": "D", "color": BLACK, "markerfacecolor": "white"},
    }
    for place, (name, (value, reach)) in enumerate(marks.items()):
        axes.errorbar([value], [-place], xerr=[reach], capsize=3, markersize=6, **looks[name])
    if exact is not None:
        axes.axvline(exact, color=GREY, linewidth=1.6)
        annotate_offset(axes, f"exact: {exact:.2f}", (exact, -len(marks) + 0.1), (5, 0), GREY, va="center")
    axes.axvline(expected, **_TRUTH)
    axes.set_yticks([-k for k in range(len(marks))], [f"{name}: {value:.2f}" for name, (value, _) in marks.items()])
    axes.set_ylim(-len(marks) - 0.3, 0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("accuracy (%)")


@plots.in_style
def draw_text_holdout(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the majority inducer's holdout accuracies: simulated shares, exact chances, printed mean."""
    result = made.published
    rows, key = {r.column: r for r in result.rows}, result.rows[0].row
    mean, expected = rows["mean-accuracy-percent"], rows["expected-accuracy-percent"].value
    known = printed_values(published)
    printed = known.get((key, "mean-accuracy-percent"))
    exact = rows["exact-mean-accuracy-percent"].value if "exact-mean-accuracy-percent" in rows else None
    figure, grid = plots.new_figure(2, 1, 5.8, height_ratios=[2.3, 1], sharex=True)
    shown = _singles(grid[0, 0], result.data["accuracies"], expected)
    marks = {"ours": (mean.value, 2 * mean.se)}
    if printed is not None:
        marks["printed"] = printed, 2 * known.get((key, "std-percent"), 0.0)
    _means(grid[1, 0], marks, exact, expected)
    plots.panel_title(grid[1, 0], "b", f"mean of {mean.n:,} holdouts")
    against = "" if printed is None else f", printed {printed:.2f}"
    truth = "" if exact is None else f", exact {exact:.2f}"
    facts = {"least": shown["accuracy"].min(), "most": shown["accuracy"].max(), "against": against + truth}
    facts |= {
        "set": key.split("/")[0],
        "number": mean.n,
        "mean": mean.value,
        "reach": 2 * mean.se,
        "expected": expected,
    }
    return Drawing(figure, facts=facts)


_COLOURS = {
    "resubstitution-accuracy-percent": GREY,
    "accuracy-percent": VERMILION,
    "632-plus-accuracy-percent": BLUE,
    "bootstrap-e0-accuracy-percent": ORANGE,
    "loo-accuracy-percent": GREEN,
}


@plots.in_style
def draw_text_632(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw what five estimators say of a memorizer on random labels, by the number of cases."""
    scale, result = made.largest
    of_estimators = parts(result.data["memorizer"].sort_values("n"), "estimator")
    sizes = sorted(set(p.memorizer_sizes))
    figure, grid = plots.new_figure(1, 1, 4.2)
    axes = grid[0, 0]
    axes.axhline(50, color=BLACK, linewidth=1.2, linestyle="--")
    labels, said = [], []
    for place, (name, colour) in enumerate(_COLOURS.items()):
        own, text = of_estimators[name], ESTIMATES[name]
        # side by side, since three of the five estimates nearly agree
        x = np.arange(len(sizes)) + 0.06 * (place - 2)
        axes.errorbar(x, own["accuracy"], own["sd"], color=colour, marker="o", linewidth=1.4, capsize=2)
        labels.append(plots.EndLabel(float(x[-1]), float(own["accuracy"].iloc[-1]), text, colour))
        first, last = (f"{own['accuracy'].iloc[end]:.1f}" for end in (0, -1))
        said.append(f"{text} {first if first == last else f'{first} to {last}'} %")
    printed = printed_values(published).get(("memorizer/random-labels", "accuracy-percent"))
    if printed is not None:
        axes.plot([sizes.index(p.memorizer_sizes[0]) - 0.2], [printed], zorder=5, **PUBLISHED)
    axes.set_xticks(range(len(sizes)), [str(n) for n in sizes])
    axes.set_xlim(-0.4, len(sizes) - 0.85)
    axes.set_xlabel("cases n")
    axes.set_ylabel("estimated accuracy (%)")
    plots.label_ends(axes, labels)
    facts = {"scale": scale, "fewest": sizes[0], "most": sizes[-1], "accuracies": "; ".join(said), "known": printed}
    return Drawing(figure, facts=facts, printed=printed is not None)


_INTERVAL_COLOURS = {"score": BLUE, "clopper-pearson": GREEN, "wald": ORANGE}


@plots.in_style
def draw_equation_3(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of equation 3, exact and simulated, beside two other intervals, for each test size."""
    result = made.published
    curves, points = parts(result.data["curves"], "h", "interval"), parts(result.data["coverage"], "h")
    sizes = distinct(p.test_sizes)
    figure, shown = plots.panels(
        [f"h = {h}" for h in sizes],
        lambda rows: 1.1 + 2.7 * rows,
        across="true accuracy (%)",
        up="coverage (%)",
        sharex=True,
        sharey=True,
    )
    nominal = 100 * p.confidence
    floor = max(0.0, nominal - 20)
    said = []
    for axes, h in zip(shown, sizes, strict=True):
        axes.axhline(nominal, color=BLACK, linewidth=1, linestyle="--")
        for name in reversed(_INTERVAL_COLOURS):
            own = curves[h, name]
            axes.plot(own["accuracy"], own["coverage"], color=_INTERVAL_COLOURS[name], linewidth=1.1)
        own = points[h]
        look: dict[str, Any] = {"fmt": "o", "color": BLACK, "markersize": 4, "capsize": 2, "elinewidth": 1.2}
        axes.errorbar(own["accuracy"], own["simulated"], 2 * own["se"], zorder=4, **look)
        axes.set_xlim(50, 100)
        axes.set_ylim(floor, 100.5)
        least = {name: curves[h, name]["coverage"].min() for name in _INTERVAL_COLOURS}
        said.append(f"h = {h}: " + ", ".join(f"{INTERVALS[n]} {v:.1f} %" for n, v in least.items()))
    looks: dict[str, Any] = {INTERVALS[name]: {"color": colour} for name, colour in _INTERVAL_COLOURS.items()}
    looks["eq. 3 simulated"] = {"color": BLACK, "marker": "o", "markersize": 4, "linestyle": "none"}
    plots.legend_of(figure, looks, columns=2)
    facts = {"sizes": len(sizes), "nominal": nominal, "floor": floor, "least": "; ".join(said)}
    return Drawing(figure, facts=facts)
