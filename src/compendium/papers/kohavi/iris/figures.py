"""Figures of Kohavi (1995), section 2: the majority inducer's holdout, the memorizer, equation 3."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from compendium.evidence.records import distinct, matching, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.iris.experiment import IrisParameters
from compendium.papers.kohavi.names import ESTIMATES, INTERVALS
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, GREEN, GREY, ORANGE, SKY, VERMILION
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
    message = f"truth: {expected:.1f} %"
    annotate_offset(axes, message, (expected, 0.97), (-5, 0), VERMILION, va="top", **SHARE_OF_HEIGHT)
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


def draw_text_632(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw what five estimators say of a memorizer on random labels, by the number of cases."""
    scale, result = made.largest
    table, sizes = result.data["memorizer"].sort_values("n"), sorted(set(p.memorizer_sizes))
    picture = Picture(4.2, x="cases n", y="estimated accuracy (%)", x_levels=sizes)
    picture.guide(y=50, color=BLACK, linewidth=1.2, linestyle="--")
    # side by side, since three of the five estimates nearly agree
    how: dict[str, Any] = {"by": "estimator", "looks": _COLOURS, "names": ESTIMATES, "ends": True, "dodge": 0.06}
    picture.lines(table, "n", "accuracy", se="sd", z=1.0, **how, marker="o", linewidth=1.4, capsize=2)
    texts = []
    for name, text in ((name, ESTIMATES[name]) for name in _COLOURS):
        first, last = (f"{value:.1f}" for value in matching(table, estimator=name)["accuracy"].iloc[[0, -1]])
        texts.append(f"{text} {first if first == last else f'{first} to {last}'} %")
    known = printed_values(published).get(("memorizer/random-labels", "accuracy-percent"))
    if known is not None:
        own = pd.DataFrame({"n": [p.memorizer_sizes[0]], "accuracy": [known]})
        picture.scatter(own, "n", "accuracy", printed=True)
    picture.limits(xlim=(-0.4, len(sizes) - 0.85))
    return picture.done(scale=scale, fewest=sizes[0], most=sizes[-1], accuracies="; ".join(texts), known=known)


_INTERVAL_COLOURS = {"wald": ORANGE, "clopper-pearson": GREEN, "score": BLUE}


def draw_equation_3(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the coverage of equation 3, exact and simulated, beside two other intervals, for each test size."""
    curves, points = (made.published.data[name] for name in ("curves", "coverage"))
    sizes, nominal = distinct(p.test_sizes), 100 * p.confidence
    floor = max(0.0, nominal - 20)
    picture = Picture(
        1.1 + 2.7 * ceil(len(sizes) / 2),
        {h: f"h = {h}" for h in sizes},
        "h",
        x="true accuracy (%)",
        y="coverage (%)",
        sharex=True,
        sharey=True,
    )
    picture.guide(y=nominal, color=BLACK, linestyle="--")
    how: dict[str, Any] = {"by": "interval", "looks": _INTERVAL_COLOURS, "names": INTERVALS}
    picture.lines(curves, "accuracy", "coverage", **how, linewidth=1.1)
    look: dict[str, Any] = {"color": BLACK, "markersize": 4, "capsize": 2, "elinewidth": 1.2, "zorder": 4}
    picture.scatter(points, "accuracy", "simulated", se="se", label="eq. 3 simulated", **look)
    picture.limits(xlim=(50, 100), ylim=(floor, 100.5))
    least = curves.groupby(["h", "interval"])["coverage"].min()
    texts = [
        f"h = {h}: " + ", ".join(f"{INTERVALS[n]} {least[h, n]:.1f} %" for n in reversed(_INTERVAL_COLOURS))
        for h in sizes
    ]
    return picture.done(columns=2, sizes=len(sizes), nominal=nominal, floor=floor, least="; ".join(texts))
