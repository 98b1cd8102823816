"""Figures of the guide: what to use when, and what tuning alone seems to gain."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.patches import Rectangle

from compendium.evidence.claims import counted
from compendium.evidence.records import each
from compendium.evidence.results import ResultsByScale
from compendium.guide.advice.experiment import AdviceParameters, bands_of
from compendium.guide.names import ESTIMATORS, LEARNERS
from errorest import plots
from errorest.plots import BLACK, COLOURS, FONT_SIZE, GREY, PURPLE

__all__ = ["draw_advice", "draw_price"]

_TINTS = {
    "cv-10": "#F2DFC0",
    "stratified-cv-10": "#FBE7B2",
    "repeated-stratified-cv-10": "#F4E3A1",
    "loo": "#E8E8E8",
    "repeated-cv-2": "#D9EAF7",
    "bootstrap-632": "#F0D9E6",
    "loo-star": "#F6D3C0",
    "bootstrap-632-plus": "#C9E8DD",
}

_HATCHING = "#BDBDBD"
_THIN = 2
"""How many times as many cases as the fewest that give advice make a field that is not thin."""


def _field(column: int, row: int, **look: Any) -> Rectangle:
    return Rectangle((column - 0.49, row - 0.47), 0.98, 0.94, **look)


@plots.in_style
def draw_advice(p: AdviceParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the guide as a grid: kind of inducer down, sample size across, the estimator to use in each field."""
    table = made.published.data["advice"]
    learners = [k for k in LEARNERS if k in set(table["learner"])]
    bands = [b.title for b in bands_of(p) if b.title in set(table["band"])]
    figure, grid = plots.new_figure(1, 1, 0.9 + 0.85 * len(learners))
    axes = grid[0, 0]
    small = {"ha": "center", "va": "center", "fontsize": FONT_SIZE - 1}
    said = []
    for row, learner in enumerate(learners):
        for column, band in enumerate(bands):
            own = each(table[(table["learner"] == learner) & (table["band"] == band)])
            if not own:
                axes.text(column, row, "not tried", color=GREY, **small)
                continue
            if not own[0].use:
                axes.text(column, row, f"no advice:\n{counted(own[0].cases, 'case')}", color=GREY, **small)
                continue
            one, short = own[0], ESTIMATORS[own[0].use].short
            thin = one.cases < _THIN * p.fewest_cases
            axes.add_patch(_field(column, row, facecolor=_TINTS[one.use], edgecolor="none"))
            if thin:
                axes.add_patch(_field(column, row, facecolor="none", edgecolor=_HATCHING, hatch="//", linewidth=0))
            axes.text(column, row - 0.27, short, ha="center", va="center", fontweight="bold")
            told = f"{one.fits:g} fits, {one.rmse:.1f} points off\n{counted(one.cases, 'case')}"
            axes.text(column, row + 0.15, told, linespacing=1.15, **small)
            said.append(f"{short} for {LEARNERS[learner].plural}, {band}")
    titles = [LEARNERS[k].title.replace(" (", "\n(").replace(", k", ",\nk") for k in learners]
    plots.as_table(axes, titles, [b.removesuffix(" cases") for b in bands])
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("cases in the sample")
    return plots.Drawn(
        figure,
        f"A grid of kinds of inducers by sample size with an estimator in {len(said)} of its fields, such as "
        f"{said[0] if said else 'none'}; data in the table below.",
        f"What to use without clones: the estimator with the fewest fits whose error is within {100 * p.tolerance:g} "
        f"% of the least in the cross-examination and whose bias is at most {100 * p.most_bias:g} points; below it, "
        "fits for one sample, the root mean squared error that remains, in points, and how many measured cases stand "
        f"behind the field. Hatched: fewer than {_THIN * p.fewest_cases} cases; fewer than {p.fewest_cases} give no "
        "advice.",
    )


@plots.in_style
def draw_price(p: AdviceParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw what tuning alone seems to gain against the number of settings, a line a test size."""
    table = made.published.data["price"]
    figure, grid = plots.new_figure(1, 1, 3.8)
    axes = grid[0, 0]
    ends, said = [], []
    palette = (*COLOURS[:3], PURPLE, GREY, BLACK)
    for number, m in enumerate(dict.fromkeys(table["m"])):
        own = table[table["m"] == m].sort_values("trials")
        colour = palette[number % len(palette)]
        axes.plot(own["trials"], own["bias"], marker="o", color=colour)
        last = each(own)[-1]
        ends.append(plots.EndLabel(float(last.trials), float(last.bias), f"{m:,} cases", colour))
        said.append(f"{m} cases {own['bias'].iloc[0]:.1f} to {last.bias:.1f}")
    ticks = sorted(set(table["trials"]))
    plots.log_axis(axes, ticks, "{:,}")
    axes.set_ylim(0, None)
    axes.grid(axis="y")
    axes.set_xlabel("settings tried")
    axes.set_ylabel("gain by luck alone (points)")
    plots.label_ends(axes, ends)
    return plots.Drawn(
        figure,
        f"Expected gain of the best of several equally good settings, from {ticks[0]} to {ticks[-1]} settings, in "
        f"points: {'; '.join(said)}.",
        "How much better than it is the best of some equally good settings looks on the cases that chose it, on the "
        f"average, at an accuracy of {p.accuracy:g}; exact, settings taken as independent.",
    )
