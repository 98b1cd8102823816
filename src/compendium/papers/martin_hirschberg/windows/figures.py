"""Figures of Martin & Hirschberg (1996), section 3: bias against true error (Figures 6 and 7)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.records import parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.windows.curves import HALF
from compendium.papers.martin_hirschberg.windows.experiment import WindowsParameters
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, GREY, ORANGE, SKY, VERMILION, signed
from errorest.plots.annotations import over_columns

_FEWEST = 5
"""Samples in a window whose error bar is drawn in Figure 7."""

_CURVES = ("cv-10", "bootstrap-632")


def _readings(p: WindowsParameters) -> dict[str, str]:
    return {rule: READINGS[rule].replace(":", ": ") for rule in p.reversal_rules}


def draw_figure_6(p: WindowsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 6a to 6d, one column for each reading of the reversal rule."""
    scatter, windows, splines = (made.published.data[name] for name in ("scatter", "windows", "splines"))
    first, later = windows[windows["set"] == 0], windows[windows["set"] > 0]
    readings = _readings(p)
    titles = {"a": "one experiment", "b": "window means", "c": f"{p.figure_6_repeats} repeats", "d": "all splines"}
    numbers = {rule: str(i + 1) if len(readings) > 1 else "" for i, rule in enumerate(readings)}
    panels = {(part, r): f"{part}{i}  {title}" for part, title in titles.items() for r, i in numbers.items()}
    picture = Picture(
        *(12.0, panels, ("part", "rule")),
        columns=len(readings),
        x="true error (%)",
        y="2-CV* (%)",
        sharex=True,
        sharey=True,
    )
    right = 5 * np.ceil((windows["true_error"].max() + 1) / 5)
    top = min(100.0, 5 * np.ceil((scatter["estimate"].max() + 2) / 5))
    picture.guide(to=min(right, top), linestyle="--")
    for rule, own in parts(first, "rule").items():
        # an example of a window: the fullest one where the points do not cover it
        middle = own[own["window"].between(20, 45)].sort_values("n")
        strip = float(middle["window"].iloc[-1]) if len(middle) else 0.0
        look: dict[str, Any] = {"color": ORANGE, "alpha": 0.35, "linewidth": 0}
        picture.axes["a", rule].axvspan(strip - p.window / 2, strip + p.window / 2, **look)

    def on(part: str, table: pd.DataFrame) -> tuple[pd.DataFrame, str, str]:
        return table.assign(part=part), "true_error", "estimate"

    picture.scatter(*on("a", scatter), color=BLUE, marker=".", markersize=3.5, alpha=0.45, markeredgewidth=0)
    picture.scatter(*on("b", first), se="se", color=BLUE, markersize=3.5, elinewidth=1.1)
    picture.scatter(*on("c", first), se="se", marker="none", ecolor=SKY, elinewidth=3.2, alpha=0.8, zorder=1)
    picture.scatter(*on("c", later[~later["outside"]]), marker="+", color=GREY, markersize=5)
    picture.scatter(*on("c", later[later["outside"]]), markerfacecolor="none", color=VERMILION, markersize=5.5)
    grey = {number: {"color": GREY, "linewidth": 0.9} for number in splines["set"].unique() if number > 0}
    picture.lines(*on("d", splines), by="set", looks=grey, names=lambda _: "")
    for part in "bd":
        picture.lines(*on(part, splines[splines["set"] == 0]), color=VERMILION, zorder=3)
    picture.limits(xlim=(-2, right), ylim=(-2, top))
    over_columns([picture.axes["a", rule] for rule in readings], readings.values(), 26)
    return picture.done(n=p.sizes[0], size=p.samples * len(p.inherent_errors), experiments=1 + p.figure_6_repeats)


def draw_figure_7(p: WindowsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 7: bias of 10-CV and 632b over the true error, a row a sample size and a column an estimator.

    Window means with their errors are drawn and no spline through them: its swings look like findings.
    """
    scale, result = made.largest
    windows = result.data["windows"]
    dense = windows[windows["n"] >= _FEWEST]
    shown = dense if len(dense) else windows
    readings, sizes = _readings(p), sorted(p.sizes)
    picture = Picture(
        1.0 + 1.9 * len(sizes),
        {(n, e): f"{NAMES[e].symbol}, N = {n}" for n in sizes for e in _CURVES},
        ("N", "estimator"),
        letters=True,
        x="true error (%)",
        y="bias (points)",
        sharex=True,
        sharey="row",
    )
    picture.guide(y=0, linestyle="--")
    picture.guide(x=HALF, color="#C8C8C8")
    looks = dict(zip(readings, ({"color": BLUE, "marker": "o"}, {"color": VERMILION, "marker": "s"}) * 2, strict=False))
    # readings lie a little apart, so that neither covers the other
    apart = shown.assign(true_error=shown["true_error"] + 0.5 * shown["rule"].map(list(readings).index))
    picture.scatter(apart, "true_error", "bias", se="se", by="rule", looks=looks, names=readings, markersize=3.5)
    picture.limits(xlim=(-1, 5 * np.ceil((shown["true_error"].max() + 2) / 5)))
    for axes in picture.axes.values():
        axes.yaxis.set_major_formatter(signed())
        axes.grid(axis="y")
    return picture.done(scale=scale, fewest=_FEWEST)
